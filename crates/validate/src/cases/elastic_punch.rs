//! A rigid flat punch with sharp corners pressed into an elastic half-plane.
//!
//! Under the force `P` per thickness a punch of the half-width `a` has the pressure
//! `p(x) = P / (pi sqrt(a^2 - x^2))`: two thirds of the mean in the middle, and without bound at the
//! corners.
//!
//! The half-plane is 20 `a` deep and 40 `a` wide. Pressures are judged to 1 % of the closed form in the
//! middle, at a half and at three quarters of `a`. Half of the force is within `a / sqrt 2` and half of it
//! outside of that, which is judged to 1 % as well: it weighs the corners.

use crate::pressure::{Indented, beside, total};
use crate::round::Graded;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

pub(super) const CASE: Case = Case {
    name: "elastic_punch",
    title: "A rigid flat punch on a half-plane",
    proves: "The pressure of a flat punch has two thirds of its mean in the middle and grows without bound at its corners.",
    formula: "p = P / (pi sqrt(a^2 - x^2))",
    source: "Sadowsky 1928; Johnson 1985, Contact Mechanics, section 2.8",
    weight: Weight::Full,
    run,
};

/// Young's modulus (Pa), Poisson's ratio (1), half-width and height of the punch (m).
const ELASTIC: [f64; 2] = [200.0, 0.3];
const WIDTH: f64 = 1.0;
const HEIGHT: f64 = 1.0;
/// Edges in the half-width, and displacement of the punch (m).
const EDGES: f64 = 80.0;
const TRAVEL: f64 = 0.004;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / a", "pressure / mean pressure"));
    let shape = |s: f64| FRAC_2_PI / (1.0 - s * s).sqrt();
    outcome.plot.curve("closed form", [-0.99, 0.99], shape);

    let indented = Indented {
        size: Graded {
            fine: WIDTH / EDGES,
            within: 1.3 * WIDTH,
            reach: 20.0 * WIDTH,
        },
        elastic: ELASTIC,
        d_hat: WIDTH / 1000.0,
        travel: TRAVEL,
    };
    let punch = [
        [-WIDTH, 0.0],
        [WIDTH, 0.0],
        [WIDTH, HEIGHT],
        [-WIDTH, HEIGHT],
    ];
    let pressed = indented.by(Outline::new(punch.to_vec()))?;
    let force = total(&pressed);
    let mean = 0.5 * force / WIDTH;

    for share in [0.0, 0.5, 0.75] {
        let got = beside(&pressed, share * WIDTH) / mean;
        let name = format!("pressure at {share} a / mean pressure");
        outcome.relative(name, "1", shape(share), got, 0.01);
    }

    // A vertex at the limit counts half; its neighbours count in whole.
    let limit = FRAC_1_SQRT_2 * WIDTH;
    let inside = pressed.iter().map(|at| {
        let edge = WIDTH / EDGES;
        let share = (limit - at.x.abs()) / edge + 0.5;
        at.force * share.clamp(0.0, 1.0)
    });
    let share = inside.sum::<f64>() / force;
    outcome.relative(
        "share of the force within a / sqrt 2",
        "1",
        0.5,
        share,
        0.01,
    );
    let points = pressed.iter().map(|at| [at.x / WIDTH, at.pressure / mean]);
    outcome.plot.points("measured", points.collect());
    Ok(outcome)
}
