//! A rigid wedge pressed into an elastic half-plane.
//!
//! The flanks of the wedge rise by the small angle `b` from its edge. Under the force `P` per thickness it
//! touches within `a = P / (E* tan b)`, with `E* = E / (1 - nu^2)`, and its pressure is
//! `p(x) = (2 / pi) p_m arcosh(a / x)` with the mean `p_m = P / 2 a`: it is unbounded at the edge, and
//! continuous at `x = a`.
//!
//! The half-plane is 20 `a` deep and 40 `a` wide. Pressures are judged to 1 % at a quarter, a half and three
//! quarters of `a`, with the `a` of the force that the simulation has. The outermost vertex that touches is
//! judged to the length of two edges.

use crate::pressure::{Indented, beside, total};
use crate::round::Graded;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::FRAC_2_PI;

pub(super) const CASE: Case = Case {
    name: "elastic_wedge",
    title: "A rigid wedge on a half-plane",
    proves: "A wedge touches over a width in proportion to its force, with a pressure that has a logarithm at its edge.",
    formula: "a = P / (E* tan b), p = (2/pi) (P/2a) arcosh(a/x)",
    source: "Johnson 1985, Contact Mechanics, section 5.2",
    weight: Weight::Full,
    run,
};

/// Young's modulus (Pa), Poisson's ratio (1) and slope of the flanks (1).
const ELASTIC: [f64; 2] = [200.0, 0.3];
const SLOPE: f64 = 0.01;
/// Length of edges where they touch (m), for a half-width of about 1 m, and displacement of the wedge (m).
const EDGE: f64 = 1.0 / 32.0;
const TRAVEL: f64 = 0.0235;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / a", "pressure / mean pressure"));
    let shape = |s: f64| FRAC_2_PI * (1.0 / s.abs().clamp(0.005, 1.0)).acosh();
    outcome.plot.curve("closed form", [-1.0, 1.0], shape);

    let indented = Indented {
        size: Graded {
            fine: EDGE,
            within: 1.3,
            reach: 20.0,
        },
        elastic: ELASTIC,
        d_hat: 1.0 / 400.0,
        travel: TRAVEL,
    };
    let wedge = Outline::new(vec![[0.0, 0.0], [5.0, 5.0 * SLOPE], [-5.0, 5.0 * SLOPE]]);
    let pressed = indented.by(wedge)?;
    let [young, poisson] = ELASTIC;
    let force = total(&pressed);
    let width = force * (1.0 - poisson * poisson) / (young * SLOPE);
    let mean = 0.5 * force / width;

    for share in [0.25, 0.5, 0.75] {
        let got = beside(&pressed, share * width) / mean;
        let name = format!("pressure at {share} a / mean pressure");
        outcome.relative(name, "1", shape(share), got, 0.01);
    }
    let outermost = pressed.iter().map(|at| at.x.abs()).fold(0.0, f64::max);
    outcome.absolute(
        "outermost vertex that touches",
        "m",
        width,
        outermost,
        2.0 * EDGE,
    );
    let points = pressed.iter().map(|at| [at.x / width, at.pressure / mean]);
    outcome.plot.points("measured", points.collect());
    Ok(outcome)
}
