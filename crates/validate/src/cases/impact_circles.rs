//! Two rigid disks, and a row of five, without a coefficient of restitution.
//!
//! One disk meets another of equal mass at the speed `v`. Momentum, `v1' + v2' = v`, and energy,
//! `v1'^2 + v2'^2 = v^2`, leave `v1' = 0` and `v2' = v`, so `e = (v2' - v1') / v = 1`. In a row the
//! impacts follow each other in the same way, and only the last ball leaves.
//!
//! The scene sets no coefficient of restitution. The barrier pushes the disks apart, and implicit
//! Euler takes some of its energy. How much depends on the step, so all speeds are known misses
//! with a bound of 1: they record a property of the method. The sum of the speeds is the momentum,
//! and that is exact to 1e-9 for any step.

use crate::scenes::{Exact, scene, speeds_of_row};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_circles",
    title: "Restitution of rigid disks, and Newton's cradle",
    proves: "Without a coefficient of restitution the step and the barrier decide how rigid bodies bounce. Elastic balls would bounce with e = 1, and only the last of a row would leave.",
    formula: "e = 1; cradle: speeds 0, 0, 0, 0, v",
    source: "Elastic impact by conservation of momentum and energy, pair by pair",
    weight: Weight::Quick,
    run,
};

/// Reason of all misses here.
const REASON: &str =
    "without a coefficient of restitution implicit Euler takes the energy of the barrier";

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "ball of the cradle",
        "speed after / speed before",
    ));
    for h in [1e-3, 1e-4] {
        let speeds = row(2, h)?;
        let name = format!("restitution of two disks, h {h:e} s");
        let quantity = Quantity::absolute(name, "1", 1.0, speeds[1] - speeds[0], 0.01);
        outcome.check(quantity.known_miss(REASON, 1.0));
    }

    let numbered = |speeds: &[f64]| (1..).zip(speeds).map(|(k, v)| [f64::from(k), *v]).collect();
    outcome
        .plot
        .line("elastic balls", numbered(&[0.0, 0.0, 0.0, 0.0, 1.0]));
    for h in [1e-3, 1e-4] {
        let speeds = row(5, h)?;
        let quantity = Quantity::absolute(
            format!("speed of the last of five, h {h:e} s"),
            "1",
            1.0,
            speeds[4],
            0.01,
        );
        outcome.check(quantity.known_miss(REASON, 1.0));
        let sum: f64 = speeds.iter().sum();
        let name = format!("momentum of the five, h {h:e} s");
        outcome.relative(name, "1", 1.0, sum, 1e-9);
        outcome.plot.points(format!("h {h:e} s"), numbered(&speeds));
    }
    Ok(outcome)
}

/// Speeds of the disks of a row after the first one has hit it with a speed of 1 m/s.
fn row(count: u32, h: f64) -> Result<Vec<f64>, Error> {
    speeds_of_row(scene(h, 1).weightless().barrier(1e-3, 1e5), count, 1.5e-3)
}
