//! Gradients compared with differences between runs.
//!
//! The quotient `(8 (J(p + h) - J(p - h)) - (J(p + 2 h) - J(p - 2 h))) / (12 h)` has an error of
//! order `h^4`, and rounding adds about `eps J / h`. No single `h` suits all numbers, so that
//! each width is tried with half of it: where both agree, neither error matters.
//!
//! Each quotient needs four runs, so that this is a check and not a method. Runs with other
//! values follow the reach and stiffness of contacts of the reference run, as gradients hold them
//! fixed.

use crate::error::Error;
use crate::objective::Objective;
use crate::problem::Problem;
use crate::run::Run;

/// Differences of a number of a run by one parameter.
///
/// The relative difference of both quotients, [`Checked::error`], says how far the check can be
/// trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked {
    /// Difference quotients with a step and with half of it, both of order 4.
    pub by: [f64; 2],
    /// The wider step.
    pub step: f64,
}

/// Widths of differences: shares of a value, from the widest.
const WIDTHS: [f64; 5] = [1e-3, 1e-4, 1e-2, 1e-5, 1e-6];
/// Relative difference of two widths that agree.
const AGREE: f64 = 1e-8;

/// Differences of objectives, by parameters.
pub type Check = Vec<Vec<Checked>>;

/// Derivatives of objectives by all parameters by central differences of order 4 between runs that follow
/// the reach and stiffness of the reference `run`. Widths shrink until two of them agree.
///
/// The result is `[objectives, parameters]`. Of all widths that were tried, each objective keeps
/// the one whose quotients agree best.
///
/// # Errors
/// [`Error`] of a run with the smallest width.
pub fn check(problem: &Problem, run: &Run, objectives: &[Objective]) -> Result<Check, Error> {
    let mut found = vec![Vec::new(); objectives.len()];
    for number in 0..problem.parameters.len() {
        let checked = of_parameter(problem, run, objectives, number)?;
        for (list, one) in found.iter_mut().zip(checked) {
            list.push(one);
        }
    }
    Ok(found)
}

/// Differences of all objectives by one parameter.
///
/// A width at which a run fails is left out: a large change may break what a small one keeps.
fn of_parameter(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    number: usize,
) -> Result<Vec<Checked>, Error> {
    // A parameter that is 0 has no size to be relative to.
    let value = problem.parameters[number].value;
    let scale = if value == 0.0 { 1.0 } else { value.abs() };
    let mut best: Vec<Option<Checked>> = vec![None; objectives.len()];
    let mut failed = None;
    for width in WIDTHS {
        let step = width * scale;
        let wide = quotient(problem, run, objectives, number, step);
        let narrow = quotient(problem, run, objectives, number, 0.5 * step);
        let (wide, narrow) = match (wide, narrow) {
            (Ok(wide), Ok(narrow)) => (wide, narrow),
            (Err(error), _) | (_, Err(error)) => {
                failed = Some(error);
                continue;
            }
        };

        // The best width may differ between objectives.
        let mut agree = true;
        for ((best, wide), narrow) in best.iter_mut().zip(wide).zip(narrow) {
            let checked = Checked {
                by: [wide, narrow],
                step,
            };
            if best.is_none_or(|best| checked.error() < best.error()) {
                *best = Some(checked);
            }
            agree &= best.is_some_and(|best| best.error() < AGREE);
        }
        if agree {
            break;
        }
    }
    let all: Option<Vec<Checked>> = best.into_iter().collect();
    match (all, failed) {
        (Some(all), _) => Ok(all),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(Vec::new()),
    }
}

impl Checked {
    /// Relative difference of both quotients.
    ///
    /// It is 0 if both are 0, and at most 2.
    pub fn error(&self) -> f64 {
        let [wide, narrow] = self.by;
        let size = wide.abs().max(narrow.abs());
        if size == 0.0 {
            0.0
        } else {
            (wide - narrow).abs() / size
        }
    }

    /// The derivative by differences.
    ///
    /// It is the quotient with half of the step, whose error of order 4 is 16 times smaller.
    pub fn derivative(&self) -> f64 {
        self.by[1]
    }
}

/// Central difference quotients of order 4.
///
/// One for each objective. Objectives must be the ones that `run` was made with.
///
/// # Errors
/// [`Error`] of any of the four runs.
fn quotient(
    problem: &Problem,
    run: &Run,
    objectives: &[Objective],
    number: usize,
    step: f64,
) -> Result<Vec<f64>, Error> {
    let weights = [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)];
    let mut sums = vec![0.0; objectives.len()];
    for (far, weight) in weights {
        let mut values = problem.values();
        values[number] += far * step;
        let there = run.follow(problem, &values, objectives)?;
        for (sum, value) in sums.iter_mut().zip(there.values(objectives)) {
            *sum += weight / (12.0 * step) * value;
        }
    }
    Ok(sums)
}
