//! Two rigid disks, and a row of five: no law of restitution.

use crate::prelude::*;
use crate::validate::scenes::{Exact, STONE, scene};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "impact_circles",
    title: "Restitution of rigid disks, and Newton's cradle",
    proves: "Rigid bodies have no coefficient of restitution: how they bounce follows from the step and the barrier. Elastic balls would bounce with e = 1, and only the last of a row would leave.",
    formula: "e = 1; cradle: speeds 0, 0, 0, 0, v",
    source: "Elastic impact by conservation of momentum and energy, pair by pair",
    weight: Weight::Quick,
    run,
};

/// Reason of all misses here.
const REASON: &str =
    "rigid bodies have no law of restitution, and implicit Euler takes the energy of the barrier";

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
        outcome.check(Quantity::relative(name, "1", 1.0, sum, 1e-9));
        outcome.plot.points(format!("h {h:e} s"), numbered(&speeds));
    }
    Ok(outcome)
}

/// Speeds of the disks of a row after the first one has hit it with a speed of 1 m/s.
fn row(count: usize, h: f64) -> Result<Vec<f64>, Error> {
    let mut scene = scene(h, 1).weightless().barrier(1e-3, 1e5);
    for k in 0..count {
        let first = k == 0;
        let x = 0.2015 * k as f64 - if first { 0.02 } else { 0.0 };
        let ball = Body::rigid(format!("ball {k}"), Circle::new(0.1), STONE).at([x, 0.0]);
        scene = scene.with_body(ball.with_velocity([f64::from(u8::from(first)), 0.0]));
    }
    let mut simulation = Simulation::new(scene)?;
    while simulation.time() < 0.2 {
        simulation.step()?;
    }
    Ok(simulation.bodies().map(|body| body.velocity().x).collect())
}
