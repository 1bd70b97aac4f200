//! A block on a belt that starts to move.
//!
//! The block is at rest at first, at its gap at rest above the ground, which moves below it.
//! Friction is the only force along the ground: `m v' = mu m g` while the block slips. From
//! `t = v_belt/(mu g)`, here 0.255 s, on it sticks to the belt.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_belt",
    title: "A belt carries a block along",
    proves: "Friction of a moving obstacle accelerates a body with mu g up to the speed of the belt.",
    formula: "v = min(mu g t, v_belt)",
    source: "Coulomb friction",
    weight: Weight::Quick,
    run,
};

/// Speed of the belt (m/s), coefficient (1), step (s), side of the block (m).
const SPEED: f64 = 1.0;
const MU: f64 = 0.4;
const H: f64 = 0.001;
const SIDE: f64 = 0.2;

/// Judges the speed after 0.2 s to 1e-5, the time at which the block moves with the belt to one
/// step, and the speed at the end to 1e-5 m/s.
///
/// A constant force gives implicit Euler exact speeds, so that the first tolerance is tight. The
/// time is known to a step only. The last tolerance is the speed of full friction, `eps_v`.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    outcome
        .plot
        .curve("min(mu g t, v)", [0.0, 0.4], |t| (MU * G * t).min(SPEED));

    let [d_hat, kappa] = [1e-3, 1e5];
    // Corners count half of the upright sides as well, so that the pressure is half of rho g a.
    let gap = d_hat * rest_gap(BarrierShape::Inverse, 0.5 * DENSITY * G * SIDE / kappa);
    let scene = scene(H, 400)
        .barrier(d_hat, kappa)
        .rough(MU, 1e-5)
        .with_body(Body::rigid("block", Square::new(SIDE, 1), STONE).at([0.0, 0.5 * SIDE + gap]))
        .with_obstacle(ground().with_velocity([SPEED, 0.0]));
    let mut simulation = Simulation::new(scene)?;
    let mut speeds = Vec::new();
    for _ in 0..400 {
        simulation.step()?;
        speeds.push([simulation.time(), simulation.body("block")?.velocity().x]);
    }

    outcome.relative(
        "speed after 0.2 s",
        "m/s",
        MU * G * 0.2,
        speeds[199][1],
        1e-5,
    );
    let carried = speeds.iter().find(|point| point[1] > 0.999 * SPEED);
    let until = carried.map_or(f64::NAN, |point| point[0]);
    outcome.absolute("moves with the belt", "s", SPEED / (MU * G), until, H);
    outcome.absolute("speed at the end", "m/s", SPEED, speeds[399][1], 1e-5);
    outcome.plot.points("block", speeds);
    Ok(outcome)
}
