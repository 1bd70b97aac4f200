//! A slope with all numbers left to the program.
//!
//! `t` is the slope's angle, `tan t = 0.5`. Apart from `mu`, no number of contact, friction or
//! solver is set, so that the case tests what a user gets who sets none. With `mu = 0.49` the
//! acceleration is 2 % of that without friction, and an error of friction is magnified fifty times.

use crate::scenes::{Exact, G, RUBBER, STONE, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_defaults",
    title: "A slope with default tolerance, d_hat, kappa and eps_v",
    proves: "The defaults of all numbers give the acceleration of a sliding block to .5 %, where friction takes 98 % of the driving force and a step gains less speed than the tolerance.",
    formula: "a = g (sin t - mu cos t), once the block has come to rest on the barrier",
    source: "Coulomb friction",
    weight: Weight::Quick,
    run,
};

/// Judges the acceleration to 0.5 %, rigid and deformable, for both coefficients.
///
/// It is the gain of speed in the second half of 2.5 s over 1.25 s: the first half contains the
/// impact of the start, since the block does not start at its gap at rest.
fn run() -> Result<Outcome, Error> {
    let angle = 0.5_f64.atan();
    let mut outcome = Outcome::new(Plot::new("time (s)", "travel (m)"));
    for mu in [0.3, 0.49] {
        let acceleration = G * (angle.sin() - mu * angle.cos());
        let label = format!("mu {mu}");
        outcome
            .plot
            .curve(label, [0.0, 2.5], |t| 0.5 * acceleration * t * t);

        for (kind, material) in [(Kind::Rigid, STONE), (Kind::Deformable, RUBBER)] {
            let Slide { travel, gained } = slide(kind, material, mu)?;
            let label = if kind == Kind::Rigid {
                "rigid"
            } else {
                "deformable"
            };
            let name = format!("acceleration, {label}, mu {mu}");
            let got = gained / 1.25;
            outcome.relative(name, "m/s^2", acceleration, got, 0.005);
            outcome.plot.points(format!("{label}, mu {mu}"), travel);
        }
    }
    Ok(outcome)
}

/// Motion of a block down a slope.
struct Slide {
    /// Travel (m) over time (s).
    travel: Vec<[f64; 2]>,
    /// Speed gained in the second half of the time, 1.25 s (m/s).
    gained: f64,
}

/// Motion of a block on a slope of tan 0.5.
fn slide(kind: Kind, material: &str, mu: f64) -> Result<Slide, Error> {
    let angle = 0.5_f64.atan();
    let block = Body::new("block", kind, Square::new(0.2, 2), material)
        .at(on_slope(angle, 0.0, 0.1 + 0.28e-3))
        .rotated(-angle.to_degrees());
    let mut scene = scene(0.01, 250)
        .elastic(Law::neo_hookean(1e6, 0.3))
        .with_body(block)
        .with_obstacle(slope(angle))
        .with_friction(mu);
    // Scenes of cases set a tolerance, and the default is the one to test.
    scene.solver.tolerance = None;

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("block")?.centre();
    let mut travel = Vec::new();
    let mut speeds = Vec::new();
    for _ in 0..250 {
        simulation.step()?;
        let block = simulation.body("block")?;
        travel.push([simulation.time(), (block.centre() - start).norm()]);
        speeds.push(block.velocity().norm());
    }
    let gained = speeds[249] - speeds[124];
    Ok(Slide { travel, gained })
}
