//! Cylinders, torques at which joints break, and bodies of joints that collide.

use crate::cli_joints::run_in_parts;
use crate::joint_kinds::{CLOSED, beam, extended, joined, kinds, vertex, watch};
use crate::program::{Place, ipcsim};
use crate::support::{Run, inline};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Weight of the beam (N), which has 200 kg.
const WEIGHT: f64 = 9.81 * 200.0;

/// A rigid beam whose centre is at (0.5, 0.1), with these joints.
fn stone(joints: Value) -> Scene {
    joined(&beam(&(json!("rigid"), "stone", [1, 1])), joints)
}

/// A cylinder from 1 m above the centre of the beam to the centre, with more keys.
fn upright(more: &Value) -> Value {
    let ends = json!({ "bodies": ["wall", "beam"], "ends": [[0.5, 1.1], [0.5, 0.1]] });
    json!([{ "cylinder": extended(ends, more) }])
}

/// Length of that cylinder (m).
fn length(run: &Run) -> f64 {
    (run.centre(0) - Vec2::new(0.5, 1.1)).norm()
}

#[test]
fn a_cylinder_is_as_long_as_its_motor_makes_it_on_every_kind_of_body() {
    for kind in kinds() {
        let cylinder = json!({
            "bodies": ["wall", "beam"], "ends": [[0.0, 0.5], [0.0, 0.0]],
            "motor": { "place": "0.1*sin(6*t)", "force": 1e7 }
        });
        let scene = joined(&beam(&kind), json!([{ "cylinder": cylinder }]));
        let held = vertex(&Run::of(&scene), Vec2::zeros());
        watch(&scene, |x, step| {
            let found = (x[held] - Vec2::new(0.0, 0.5)).norm();
            let error = found - 0.5 - 0.1 * (0.06 * step as f64).sin();
            assert!(error.abs() < CLOSED, "{kind:?} step {step}: {error:e}");
        });
    }
}

#[test]
fn a_cylinder_never_reaches_its_limits_whatever_the_speed() {
    // Up to ten times the range in a step, along the cylinder and across.
    for velocity in [[0.0, 500.0], [0.0, -300.0], [200.0, 0.0], [-37.0, 41.0]] {
        let mut scene = stone(upright(&json!({ "limits": [-0.2, 0.3] })));
        scene.gravity = [0.0, 0.0];
        scene.bodies[0].velocity = velocity;
        let mut run = Run::of(&scene);
        for step in 1..=60 {
            run.step();
            let length = length(&run);
            assert!(
                0.8 < length && length < 1.3,
                "{velocity:?} step {step}: {length}"
            );
        }
    }
}

#[test]
fn a_brake_in_a_cylinder_slips_at_its_force_and_sticks_below() {
    for (force, speed) in [(0.5 * WEIGHT, -0.5 * 9.81 * 0.3), (1.1 * WEIGHT, 0.0)] {
        let mut run = Run::of(&stone(upright(&json!({ "brake": force }))));
        run.steps(30);
        let found = run.velocity(0).y;
        assert!((found - speed).abs() < 1e-7, "{force}: {found} {speed}");
    }
}

#[test]
fn a_spring_in_a_cylinder_is_the_spring_between_two_points() {
    let spring = json!({ "stiffness": 2e4, "damping": 300.0 });
    let ends = json!([[0.5, 1.1], [0.0, 0.2]]);
    let bodies = json!(["wall", "beam"]);
    let mut alone = spring.clone();
    alone["bodies"] = bodies.clone();
    alone["ends"] = ends.clone();
    let inside = json!({ "bodies": bodies, "ends": ends, "spring": spring });

    let mut runs = [
        json!([{ "spring": alone }]),
        json!([{ "cylinder": inside }]),
    ]
    .map(|joints| Run::of(&stone(joints)));
    for step in 1..=60 {
        let [first, second] = &mut runs;
        first.step();
        second.step();
        let way = (first.centre(0) - second.centre(0)).norm();
        assert!(way < 1e-9, "step {step}: {way:e}");
    }
}

#[test]
fn a_weld_breaks_under_its_moment() {
    // The weight has an arm of 0.5 m about the weld.
    for (share, breaks) in [(1.02, false), (0.98, true)] {
        let weld = json!({
            "bodies": ["wall", "beam"], "at": [0.0, 0.0], "break_torque": share * 0.5 * WEIGHT
        });
        let mut run = Run::of(&stone(json!([{ "weld": weld }])));
        let first = run.step();
        assert_eq!(first.broken_joints(), if breaks { vec![0] } else { vec![] });
        run.steps(10);
        let speed = run.velocity(0).y;
        let expected = if breaks { -9.81 * 0.1 } else { 0.0 };
        assert!((speed - expected).abs() < 1e-6, "{share}: {speed}");
    }
}

/// Two equal wheels on axles with gears of a ratio, and a torque of 100 N m on the first.
fn geared(ratio: f64, break_torque: f64) -> Scene {
    let wheel = |name: &str, x: f64| {
        json!({
            "name": name, "kind": "rigid", "material": "stone", "position": [x, 0.0],
            "shape": { "circle": { "radius": 0.3 } }, "group": "joined"
        })
    };
    inline(json!({
        "time": { "step": 0.01, "steps": 10 },
        "gravity": [0.0, 0.0],
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [wheel("first", 0.0), wheel("second", 2.0)],
        "obstacles": [{
            "name": "axle", "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } }, "group": "joined"
        }],
        "joints": [
            { "hinge": { "bodies": ["axle", "first"], "at": [0.0, 0.0] } },
            { "hinge": { "bodies": ["axle", "second"], "at": [2.0, 0.0] } },
            { "gear": { "bodies": ["first", "second"], "ratio": ratio, "break_torque": break_torque } }
        ],
        "loads": [{ "body": "first", "torque": 100.0 }]
    }))
}

#[test]
fn gears_break_under_the_torque_on_the_first_body() {
    // T = (I + I / r^2) a, and the teeth take I a / r^2.
    for ratio in [-1.0, -2.0, 0.5] {
        let square: f64 = ratio * ratio;
        let taken = 100.0 / (square + 1.0);
        for (share, breaks) in [(1.01, false), (0.99, true)] {
            let mut run = Run::of(&geared(ratio, share * taken));
            let first = run.step();
            let expected = if breaks { vec![2] } else { vec![] };
            assert_eq!(first.broken_joints(), expected, "{ratio} {share}");
            let before = run.spin(1);
            run.steps(5);
            let kept = (run.spin(1) - before).abs() < 1e-9;
            assert_eq!(kept, breaks, "{ratio} {share}");
        }
    }
}

#[test]
fn bodies_of_a_joint_collide_if_the_scene_says_so() {
    // A bar turns clockwise about its end towards a block at 90 degrees, whose upper side is 0.1 m
    // from the line through the hinge: the bar's side meets it after less than 90 degrees.
    for (collide, most) in [
        (Value::Null, 359.0),
        (json!(false), 359.0),
        (json!(true), 90.0),
    ] {
        let mut hinge = json!({
            "bodies": ["block", "bar"], "at": [0.0, 0.0], "motor": { "speed_deg": -360.0, "torque": 500.0 }
        });
        if !collide.is_null() {
            hinge["collide"] = collide.clone();
        }
        let mut run = Run::of(&inline(json!({
            "time": { "step": 0.01, "steps": 100 },
            "gravity": [0.0, 0.0],
            "materials": { "stone": { "density": 1000.0 } },
            "bodies": [{
                "name": "bar", "kind": "rigid", "material": "stone", "position": [0.55, 0.0],
                "shape": { "rectangle": { "size": [1.0, 0.05], "segments": [1, 1] } }
            }],
            "obstacles": [{
                "name": "block", "position": [0.0, -0.6],
                "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }
            }],
            "joints": [{ "hinge": hinge }]
        })));
        run.steps(100);
        let turned = -run.angle(0).to_degrees();
        assert_eq!(turned < 90.0, most == 90.0, "{collide}: {turned}");
        assert!(turned < most + 2.0 && turned > 60.0, "{collide}: {turned}");
    }
}

/// A boom that a cylinder lifts to its limit, a welded block that breaks off, and gears.
fn machine() -> Value {
    let part = |name: &str, size: [f64; 2], position: [f64; 2]| {
        json!({
            "name": name, "kind": "rigid", "material": "steel", "position": position, "group": "joined",
            "shape": { "rectangle": { "size": size, "segments": [1, 1] } }
        })
    };
    json!({
        "time": { "step": 0.01, "steps": 60 },
        "materials": { "steel": { "density": 7800.0 } },
        "bodies": [
            part("boom", [2.0, 0.1], [1.0, 0.0]), part("block", [0.2, 0.2], [2.1, 0.0]),
            part("crank", [0.4, 0.1], [0.0, 2.0]), part("wheel", [0.4, 0.1], [1.0, 2.0])
        ],
        "obstacles": [{
            "name": "frame", "group": "joined", "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } }
        }],
        "joints": [
            { "hinge": { "bodies": ["frame", "boom"], "at": [0.0, 0.0] } },
            { "cylinder": { "bodies": ["frame", "boom"], "ends": [[0.0, -0.8], [1.0, 0.0]], "name": "ram",
                "limits": [-0.1, 0.2], "motor": { "speed": 1.0, "force": 1e5 }, "brake": 50.0,
                "spring": { "stiffness": 1000.0, "damping": 100.0 } } },
            { "weld": { "bodies": ["boom", "block"], "at": [2.0, 0.0], "break_torque": 400.0 } },
            { "hinge": { "bodies": ["frame", "crank"], "at": [0.0, 2.0],
                "motor": { "speed_deg": "3000*t", "torque": 400.0 } } },
            { "hinge": { "bodies": ["frame", "wheel"], "at": [1.0, 2.0] } },
            { "gear": { "bodies": ["crank", "wheel"], "ratio": -1.0, "break_torque": 150.0 } }
        ]
    })
}

#[test]
fn a_machine_with_a_cylinder_has_the_same_bits_on_threads_and_resumed_and_is_certified() {
    let place = Place::new();
    let file = place.scene(&machine());
    let run = |name: &str, more: &[&str]| place.ran(&file, name, more);
    let whole = run("whole", &["--threads", "1", "--certify"]);
    run("three", &["--threads", "3"]);
    run_in_parts(&place, &file);
    let report = place.json("whole/run.json");
    for name in ["three", "parts"] {
        let other = place.json(&format!("{name}/run.json"));
        assert_eq!(report["hash"], other["hash"], "{name}");
    }

    // The block and the gears broke, in this order or the other.
    let broken = report["broken"].as_array().unwrap();
    let mut joints: Vec<_> = broken.iter().map(|one| one["joint"].as_u64()).collect();
    joints.sort_unstable();
    assert_eq!(joints, [Some(2), Some(5)], "{report}");

    let verified = ipcsim(&["verify", &whole]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let proof = "joints: 6 closed and within their limits in all states";
    verified.prints(proof);
}
