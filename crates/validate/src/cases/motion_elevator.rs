//! A block on a floor that accelerates upwards.
//!
//! The floor is at `a t^2 / 2`, by a keyframe at each step. Second differences of these places are
//! `a` exactly, so a block that moves along needs the force `m (g + a)` in each step. Accelerations
//! are above `-g`, so that the block stays on the floor.
//!
//! The block starts at the gap at which the barrier carries `m (g + a)`, and its force after 1 s,
//! as a share of the weight, agrees to 1e-6.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, after, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "motion_elevator",
    title: "Force on the floor of an elevator",
    proves: "An obstacle that accelerates carries a body with its weight and its inertia.",
    formula: "F = m (g + a)",
    source: "Newton's second law; second differences of the keyframes",
    weight: Weight::Quick,
    run,
};

/// Step (s), number of steps, side of the block (m).
const H: f64 = 0.01;
const STEPS: usize = 100;
const SIDE: f64 = 0.2;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("acceleration (m/s^2)", "force / weight"));
    outcome
        .plot
        .curve("1 + a / g", [-6.0, 6.0], |a| 1.0 + a / G);

    let mut measured = Vec::new();
    for acceleration in [-5.0, 0.0, 2.0, 5.0] {
        let share = share(acceleration)?;
        let name = format!("force / weight, a {acceleration} m/s^2");
        outcome.relative(name, "1", 1.0 + acceleration / G, share, 1e-6);
        measured.push([acceleration, share]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Force of the floor at the end as a share of the weight.
fn share(acceleration: f64) -> Result<f64, Error> {
    let mut floor = ground();
    let at = |k: usize| 0.5 * acceleration * (H * k as f64).powi(2);
    let keyframes = (1..=STEPS).map(|k| Keyframe::new(H * k as f64, [0.0, at(k)]));
    floor.keyframes = keyframes.collect();

    let [d_hat, kappa] = [1e-3, 1e5];
    let pressure = 0.5 * DENSITY * (G + acceleration) * SIDE;
    let gap = d_hat * rest_gap(BarrierShape::Inverse, pressure / kappa);
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE).at([0.0, 0.5 * SIDE + gap]);
    let scene = scene(H, STEPS)
        .barrier(d_hat, kappa)
        .with_body(block)
        .with_obstacle(floor);
    let simulation = after(scene, STEPS)?;
    let weight = G * simulation.body("block")?.mass();
    Ok(force_on(&simulation, "block").y / weight)
}
