//! Free spin: rigid bodies keep it, others lose it by implicit Euler.
//!
//! Implicit Euler finds the rotation nearest to the prediction `A + h A'`, where `h A'` is the last
//! increment of `A`. If a step turned by `f`, the next one turns by `atan2(sin f, 2 - cos f)`. For
//! small steps the angular velocity is then near `w / sqrt(1 + 2 w^2 h t)`.
//!
//! The body turns once a second, in 200 steps of 0.01 s. A rigid body has an angle for an unknown,
//! which implicit Euler advances without loss: it keeps its spin to 1e-12. Others keep 62 % of it
//! after 2 s by the approximate formula; the recursion itself is the expected value, and agrees to
//! 1e-6 for Young's modulus 1e9 Pa.

use crate::scenes::{Exact, RUBBER, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "motion_spin",
    title: "Free spin, and what implicit Euler takes from it",
    proves: "A rigid body keeps its spin. An affine or deformable body loses it as implicit Euler of a stiff body must.",
    formula: "rigid: w = w0; else f' = atan2(sin f, 2 - cos f) per step, about w0 / sqrt(1 + 2 w0^2 h t)",
    source: "Polar projection of the prediction (stiff limit of implicit Euler)",
    weight: Weight::Quick,
    run,
};

/// Step (s), number of steps.
const H: f64 = 0.01;
const STEPS: usize = 200;

/// Spins a square of each kind, and judges the angle of its last step against that of the start.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "w / w0"));
    outcome.plot.curve("rigid", [0.0, 2.0], |_| 1.0);
    outcome
        .plot
        .curve("1/sqrt(1 + 2 w0^2 h t)", [0.0, 2.0], |t| {
            1.0 / (1.0 + 2.0 * TAU * TAU * H * t).sqrt()
        });

    for (label, kind, material, tolerance) in [
        ("rigid", Kind::Rigid, STONE, 1e-12),
        ("affine", Kind::Affine(Affine::default()), STONE, 1e-6),
        ("deformable", Kind::Deformable, RUBBER, 1e-6),
    ] {
        let turned = turns(kind, material)?;
        let got = turned[STEPS - 1][1];
        let expected = if kind == Kind::Rigid {
            1.0
        } else {
            left_by_projection()
        };
        let name = format!("w / w0 after 2 s, {label}");
        outcome.relative(name, "1", expected, got, tolerance);
        outcome.plot.points(format!("{label}, measured"), turned);
    }
    Ok(outcome)
}

/// Share of the spin that is left after all steps of a body that deforms.
fn left_by_projection() -> f64 {
    // The first prediction is A + h w J A.
    let first = (H * TAU).atan();
    let last = (1..STEPS).fold(first, |f: f64, _| f.sin().atan2(2.0 - f.cos()));
    last / (H * TAU)
}

/// Angle of each step as a share of that of the start, over time (s).
fn turns(kind: Kind, material: &str) -> Result<Vec<[f64; 2]>, Error> {
    let body = Body::new("body", kind, Square::new(0.2, 2), material).with_spin(360.0);
    let scene = scene(H, STEPS)
        .weightless()
        .elastic(Law::neo_hookean(1e9, 0.3))
        .with_body(body);
    let mut simulation = Simulation::new(scene)?;

    let arm = |simulation: &Simulation| -> Result<Vec2, Error> {
        let body = simulation.body("body")?;
        Ok(body.x()[0] - body.centre())
    };
    let mut before = arm(&simulation)?;
    let mut turned = Vec::new();
    for _ in 0..STEPS {
        simulation.step()?;
        let now = arm(&simulation)?;
        let angle = (before.x * now.y - before.y * now.x).atan2(before.dot(&now));
        turned.push([simulation.time(), angle / (H * TAU)]);
        before = now;
    }
    Ok(turned)
}
