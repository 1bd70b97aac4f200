//! Gradients of equilibria.
//!
//! - Displacements in an equilibrium depend on ratios of forces only: with the modulus `E`, the stiffness
//!   `kappa` of contact and a load `F`, `E du/dE + kappa du/dkappa + F du/dF = 0`, through contact
//!   and friction.
//! - A slender cantilever with the load `F` at its end bends by `F L^3/(3 E' I)`, and this deflection by
//!   `E` is the deflection over `-E`.

use super::motion_gradient::{derivative, value};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use serde_json::{Value, json};

pub(super) const CASE: Case = Case {
    name: "load_gradient",
    title: "Gradients of a block that is pressed and a beam",
    proves: "Gradients of equilibria are those of ratios of forces, through contact and friction.",
    formula: "E du/dE + kappa du/dkappa + F du/dF = 0; d(F L^3/(3 E' I))/dE = -F L^3/(3 E' I E)",
    source: "Homogeneity of the balance of forces; Euler-Bernoulli beam",
    weight: Weight::Quick,
    run,
};

/// Young's modulus (Pa), Poisson's ratio, and stiffness of contact (Pa).
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
const KAPPA: f64 = 2e4;
/// Length and height of the beam (m), and the load at its end (N).
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.05;
const LOAD: f64 = -0.02;

#[allow(clippy::unnecessary_wraps, reason = "all cases may fail to run")]
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("parameter", "its part in the derivative (m)"));

    // A block that a load shears and presses against the ground.
    let block = pressed();
    let law = "materials.rubber.law.neo_hookean.young";
    let parts = [
        (law, YOUNG),
        ("contact.kappa", KAPPA),
        ("loads.0.force.0", 4.0),
        ("loads.0.force.1", -20.0),
    ];
    let parts = parts.map(|(path, value)| value * derivative(&block, "block.x", path));
    let largest = parts
        .iter()
        .fold(0.0, |most: f64, part| most.max(part.abs()));
    let sum: f64 = parts.iter().sum();
    outcome.absolute("block: sum of all parts", "1", 0.0, sum / largest, 1e-7);
    let points = parts.iter().enumerate();
    let points = points.map(|(k, part)| [k as f64, *part]);
    outcome.plot.points("block", points.collect());

    // A beam.
    let beam = beam();
    let deflection = value(&beam, "tip");
    let found = derivative(&beam, "tip", law);
    outcome.relative(
        "beam: its own deflection over -E",
        "m/Pa",
        -deflection / YOUNG,
        found,
        1e-4,
    );

    // The closed form is of a slender beam in plane strain, hence the wider tolerance.
    let inertia = HEIGHT.powi(3) / 12.0;
    let stiff = YOUNG / (1.0 - POISSON * POISSON);
    let slender = LOAD * LENGTH.powi(3) / (3.0 * stiff * inertia);
    outcome.relative("beam: formula", "m/Pa", -slender / YOUNG, found, 0.01);
    Ok(outcome)
}

/// A material that both have.
///
/// Young's modulus is its only number with the unit of a stress.
fn rubber() -> Value {
    json!({"rubber": {"density": 1000, "law": {"neo_hookean": {"young": YOUNG, "poisson": POISSON}}}})
}

/// A block on the ground under a load.
fn pressed() -> Value {
    json!({
        "time": {"step": 1, "steps": 1, "integrator": "static"},
        "gravity": [0, 0],
        "materials": rubber(),
        "bodies": [{
            "name": "block", "shape": {"square": {"side": 0.1, "segments": 3}}, "material": "rubber",
            "position": [0, 0.0505]
        }],
        "obstacles": [{"name": "ground", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}],
        "contact": {"d_hat": 1e-3, "kappa": KAPPA, "friction": {"default": 0.5}},
        "loads": [{"body": "block", "on": {"side": "top"}, "force": [4.0, -20.0]}]
    })
}

/// A cantilever of quadratic triangles with a measure of its tip.
fn beam() -> Value {
    json!({
        "time": {"step": 1, "steps": 1, "integrator": "static"},
        "gravity": [0, 0],
        "materials": rubber(),
        "bodies": [{
            "name": "beam", "shape": {"rectangle": {"size": [LENGTH, HEIGHT], "segments": [20, 1]}},
            "material": "rubber", "elements": "quadratic", "prescribed": [{"vertices": {"side": "left"}}]
        }],
        "loads": [{"body": "beam", "on": {"side": "right"}, "force": [0, LOAD]}],
        "measure": [{
            "name": "tip", "value": "displacement_y", "of": "beam", "at": [0.5 * LENGTH, 0], "over": "last"
        }]
    })
}
