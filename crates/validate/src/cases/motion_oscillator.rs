//! One elastic cell as an oscillator: the closed form of implicit Euler, and its order.
//!
//! The left side of a square cell is held. Without Poisson's effect and with a uniform mass per
//! vertex the right side moves as one mass on a spring: `w^2 = E H / L / m`. Implicit Euler takes
//! `exp(i w h)` for `1 / (1 - i w h)`.
//!
//! The factor has the modulus `1 / sqrt(1 + w^2 h^2)` and the argument `atan(w h)`. After `n` steps
//! from rest the elongation is `(1 + w^2 h^2)^(-n/2) cos(n atan(w h))` of that at the start. It
//! agrees to 1e-6 for four steps from 1 ms to 16 microseconds.
//!
//! Against the exact vibration `cos w t` the error is of order 1: the two shortest steps, each half
//! of the other, give the order 1 to 0.02. The cell has `w` = 141 rad/s, and 0.05 s is a little
//! more than a period.

use crate::oscillator::{elongation, rate, vibrating};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "motion_oscillator",
    title: "Free vibration: damping and order of implicit Euler",
    proves: "Vibration has the frequency and the damping of implicit Euler, whose error is of order 1.",
    formula: "u_n = Re (1 - i w h)^-n u_0, w^2 = E H / (L m)",
    source: "Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.3",
    weight: Weight::Quick,
    run,
};

/// Duration (s).
const DURATION: f64 = 0.05;

fn run() -> Result<Outcome, Error> {
    let rate = rate();
    let mut outcome = Outcome::new(Plot::new("time (s)", "elongation / initial elongation"));
    outcome
        .plot
        .curve("cos w t", [0.0, DURATION], |t| (rate * t).cos());

    let mut errors = Vec::new();
    for steps in [50, 100, 1600, 3200] {
        let h = DURATION / steps as f64;
        let points = path(h, steps)?;
        let got = points[steps - 1][1];

        // Modulus and argument of (1 - i w h)^-n.
        let decay = (1.0 + (rate * h).powi(2)).powf(-0.5 * steps as f64);
        let expected = decay * (steps as f64 * (rate * h).atan()).cos();
        let name = format!("elongation after 0.05 s, h {h:.1e} s");
        outcome.absolute(name, "1", expected, got, 1e-6);
        errors.push((got - (rate * DURATION).cos()).abs());
        if steps < 200 {
            outcome.plot.points(format!("h {h:.1e} s"), points);
        }
    }
    let order = (errors[2] / errors[3]).log2();
    outcome.absolute("order of the error in h", "1", 1.0, order, 0.02);
    Ok(outcome)
}

/// Elongation as a share of that at the start, over time (s).
fn path(h: f64, steps: usize) -> Result<Vec<[f64; 2]>, Error> {
    let mut simulation = Simulation::new(vibrating(h, steps))?;
    let start = elongation(&simulation)?;
    let mut points = Vec::new();
    for _ in 0..steps {
        simulation.step()?;
        points.push([simulation.time(), elongation(&simulation)? / start]);
    }
    Ok(points)
}
