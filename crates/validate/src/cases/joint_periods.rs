//! Periods of a pendulum at large amplitudes.
//!
//! A ball on a rod of the length `L` starts at rest at the amplitude `a`. Its quarter period is
//! `sqrt(L / g) K(sin(a/2))`, where `K` is the complete elliptic integral of the first kind,
//! against `sqrt(L / g) pi / 2` for small swings. The rod ends at the centre of the ball, which is
//! a point mass for it.
//!
//! The backward differences of second order with steps of 5e-4 s agree to 1e-5. The time of passing
//! the bottom is found within a step by a straight line, since the speed is largest there.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::FRAC_PI_2;

pub(super) const CASE: Case = Case {
    name: "joint_periods",
    title: "Periods of a pendulum at large amplitudes",
    proves: "A point on a rod has the period of the exact pendulum at amplitudes up to 150 degrees.",
    formula: "T / T0 = 2/pi K(sin(a/2)) with T0 = 2 pi sqrt(L/g)",
    source: "Landau, Lifshitz, Mechanics, section 11",
    weight: Weight::Full,
    run,
};

/// Length of the rod (m), step (s).
const LENGTH: f64 = 1.0;
const H: f64 = 5e-4;

/// Amplitudes (degrees), with their periods over that of small swings.
const PERIODS: [[f64; 2]; 4] = [
    [10.0, 1.001_907_19],
    [45.0, 1.039_973_34],
    [90.0, 1.180_340_60],
    [150.0, 1.762_203_73],
];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("amplitude (degrees)", "T / T0"));
    let mut measured = Vec::new();
    for [degrees, expected] in PERIODS {
        let quarter = quarter_period(degrees.to_radians())?;
        let ratio = quarter / (FRAC_PI_2 * (LENGTH / G).sqrt());
        measured.push([degrees, ratio]);
        outcome.relative(
            format!("period from {degrees} degrees / that of small swings"),
            "1",
            expected,
            ratio,
            1e-5,
        );
    }
    outcome.plot.line("exact", PERIODS.to_vec());
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Time (s) from an angle (rad) at rest to the bottom.
fn quarter_period(angle: f64) -> Result<f64, Error> {
    let start = [LENGTH * angle.sin(), -LENGTH * angle.cos()];
    let mut ball = Body::rigid("ball", Circle::new(0.05), STONE).at(start);
    ball.group = Some("jointed".to_owned());
    let mut scene = scene(H, 1)
        .tolerance(1e-11)
        .with_body(ball)
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(Joint::rod("holder", "ball", [[0.0, 0.0], start]));
    scene.time.integrator = Scheme::Bdf2;
    let mut simulation = Simulation::new(scene)?;

    let mut before = angle;
    while simulation.time() < 3.0 {
        simulation.step()?;
        let place = simulation.body("ball")?.centre();
        let now = place.x.atan2(-place.y);
        if now <= 0.0 {
            // The speed is stationary at the bottom, so that the way there is straight.
            return Ok(simulation.time() + H * now / (before - now));
        }
        before = now;
    }
    Ok(f64::NAN)
}
