//! Adaptive substeps in a smooth motion: how the error falls with the tolerance.
//!
//! The cell of `motion_oscillator` is one mass on a spring, `u = u_0 cos w t`. A method of order `p` makes
//! a local error of order `h^(p + 1)` in a substep, which the control keeps at the tolerance, so that
//! substeps have lengths of order `tol^(1/(p + 1))`. Errors add up to order `h^p`, which is
//! `tol^(p/(p + 1))`: a hundredth of the tolerance has a tenth of the error by a method of first order,
//! and a 22nd by one of second order.
//!
//! What is estimated is the error of a substep, so the error at the end is larger than the tolerance by
//! the number of substeps. Results are at the ends of steps, exactly at their times.

use crate::oscillator::{SIDE, STRETCH, elongation, rate, vibrating};
use crate::scenes::Exact;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Adaptive;

pub(super) const CASE: Case = Case {
    name: "motion_adaptive",
    title: "Free vibration in substeps: error over tolerance",
    proves: "The error of adaptive substeps falls with the power p/(p + 1) of the tolerance by a method of order p, and steps end on their times.",
    formula: "error ~ tol^(p / (p + 1)), u = u_0 cos w t",
    source: "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4",
    weight: Weight::Full,
    run,
};

/// Length of a step (s) and number of steps, a little more than a period.
const STEP: f64 = 0.0125;
const STEPS: usize = 4;
/// Tolerances relative to the elongation at the start (1).
const TOLERANCES: [f64; 3] = [1e-4, 1e-5, 1e-6];

/// Judges the power of the tolerance by the last two, to 0.1, and the times of steps to the last bit.
fn run() -> Result<Outcome, Error> {
    let plot = Plot::logarithmic("tolerance / elongation", "error / elongation");
    let mut outcome = Outcome::new(plot);
    for scheme in Scheme::ALL {
        let mut points = Vec::new();
        let mut late = 0.0_f64;
        for tolerance in TOLERANCES {
            let (error, off) = error(scheme, tolerance)?;
            points.push([tolerance, error]);
            late = late.max(off);
        }

        let order = if scheme == Scheme::ImplicitEuler {
            1.0
        } else {
            2.0
        };
        // The last two tolerances differ by ten: the logarithm is the power.
        let [[_, before], [_, after]] = [points[1], points[2]];
        let power = (before / after).log10();
        let name = format!("power of the tolerance, {}", scheme.words());
        outcome.absolute(name, "1", order / (order + 1.0), power, 0.1);
        let name = format!("largest error of the time of a step, {}", scheme.words());
        outcome.absolute(name, "s", 0.0, late, 0.0);
        outcome.plot.points(scheme.words(), points);
    }
    Ok(outcome)
}

/// Largest error of the elongation at the ends of steps, relative to that at the start, and of their
/// times (s).
fn error(scheme: Scheme, tolerance: f64) -> Result<(f64, f64), Error> {
    let mut scene = vibrating(STEP, STEPS).tolerance(1e-11);
    let start = SIDE * STRETCH;
    scene.time = scene.time.by(scheme);
    scene.time.adaptive = Some(Adaptive {
        tolerance: tolerance * start,
        smallest: 1e-9,
    });

    let mut simulation = Simulation::new(scene)?;
    let mut largest = 0.0_f64;
    let mut late = 0.0_f64;
    for step in 1..=STEPS {
        simulation.step()?;
        let time = step as f64 * STEP;
        late = late.max((simulation.time() - time).abs());
        let elongation = elongation(&simulation)?;
        largest = largest.max((elongation / start - (rate() * time).cos()).abs());
    }
    Ok((largest, late))
}
