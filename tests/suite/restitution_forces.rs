//! Impacts of bodies that joints hold, scripts drive, friction slows or other contacts press.

use crate::restitution::{SCHEMES, body};
use crate::restitution_crowds::{crowd, kinetic};
use crate::support::{Run, ground, stones};
use ipcsim::scene::Scene;
use ipcsim::scene::schema::Joint;
use serde_json::{Value, json};

/// Bodies without weight above an obstacle, in steps of 1 ms.
fn weightless(bodies: &[Value], scheme: &str, obstacle: &Value, restitution: &Value) -> Scene {
    let rest = json!({
        "time": { "step": 1e-3, "steps": 10, "integrator": scheme },
        "gravity": [0.0, 0.0],
        "obstacles": [obstacle],
        "contact": { "restitution": restitution },
    });
    stones(bodies, rest)
}

#[test]
fn a_joint_hands_an_impact_on_to_the_other_body() {
    // Two boxes above each other fall as one thing, and rebound as one.
    let [lower, upper] =
        [("lower", 0.01), ("upper", 0.31)].map(|(name, height)| body("box", name, height, -2.0));
    let joints = [
        Joint::rod("lower", "upper", [[0.0, 0.11], [0.0, 0.41]]),
        Joint::hinge("upper", "lower", [0.0, 0.26]),
    ];
    for scheme in SCHEMES {
        for joint in &joints {
            for e in [0.0, 0.5, 1.0] {
                let bodies = [lower.clone(), upper.clone()];
                let law = json!({ "default": e });
                let mut scene = weightless(&bodies, scheme, &ground(), &law);
                scene.joints.push(joint.clone());
                let mut run = Run::of(&scene);
                run.steps(20);
                for k in 0..2 {
                    let speed = run.center_velocity(k).y;
                    let what = format!("{scheme} {joint:?} e {e} body {k}: {speed}");
                    assert!((speed - 2.0 * e).abs() < 1e-5, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_plate_that_moves_throws_a_body_up() {
    // In the frame of the plate the body arrives with the sum of the speeds and leaves with e times it.
    for kind in ["disk", "box", "affine"] {
        for scheme in SCHEMES {
            for (plate_speed, speed) in [(2.0, 0.0), (1.0, -3.0), (-1.0, -3.0)] {
                for e in [0.0, 0.5, 1.0] {
                    let plate = json!({
                        "name": "plate",
                        "shape": { "rectangle": { "size": [1.0, 0.1], "segments": [1, 1] } },
                        "position": [0.0, -0.05],
                        "velocity": [0.0, plate_speed],
                    });
                    let bodies = [body(kind, "body", 0.02, speed)];
                    let law = json!({ "default": e });
                    let mut run = Run::of(&weightless(&bodies, scheme, &plate, &law));
                    run.steps(40);
                    let expected = plate_speed + e * (plate_speed - speed);
                    let measured = run.center_velocity(0).y;
                    let what = format!("{kind} {scheme} plate {plate_speed} body {speed} e {e}");
                    assert!(
                        (measured - expected).abs() < 0.01 * (plate_speed - speed),
                        "{what}: {measured}"
                    );
                }
            }
        }
    }
}

#[test]
fn friction_and_joints_do_not_let_an_impact_raise_the_kinetic_energy() {
    for friction in [0.0, 0.5] {
        for joined in [false, true] {
            let mut scene = crowd("implicit_euler", 1.0, &["disk", "box"]);
            scene.contact.friction.default = friction;
            if joined {
                let ends = [[0.3, 0.0], [0.6, 0.0]];
                scene.joints.push(Joint::rod("body 1", "body 2", ends));
                scene
                    .joints
                    .push(Joint::hinge("body 9", "body 13", [0.3, 0.75]));
            }
            let mut run = Run::of(&scene);
            let mut before = kinetic(&run);
            for step in 0..150 {
                run.step();
                let after = kinetic(&run);
                let what = format!("friction {friction} joined {joined} step {step}");
                assert!(after < before * (1.0 + 1e-6), "{what}: {before} {after}");
                before = after;
            }
        }
    }
}

#[test]
fn a_load_without_a_coefficient_does_not_let_its_carrier_rebound_faster() {
    // The upper box falls into the lower one while that hits the ground.
    for scheme in SCHEMES {
        for gap in [2e-4, 1e-3] {
            let bodies = [
                body("box", "lower", 0.01, -2.0),
                body("box", "upper", 0.21 + gap, -2.0),
            ];
            let law = json!({ "pairs": [{ "between": ["lower", "ground"], "coefficient": 1.0 }] });
            let mut run = Run::of(&weightless(&bodies, scheme, &ground(), &law));
            let start = kinetic(&run);
            for step in 0..40 {
                run.step();
                let now = kinetic(&run);
                assert!(
                    now < start * (1.0 + 1e-6),
                    "{scheme} gap {gap} step {step}: {now}"
                );
            }
        }
    }
}
