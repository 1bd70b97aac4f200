//! A tilted block falls back on its base.
//!
//! The block turns about its lower corner: `t'' = -p^2 sin(a - t)` with `p^2 = 3 g / 4 R`, where
//! `R` is the distance of the corner from the centre and `tan a = b / h`.

use crate::formulas::runge_kutta;
use crate::scenes::{ROCKER, Rocker};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rock_quarter",
    title: "Time in which a tilted block falls upright",
    proves: "A slender block rocks about its corner as the exact nonlinear equation says.",
    formula: "t'' = -p^2 sin(a - t), p^2 = 3 g / 4 R",
    source: "Housner 1963, The behavior of inverted pendulum structures during earthquakes; integrated by Runge-Kutta",
    weight: Weight::Quick,
    run,
};

/// Step of the simulation and of the integration (s).
const H: f64 = 2e-4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle / a"));
    for share in [0.25, 0.5, 0.75] {
        let expected = fall(share);
        outcome
            .plot
            .line(format!("from {share} a"), expected.clone());

        let measured = measured(share)?;
        let name = format!("time to upright, from {share} a");
        let [expected, got] = [expected, measured.clone()].map(|points| crossing(&points));
        outcome.relative(name, "s", expected, got, 2e-3);
        outcome
            .plot
            .points(format!("measured, {share} a"), measured);
    }
    Ok(outcome)
}

/// Angle as a share of `a` over time (s) by the differential equation, until the block is upright.
fn fall(share: f64) -> Vec<[f64; 2]> {
    let angle = ROCKER.angle();
    let mut y = [share * angle, 0.0];
    let mut points = vec![[0.0, share]];
    while y[0] > 0.0 {
        y = runge_kutta(y, H, |[t, w]| {
            [w, -ROCKER.rate_squared() * (angle - t).sin()]
        });
        points.push([H * points.len() as f64, y[0] / angle]);
    }
    points
}

/// Angle as a share of `a` over time (s) of the simulated block, until it is upright.
fn measured(share: f64) -> Result<Vec<[f64; 2]>, Error> {
    let Rocker {
        mut simulation,
        start,
    } = ROCKER.tilted(share, H)?;
    let mut points = vec![[0.0, share]];
    while points.last().is_some_and(|point| point[1] > 0.0) && simulation.time() < 2.0 {
        simulation.step()?;
        let turned = simulation.body("block")?.angle().unwrap_or(f64::NAN);
        points.push([simulation.time(), (start + turned) / ROCKER.angle()]);
    }
    Ok(points)
}

/// Time (s) at which the angle passes 0, between the last two points.
fn crossing(points: &[[f64; 2]]) -> f64 {
    match points {
        [.., a, b] => a[0] + (b[0] - a[0]) * a[1] / (a[1] - b[1]),
        _ => f64::NAN,
    }
}
