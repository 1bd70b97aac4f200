//! Gradients of the tension of a strip around a turning drum.
//!
//! One end of the strip is held, the other one pulled by a force `T2`. The drum turns away from
//! the held end until the strip slides along all of it. Its tension there is `T1 = T2 exp(mu pi R/r)`,
//! with the radius `R` of the drum and `r` of the middle of the strip, as in `friction_capstan`. So
//!
//! - `dT1/dmu = T1 pi R/r`;
//! - `dT1/dT2 = exp(mu pi R/r)`.
//!
//! Both go through 96 contacts that slide, and each carries the friction of all contacts before it.
//! Tolerances are 1 %: a polygon of 96 cells is off by .8 % at `mu = 0.5`. For comparison the adjoint is
//! perturbed: without its friction, where only the direct effect of the coefficient remains, `dT1/dmu`
//! must be off by more than 5 %.

use super::friction_capstan::{D_HAT, RADIUS, THICKNESS, strip};
use super::motion_gradient::{derivative, derivative_without, value};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim_diff::Omitted;
use serde_json::{Value, json};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_gradient",
    title: "Gradients of the tension of a strip around a drum",
    proves: "Gradients through many sliding contacts are those of the law of the capstan.",
    formula: "dT1/dmu = T1 pi R/r, dT1/dT2 = exp(mu pi R/r)",
    source: "Euler 1769, Eytelwein 1808, differentiated",
    weight: Weight::Quick,
    run,
};

/// Length of a leg (m).
const LEG: f64 = 0.02;
/// Cells of a leg and around the drum.
const CELLS: [usize; 2] = [8, 96];
/// Pull at the free end (N).
const PULL: f64 = 5.0;
/// Coefficients of friction.
const COEFFICIENTS: [f64; 3] = [0.1, 0.3, 0.5];

#[allow(clippy::unnecessary_wraps, reason = "all cases may fail to run")]
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("mu", "dT1 / dmu (N)"));
    let wrapped = PI * RADIUS / (RADIUS + 0.97 * D_HAT + 0.5 * THICKNESS);
    let law = |mu: f64| PULL * (mu * wrapped).exp();
    outcome
        .plot
        .curve("T1 pi R / r", [0.0, 0.55], |mu| wrapped * law(mu));

    let mut measured = Vec::new();
    for mu in COEFFICIENTS {
        // The end pulls upwards with its tension, and the force downwards with the other one.
        let scene = scene(mu);
        let tension = value(&scene, "strip.reaction_y").abs();
        let by_friction = derivative(&scene, "strip.reaction_y", "contact.friction.default");
        let by_pull = derivative(&scene, "strip.reaction_y", "loads.0.force.1");
        outcome.relative(format!("T1, mu {mu}"), "N", law(mu), tension, 0.01);

        let name = format!("dT1/dmu, mu {mu}");
        outcome.relative(name, "N", wrapped * law(mu), by_friction.abs(), 0.01);
        let name = format!("dT1/dT2, mu {mu}");
        outcome.relative(name, "1", law(mu) / PULL, by_pull.abs(), 0.01);
        measured.push([mu, by_friction.abs()]);

        // A wrong adjoint must be far off.
        let without = Omitted {
            friction: true,
            ..Omitted::default()
        };
        let wrong = derivative_without(
            &scene,
            "strip.reaction_y",
            "contact.friction.default",
            without,
        );
        let off = (wrong.abs() / (wrapped * law(mu)) - 1.0).abs();
        let name = format!("error of dT1/dmu without friction in the adjoint, mu {mu}");
        outcome.at_least(name, "1", 0.05, off);
    }
    outcome.plot.points("adjoint", measured);
    Ok(outcome)
}

/// A strip around a drum that turns by 20 degrees.
fn scene(mu: f64) -> Value {
    let strip = strip(LEG, CELLS);
    let last = strip.vertices.len();
    json!({
        "time": {"step": 1, "steps": 6, "integrator": "static"},
        "gravity": [0, 0],
        "materials": {
            "rubber": {"density": 1000, "law": {"neo_hookean": {"young": 1e7, "poisson": 0}}}
        },
        "bodies": [{
            "name": "strip", "material": "rubber",
            "shape": {"mesh": {"vertices": strip.vertices, "triangles": strip.triangles}},
            "prescribed": [{"vertices": {"indices": [0, 1]}}],
            "selections": {"end": {"indices": [last - 2, last - 1]}}
        }],
        "loads": [{"body": "strip", "on": "end", "force": [0, -PULL]}],
        "obstacles": [{
            "name": "drum", "shape": {"circle": {"radius": RADIUS}},
            "keyframes": [
                {"time": 0, "position": [0, 0]},
                {"time": 1, "position": [0, 0]},
                {"time": 6, "position": [0, 0], "rotation_deg": -20}
            ]
        }],
        "contact": {"d_hat": D_HAT, "kappa": 1e5, "friction": {"default": mu}}
    })
}
