//! A sliding circle that begins to roll.
//!
//! `R` is the radius, `v` the speed of the centre and `w` the spin, 0 at first. Friction slows the
//! centre by `mu g` and speeds up the rim by `mu g m R^2/I = 2 mu g`. Both speeds meet at
//! `t = v0/(3 mu g)`, here 0.255 s; from then on no friction is needed.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_rolling",
    title: "A sliding disk begins to roll",
    proves: "Friction slows a disk and turns it until it rolls with two thirds of its speed.",
    formula: "v = -w R = 2/3 v0 from t = v0 / (3 mu g) on",
    source: "Coulomb friction with I = m R^2/2, for instance Goldstein, Classical Mechanics",
    weight: Weight::Quick,
    run,
};

/// Radius (m), initial speed (m/s), coefficient (1), reach (m) and stiffness (Pa) of the barrier.
const RADIUS: f64 = 0.1;
const SPEED: f64 = 3.0;
const MU: f64 = 0.4;
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e5;

/// Judges both speeds at the end to 1e-5, and the time at which the disk begins to roll to one
/// step.
///
/// The speed does not depend on the coefficient: angular momentum about a point of the ground is
/// conserved.
fn run() -> Result<Outcome, Error> {
    let until = SPEED / (3.0 * MU * G);
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    let speed = |t: f64| (SPEED - MU * G * t).max(2.0 / 3.0 * SPEED);
    outcome.plot.curve("speed", [0.0, 0.4], speed);
    outcome.plot.curve("speed of the rim", [0.0, 0.4], |t| {
        (2.0 * MU * G * t).min(2.0 / 3.0 * SPEED)
    });

    for h in [0.01, 0.001] {
        let [speeds, rims] = roll(h)?;
        let rolls = |k: &usize| rims[*k][1] > 0.999 * speeds[*k][1];
        let first = (0..speeds.len())
            .find(rolls)
            .map_or(f64::NAN, |k| speeds[k][0]);
        let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |point| point[1]);

        let name = format!("speed when rolling, h {h} s");
        outcome.relative(name, "m/s", 2.0 / 3.0 * SPEED, last(&speeds), 1e-5);
        let name = format!("speed of the rim, h {h} s");
        outcome.relative(name, "m/s", 2.0 / 3.0 * SPEED, last(&rims), 1e-5);
        outcome.absolute(format!("begins to roll, h {h} s"), "s", until, first, h);
        outcome.plot.points(format!("speed, h {h} s"), speeds);
        outcome.plot.points(format!("rim, h {h} s"), rims);
    }
    Ok(outcome)
}

/// Speed of the centre and of the rim (m/s) over time (s).
fn roll(h: f64) -> Result<[Vec<[f64; 2]>; 2], Error> {
    // The weight of an exact circle rests on one point of weight R.
    let gap = D_HAT * rest_gap(BarrierShape::Inverse, PI * RADIUS * DENSITY * G / KAPPA);
    let disk = Body::rigid("disk", Circle::new(RADIUS), STONE)
        .at([0.0, RADIUS + gap])
        .with_velocity([SPEED, 0.0]);
    let scene = scene(h, 1)
        .barrier(D_HAT, KAPPA)
        .rough(MU, 1e-6)
        .with_body(disk)
        .with_obstacle(ground());

    let mut simulation = Simulation::new(scene)?;
    let [mut speeds, mut rims] = [Vec::new(), Vec::new()];
    while simulation.time() < 0.4 {
        simulation.step()?;
        let disk = simulation.body("disk")?;
        speeds.push([simulation.time(), disk.velocity().x]);
        // Rolling to the right is a clockwise turn, hence a negative spin.
        let spin = disk.angular_velocity().unwrap_or(f64::NAN);
        rims.push([simulation.time(), -RADIUS * spin]);
    }
    Ok([speeds, rims])
}
