//! Bodies that start off their gap at rest, with the default numbers of friction.
//!
//! Such a start is a small impact. Friction lagged from the forces at the start would act for a
//! whole step with a normal force that is gone after it.
//!
//! The sled slides with `v = v0 - mu g t`. The disk slides too and is turned by friction until it
//! rolls, as in `friction_rolling`. Both start nearer to the ground than their gap at rest, so that
//! the barrier pushes them up in the first steps.

use crate::scenes::{Exact, G, RUBBER, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_start",
    title: "A sled and a disk that start too near to the ground",
    proves: "Friction is not exaggerated by a start off the gap at rest, with default settings.",
    formula: "sled: v = v0 - mu g t; disk: rolls with 2/3 v0 from t = v0 / (3 mu g) on",
    source: "Coulomb friction",
    weight: Weight::Quick,
    run,
};

/// Initial speed (m/s) and coefficient of friction (1).
const SPEED: f64 = 3.0;
const MU: f64 = 0.3;

/// Judges the speed of the sled after 0.5 s to 1 %, and the time at which the disk rolls to 0.02 s.
///
/// Tolerances are wider than those of `friction_rolling` and `friction_stop`, which start at the
/// gap at rest, since this start is itself a small impact. 0.02 s are two steps.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    outcome
        .plot
        .curve("v0 - mu g t", [0.0, 0.5], |t| SPEED - MU * G * t);

    for share in [0.99, 0.95] {
        let sled = Rectangle::new([0.4, 0.1], [8, 2]);
        let sled = Body::deformable("body", sled, RUBBER).at([0.0, 0.05 + share * 1e-3]);
        let speeds = speeds(sled)?;
        let got = speeds.last().map_or(f64::NAN, |point| point[1]);
        let name = format!("speed after 0.5 s, deformable sled, start at {share} d_hat");
        outcome.relative(name, "m/s", SPEED - MU * G * 0.5, got, 0.01);
        outcome.plot.points(format!("sled, {share} d_hat"), speeds);
    }

    // The disk is far too near: its gap at rest is 0.997 d_hat.
    let disk = Body::rigid("body", Circle::new(0.1), STONE).at([0.0, 0.1 + 0.9e-3]);
    let speeds = speeds(disk)?;
    let until = SPEED / (3.0 * MU * G);
    // While the disk slides, a step takes mu g h, which is about ten times this limit.
    let is_steady = |pair: &[[f64; 2]]| (pair[1][1] - pair[0][1]).abs() < 1e-3 * SPEED;
    let first = speeds.windows(2).find(|pair| is_steady(pair));
    let got = first.map_or(f64::NAN, |pair| pair[0][0]);
    outcome.absolute("disk begins to roll", "s", until, got, 0.02);
    outcome.plot.points("disk", speeds);
    Ok(outcome)
}

/// Speed (m/s) over time (s) of a body that starts with [`SPEED`], 0.5 s long.
fn speeds(body: Body) -> Result<Vec<[f64; 2]>, Error> {
    let mut scene = scene(0.01, 50)
        .elastic(Law::neo_hookean(1e6, 0.3))
        .with_body(body.with_velocity([SPEED, 0.0]))
        .with_obstacle(ground())
        .with_friction(MU);
    scene.contact.d_hat = Some(1e-3);
    scene.solver.tolerance = None;

    let mut simulation = Simulation::new(scene)?;
    let mut speeds = Vec::new();
    for _ in 0..50 {
        simulation.step()?;
        speeds.push([simulation.time(), simulation.body("body")?.velocity().x]);
    }
    Ok(speeds)
}
