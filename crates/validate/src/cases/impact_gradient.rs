//! Gradients of a ball that bounces from the ground.
//!
//! Without gravity the ball comes with the speed `V` and leaves with `e V`, as Newton's law of
//! restitution says. In `k` more steps it flies by `e V h k`, so
//!
//! - `dv/de = V` and `dy/de = V h k`;
//! - `dv/dV = e`.
//!
//! In gravity a ball that falls leaves with `e` times the speed at which it has come, so that
//! `dv/de = (v + g h k) / e` after `k` more steps.
//!
//! For comparison the adjoint is perturbed: without the change of velocities by impacts `dv/dV` must be
//! off by more than a tenth.

use super::motion_gradient::{derivative, derivative_without, value};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim_diff::Omitted;
use serde_json::{Value, json};

pub(super) const CASE: Case = Case {
    name: "impact_gradient",
    title: "Gradients of a ball that bounces",
    proves: "Gradients go through an impact as Newton's law of restitution says.",
    formula: "dv/de = V, dy/de = V h k, dv/dV = e",
    source: "Newton's law of restitution, differentiated",
    weight: Weight::Quick,
    run,
};

/// Step (s), and number of steps.
const H: f64 = 0.01;
const STEPS: usize = 30;
/// Number of steps in gravity, before the ball meets the ground again.
const FEW: usize = 15;
/// Speed before the impact (m/s), radius of the ball (m), and gravity (m/s^2).
const SPEED: f64 = 2.0;
const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 10.0;
/// Coefficients of restitution (1).
const COEFFICIENTS: [f64; 3] = [0.3, 0.6, 0.9];

#[allow(clippy::unnecessary_wraps, reason = "all cases may fail to run")]
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("e", "dy / de (m)"));
    let by = "contact.restitution.default";

    let mut measured = Vec::new();
    for e in COEFFICIENTS {
        let flight = scene(e, 0.0, STEPS);
        let travel = SPEED * H * after(&flight, STEPS) as f64;
        let by_height = derivative(&flight, "ball.y", by);
        let by_speed = derivative(&flight, "ball.vy", by);
        outcome.relative(format!("dy/de, e {e}"), "m", travel, by_height, 1e-9);
        outcome.relative(format!("dv/de, e {e}"), "m/s", SPEED, by_speed, 1e-9);

        // The velocity before counts upwards.
        let by_start = -derivative(&flight, "ball.vy", "bodies.ball.velocity.1");
        outcome.relative(format!("dv/dV, e {e}"), "1", e, by_start, 1e-8);
        measured.push([e, by_height]);
        let without = Omitted {
            impacts: true,
            ..Omitted::default()
        };
        let start = "bodies.ball.velocity.1";
        let wrong = -derivative_without(&flight, "ball.vy", start, without);
        let name = format!("error of dv/dV without impacts in the adjoint, e {e}");
        outcome.at_least(name, "1", 0.1, (wrong - e).abs());

        // In gravity.
        let fall = scene(e, GRAVITY, FEW);
        let lost = GRAVITY * H * after(&fall, FEW) as f64;
        let left = value(&fall, "ball.vy") + lost;
        let found = derivative(&fall, "ball.vy", by);
        let name = format!("in gravity: dv/de, e {e}");
        outcome.relative(name, "m/s", left / e, found, 1e-6);
    }
    outcome.plot.points("adjoint", measured);
    Ok(outcome)
}

/// Number of steps that follow the one of the impact, at whose end the ball has its new velocity.
///
/// The sum of velocities at the ends of all steps counts those before and after.
fn after(scene: &Value, steps: usize) -> usize {
    let end = value(scene, "ball.vy");
    let sum = value(scene, "sum of ball.vy");
    let gain = -H * scene["gravity"][1].as_f64().unwrap_or(0.0);
    let off = |later: &usize| {
        let before = steps - later - 1;
        let falling = (1..=before).map(|n| -SPEED - gain * n as f64);
        let rising = (0..=*later).map(|n| end + gain * n as f64);
        (falling.sum::<f64>() + rising.sum::<f64>() - sum).abs()
    };
    (0..steps)
        .min_by(|a, b| off(a).total_cmp(&off(b)))
        .unwrap_or(0)
}

/// A rigid ball that flies towards the ground.
fn scene(e: f64, gravity: f64, steps: usize) -> Value {
    json!({
        "time": {"step": H, "steps": steps},
        "gravity": [0, -gravity],
        "materials": {"stone": {"density": 1000}},
        "bodies": [{
            "name": "ball", "kind": "rigid", "shape": {"circle": {"radius": RADIUS}}, "material": "stone",
            "position": [0, 0.313], "velocity": [0, -SPEED]
        }],
        "obstacles": [{"name": "ground", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}],
        "contact": {"restitution": {"default": e}}
    })
}
