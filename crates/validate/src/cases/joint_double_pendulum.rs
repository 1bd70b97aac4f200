//! Energy of a double pendulum.
//!
//! Two balls of mass `m` on rods of the length `L` start at rest on a level line, where the energy
//! `sum of m (v^2 / 2 + g y)` is 0. Rods end at the centres of the balls and have no moment there,
//! so that the balls do not turn. Gravity is the only force that does work.
//!
//! The motion is chaotic and has no closed form, but the energy stays 0. It may change by 1e-3 of
//! `m g L` in 60 s, by the backward differences of second order with steps of 5e-4 s. The lengths
//! of both rods are constraints and stay to 1e-10 m at the same time.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "joint_double_pendulum",
    title: "A double pendulum keeps its energy for a minute",
    proves: "Rods do no work, whatever the motion: the energy of a chaotic pendulum stays.",
    formula: "kinetic energy + m g y is constant",
    source: "Conservation of energy",
    weight: Weight::Full,
    run,
};

/// Length of each rod (m), step (s), end (s).
const LENGTH: f64 = 1.0;
const H: f64 = 5e-4;
const END: f64 = 60.0;

fn run() -> Result<Outcome, Error> {
    let ball = |name: &str, x: f64| {
        let mut ball = Body::rigid(name, Circle::new(0.05), STONE).at([x, 0.0]);
        ball.group = Some("jointed".to_owned());
        ball
    };
    let mut scene = scene(H, 1)
        .tolerance(1e-10)
        .with_body(ball("first", LENGTH))
        .with_body(ball("second", 2.0 * LENGTH))
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(Joint::rod("holder", "first", [[0.0, 0.0], [LENGTH, 0.0]]))
        .with_joint(Joint::rod(
            "first",
            "second",
            [[LENGTH, 0.0], [2.0 * LENGTH, 0.0]],
        ));
    scene.time.integrator = Scheme::Bdf2;
    let mut simulation = Simulation::new(scene)?;
    let mass = simulation.body("first")?.mass();

    let [mut largest, mut longest] = [0.0_f64; 2];
    let mut energies = Vec::new();
    let mut step = 0;
    while simulation.time() < END {
        simulation.step()?;
        let mut energy = 0.0;
        let mut above = Vec2::zeros();
        for name in ["first", "second"] {
            let body = simulation.body(name)?;
            energy += mass * (0.5 * body.velocity().norm_squared() + G * body.centre().y);
            longest = longest.max(((body.centre() - above).norm() - LENGTH).abs());
            above = body.centre();
        }
        let relative = energy / (mass * G * LENGTH);
        largest = largest.max(relative.abs());
        // A hundredth of the 120 000 steps suffices for the plot.
        if step % 100 == 0 {
            energies.push([simulation.time(), relative]);
        }
        step += 1;
    }

    let mut outcome = Outcome::new(Plot::new("time (s)", "change of energy / m g L"));
    outcome.absolute(
        "largest change of energy / m g L in 60 s",
        "1",
        0.0,
        largest,
        1e-3,
    );
    outcome.absolute("largest change of a length", "m", 0.0, longest, 1e-10);
    outcome.plot.points("measured", energies);
    Ok(outcome)
}
