//! The gap at rest with a smallest separation.
//!
//! The barrier takes the distance less `min_separation`, as if bodies had a skin of that thickness.
//! A square rests at the sum of `min_separation` and the gap `g` that it has without one, for which
//! `-db/dg (g) = W / 2a` with the weight `W` and the side `a`. Values go from 0 to five times the
//! reach `d_hat`; all distances agree to 1e-12 m.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, after, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_separation",
    title: "A smallest separation shifts the gap at rest",
    proves: "min_separation adds to the gap at rest and changes nothing else.",
    formula: "distance = min_separation + g, with g at which the barrier carries the weight",
    source: "Li, Kaufman, Jiang 2021, Codimensional Incremental Potential Contact, section 3.1",
    weight: Weight::Quick,
    run,
};

/// Side of the square (m), reach (m) and stiffness (Pa) of the barrier.
const SIDE: f64 = 0.4;
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 2e4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("min_separation (mm)", "distance (mm)"));
    let gap = D_HAT * rest_gap(BarrierShape::Inverse, 0.5 * DENSITY * G * SIDE / KAPPA);
    outcome
        .plot
        .curve("separation + gap", [0.0, 5.0], |s| s + gap * 1e3);

    let mut measured = Vec::new();
    for separation in [0.0, 0.5e-3, 2e-3, 5e-3] {
        let square = Body::rigid("square", Square::new(SIDE, 1), STONE);
        let mut scene = scene(0.05, 100)
            .barrier(D_HAT, KAPPA)
            .with_body(square.at([0.0, 0.5 * SIDE + separation + 0.9 * D_HAT]))
            .with_obstacle(ground());
        scene.contact.min_separation = separation;

        let simulation = after(scene, 100)?;
        let distance = simulation.body("square")?.centre().y - 0.5 * SIDE;
        let name = format!("distance, min_separation {} mm", separation * 1e3);
        outcome.absolute(name, "m", separation + gap, distance, 1e-12);
        measured.push([separation * 1e3, distance * 1e3]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}
