//! Rigid bodies that fly, spin and collide: conserved quantities and closed forms.

use crate::support::{Run, ground, near_ratio, rectangle, rigid, setup, stone, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::solve::Failure;
use ipcsim::time::Fallback;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Time step (s).
const H: f64 = 0.01;

/// A run of [`floating`] bodies.
fn run(bodies: &[Value], rest: Value) -> Run {
    Run::of(&floating(bodies, rest))
}

/// A scene of stones without gravity; `rest` is everything else.
fn floating(bodies: &[Value], rest: Value) -> Scene {
    let mut all = json!({ "time": { "step": H, "steps": 100 }, "gravity": [0.0, 0.0] });
    let (Value::Object(map), Value::Object(rest)) = (&mut all, rest) else {
        panic!("not an object")
    };
    map.extend(rest);
    stones(bodies, all)
}

#[test]
fn free_spin_and_flight_are_kept_at_any_speed() {
    // In turns per second; 100 is one turn per step.
    for turns in [0.03, -2.0, 100.0, -730.0, 12_345.6] {
        let velocity = Vec2::new(1.5, -0.25);
        let more = json!({ "spin_deg": 360.0 * turns, "velocity": [velocity.x, velocity.y], "rotation_deg": 20.0 });
        let shape = json!({ "outline": { "points": [[0.0, 0.0], [2.0, 0.0], [0.3, 1.0]] } });
        let mut run = run(&[rigid("box", shape, [0.2, 0.3], more)], json!({}));
        let start = run.center(0);
        let spin = TAU * turns;

        for n in 1..=100 {
            run.step();
            let t = H * f64::from(n);
            let error = (run.angle(0) / (spin * t) - 1.0)
                .abs()
                .max((run.spin(0) / spin - 1.0).abs());

            assert!(error < 1e-12, "{turns} turns/s, step {n}: {error:e}");
            assert!(
                (run.center(0) - start - velocity * t).amax() < 1e-12,
                "{turns} turns/s, step {n}"
            );
            assert!(
                (run.center_velocity(0) - velocity).amax() < 1e-12,
                "{turns} turns/s, step {n}"
            );
        }
    }
}

/// A square that turns `turns` times in a step, above the ground.
fn spinning(turns: f64) -> Run {
    let square = stone("square", rectangle(0.2, 0.2), [0.0, 1.0]);
    let mut start = setup(&floating(&[square], json!({ "obstacles": [ground()] })));
    start.state.q_dot[1].x = turns * TAU / H;
    Run::from(start)
}

#[test]
fn a_body_that_spins_too_fast_to_search_its_motion_is_a_failure_and_no_endless_search() {
    for turns in [1e5, -1e5, 1e20, -1e58] {
        let mut run = spinning(turns);
        let failure = run.try_step().expect_err("no search has this many pieces");
        let Failure::Spinning {
            vertex,
            turns: reported,
        } = failure
        else {
            panic!("{turns}: {failure}")
        };
        assert_eq!((vertex, run.state().step), (0, 0));
        near_ratio(reported, turns.abs(), 1e-12);
    }

    // Shorter steps have fewer turns each.
    let report = spinning(1500.0).step();
    let recovery = report.recovery.expect("too many turns for one step");
    assert_eq!(
        (recovery.rung, &*recovery.kind),
        (Fallback::HalvedStep, "spinning")
    );
    assert!(spinning(900.0).step().recovery.is_none());
}

#[test]
fn forces_and_torques_accelerate_and_gravity_turns_nothing() {
    // A 2 x 1 block of 2000 kg and a moment of inertia of 2000 (4 + 1) / 12.
    let force = Vec2::new(300.0, -40.0);
    let torque = -77.0;
    let more = json!({ "force": [force.x, force.y], "torque": torque });
    let mut run = run(
        &[rigid("box", rectangle(2.0, 1.0), [0.0, 0.0], more)],
        json!({ "gravity": [0.0, -GRAVITY] }),
    );
    run.steps(100);
    let acceleration = force / 2000.0 - Vec2::new(0.0, GRAVITY);
    let alpha = torque / (2000.0 * 5.0 / 12.0);

    // Implicit Euler: h^2 a n (n + 1) / 2 and h a n.
    let way = H * H * 5050.0;
    assert!(
        (run.center(0) - acceleration * way).amax() < 1e-12 * way * GRAVITY,
        "{}",
        run.center(0)
    );
    assert!((run.center_velocity(0) - acceleration).amax() < 1e-12 * GRAVITY);
    assert!(
        (run.angle(0) / (alpha * way) - 1.0).abs() < 1e-12
            && (run.spin(0) / alpha - 1.0).abs() < 1e-12
    );
}

#[test]
fn coordinates_that_are_fixed_stay_exactly() {
    for (fixed, held) in [
        ("x", [true, false, false]),
        ("y", [false, true, false]),
        ("angle", [false, false, true]),
    ] {
        let more = json!({ "fixed": [fixed], "force": [500.0, 0.0], "torque": 100.0, "rotation_deg": 10.0 });
        let other = json!({ "velocity": [-1.0, 0.3] });
        let bodies = [
            rigid("held", rectangle(1.0, 1.0), [0.0, 1.0], more),
            rigid("other", rectangle(0.5, 0.5), [1.2, 0.9], other),
        ];
        let mut run = run(
            &bodies,
            json!({ "gravity": [0.0, -3.0], "obstacles": [ground()],
            "contact": { "d_hat": 0.02, "friction": { "default": 0.3 } } }),
        );
        let start = [run.center(0).x, run.center(0).y, run.angle(0)];
        let contacts: usize = run.steps(60).iter().map(|record| record.contacts).sum();
        let end = [run.center(0).x, run.center(0).y, run.angle(0)];

        for k in 0..3 {
            assert_eq!(start[k] == end[k], held[k], "{fixed}: {start:?} {end:?}");
        }

        assert!(contacts > 10);
    }
}

/// Two boxes that spin and fly towards each other.
fn spinning_boxes(kind: &Value, friction: f64, tolerance: f64) -> Run {
    let spun = |spin: f64, velocity: [f64; 2]| json!({ "kind": kind, "spin_deg": spin, "velocity": velocity });
    let left = spun(200.0, [1.5, 0.1]);
    let right = spun(-100.0, [-1.0, 0.4]);
    let bodies = [
        rigid("a", rectangle(1.0, 0.6), [-0.8, 0.1], left),
        rigid("b", rectangle(0.7, 0.7), [0.8, -0.1], right),
    ];

    run(
        &bodies,
        json!({ "contact": { "d_hat": 0.01, "friction": { "default": friction } },
        "solver": { "tolerance": tolerance } }),
    )
}

/// Collides two spinning boxes and bounds the change of their total momenta in each step.
fn collision(kind: &Value, friction: f64) {
    let tolerance = 1e-7;
    let mut run = spinning_boxes(kind, friction, tolerance);
    let mass = run.mass(0) + run.mass(1);
    let before = run.angular_momentum(&run.state().q, &run.state().q_dot);
    let mut impulse = 0.0_f64;
    let mut allowed = 0.0;

    for step in 1..=100 {
        let v = [run.center_velocity(0), run.center_velocity(1)];
        let q_dot = run.state().q_dot.clone();
        run.step();
        let pairs = run.state().q_dot.iter().zip(&q_dot);
        let change: Vec<Vec2> = pairs.map(|(after, before)| after - before).collect();
        let pushes = [0, 1].map(|k| (run.center_velocity(k) - v[k]) * run.mass(k));

        // Contact adds nothing to the sum. The last direction, which is not taken, has
        // |p| <= h tol and the momentum M p / h.
        let sum = pushes[0] + pushes[1];
        assert!(sum.amax() <= mass * tolerance, "step {step}: {sum}");

        // The same holds for torques about the origin at arms of up to 1 m, twice since the normal
        // turns. Friction acts on both sides of the gap, at the arms of the start of the step.
        let slack = friction * pushes[0].norm() * (0.01 + H * 10.0);
        let torque = run.angular_momentum(&run.state().q, &change);
        assert!(
            torque.abs() <= 2.0 * mass * tolerance + slack,
            "step {step}: {torque}"
        );

        // At a fixed impulse, c' x m c' remains: h (c' x p) of each body.
        let speeds = [0, 1].map(|k| run.center_velocity(k).norm());
        impulse += pushes[0].norm();
        allowed += H * speeds[0].max(speeds[1]) * 2.0 * pushes[0].norm() + slack;
    }

    let after = run.angular_momentum(&run.state().q, &run.state().q_dot);
    println!(
        "{kind} friction {friction}: angular momentum {before} to {after}, impulse {impulse}, allowed {allowed}"
    );
    assert!(impulse > 0.5 * mass, "{impulse}");

    if kind == "rigid" {
        assert!(
            (after - before).abs() <= allowed + 200.0 * mass * tolerance,
            "{before} {after}"
        );
    }
}

#[test]
fn colliding_boxes_keep_linear_and_angular_momentum() {
    collision(&json!("rigid"), 0.0);
    collision(&json!("rigid"), 0.4);
}

#[test]
fn colliding_affine_boxes_keep_linear_and_angular_momentum() {
    collision(&json!({ "affine": { "stiffness": 1e7 } }), 0.0);
    collision(&json!({ "affine": { "stiffness": 1e7 } }), 0.4);
}

#[test]
fn groups_and_excluded_pairs_pass_through_each_other_and_nothing_else_does() {
    let moving = |name: &str, x: f64, velocity: f64, group: Option<&str>| {
        let more = json!({ "velocity": [velocity, 0.0], "group": group });
        rigid(name, rectangle(0.4, 0.4), [x, 0.0], more)
    };
    for (groups, exclude, passes) in [
        ([Some("ghosts"), Some("ghosts")], json!([]), true),
        ([Some("ghosts"), Some("others")], json!([]), false),
        ([Some("ghosts"), None], json!([]), false),
        ([None, None], json!([]), false),
        ([None, None], json!([["b", "a"]]), true),
    ] {
        let bodies = [
            moving("a", -0.5, 1.0, groups[0]),
            moving("b", 0.5, -1.0, groups[1]),
        ];
        let mut run = run(&bodies, json!({ "contact": { "exclude": exclude } }));
        let contacts: usize = run.steps(100).iter().map(|record| record.contacts).sum();

        assert_eq!(
            (contacts == 0, run.center(0).x > run.center(1).x),
            (passes, passes),
            "{groups:?} {exclude}"
        );
        if passes {
            assert!((run.center(0).x - 0.5).abs() < 1e-12 && (run.center(1).x + 0.5).abs() < 1e-12);
        }
    }
}

#[test]
fn each_pair_of_rigid_bodies_has_its_own_friction() {
    let slope = 0.3_f64;
    let block = |name: &str, x: f64| stone(name, rectangle(0.4, 0.2), [x, 0.1009]);
    let pairs = json!([{ "between": ["ground", "held"], "coefficient": 0.5 },
        { "between": ["sliding", "ground"], "coefficient": 0.1 }]);
    let mut run = run(
        &[block("held", 0.0), block("sliding", -1.0)],
        json!({
        "gravity": [-GRAVITY * slope.sin(), -GRAVITY * slope.cos()], "obstacles": [ground()],
        "contact": { "d_hat": 1e-3, "friction": { "pairs": pairs, "eps_v": 1e-4 } } }),
    );
    run.steps(50);
    let before = run.center_velocity(1).x;
    run.steps(50);
    let expected = GRAVITY * (slope.sin() - 0.1 * slope.cos());
    let found = (before - run.center_velocity(1).x) / (50.0 * H);

    near_ratio(found, expected, 0.01);
    assert!(
        run.center_velocity(0).norm() < 1e-4,
        "{}",
        run.center_velocity(0)
    );
}
