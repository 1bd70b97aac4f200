//! Searches for the numbers of a scene that a plan asks for.
//!
//! Each point of a search is a scene with its own derived numbers, as a run of it would have; within a
//! gradient these are constants. A point that fails counts as infinitely bad, so that steps become shorter.
//!
//! A search is a function of what it has computed, to the bit. So it is resumed by being repeated: a journal
//! has the points, in their order, and what was found there.
//!
//! Gauss and Newton's method needs residuals and their slopes, which tangents give.
//! Quasi-Newton's method needs one gradient, which an adjoint gives. The plan decides, see
//! [`Method`].
//!
//! A value and its derivatives are asked for one after the other, so that the run of the value is
//! kept until its derivatives are known, and dropped then.

use crate::adjoint::gradient;
use crate::error::Error;
use crate::gauss_newton::gauss_newton;
use crate::objective::Objective;
use crate::plan::{Method, Plan};
use crate::problem::Problem;
use crate::quasi_newton::quasi_newton;
use crate::run::Run;
use crate::search::{Derived, Found, Function, Limits};
use crate::tangents::jacobian;
use ipcsim::scene::Source;
use ipcsim::time::linear::Omitted;
use serde::{Deserialize, Serialize};

/// Share of the first sum of squares that counts as nothing.
const SMALL: f64 = 1e-24;

/// A line of a journal: a point, and what was found there.
///
/// Numbers are written so that they are read again to the bit; a resumed search compares points
/// by their bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Values of the numbers that change.
    pub x: Vec<f64>,
    /// Value; `None` if the run failed.
    pub value: Option<f64>,
    /// Value and derivatives, if these were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<Derived>,
}

/// What sees a point that a search accepts, with its value and derivatives.
type Watch<'a> = dyn FnMut(&[f64], &Derived) -> Result<(), Error> + 'a;

/// A search that a plan asks for.
pub struct Search<'a> {
    plan: &'a Plan,
    source: &'a Source,
    keys: Vec<String>,
    /// Entries of a journal that are not used yet, the next one last.
    known: Vec<Entry>,
    /// Takes what was computed: a line of the journal.
    write: &'a mut dyn FnMut(&Entry) -> Result<(), Error>,
    /// Sees accepted points.
    each: &'a mut Watch<'a>,
    /// The point that was asked for last.
    last: Option<Last>,
}

/// A point that was asked for, with its run if that was computed.
struct Last {
    x: Vec<f64>,
    value: f64,
    solved: Option<Solved>,
}

/// A run with its problem and objectives.
struct Solved {
    problem: Problem,
    weights: Vec<f64>,
    objectives: Vec<Objective>,
    run: Run,
}

impl<'a> Search<'a> {
    /// The search of a plan in the scene of a source, which goes on after the entries of a journal. `write`
    /// takes new entries, `each` sees the points that the search accepts.
    pub fn new(
        plan: &'a Plan,
        source: &'a Source,
        known: Vec<Entry>,
        write: &'a mut dyn FnMut(&Entry) -> Result<(), Error>,
        each: &'a mut Watch<'a>,
    ) -> Self {
        let mut known = known;
        known.reverse();
        Self {
            plan,
            source,
            keys: plan.change.iter().map(|own| own.key.clone()).collect(),
            known,
            write,
            each,
            last: None,
        }
    }

    /// Runs the search.
    ///
    /// Each value is a run. The number of gradients is limited by the plan.
    ///
    /// # Errors
    /// [`Error`] of the plan or the scene, or of the first point.
    pub fn run(&mut self) -> Result<Found, Error> {
        let problem = Problem::new(self.source, &self.keys, None)?;

        // Faults of the plan come before the first run.
        let variables = self.plan.variables(&problem)?;
        self.plan.objectives(&problem)?;
        let limits = Limits {
            gradients: self.plan.gradients,
            small: SMALL,
            step: self.plan.tolerance,
        };
        match self.plan.method() {
            Method::GaussNewton => gauss_newton(self, &variables, limits),
            Method::QuasiNewton => quasi_newton(self, &variables, limits),
        }
    }

    /// The scene with the values of a point, run.
    ///
    /// Values are overrides of the source, as if the user had given them.
    ///
    /// # Errors
    /// [`Error`] of the scene, or of a step.
    fn solved(&self, x: &[f64]) -> Result<Solved, Error> {
        let mut source = self.source.clone();
        let pairs = self.keys.iter().zip(x);
        let overrides =
            pairs.map(|(key, value)| format!("{key}={}", serde_json::Value::from(*value)));
        source.overrides.extend(overrides);
        let problem = Problem::new(&source, &self.keys, None)?;
        let (weights, objectives): (Vec<f64>, Vec<Objective>) =
            self.plan.objectives(&problem)?.into_iter().unzip();
        let run = Run::new(&problem, &objectives)?;
        Ok(Solved {
            problem,
            weights,
            objectives,
            run,
        })
    }

    /// The next entry of the journal, if it is of this point.
    ///
    /// An entry of another point means that the search has taken another course: the rest of the
    /// journal is dropped.
    fn recall(&mut self, x: &[f64]) -> Option<Entry> {
        let is_same = self.known.last().is_some_and(|entry| {
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            bits(&entry.x) == bits(x)
        });
        if is_same {
            self.known.pop()
        } else {
            self.known.clear();
            None
        }
    }
}

impl Solved {
    /// Sum of the objectives.
    fn value(&self) -> f64 {
        let values = self.run.values(&self.objectives);
        let both = values.iter().zip(&self.weights);
        both.map(|(value, weight)| weight * value).sum()
    }

    /// Value and derivatives: by one adjoint, or for squares by tangents.
    ///
    /// The gradient of a sum of squares is `2 sum_i r_i dr_i/dx`.
    ///
    /// # Errors
    /// [`Error`], if a step has no derivative.
    fn derived(&self, method: Method) -> Result<Derived, Error> {
        let value = self.value();
        let count = self.problem.parameters.len();
        if method == Method::QuasiNewton {
            let found = gradient(
                &self.problem,
                &self.run,
                &self.objectives,
                Omitted::default(),
            )?;

            // Their weighted sum.
            let mut sum = vec![0.0; count];
            for (own, weight) in found.iter().zip(&self.weights) {
                for (sum, by) in sum.iter_mut().zip(&own.by) {
                    *sum += weight * by;
                }
            }
            return Ok(Derived {
                value,
                gradient: sum,
                ..Derived::default()
            });
        }

        // A tangent for each number that changes.
        let slopes = jacobian(&self.problem, &self.run, &self.objectives)?;
        let mut derived = Derived {
            value,
            gradient: vec![0.0; count],
            ..Derived::default()
        };
        let all = self.objectives.iter().zip(&slopes);
        for ((objective, slopes), readings) in all.zip(&self.run.readings) {
            derived.residuals.extend(objective.residuals(readings));
            derived.slopes.extend(objective.residual_slopes(slopes));
        }
        for (residual, by) in derived.residuals.iter().zip(&derived.slopes) {
            for (sum, by) in derived.gradient.iter_mut().zip(by) {
                *sum += 2.0 * residual * by;
            }
        }
        Ok(derived)
    }
}

impl Function for Search<'_> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> Result<f64, Error> {
        if let Some(entry) = self.recall(x) {
            let value = entry.value.unwrap_or(f64::INFINITY);
            self.last = Some(Last {
                x: x.to_vec(),
                value,
                solved: None,
            });
            return Ok(value);
        }

        // A point that fails is infinitely bad, except for the first one.
        let is_first = self.last.is_none();
        let solved = match self.solved(x) {
            Ok(solved) => Some(solved),
            Err(error) if is_first => return Err(error),
            Err(_) => None,
        };
        let value = solved.as_ref().map_or(f64::INFINITY, Solved::value);
        (self.write)(&Entry {
            x: x.to_vec(),
            value: value.is_finite().then_some(value),
            derived: None,
        })?;
        self.last = Some(Last {
            x: x.to_vec(),
            value,
            solved,
        });
        Ok(value)
    }

    fn derived(&mut self) -> Result<Derived, Error> {
        let Some(Last { x, value, solved }) = self.last.take() else {
            return Ok(Derived::default());
        };
        let recalled = self.recall(&x).and_then(|entry| entry.derived);
        let derived = if let Some(derived) = recalled {
            derived
        } else {
            // A run of the journal is not at hand.
            let solved = match solved {
                Some(solved) => solved,
                None => self.solved(&x)?,
            };
            let derived = solved.derived(self.plan.method())?;
            (self.write)(&Entry {
                x: x.clone(),
                value: Some(value),
                derived: Some(derived.clone()),
            })?;
            derived
        };
        self.last = Some(Last {
            x,
            value,
            solved: None,
        });
        Ok(derived)
    }

    fn accept(&mut self, x: &[f64], derived: &Derived) -> Result<(), Error> {
        (self.each)(x, derived)
    }
}
