//! Limits, motors, springs, brakes and breaking of joints.

use crate::joint_kinds::{beam, extended, joined};
use crate::support::{Run, inline, near, near_point};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// The kind of a rigid beam.
fn rigid() -> Value {
    beam(&(json!("rigid"), "stone", [1, 1]))
}

/// A beam of stone on a hinge at its corner, with more keys.
fn hinged(more: &Value) -> Scene {
    let hinge = extended(
        json!({ "bodies": ["wall", "beam"], "at": [0.0, 0.0] }),
        more,
    );
    joined(&rigid(), json!([{ "hinge": hinge }]))
}

#[test]
fn a_limit_is_never_passed_whatever_the_speed() {
    // Ten turns a step towards limits that are half a turn apart.
    for spin in [100.0, -3600.0, 360_000.0] {
        let mut scene = hinged(&json!({ "limits_deg": [-100.0, 80.0] }));
        scene.bodies[0].spin_deg = spin;
        let mut run = Run::of(&scene);
        for step in 1..=60 {
            run.step();
            let angle = run.angle(0).to_degrees();
            assert!(
                -100.0 < angle && angle < 80.0,
                "{spin} step {step}: {angle}"
            );
        }
    }
}

#[test]
fn limits_count_turns() {
    let motor = json!({ "speed_deg": 720.0, "torque": 1e5 });
    let mut scene = hinged(&json!({ "limits_deg": [-90.0, 800.0], "motor": motor }));
    scene.time.steps = 150;
    scene.gravity = [0.0, 0.0];
    let mut run = Run::of(&scene);
    for step in 1..=150 {
        run.step();
        let angle = run.angle(0).to_degrees();
        let expected = 7.2 * f64::from(step);
        assert!(angle < 800.0);
        assert!(
            angle > 799.0 || (angle - expected).abs() < 1.0,
            "{step}: {angle}"
        );
    }
    assert!(run.angle(0).to_degrees() > 799.0);
}

#[test]
fn a_motor_turns_at_its_speed_and_stalls_at_its_torque() {
    // Weight at the end of the arm of 0.5 m: the motor holds it with any torque above, and not below.
    let moment = 9.81 * 200.0 * 0.5;
    for (share, holds) in [(1.05, true), (0.9, false)] {
        let motor = json!({ "speed_deg": 0.0, "torque": share * moment });
        let mut run = Run::of(&hinged(&json!({ "motor": motor })));
        run.steps(30);
        let angle = run.angle(0).abs();
        assert_eq!(angle < 1e-9, holds, "{share}: {angle:e}");
    }

    // Without a load it is at its speed at once, and turns by a formula.
    let motor = json!({ "angle_deg": "90*sin(2*t)", "torque": 1e7 });
    let mut run = Run::of(&hinged(&json!({ "motor": motor })));
    for step in 1..=60 {
        run.step();
        let expected = 90.0 * (0.02 * f64::from(step)).sin();
        let error = run.angle(0).to_degrees() - expected;
        assert!(error.abs() < 1e-7, "step {step}: {error:e}");
    }
}

#[test]
fn a_motor_against_a_limit_gives_its_torque_and_no_more() {
    let motor = json!({ "speed_deg": 90.0, "torque": 500.0 });
    let mut scene = hinged(&json!({ "limits_deg": [-90.0, 30.0], "motor": motor }));
    scene.gravity = [0.0, 0.0];
    let mut run = Run::of(&scene);
    run.steps(300);
    assert!(run.angle(0).to_degrees() > 29.0);

    // Ties of the joint: hinge, limit, motor.
    let forces = &run.state().memory.multipliers;
    near(forces[2].x.abs(), 500.0, 1e-6);
    assert!((forces[1].x + forces[2].x).abs() < 0.05, "{}", forces[1]);
}

#[test]
fn a_spring_about_a_hinge_and_along_a_line_rests_where_statics_has_it() {
    let spring = json!({ "stiffness": 1e5, "damping": 2e4 });
    let mut scene = hinged(&json!({ "spring": spring }));
    scene.time.steps = 300;
    let mut run = Run::of(&scene);
    run.steps(300);

    // k a = m g r cos(a + b), with the arm r of the centre and its angle b at the start.
    let (arm, start) = (0.5_f64.hypot(0.1), (0.1_f64).atan2(0.5));
    let angle = run.angle(0);
    let moment = -9.81 * 200.0 * arm * (angle + start).cos();
    near(1e5 * angle, moment, 1e-4 * moment.abs());

    let guide = json!({
        "bodies": ["wall", "beam"], "at": [0.0, 0.0], "axis": [0.0, 1.0],
        "spring": { "stiffness": 1e4, "damping": 1e4 }
    });
    let mut scene = joined(&rigid(), json!([{ "slider": guide }]));
    scene.time.steps = 1500;
    let mut run = Run::of(&scene);
    let before = run.centre(0).y;
    run.steps(1500);
    let sunk = before - run.centre(0).y;
    near(sunk, 9.81 * 200.0 / 1e4, 1e-4);
}

#[test]
fn a_joint_breaks_under_its_force_and_stays_broken() {
    // At rest it carries the weight of 1962 N; the beam falls freely from the step after.
    for (force, breaks) in [(2500.0, false), (1900.0, true)] {
        let guide = json!({
            "bodies": ["wall", "beam"], "at": [0.0, 0.0], "axis": [1.0, 0.0], "break_force": force
        });
        let mut run = Run::of(&joined(&rigid(), json!([{ "slider": guide }])));
        let first = run.step();
        assert_eq!(first.broken_joints(), if breaks { vec![0] } else { vec![] });
        for _ in 0..10 {
            assert!(run.step().broke.is_empty());
        }
        let speed = run.velocity(0).y;
        let expected = if breaks { -9.81 * 0.1 } else { 0.0 };
        near(speed, expected, 1e-6);
    }
}

#[test]
fn a_wheel_moves_along_its_suspension_and_turns() {
    let wheel = json!({
        "bodies": ["wall", "beam"], "at": [0.5, 0.1], "axis": [-1.0, 0.0],
        "spring": { "stiffness": 1e4 }, "limits": [-0.1, 0.1],
        "motor": { "speed_deg": 90.0, "torque": 1e6 }
    });
    let mut scene = joined(&rigid(), json!([{ "wheel": wheel }]));
    scene.gravity = [-5.0, 0.0];
    let mut run = Run::of(&scene);
    let start = run.centre(0);
    for step in 1..=60 {
        run.step();
        let way = start - run.centre(0);
        assert!(
            way.y.abs() < 1e-10 && way.x.abs() < 0.1,
            "step {step}: {way}"
        );
        let angle = run.angle(0).to_degrees();
        assert!(
            (angle - 0.9 * f64::from(step)).abs() < 1e-6,
            "step {step}: {angle}"
        );
    }
    assert!((start.x - run.centre(0).x).abs() > 1e-2);
}

#[test]
fn limits_hold_where_angles_are_no_linear_function_of_coordinates() {
    for kind in [json!({ "affine": {} }), json!("deformable")] {
        let beam = beam(&(kind.clone(), "rubber", [4, 1]));
        let hinge =
            json!({ "bodies": ["wall", "beam"], "at": [0.0, 0.0], "limits_deg": [-40.0, 40.0] });
        let scene = joined(&beam, json!([{ "hinge": hinge }]));
        let mut run = Run::of(&scene);
        let joint = run.world().model.joints[0].rows[1].clone();
        let mut least = 0.0_f64;
        for step in 1..=60 {
            run.step();
            let arrow = joint.frames[1].arrow(&run.state().x);
            let angle = arrow.y.atan2(arrow.x).to_degrees();
            assert!(angle.abs() < 40.0, "{kind} step {step}: {angle}");
            least = least.min(angle);
        }
        assert!(least < -39.0, "{kind} never comes near its limit: {least}");
    }
}

#[test]
fn a_broken_rope_lets_go_and_joints_that_contradict_each_other_are_named() {
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 5 },
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [{
            "name": "beam", "kind": "rigid", "material": "stone", "group": "joined",
            "shape": { "rectangle": { "size": [2.0, 0.1], "segments": [1, 1] } }
        }],
        "obstacles": [
            { "name": "left", "position": [-1.0, 0.0], "group": "joined",
              "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } } },
            { "name": "right", "position": [1.0, 0.0], "group": "joined", "velocity": [1.0, 0.0],
              "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } } }
        ],
        "joints": [
            { "hinge": { "bodies": ["left", "beam"], "at": [-1.0, 0.0] } },
            { "weld": { "bodies": ["right", "beam"], "at": [1.0, 0.0], "name": "end" } }
        ]
    }));
    let mut run = Run::of(&scene);
    let failure = run.try_step().expect_err("the ends move apart");
    assert!(failure.joint().is_some_and(|joint| joint < 2), "{failure}");

    // Redundant joints that agree are no contradiction.
    let mut agreeing = scene;
    agreeing.obstacles[1].velocity = [0.0, 0.0];
    let mut run = Run::of(&agreeing);
    run.steps(5);
    near_point(run.centre(0), Vec2::zeros(), 1e-10);
}
