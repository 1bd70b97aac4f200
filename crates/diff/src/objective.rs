//! Numbers of a run that gradients are of: sums of readings, reduced over its steps, or their distance from
//! a record.
//!
//! An objective is a sum of terms `J = sum_k f_k R_k(r_k)`. Here `r_k` is the series of readings
//! of the term `k`, one number at the end of each step, `R_k` reduces the series to one number
//! (its last entry, mean, sum, largest or smallest), and `f_k` is a factor.
//!
//! With a fit the value is `J = w sum_i (s(n_i) - y_i)^2` instead. Here `s(n) = sum_k f_k r_k(n)`
//! is the sum of the readings of step `n`, and `y_i` is the target at step `n_i`.
//!
//! A reverse pass needs `dJ/dr_k(n)`, which [`Objective`] computes from all readings of a run,
//! and `dr_k(n)/d(state)`, which it computes at each step from the states there.

use crate::error::Error;
use crate::number::named;
use crate::of_measure::of_measure;
use crate::passed::Passed;
use crate::problem::Problem;
use crate::slopes::Slopes;
use crate::term::{Among, Term};
use ipcsim::math::Vec2;
use ipcsim::measures::Over;
use ipcsim::time::World;
use ipcsim::time::linear::Variation;
use std::fmt;

/// Readings of an objective, `[steps, terms]`.
///
/// Each reading has the unit of its term: metres for a place, newtons for a reaction.
pub type Readings = Vec<Vec<f64>>;

/// A number of a run.
///
/// The text names the terms; the numbers behind them are looked up once, when the text is read,
/// so that a wrong name is an error before the first step.
#[derive(Clone, Debug)]
pub struct Objective {
    /// Text that names it.
    pub text: String,
    terms: Vec<Term>,
    /// Values that its sum should have, with their weight.
    fit: Option<Fit>,
}

/// Values that a number should have.
///
/// Steps must exist in the run: a target at step 0 or after the last step is out of range.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Step, from 1, and value there.
    pub targets: Vec<(usize, f64)>,
    /// Factor of each squared difference.
    pub weight: f64,
}

impl Objective {
    /// The objective that a text names: `BODY.QUANTITY` or a measure of the scene, with `mean of`, `sum of`,
    /// `max of` or `min of` before it for all steps; and sums of these with factors, as
    /// `2 * ball.x - mean of lift`.
    ///
    /// # Errors
    /// [`Error::Objective`], with the names that exist.
    pub fn read(problem: &Problem, text: &str) -> Result<Self, Error> {
        // Terms between signs that have spaces around them.
        let mut terms = Vec::new();
        let mut sign = 1.0;
        let mut rest = text.trim();
        loop {
            let ends = [" + ", " - "].map(|end| rest.find(end));
            let end = ends.into_iter().flatten().min();
            let own = &rest[..end.unwrap_or(rest.len())];
            terms.push(term(problem, own, sign).map_err(|reason| Error::Objective {
                text: text.to_owned(),
                reason,
            })?);
            let Some(end) = end else { break };
            sign = if rest[end..].starts_with(" +") {
                1.0
            } else {
                -1.0
            };
            rest = rest[end + 3..].trim_start();
        }
        Ok(Self {
            text: text.to_owned(),
            terms,
            fit: None,
        })
    }

    /// The weighted sum of squared differences of this number from values at some steps.
    ///
    /// The reductions of the terms over all steps have no effect then: a fit compares the sum of
    /// the readings at each of its steps.
    #[must_use]
    pub fn fitted(self, fit: Fit) -> Self {
        Self {
            fit: Some(fit),
            ..self
        }
    }

    /// Values that the number should have.
    pub fn fit(&self) -> Option<&Fit> {
        self.fit.as_ref()
    }

    /// Number of terms.
    pub(crate) fn terms(&self) -> usize {
        self.terms.len()
    }

    /// Readings of all terms at the end of a step.
    pub(crate) fn read_at(&self, world: &World, passed: &Passed) -> Result<Vec<f64>, Error> {
        let terms = self.terms.iter();
        terms.map(|term| term.at(world, passed)).collect()
    }

    /// True if readings depend on masses or places at rest, besides states and forces.
    ///
    /// A force on a support is part of the balance of forces. Its derivative by a parameter comes
    /// with the derivative of the equations, so that it needs no difference of readings.
    pub(crate) fn depends_on_masses(&self) -> bool {
        let mut parts = self.terms.iter().flat_map(|term| &term.parts);
        parts.any(|(_, number)| !number.is_force())
    }

    /// Readings without the forces that equations have.
    ///
    /// Terms with a force read 0 here, since `direct` in the module `adjoint` takes differences
    /// of these readings between scenes, and the equations already have the forces.
    pub(crate) fn masses_at(&self, world: &World, passed: &Passed) -> Result<Vec<f64>, Error> {
        let terms = self.terms.iter();
        let readings = terms.map(|term| {
            let is_force = term.parts.iter().any(|(_, number)| number.is_force());
            if is_force {
                Ok(0.0)
            } else {
                term.at(world, passed)
            }
        });
        readings.collect()
    }

    /// Sum of the terms of one step.
    ///
    /// This is `s = sum_k f_k r_k`, without any reduction over the steps.
    fn sum(&self, readings: &[f64]) -> f64 {
        let both = self.terms.iter().zip(readings);
        both.map(|(term, reading)| term.factor * reading).sum()
    }

    /// Sums of the terms of all steps.
    pub(crate) fn series(&self, readings: &Readings) -> Vec<f64> {
        readings.iter().map(|of_step| self.sum(of_step)).collect()
    }

    /// Factors of the terms in their sum.
    pub(crate) fn factors(&self) -> Vec<f64> {
        self.terms.iter().map(|term| term.factor).collect()
    }

    /// Differences from the values that the number should have, each times the root of the weight.
    ///
    /// Their squares have the value of the objective as their sum, which is the form that Gauss
    /// and Newton's method needs: `rho_i = sqrt(w) (s(n_i) - y_i)`.
    pub(crate) fn residuals(&self, readings: &Readings) -> Vec<f64> {
        let fit = self.fit.iter();
        let all = fit.flat_map(|fit| {
            let root = fit.weight.sqrt();
            let targets = fit.targets.iter();
            targets.map(move |(step, value)| root * (self.sum(&readings[step - 1]) - value))
        });
        all.collect()
    }

    /// Derivatives of the residuals by parameters, from those of the readings, `[steps, terms, parameters]`.
    ///
    /// The result is `[residuals, parameters]`:
    /// `d rho_i / d p = sqrt(w) sum_k f_k dr_k(n_i) / dp`.
    pub(crate) fn residual_slopes(&self, slopes: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
        let fit = self.fit.iter();
        let all = fit.flat_map(|fit| {
            let root = fit.weight.sqrt();
            fit.targets.iter().map(move |(step, _)| {
                let of_terms = &slopes[step - 1];
                let count = of_terms.first().map_or(0, Vec::len);
                let own = (0..count).map(|k| {
                    let both = self.terms.iter().zip(of_terms);
                    root * both.map(|(term, by)| term.factor * by[k]).sum::<f64>()
                });
                own.collect()
            })
        });
        all.collect()
    }

    /// Value from the readings of a run.
    pub(crate) fn value(&self, readings: &Readings) -> f64 {
        if self.fit.is_some() {
            return self.residuals(readings).iter().map(|r| r * r).sum();
        }
        let terms = self.terms.iter().enumerate();
        let values = terms.map(|(k, term)| {
            let weights = term.weights(readings.iter().map(|of_step| of_step[k]));
            let both = weights.iter().zip(readings);
            let sum: f64 = both.map(|(weight, of_step)| weight * of_step[k]).sum();
            term.factor * sum
        });
        values.sum()
    }

    /// Derivatives of the value by the readings of a run, `[steps, terms]`.
    ///
    /// For a fit this is `2 w (s(n_i) - y_i) f_k` at the steps that have a target. Otherwise it
    /// is `f_k` times the weight of the step in its reduction. The largest and the smallest
    /// reading have a derivative only at the step where they are reached.
    pub(crate) fn weights(&self, readings: &Readings) -> Vec<Vec<f64>> {
        // A fit reads single steps, a reduction all of them.
        let mut weights = vec![vec![0.0; self.terms.len()]; readings.len()];
        if let Some(fit) = &self.fit {
            for (step, value) in &fit.targets {
                let missing = self.sum(&readings[step - 1]) - value;
                for (weight, term) in weights[step - 1].iter_mut().zip(&self.terms) {
                    *weight += 2.0 * fit.weight * missing * term.factor;
                }
            }
            return weights;
        }
        for (k, term) in self.terms.iter().enumerate() {
            let own = term.weights(readings.iter().map(|of_step| of_step[k]));
            for (weights, own) in weights.iter_mut().zip(own) {
                weights[k] = term.factor * own;
            }
        }
        weights
    }

    /// Derivatives at the end of a step of the readings times weights.
    ///
    /// `weights` has an entry for each term. Terms with the weight 0 are left out, which saves
    /// the work at most steps if an objective reads only the last one.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches at these states.
    pub(crate) fn slopes(
        &self,
        world: &World,
        passed: &Passed,
        weights: &[f64],
    ) -> Result<Slopes, Error> {
        let end = passed.end;
        let anchors = end.memory.options.sticking.anchors.len();
        let mut slopes = Slopes {
            state: Variation::zero(end.q.len(), anchors, 0),
            held: vec![Vec2::zeros(); end.q.len()],
        };
        for (term, weight) in self.terms.iter().zip(weights) {
            if *weight == 0.0 {
                continue;
            }
            let chosen = term.chosen(world, passed)?;

            // Of a largest or smallest number only the one that is reached has a derivative.
            for (k, (part, number)) in term.parts.iter().enumerate() {
                if chosen.is_none_or(|chosen| chosen == k) {
                    number.add_slopes(world, passed, weight * part, &mut slopes)?;
                }
            }
        }
        Ok(slopes)
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The term that a text names, with a factor before it or without.
///
/// The text has an optional factor, as `2 *`, then an optional reduction, as `mean of`, and then
/// a measure of the scene or `BODY.QUANTITY`. Measures come first: a measure with the name of a
/// quantity hides it.
fn term(problem: &Problem, text: &str, sign: f64) -> Result<Term, String> {
    // A factor.
    let mut text = text.trim();
    let mut factor = sign;
    if let Some((number, rest)) = text.split_once('*')
        && let Ok(number) = number.trim().parse::<f64>()
    {
        factor *= number;
        text = rest.trim();
    }

    // A reduction over the steps.
    let mut over = None;
    for (word, own) in [
        ("mean of ", Over::Mean),
        ("sum of ", Over::Sum),
        ("max of ", Over::Max),
        ("min of ", Over::Min),
    ] {
        if let Some(rest) = text.strip_prefix(word) {
            over = Some(own);
            text = rest.trim();
        }
    }

    // A measure, or a quantity of a body.
    let mut measures = problem.setup.measures.list.iter();
    let term = match measures.find(|measure| measure.name == text) {
        Some(measure) => of_measure(&problem.setup, measure)?,
        None => Term {
            factor: 1.0,
            parts: vec![(1.0, named(problem, text)?)],
            among: Among::Sum,
            over: Over::Last,
        },
    };
    Ok(Term {
        factor,
        over: over.unwrap_or(term.over),
        ..term
    })
}
