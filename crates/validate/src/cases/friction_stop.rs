//! Distance in which friction stops a block.
//!
//! `v0` is the speed at the start (m/s) and `h` the step (s). Without the time step the distance is
//! `v0^2/(2 mu g)`, here 0.408 m. Implicit Euler moves each step with the speed at its end, which
//! is less by `mu g h`; over the whole way that takes `v0 h/2` away.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_stop",
    title: "Stop distance of a sliding block",
    proves: "Friction slows a block by mu g until it stops.",
    formula: "s = v0^2 / (2 mu g) - v0 h/2",
    source: "Coulomb friction; implicit Euler takes the speed at the end of each step",
    weight: Weight::Quick,
    run,
};

/// Initial speed (m/s), coefficient (1), side of the block (m).
const SPEED: f64 = 2.0;
const MU: f64 = 0.5;
const SIDE: f64 = 0.2;

/// Judges the distance (m) to 2e-4, with steps of 10 and 2.5 ms; the tolerance is the share that
/// the incomplete last step may change.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    let decay = MU * G;
    outcome
        .plot
        .curve("v0 - mu g t", [0.0, 0.5], |t| (SPEED - decay * t).max(0.0));

    for h in [0.01, 0.0025] {
        // The number of steps to rest is no integer; what is left in the last one is below 2e-4.
        let expected = SPEED * SPEED / (2.0 * decay) - 0.5 * SPEED * h;
        let [distance, speeds] = slide(h)?;
        let got = distance.last().map_or(f64::NAN, |point| point[1]);
        outcome.relative(format!("distance, h {h} s"), "m", expected, got, 2e-4);
        outcome.plot.points(format!("h {h} s"), speeds);
    }
    Ok(outcome)
}

/// Distance (m) and speed (m/s) over time (s).
fn slide(h: f64) -> Result<[Vec<[f64; 2]>; 2], Error> {
    let [d_hat, kappa] = [1e-3, 1e5];
    // At its gap at rest the block starts without an impact, and its weight is the normal force.
    let gap = d_hat * rest_gap(BarrierShape::Inverse, 0.5 * DENSITY * G * SIDE / kappa);
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE)
        .at([0.0, 0.5 * SIDE + gap])
        .with_velocity([SPEED, 0.0]);
    let scene = scene(h, 1)
        .barrier(d_hat, kappa)
        .rough(MU, 1e-5)
        .with_body(block)
        .with_obstacle(ground());

    let mut simulation = Simulation::new(scene)?;
    let mut distances = Vec::new();
    let mut speeds = Vec::new();
    while simulation.time() < 0.5 {
        simulation.step()?;
        let block = simulation.body("block")?;
        distances.push([simulation.time(), block.centre().x]);
        speeds.push([simulation.time(), block.velocity().x]);
    }
    Ok([distances, speeds])
}
