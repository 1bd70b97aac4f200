//! A block that a wall pushes up an incline, by increments of statics.
//!
//! `a` is the angle of the incline, `G` the weight and `F` the horizontal force (N). Along the
//! incline `F cos a = G sin a + mu N`, and across it `N = G cos a + F sin a`. The case
//! `friction_incline` computes the same with inertia.

use crate::scenes::{Exact, G, STONE, force_on, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "static_incline",
    title: "Statics: a block pushed up an incline of tan 0.1",
    proves: "Friction in increments of statics is Coulomb's: the force is that of the contact benchmark.",
    formula: "F / G = (tan a + mu) / (1 - mu tan a)",
    source: "NAFEMS benchmark CGS-4, contact patch with finite sliding (Konter, FENET D3613)",
    weight: Weight::Quick,
    run,
};

/// Judges the force over the weight to 1e-4 after increments of 5 mm, for four coefficients.
fn run() -> Result<Outcome, Error> {
    let force = |mu: f64| (0.1 + mu) / (1.0 - 0.1 * mu);
    let mut outcome = Outcome::new(Plot::new("mu", "force / weight"));
    let formula = "(tan a + mu) / (1 - mu tan a)";
    outcome.plot.curve(formula, [0.0, 0.35], force);

    let mut measured = Vec::new();
    for mu in [0.0, 0.1, 0.2, 0.3] {
        let got = pushed(mu)?;
        let name = format!("F / G, mu {mu}");
        outcome.check(Quantity::relative(name, "1", force(mu), got, 1e-4));
        measured.push([mu, got]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Horizontal force of the wall as a share of the weight, after a way of 50 mm.
fn pushed(mu: f64) -> Result<f64, Error> {
    let angle = 0.1_f64.atan();
    let (sin, cos) = angle.sin_cos();
    let size = [0.4, 0.1];

    // The upper left corner of the block is that which the wall meets.
    let above = 0.5 * size[1] + 0.95e-3;
    let corner = -0.5 * size[0] * cos - 0.5 * size[1] * sin;
    let block = Body::rigid("block", Rectangle::new(size, [1, 1]), STONE)
        .at([-above * sin, above * cos])
        .rotated(angle.to_degrees());
    let wall = HalfPlane::new([1.0, 0.0], [corner - above * sin - 0.99e-3, 0.0]);
    let incline = HalfPlane::new([-sin, cos], [0.0, 0.0]);
    let mut scene = statics(10)
        .barrier(1e-3, 1e5)
        .with_gravity([0.0, -G])
        .with_body(block)
        .with_obstacle(Obstacle::new("incline", incline))
        .with_obstacle(Obstacle::new("wall", wall).with_velocity([0.05, 0.0]));
    scene.contact.friction.default = mu;
    scene.contact.friction.pairs = vec![FrictionPair::new("block", "wall", 0.0)];

    let mut simulation = Simulation::new(scene)?;
    simulation.run(10)?;
    let weight = G * simulation.body("block")?.mass();
    Ok(-force_on(&simulation, "wall").x / weight)
}
