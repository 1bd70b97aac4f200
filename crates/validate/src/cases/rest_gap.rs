//! Gap of a rigid square at rest on a half-plane, for both barriers.
//!
//! Each of the lower corners carries half of the edges beside it: together the width `a` and, since
//! the vertical edges count as well, the height `a`. The pressure at rest is `W / 2a`, and the gap
//! is where the barrier has that pressure.
//!
//! The formulas are for `s = gap / d_hat` between 0 and 1. The stiffness `kappa` is chosen so that
//! the pressure at rest is 1 %, 10 % and 50 % of it, which covers a light touch and a deep one.
//! Gaps follow from the pressure by bisection and agree to 1e-8: statics has no error of the step
//! once the block is at rest.

use crate::formulas::{pressure, rest_gap};
use crate::scenes::{DENSITY, Exact, G, STONE, after, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_gap",
    title: "Gap at rest on a half-plane, both barriers",
    proves: "A body rests where the pressure of the barrier carries its weight.",
    formula: "-db/dg (g) = W / 2a; log: -kappa/2 (ln s + (s - 1)/s); clamped log: kappa (2 (s - 1) ln s + (s - 1)^2/s); s = g/d_hat",
    source: "Li et al. 2020, Incremental Potential Contact, eq. 6; the free physics-based simulation book, chapter on contact",
    weight: Weight::Quick,
    run,
};

/// Side of the square (m).
///
/// It enters by the weight only: the pressure is `rho g a / 2` for the side `a`.
const SIDE: f64 = 0.4;
/// Reach of the barrier (m).
const D_HAT: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let mut plot = Plot::new("gap / d_hat", "pressure / kappa");
    for (label, shape) in SHAPES {
        plot.curve(label, [0.4, 1.0], |s| pressure(shape, s));
    }

    let mut outcome = Outcome::new(plot);
    for (label, shape) in SHAPES {
        let mut measured = Vec::new();
        for share in [0.01, 0.1, 0.5] {
            let gap = gap(shape, share)? / D_HAT;
            let name = format!("gap / d_hat, {label}, pressure {share} kappa");
            let expected = rest_gap(shape, share);
            outcome.relative(name, "1", expected, gap, 1e-8);
            measured.push([gap, share]);
        }
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}

/// Barriers with their names.
const SHAPES: [(&str, BarrierShape); 3] = [
    ("log", BarrierShape::Log),
    ("clamped log", BarrierShape::ClampedLog),
    ("inverse", BarrierShape::Inverse),
];

/// Gap (m) at which a square comes to rest whose pressure is a `share` of the stiffness.
fn gap(shape: BarrierShape, share: f64) -> Result<f64, Error> {
    let kappa = 0.5 * DENSITY * G * SIDE / share;
    let square = Body::rigid("square", Square::new(SIDE, 1), STONE);
    let mut scene = scene(0.05, 100)
        .barrier(D_HAT, kappa)
        .with_body(square.at([0.0, 0.5 * SIDE + 0.7 * D_HAT]))
        .with_obstacle(ground());
    scene.contact.barrier = Some(shape);

    let simulation = after(scene, 100)?;
    Ok(simulation.body("square")?.centre().y - 0.5 * SIDE)
}
