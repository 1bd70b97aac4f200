//! A rod that swings on a hinge.
//!
//! A uniform rod of length `L` and width `d` has the moment of inertia `m j` about its end, with
//! `j = L^2/3 + d^2/12`, and its weight acts at `L / 2`: `t'' = -w^2 sin t` with `w^2 = g L / 2 j`.
//! From 90 degrees it takes `K(sin 45) / w` to the bottom, where `K` is the complete elliptic
//! integral of the first kind. There energy gives `t'^2 = 2 w^2 = g L / j`, and the hinge carries
//! the weight and `m t'^2 L / 2`.
//!
//! Time has a tolerance of 2e-3, force one of 5e-3; implicit Euler with steps of 5e-4 s damps the
//! swing. For small swings its closed form is known: each step multiplies by `1 / (1 - i w h)`.
//! Against that form the angle agrees to 1e-8 rad after 100 steps from 1e-3 rad.

use crate::formulas::runge_kutta;
use crate::scenes::{G, Hinged, ROD_WIDTH, hinged_rod};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::FRAC_PI_2;

pub(super) const CASE: Case = Case {
    name: "joint_pendulum",
    title: "A rod swings on a hinge from the horizontal",
    proves: "A hinged rod swings as the exact pendulum does, and the hinge carries two and a half of its weight at the lowest point.",
    formula: "T/4 = K(sin 45) / w, w^2 = g L / 2 j with j = L^2/3 + d^2/12; hinge force (1 + L^2 / 2 j) m g, about 5/2, at the bottom; implicit Euler: (1 - i w h)^-n for small swings",
    source: "Landau, Lifshitz, Mechanics, section 11; Hairer, Wanner II, section IV.3",
    weight: Weight::Quick,
    run,
};

/// Length of the rod (m).
const LENGTH: f64 = 1.0;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle from the vertical (rad)"));
    let inertia = LENGTH * LENGTH / 3.0 + ROD_WIDTH * ROD_WIDTH / 12.0;
    let rate = (0.5 * G * LENGTH / inertia).sqrt();

    // From the horizontal to the bottom.
    let quarter = complete_elliptic(0.5_f64.sqrt()) / rate;
    let [angles, forces] = swing(FRAC_PI_2, 5e-4, quarter + 0.02)?;
    let bottom = angles.iter().position(|point| point[1] <= 0.0).unwrap_or(0);
    let [a, b] = [angles[bottom.saturating_sub(1)], angles[bottom]];
    let time = a[0] + (b[0] - a[0]) * a[1] / (a[1] - b[1]);
    outcome.relative(
        "quarter of the period from 90 degrees",
        "s",
        quarter,
        time,
        2e-3,
    );
    let force = forces[bottom][1];
    outcome.relative(
        "hinge force / weight at the bottom",
        "1",
        1.0 + 0.5 * LENGTH * LENGTH / inertia,
        force,
        5e-3,
    );

    // Small swings against the closed form of implicit Euler.
    let [h, steps, start] = [0.01, 100.0, 1e-3];
    // Half a step less, so that rounding of the time adds no step.
    let [small, _] = swing(start, h, h * (steps - 0.5))?;
    let decay = (1.0 + (rate * h).powi(2)).powf(-0.5 * steps);
    let expected = start * decay * (steps * (rate * h).atan()).cos();
    let got = small.last().map_or(f64::NAN, |point| point[1]);
    outcome.absolute("small swing after 1 s", "rad", expected, got, 1e-8);

    outcome.plot.line("Runge-Kutta", exact(rate, quarter));
    outcome.plot.points("measured", angles);
    Ok(outcome)
}

/// Complete elliptic integral of the first kind of the modulus `k`, by the mean of Gauss.
///
/// `K(k) = pi / (2 M(1, sqrt(1 - k^2)))`, where `M` is the arithmetic-geometric mean. Each round
/// about doubles the number of right digits, so that ten are more than enough.
fn complete_elliptic(k: f64) -> f64 {
    let [mut a, mut b] = [1.0, (1.0 - k * k).sqrt()];
    for _ in 0..10 {
        [a, b] = [0.5 * (a + b), (a * b).sqrt()];
    }
    FRAC_PI_2 / a
}

/// Angle (rad) over time (s) by the differential equation `t'' = -w^2 sin t`.
fn exact(rate: f64, until: f64) -> Vec<[f64; 2]> {
    let h = until / 100.0;
    let mut y = [FRAC_PI_2, 0.0];
    let mut points = vec![[0.0, y[0]]];
    for k in 1..=100 {
        y = runge_kutta(y, h, |[t, w]| [w, -rate * rate * t.sin()]);
        points.push([h * f64::from(k), y[0]]);
    }
    points
}

/// Angle (rad) and force of the hinge as a share of the weight, over time (s).
fn swing(start: f64, h: f64, until: f64) -> Result<[Vec<[f64; 2]>; 2], Error> {
    let Hinged {
        mut simulation,
        weight,
    } = hinged_rod(LENGTH, start, h)?;
    let [mut angles, mut forces] = [Vec::new(), Vec::new()];
    while simulation.time() < until {
        simulation.step()?;
        let turned = simulation.body("rod")?.angle().unwrap_or(f64::NAN);
        angles.push([simulation.time(), start + turned]);
        let force = simulation
            .joints()
            .map(|joint| joint.force.norm())
            .sum::<f64>();
        forces.push([simulation.time(), force / weight]);
    }
    Ok([angles, forces])
}
