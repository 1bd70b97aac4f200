//! A block that a wall pushes up an incline.
//!
//! `a` is the angle of the incline, `G` the weight and `F` the horizontal force (N). Along the
//! incline `F cos a = G sin a + mu N`, and across it `N = G cos a + F sin a`. Both give the closed
//! form. The wall that pushes has no friction, and moves at 0.05 m/s, far above the speed of full
//! friction.

use crate::scenes::{Exact, G, STONE, after, force_on, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_incline",
    title: "A block pushed up an incline of tan 0.1",
    proves: "The horizontal force that pushes a block up an incline is that of the contact benchmark, to a hundredth of a percent.",
    formula: "F / G = (tan a + mu) / (1 - mu tan a)",
    source: "NAFEMS benchmark CGS-4, contact patch with finite sliding (Konter, FENET D3613)",
    weight: Weight::Quick,
    run,
};

/// Judges the force over the weight after 3 s.
///
/// The motion is steady by then, so that neither inertia nor the time step has an influence.
fn run() -> Result<Outcome, Error> {
    judge(|mu| pushed(scene(0.01, 300).rough(mu, 1e-6), 300))
}

/// Compares the force over the weight with the closed form to 1e-4, for four coefficients.
///
/// # Errors
/// If a force cannot be measured.
pub(super) fn judge(pushed: fn(f64) -> Result<f64, Error>) -> Result<Outcome, Error> {
    let force = |mu: f64| (0.1 + mu) / (1.0 - 0.1 * mu);
    let mut outcome = Outcome::new(Plot::new("mu", "force / weight"));
    outcome
        .plot
        .curve("(tan a + mu) / (1 - mu tan a)", [0.0, 0.35], force);

    let mut measured = Vec::new();
    for mu in [0.0, 0.1, 0.2, 0.3] {
        let got = pushed(mu)?;
        outcome.relative(format!("F / G, mu {mu}"), "1", force(mu), got, 1e-4);
        measured.push([mu, got]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Horizontal force of the wall as a share of the weight at the end of a scene of this number of
/// steps, which has friction and gets the block, the incline and the wall.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn pushed(scene: Scene, steps: usize) -> Result<f64, Error> {
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
    let mut scene = scene
        .barrier(1e-3, 1e5)
        .with_body(block)
        .with_obstacle(Obstacle::new("incline", incline))
        .with_obstacle(Obstacle::new("wall", wall).with_velocity([0.05, 0.0]));
    scene.contact.friction.pairs = vec![FrictionPair::new("block", "wall", 0.0)];

    let simulation = after(scene, steps)?;
    let weight = G * simulation.body("block")?.mass();
    Ok(-force_on(&simulation, "wall").x / weight)
}
