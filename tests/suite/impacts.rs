//! Impacts without a coefficient of restitution add no energy, whatever the integrator, the step and the phase.

use crate::support::{Run, rectangle, rigid, stones};
use ipcsim::scene::Scene;
use ipcsim::time::Record;
use serde_json::{Value, json};

/// A circle of 0.1 m that flies towards the ground at `speed` (m/s) without weight, and meets it after some steps and a
/// part of a step, its `phase`.
fn falling(integrator: &str, h: f64, speed: f64, phase: f64) -> Scene {
    let height = 0.11 + speed * h * (2.0 + phase);
    let ball = rigid(
        "ball",
        json!({ "circle": { "radius": 0.1 } }),
        [0.0, height],
        json!({ "velocity": [0.3 * speed, -speed] }),
    );
    let rest = json!({
        "time": { "step": h, "steps": 40, "integrator": integrator },
        "gravity": [0.0, 0.0],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "solver": {},
    });
    stones(&[ball], rest)
}

#[test]
fn an_impact_adds_no_energy_and_returns_less_than_half_of_the_speed() {
    for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
        for h in [0.01, 0.003, 0.001] {
            for speed in [0.5, 2.0, 20.0] {
                for phase in [0.1, 0.4, 0.8] {
                    let mut run = Run::of(&falling(integrator, h, speed, phase));
                    let first = run.step().record.total;
                    let mut before = first;
                    let mut up = f64::NEG_INFINITY;
                    for step in 1..40 {
                        let now = run.step().record.total;
                        let place =
                            format!("{integrator}, {h} s, {speed} m/s, phase {phase}, step {step}");
                        assert!(now - before <= 1e-9 * first, "{place}: {before} to {now} J");
                        before = now;
                        up = up.max(run.velocity(0).y);
                    }

                    assert!(
                        up <= 0.5 * speed,
                        "{integrator}, {h}, {speed}, {phase}: {up}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_ball_that_is_dropped_rises_no_higher_than_it_was() {
    for integrator in ["bdf2", "tr_bdf2"] {
        for h in [0.01, 0.005, 0.002] {
            let ball = rigid(
                "ball",
                json!({ "circle": { "radius": 0.1 } }),
                [0.0, 1.1],
                json!({}),
            );
            let rest = json!({
                "time": { "step": h, "steps": 600, "integrator": integrator },
                "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
                "solver": {},
            });
            let mut run = Run::of(&stones(&[ball], rest));
            let mut has_met = false;
            let mut highest = 0.0_f64;
            for _ in 0..600 {
                let done = run.step();
                has_met |= done.record.contacts > 0;
                if has_met {
                    highest = highest.max(run.centre(0).y);
                }
            }
            assert!(has_met && highest < 0.35, "{integrator}, {h}: {highest} m");
        }
    }
}

/// Bodies that hit or glance off each other, after some steps of `h` (s), with their obstacles.
fn meetings(h: f64) -> Vec<(&'static str, Vec<Value>, Vec<Value>)> {
    let circle = |radius: f64| json!({ "circle": { "radius": radius } });
    let fast = |x: f64, y: f64, spin: f64| json!({ "velocity": [x, y], "spin_deg": spin });
    let floor = json!({ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } });
    let hill = json!({ "name": "hill", "shape": circle(0.1) });
    let points: Vec<[f64; 2]> = (0..51)
        .map(|k| {
            let x = 0.02 * f64::from(k) - 0.5;
            [x, 1.6 * x * x - 0.01]
        })
        .collect();
    let bowl = json!({ "name": "bowl", "shape": { "polyline": { "points": points } } });
    let mut tilted = fast(0.5, -2.0, 40.0);
    tilted["rotation_deg"] = json!(25.0);
    let mut turned = fast(0.5, -2.0, 60.0);
    turned["rotation_deg"] = json!(10.0);
    vec![
        (
            "two disks",
            vec![
                rigid("a", circle(0.1), [0.0, 0.0], json!({})),
                rigid("b", circle(0.1), [-0.3 - h, 0.17], fast(3.0, 0.0, 0.0)),
            ],
            vec![],
        ),
        (
            "hill",
            vec![rigid(
                "a",
                circle(0.1),
                [-0.3 - h, 0.17],
                fast(3.0, 0.0, 0.0),
            )],
            vec![hill],
        ),
        (
            "corner",
            vec![rigid("a", rectangle(0.3, 0.2), [0.0, 0.25 + h], tilted)],
            vec![floor],
        ),
        (
            "boxes",
            vec![
                rigid("a", rectangle(0.3, 0.2), [0.0, 0.0], json!({})),
                rigid("b", rectangle(0.2, 0.2), [0.05, 0.25 + h], turned),
            ],
            vec![],
        ),
        (
            "bowl",
            vec![rigid("a", circle(0.05), [0.25, 0.2], fast(0.0, -1.0, 0.0))],
            vec![bowl],
        ),
    ]
}

#[test]
fn no_contact_adds_energy_to_bodies_that_turn_slide_or_glance() {
    for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
        for (h, friction, gravity) in [(0.01, 0.0, 9.81), (0.002, 0.3, 9.81), (0.01, 0.3, 0.0)] {
            for (name, bodies, obstacles) in meetings(h) {
                let rest = json!({
                    "time": { "step": h, "steps": 10, "integrator": integrator },
                    "gravity": [0.0, -gravity],
                    "obstacles": obstacles,
                    "contact": { "friction": { "default": friction } },
                    "solver": {},
                });
                let mut run = Run::of(&stones(&bodies, rest));

                // From step to step.
                let mut before = run.step().record;
                let mut largest = before.kinetic;
                for step in 1..60 {
                    let now = run.step().record;
                    largest = largest.max(now.kinetic);
                    let gained = now.total - before.total;
                    // The formula of two steps may gain a little as a contact lets go, and where a body
                    // slides on in a bowl of edges.
                    let gain = match (name, integrator) {
                        ("bowl", "bdf2" | "tr_bdf2" | "trapezoid") => 2e-2,
                        (_, "bdf2") => 1e-6,
                        _ => 1e-9,
                    };
                    assert!(
                        gained <= gain * largest,
                        "{name} by {integrator}, {h} s, {friction}, {gravity}, step {step}: {gained} J of {largest}"
                    );
                    before = now;
                }
            }
        }
    }
}

/// Bodies between obstacles that move: a lift, a wall that comes over a floor, an arm that turns.
fn driven(h: f64) -> Vec<(&'static str, Value, Vec<Value>)> {
    let circle = |radius: f64| json!({ "circle": { "radius": radius } });
    let plane = |name: &str, normal: [f64; 2], x: f64, velocity: [f64; 2]| json!({ "name": name, "shape": { "half_plane": { "normal": normal, "origin": [x, 0.0] } }, "velocity": velocity });
    let moving = json!({ "velocity": [0.5, 0.0] });

    // An obstacle that moves straight, a wall over a floor at rest, and an arm that turns.
    vec![
        (
            "lift",
            rigid("a", circle(0.1), [0.0, 0.3 + h], moving.clone()),
            vec![plane("floor", [0.0, 1.0], 0.0, [0.0, 1.5])],
        ),
        (
            "wall",
            rigid("a", rectangle(0.2, 0.2), [0.0, 0.15 + h], moving),
            vec![
                plane("floor", [0.0, 1.0], 0.0, [0.0, 0.0]),
                plane("wall", [-1.0, 0.0], 0.5, [-2.0, 0.0]),
            ],
        ),
        (
            "arm",
            rigid(
                "a",
                circle(0.08),
                [0.25, 0.25 + h],
                json!({ "velocity": [0.0, -1.0] }),
            ),
            vec![json!({ "name": "arm", "shape": rectangle(0.8, 0.05), "spin_deg": -180.0 })],
        ),
    ]
}

#[test]
fn impacts_on_obstacles_that_move_add_no_more_than_the_work_of_these() {
    for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
        for e in [None, Some(0.0), Some(1.0)] {
            for (name, body, obstacles) in driven(0.01) {
                // With and without a coefficient.
                let mut contact = json!({ "friction": { "default": 0.3 } });
                if let Some(e) = e {
                    contact["restitution"] = json!({ "default": e });
                }
                let rest = json!({
                    "time": { "step": 0.01, "steps": 60, "integrator": integrator },
                    "obstacles": obstacles, "contact": contact, "output": { "ledger": true }, "solver": {},
                });
                let mut run = Run::of(&stones(&[body], rest));

                // From step to step.
                let mut before = run.step().record;
                let mut largest = before.kinetic;
                for step in 1..60 {
                    let now = run.step().record;
                    largest = largest.max(now.kinetic);
                    let worked = now.ledger.as_ref().unwrap().work.prescribed;

                    // With a coefficient the energy of barriers counts as none.
                    let gravity = |record: &Record| record.kinetic + record.potentials[0];
                    let mut gained = now.total - before.total;
                    if e.is_some() {
                        gained = gained.min(gravity(&now) - gravity(&before));
                    }
                    // A contact without force that opens on an arm is none of an impact.
                    let arm = name == "arm" && integrator == "tr_bdf2";
                    let share = if arm { 1e-5 } else { 1e-9 };
                    assert!(
                        now.contacts == before.contacts || gained <= worked + share * largest,
                        "{name} by {integrator}, e {e:?}, step {step}: {gained} J of {largest}, {worked} by scripts"
                    );
                    before = now;
                }
            }
        }
    }
}
