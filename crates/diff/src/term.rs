//! A part of an objective: numbers that become one at each step, and one over all steps.
//!
//! A term is `f R(r)`, with the reading `r(n)` of each step `n`, a reduction `R` over the steps
//! and a factor `f`. The reading is `r = A(w_1 z_1, w_2 z_2, ...)` with the numbers `z` of the
//! state, weights `w` and a reduction `A` among them.
//!
//! Reductions are linear or choose one entry, so that the derivative of each is a list of
//! weights. Where two entries are equally large, the first one counts: the derivative is of one
//! side.

use crate::error::Error;
use crate::number::Number;
use crate::passed::Passed;
use ipcsim::measures::Over;
use ipcsim::time::World;

/// A part of an objective.
///
/// The weights of a largest or smallest number are 1 or -1: they give a sign and do not scale.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// Factor in the sum.
    pub(crate) factor: f64,
    /// Numbers with their weights.
    pub(crate) parts: Vec<(f64, Number)>,
    /// How the numbers of a step become one.
    pub(crate) among: Among,
    /// How those of all steps become one.
    pub(crate) over: Over,
}

/// Reduction of several numbers at one step.
///
/// Numbers are multiplied with their weights first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    /// Their weighted sum.
    Sum,
    /// The largest one.
    Max,
    /// The smallest one.
    Min,
}

impl Term {
    /// Reading at the end of a step.
    ///
    /// # Errors
    /// [`Error::Refused`] if a force is read where something touches.
    pub(crate) fn at(&self, world: &World, passed: &Passed) -> Result<f64, Error> {
        let values = self.values(world, passed)?;
        Ok(match self.among {
            Among::Sum => values.iter().sum(),
            Among::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Among::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        })
    }

    /// All numbers at the end of a step, times their weights.
    fn values(&self, world: &World, passed: &Passed) -> Result<Vec<f64>, Error> {
        let parts = self.parts.iter();
        parts
            .map(|(weight, number)| Ok(weight * number.at(world, passed)?))
            .collect()
    }

    /// The number that alone counts; `None` if all do.
    pub(crate) fn chosen(&self, world: &World, passed: &Passed) -> Result<Option<usize>, Error> {
        if self.among == Among::Sum {
            return Ok(None);
        }
        let values = self.values(world, passed)?;
        Ok(extreme(values.into_iter(), self.among == Among::Max))
    }

    /// Weights of the readings of all steps in their reduction.
    ///
    /// With these weights the reduction is `sum_n w_n r(n)`, and its derivative by `r(n)` is
    /// `w_n`. Rates are refused before, so that they count as the last reading here.
    pub(crate) fn weights(&self, readings: impl ExactSizeIterator<Item = f64> + Clone) -> Vec<f64> {
        let steps = readings.len();
        let last = steps.checked_sub(1);
        let only = match self.over {
            Over::Mean => return vec![1.0 / steps as f64; steps],
            Over::Sum => return vec![1.0; steps],
            Over::Max => extreme(readings, true),
            Over::Min => extreme(readings, false),
            Over::Last | Over::Rate => last,
        };

        // A reduction that chooses has the weight 1 at one step.
        let all = 0..steps;
        all.map(|step| f64::from(u8::from(Some(step) == only)))
            .collect()
    }
}

/// Number of the first of the largest or smallest values.
fn extreme(values: impl Iterator<Item = f64>, largest: bool) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (number, value) in values.enumerate() {
        let is_better = |(_, other): (usize, f64)| {
            if largest {
                value > other
            } else {
                value < other
            }
        };
        if best.is_none_or(is_better) {
            best = Some((number, value));
        }
    }
    best.map(|(number, _)| number)
}
