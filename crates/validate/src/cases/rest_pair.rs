//! Gap of a block at rest on the edge of another body, for both barriers.
//!
//! Only the two lower corners of the block are near the long edge below, so that the pair is found
//! from one side. The barrier of pairs is half of one that is found from both.
//!
//! The symbols are those of a half-plane: `s = gap / d_hat`, the stiffness `kappa`, and the
//! pressure `W / 2a` of a block of the side `a`. The log barrier of pairs is a function of the
//! square of the distance, which gives its other formula. Stiffness is chosen so that the pressure
//! is 1 %, 10 % and 30 % of it; gaps agree to 1e-8 with the root that bisection finds.

use crate::formulas::{pair_pressure, root};
use crate::scenes::{DENSITY, Exact, G, STONE, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_pair",
    title: "Gap at rest on an edge, both barriers",
    proves: "A vertex rests over an edge where the barrier of pairs carries its load.",
    formula: "log: -kappa/8 s (ln s^2 + (s^2 - 1)/s^2) = W / 2a; clamped log: kappa/2 (2 (s - 1) ln s + (s - 1)^2/s)",
    source: "The free physics-based simulation book, chapter on self-contact; Li et al. 2020, eq. 6",
    weight: Weight::Quick,
    run,
};

/// Side of the block (m), reach of the barrier (m).
const SIDE: f64 = 0.2;
const D_HAT: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("gap / d_hat", "pressure / kappa"));
    for (label, shape) in [
        ("log", BarrierShape::Log),
        ("clamped log", BarrierShape::ClampedLog),
        ("inverse", BarrierShape::Inverse),
    ] {
        outcome
            .plot
            .curve(label, [0.4, 1.0], |s| pair_pressure(shape, s));
        let mut measured = Vec::new();
        for share in [0.01, 0.1, 0.3] {
            let expected = root([1e-9, 1.0], |s| pair_pressure(shape, s) - share);
            let gap = gap(shape, share)? / D_HAT;
            let name = format!("gap / d_hat, {label}, pressure {share} kappa");
            outcome.relative(name, "1", expected, gap, 1e-8);
            measured.push([gap, share]);
        }
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}

/// Gap (m) of a block whose pressure is a `share` of the stiffness.
fn gap(shape: BarrierShape, share: f64) -> Result<f64, Error> {
    let kappa = 0.5 * DENSITY * G * SIDE / share;
    let table = Obstacle::new("table", Rectangle::new([2.0, 0.2], [1, 1])).at([0.0, -0.1]);
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE);
    let mut scene = scene(0.05, 200)
        .barrier(D_HAT, kappa)
        .with_body(block.at([0.0, 0.5 * SIDE + 0.7 * D_HAT]))
        .with_obstacle(table);
    scene.contact.barrier = Some(shape);
    let simulation = after(scene, 200)?;
    Ok(simulation.body("block")?.centre().y - 0.5 * SIDE)
}
