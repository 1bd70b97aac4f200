//! Bodies of all kinds thrown at thin wires, which move many times their length in a step.

use crate::support::{Run, near_point, rectangle, rigid, stone, stones};
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
                for step in 1..=20 {
                    let report = run.try_step();
                    report.unwrap_or_else(|e| panic!("{name} {velocity} {spin} step {step}: {e}"));
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

                // The wall has stopped it, whether or not it still touches.
                let speed = run.center_velocity(0).x;
                assert!(
                    speed < 0.5 * velocity,
                    "{name} at {velocity} m/s did not get there: {speed}"
                );
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

/// Bodies of steel without gravity, and steps of 10 ms.
fn at_ten_milliseconds(bodies: &[Value], steps: usize, velocity: f64) -> Run {
    Run::of(&stones(
        bodies,
        json!({ "time": { "step": 0.01, "steps": steps }, "gravity": [0.0, 0.0],
        "contact": { "d_hat": 5e-5 }, "solver": { "tolerance": 1e-6 * velocity } }),
    ))
}

/// A bullet of 10 mm on its way along x, round or square.
fn bullet_at(at: [f64; 2], velocity: f64, is_round: bool) -> Value {
    let shape = if is_round {
        json!({ "circle": { "radius": 0.005 } })
    } else {
        rectangle(0.01, 0.01)
    };
    rigid("bullet", shape, at, json!({ "velocity": [velocity, 0.0] }))
}

/// Number of steps of 10 ms until a bullet has come 0.31 m far, and one more.
fn steps_to_impact(velocity: f64) -> usize {
    let mut steps = 1;
    let mut way = 0.0;
    while way < 0.31 {
        way += 0.01 * velocity;
        steps += 1;
    }
    steps
}

#[test]
fn a_free_plate_of_a_millimetre_takes_the_impulse_of_a_bullet() {
    for velocity in [10.0, 300.0, 1000.0, 10_000.0] {
        for (length, offset) in [(0.2, 0.0), (1.0, 0.1234), (1.0, 0.45), (10.0, 3.0)] {
            for is_round in [true, false] {
                let plate = stone("plate", rectangle(0.001, length), [0.0, 0.0]);
                let bullet = bullet_at([-0.31, offset], velocity, is_round);
                let steps = steps_to_impact(velocity);
                let mut run = at_ten_milliseconds(&[bullet, plate], steps, velocity);
                for _ in 0..steps {
                    run.try_step().unwrap();
                }

                // Stuck without friction: an impulse along x at the offset.
                let (m, big) = (run.mass(0), run.mass(1));
                let inertia = big * (length * length + 1e-6) / 12.0;
                let impulse = velocity / (1.0 / m + 1.0 / big + offset * offset / inertia);
                let expected = [velocity - impulse / m, impulse / big];
                for (body, expected) in expected.into_iter().enumerate() {
                    let found = run.center_velocity(body).x;
                    assert!(
                        (found - expected).abs() < 0.05 * expected,
                        "{velocity} m/s, {length} m, at {offset}, {is_round}: {found} {expected}"
                    );
                }
                let across = run.center_velocity(0).y.abs();
                assert!(
                    across < 0.05 * velocity,
                    "{velocity} {length} {offset}: {across}"
                );
            }
        }
    }
}

#[test]
fn a_free_disk_deflects_a_bullet_along_its_rim() {
    for velocity in [10.0, 100.0, 1000.0, 10_000.0] {
        for offset in [0.02, 0.05, 0.08] {
            let disk = json!({ "circle": { "radius": 0.1 } });
            let bodies = [
                bullet_at([-0.31, offset], velocity, true),
                stone("disk", disk, [0.0, 0.0]),
            ];
            let steps = steps_to_impact(velocity);
            let mut run = at_ten_milliseconds(&bodies, steps, velocity);
            for _ in 0..steps {
                run.try_step().unwrap();
            }

            // The normal velocity is stopped, the one along the rim is kept.
            let sine: f64 = offset / 0.105;
            let normal = Vec2::new(-(1.0 - sine * sine).sqrt(), sine);
            let (m, big) = (run.mass(0), run.mass(1));
            let impulse = -velocity * normal.x / (1.0 / m + 1.0 / big);
            let expected = Vec2::new(velocity, 0.0) + normal * (impulse / m);
            let error = (run.center_velocity(0) - expected).norm();
            assert!(
                error < 0.05 * velocity,
                "{velocity} m/s at {offset}: {error}"
            );
        }
    }
}

#[test]
fn a_block_that_overlaps_a_free_plate_by_most_of_its_side_does_not_pass_it() {
    for velocity in [20.0, 80.0, 300.0] {
        let bodies = [
            rigid(
                "block",
                rectangle(1.0, 1.0),
                [-0.9, 0.8],
                json!({ "velocity": [velocity, 0.0] }),
            ),
            stone("plate", rectangle(0.01, 1.0), [0.0, 0.0]),
        ];
        let mut run = at_ten_milliseconds(&bodies, 8, velocity);
        let before = run.center_velocity(0) * run.mass(0);
        for _ in 0..8 {
            run.try_step().unwrap();
        }

        // The impulse on a plate at its offset of at least 0.3 m, and at most 0.5 m.
        let after: Vec2 = (0..2).map(|k| run.center_velocity(k) * run.mass(k)).sum();
        near_point(after, before, 1e-3 * before.norm());
        let [slow, fast] = [0.5, 0.3].map(|offset: f64| velocity / (1.0 + 12.0 * offset * offset));
        let found = run.center_velocity(1).x;
        assert!(
            0.9 * slow < found && found < 1.1 * fast,
            "{velocity}: {found}"
        );
    }
}

#[test]
fn a_chain_of_thin_links_catches_a_bullet() {
    for velocity in [100.0, 1000.0, 10_000.0] {
        let place = |k: u32| 0.1025 * f64::from(k) - 0.41;
        let link = |k: u32| stone(&format!("link {k}"), rectangle(0.002, 0.1), [0.0, place(k)]);
        let mut bodies = vec![bullet_at([-0.31, 0.013], velocity, true)];
        bodies.extend((0..9).map(link));
        let hinge = |k: u32| {
            let bodies = [format!("link {k}"), format!("link {}", k + 1)];
            json!({ "hinge": { "bodies": bodies, "at": [0.0, place(k) + 0.05125] } })
        };
        let joints: Vec<Value> = (0..8).map(hinge).collect();
        let mut run = Run::of(&stones(
            &bodies,
            json!({ "time": { "step": 0.01, "steps": 5 }, "gravity": [0.0, 0.0], "joints": joints,
            "contact": { "d_hat": 5e-5 }, "solver": { "tolerance": 1e-6 * velocity } }),
        ));
        let before = run.mass(0) * velocity;
        for _ in 0..5 {
            run.try_step().unwrap();
        }

        // Nothing is lost, and the bullet is not ahead of every link.
        let after: Vec2 = (0..10).map(|k| run.center_velocity(k) * run.mass(k)).sum();
        assert!(
            (after.x - before).abs() < 1e-3 * before,
            "{velocity}: {after}"
        );
        assert!(
            run.center_velocity(0).x < 0.6 * velocity,
            "{velocity}: {}",
            run.center_velocity(0)
        );
    }
}
