//! A bar that hits a wall.
//!
//! A wave of compression runs through the bar and back: contact lasts `2 L / c`, and the force is
//! that of the momentum which the wave takes up, `rho c v A`.
//!
//! The bar has the length `L` = 1 m, the modulus `E` = 1e6 Pa, the density `rho` = 1000 kg/m^3 and
//! no Poisson's effect, so that waves in it are one-dimensional. It meets the wall at `v` = 0.1
//! m/s. The speed of waves is `c = sqrt(E / rho)`, about 31.6 m/s.
//!
//! The part of the bar that the wave has passed is at rest under the stress `rho c v`. The wave
//! takes `L / c` to the free end, returns as one of release, and ends contact at `2 L / c`, about
//! 63 ms.
//!
//! Steps in which the force is above 1e-3 of `rho c v A` count as contact, and their time agrees to
//! 1 %. Implicit Euler smears the fronts at the beginning and the end, so the mean force is taken
//! from 20 % to 80 % of `2 L / c`; there it agrees to 3e-3.

use crate::scenes::{BAR, Exact, scene, wall};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_bar",
    title: "A bar hits a wall: time and force of contact",
    proves: "Waves of impact have the speed and the stress of the theory of elasticity.",
    formula: "contact time 2 L / c, force rho c v A, c = sqrt(E / rho)",
    source: "Saint-Venant; Code_Aster V5.03.100",
    weight: Weight::Full,
    run,
};

/// Step (s).
const H: f64 = 5e-5;

/// Follows the bar for `1.2 * 2 L / c`, and judges the time of contact and the mean force.
fn run() -> Result<Outcome, Error> {
    let period = 2.0 * BAR.length / BAR.speed();
    let mut outcome = Outcome::new(Plot::new("time (s)", "force (N)"));
    let force = BAR.force();
    outcome.plot.line(
        "rho c v A",
        vec![
            [0.0, 0.0],
            [0.0, force],
            [period, force],
            [period, 0.0],
            [1.2 * period, 0.0],
        ],
    );

    // The bar starts just outside of the reach of the barrier: contact begins in the first step.
    let scene = scene(H, 1)
        .tolerance(1e-7)
        .with_body(
            BAR.body("bar", 1.0, 200)
                .at([0.5 * BAR.length + 1.001e-4, 0.0])
                .with_velocity([-BAR.velocity, 0.0]),
        )
        .with_obstacle(wall());
    let mut simulation = Simulation::new(BAR.materials(scene))?;
    let mut forces = Vec::new();
    while simulation.time() < 1.2 * period {
        simulation.step()?;
        let contacts = simulation.contacts();
        let force: f64 = contacts.map(|contact| contact.force_on("bar").x).sum();
        forces.push([simulation.time(), force]);
    }

    let touching = forces
        .iter()
        .filter(|point| point[1] > 1e-3 * force)
        .count();
    let time = H * touching as f64;
    outcome.relative("contact time", "s", period, time, 0.01);
    let steady = |point: &&[f64; 2]| (0.2..0.8).contains(&(point[0] / period));
    let steady: Vec<f64> = forces.iter().filter(steady).map(|point| point[1]).collect();
    let mean = steady.iter().sum::<f64>() / steady.len() as f64;
    outcome.relative("force during contact", "N", force, mean, 3e-3);
    outcome.plot.points("contact force", forces);
    Ok(outcome)
}
