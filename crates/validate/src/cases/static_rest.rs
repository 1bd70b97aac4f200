//! Blocks that nothing holds at first, brought to rest on the ground by statics.
//!
//! They begin above the ground, out of reach of its barrier. A small mass holds them back while they
//! fall, and is gone when they rest: the force of the ground is their weight.

use crate::scenes::{DENSITY, Exact, G, RUBBER, STONE, force_on, ground, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "static_rest",
    title: "Statics: blocks that contacts alone hold",
    proves: "A body that only a contact holds, which is open at first, rests with its weight.",
    formula: "N = m g",
    source: "Equilibrium of forces",
    weight: Weight::Quick,
    run,
};

/// Sides of a block, and its height above the ground (m).
const SIZE: [f64; 2] = [0.4, 0.2];
const ABOVE: f64 = 0.15;

/// Judges the force of the ground and what is left over, relative to the weight, to 1e-6.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("kind (rigid, soft)", "force / weight"));
    let rigid = Body::rigid("block", Rectangle::new(SIZE, [1, 1]), STONE);
    let soft = Body::deformable("block", Rectangle::new(SIZE, [8, 4]), RUBBER);
    let weight = DENSITY * SIZE[0] * SIZE[1] * G;
    outcome.plot.curve("weight", [0.0, 1.0], |_| 1.0);

    for (number, (kind, block)) in [("rigid", rigid), ("soft", soft)].into_iter().enumerate() {
        let mut scene = statics(1)
            .elastic(Law::neo_hookean(1e5, 0.3))
            .with_body(block.at([0.0, 0.5 * SIZE[1] + ABOVE]))
            .with_obstacle(ground());
        scene.gravity = [0.0, -G];
        scene.contact.friction.default = 0.5;

        let mut simulation = Simulation::new(scene)?;
        let report = simulation.step()?;
        let force = force_on(&simulation, "block").y;
        let name = format!("force of the ground, {kind}");
        outcome.relative(name, "N", weight, force, 1e-6);
        let name = format!("force that held it back at last, {kind}");
        outcome.absolute(name, "N", 0.0, report.held, 1e-6 * weight);
        let at = [number as f64, force / weight];
        outcome.plot.points(kind, vec![at]);
    }
    Ok(outcome)
}
