//! Bodies of all kinds thrown at thin wires, which move many times their length in a step.

use crate::support::{Run, rectangle, rigid, stones};
use ipcsim::math::Vec2;
use serde_json::{Value, json};

/// Bodies thrown along x from the left, each with the distance of its right end from its centre.
fn bullets() -> [(&'static str, Value, f64); 5] {
    [
        ("point", json!({ "point": { "mass": 0.1 } }), 0.0),
        (
            "wire",
            json!({ "polyline": { "points": [[-0.05, -0.1], [0.05, 0.0], [-0.05, 0.1]] } }),
            0.05,
        ),
        ("disk", json!({ "circle": { "radius": 0.05 } }), 0.05),
        ("plate", rectangle(0.02, 0.3), 0.01),
        ("needle", rectangle(0.3, 0.001), 0.15),
    ]
}

fn thrown(name: &str, shape: &Value, at: [f64; 2], velocity: f64, spin: f64) -> Value {
    let spin = if name == "point" { 0.0 } else { spin };
    rigid(
        name,
        shape.clone(),
        at,
        json!({ "velocity": [velocity, 0.0], "spin_deg": spin }),
    )
}

#[test]
fn nothing_passes_a_wire_however_fast() {
    let wire = json!({ "name": "wall", "shape": { "polyline": { "points": [[0.0, -500.0], [0.0, 0.03], [0.0, 500.0]] } } });
    for (name, shape, reach) in bullets() {
        for velocity in [10.0, 1e3, 1e4] {
            for spin in [0.0, 36_000.0] {
                let body = thrown(name, &shape, [-0.7, 0.01], velocity, spin);
                let mut run = Run::of(&stones(
                    &[body],
                    json!({ "time": { "step": 0.01, "steps": 20 }, "gravity": [0.0, 0.0],
                    "obstacles": [wire], "solver": { "tolerance": 1e-3 * velocity } }),
                ));
                let mut contacts = 0;

                for step in 1..=20 {
                    let report = run.try_step();
                    let record = report
                        .unwrap_or_else(|e| panic!("{name} {velocity} {spin} step {step}: {e}"))
                        .record;
                    contacts += record.contacts;
                    let vertices = run.world().bodies[0].vertices.clone();
                    let rightmost = run.state().x[vertices]
                        .iter()
                        .map(|x| x.x)
                        .fold(f64::NEG_INFINITY, f64::max);

                    assert!(
                        rightmost < 0.0,
                        "{name} {velocity} {spin} step {step}: {rightmost}"
                    );
                    assert!(name != "disk" || run.center(0).x < -reach);
                }

                assert!(contacts > 0, "{name} at {velocity} m/s did not get there");
            }
        }
    }
}

#[test]
fn a_free_wire_is_pushed_along_and_momentum_is_kept() {
    for (name, shape, _) in bullets() {
        for velocity in [100.0, 1e4] {
            let wire = rigid(
                "target",
                json!({ "polyline": { "points": [[0.0, -0.5], [0.0, 0.5]] } }),
                [0.0, 0.0],
                json!({ "fixed": ["y", "angle"] }),
            );
            let body = thrown(name, &shape, [-0.73, 0.0], velocity, 0.0);
            let tolerance = 1e-6 * velocity;
            let mut run = Run::of(&stones(
                &[body, wire],
                json!({ "time": { "step": 0.001, "steps": 60 },
                "gravity": [0.0, 0.0], "solver": { "tolerance": tolerance } }),
            ));
            let before = run.center_velocity(0) * run.mass(0);

            for step in 1..=60 {
                run.try_step()
                    .unwrap_or_else(|e| panic!("{name} {velocity} step {step}: {e}"));
                // The target does not turn out of the way: who was left stays left.
                assert!(
                    run.center(0).x < run.center(1).x,
                    "{name} {velocity} step {step}"
                );
            }

            let after: Vec2 = (0..2).map(|k| run.center_velocity(k) * run.mass(k)).sum();
            let allowed = 60.0 * tolerance * (run.mass(0) + run.mass(1));
            assert!(
                (after - before).x.abs() < allowed,
                "{name} {velocity}: {before} {after}"
            );
            assert!(
                run.center_velocity(1).x > 0.0,
                "{name} {velocity}: the wire was not hit"
            );
        }
    }
}

#[test]
fn plates_in_a_stack_keep_their_order_when_one_hits_them() {
    for velocity in [100.0, 1e4] {
        let plate = |k: u32| {
            let (x, speed) = if k == 0 {
                (-1.0, velocity)
            } else {
                (0.025 * f64::from(k), 0.0)
            };
            rigid(
                &format!("plate {k}"),
                rectangle(0.02, 1.0),
                [x, 0.0],
                json!({ "velocity": [speed, 0.0] }),
            )
        };
        let bodies: Vec<Value> = (0..10).map(plate).collect();
        let mut run = Run::of(&stones(
            &bodies,
            json!({ "time": { "step": 0.001, "steps": 40 }, "gravity": [0.0, 0.0],
            "contact": { "d_hat": 1e-3 }, "solver": { "tolerance": 1e-4 * velocity } }),
        ));
        let mut contacts = 0;

        for step in 1..=40 {
            let report = run
                .try_step()
                .unwrap_or_else(|e| panic!("{velocity} step {step}: {e}"));
            contacts += report.record.contacts;

            for k in 1..10 {
                assert!(
                    run.center(k).x - run.center(k - 1).x > 0.019,
                    "{velocity} m/s, step {step}, plate {k}"
                );
            }
        }

        // The blow has gone through the whole stack.
        assert!(
            contacts > 0 && run.center_velocity(9).x > 0.05 * velocity,
            "{contacts}"
        );
    }
}
