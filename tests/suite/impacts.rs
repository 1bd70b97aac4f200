//! Impacts without a coefficient of restitution add no energy, whatever the integrator, the step and the phase.

use crate::support::{Run, rigid, stones};
use ipcsim::scene::Scene;
use serde_json::json;

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
                        // A formula of two steps may gain a little as the barrier lets go.
                        let gain = if integrator == "bdf2" { 1e-4 } else { 1e-9 };
                        assert!(now - before <= gain * first, "{place}: {before} to {now} J");
                        before = now;
                        up = up.max(run.velocity(0).y);
                    }

                    // The trapezoidal rule keeps the energy of the barrier, and may return all.
                    let most = if integrator == "trapezoid" { 1.0 } else { 0.5 };
                    assert!(
                        up <= most * speed,
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
