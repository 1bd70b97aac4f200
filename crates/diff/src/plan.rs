//! The file of a plan: a scene, the numbers that a search changes, and what it seeks.

use crate::error::Error;
use crate::objective::{Fit, Objective};
use crate::problem::Problem;
use crate::search::Variable;
use ipcsim::scene::typed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Contents of the file that `ipcsim optimise` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Scene file (JSON), relative to the plan.
    pub scene: PathBuf,
    /// Values that replace those of the scene, by key: `"time.steps": 100`.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// Numbers of the scene that change.
    pub change: Vec<Changed>,
    /// Numbers of a run to be small: their sum counts.
    #[serde(default)]
    pub minimise: Vec<Goal>,
    /// Numbers of a run to be large.
    #[serde(default)]
    pub maximise: Vec<Goal>,
    /// Numbers of a run to have given values: squares of the differences count.
    #[serde(default)]
    pub fit: Vec<Target>,
    /// Method [default: `gauss_newton` if everything is to be fitted, else `quasi_newton`].
    #[serde(default)]
    pub method: Option<Method>,
    /// Largest number of gradients.
    #[serde(default = "gradients")]
    pub gradients: usize,
    /// Change of numbers, relative to their sizes, below which the search has converged.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
}

/// Default of [`Plan::gradients`].
fn gradients() -> usize {
    50
}

/// Default of [`Plan::tolerance`].
fn tolerance() -> f64 {
    1e-6
}

/// A number of the scene that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changed {
    /// Path of the number in the scene.
    pub key: String,
    /// First value [default: that of the scene].
    #[serde(default)]
    pub start: Option<f64>,
    /// Least value.
    #[serde(default)]
    pub min: Option<f64>,
    /// Largest value.
    #[serde(default)]
    pub max: Option<f64>,
    /// Linear, or by equal ratios.
    #[serde(default)]
    pub scale: Scale,
}

/// Steps of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios; the number is above 0.
    Log,
}

/// A number of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Goal {
    /// Its name, as of `ipcsim gradient --of`.
    Of(String),
    /// With a weight.
    Weighted {
        /// Its name.
        of: String,
        /// Factor in the sum.
        weight: f64,
    },
}

/// A number of a run with values that it should have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its name, as of `ipcsim gradient --of`.
    pub of: String,
    /// Value at the end of the run.
    #[serde(default)]
    pub value: Option<f64>,
    /// Values at the ends of steps.
    #[serde(default)]
    pub values: Vec<f64>,
    /// Numbers of these steps, from 1 [default: all].
    #[serde(default)]
    pub steps: Vec<usize>,
    /// Factor of each squared difference.
    #[serde(default = "one")]
    pub weight: f64,
}

/// Default of [`Target::weight`].
fn one() -> f64 {
    1.0
}

/// Method of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Least squares: fits only, a tangent for each number that changes.
    GaussNewton,
    /// Any sums: an adjoint, whatever the number of numbers that change.
    QuasiNewton,
}

impl Plan {
    /// Reads the text of a plan.
    ///
    /// # Errors
    /// [`Error::Scene`] with line, column and path of the first wrong value, [`Error::Plan`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let plan: Self = typed(text)?;

        let refused = |message: &str| Err(Error::Plan(message.to_owned()));
        if plan.change.is_empty() {
            return refused("\"change\" names no number of the scene");
        }
        if plan.minimise.is_empty() && plan.maximise.is_empty() && plan.fit.is_empty() {
            return refused("give \"minimise\", \"maximise\" or \"fit\"");
        }
        if plan.gradients == 0 {
            return refused("\"gradients\" is 0; allow at least one");
        }
        if plan.method == Some(Method::GaussNewton) && !plan.is_fit() {
            return refused("\"gauss_newton\" is for \"fit\" only; leave \"method\" out");
        }
        Ok(plan)
    }

    /// True if everything is to be fitted.
    fn is_fit(&self) -> bool {
        self.minimise.is_empty() && self.maximise.is_empty()
    }

    /// The method.
    pub fn method(&self) -> Method {
        let by_itself = if self.is_fit() {
            Method::GaussNewton
        } else {
            Method::QuasiNewton
        };
        self.method.unwrap_or(by_itself)
    }

    /// Overrides of the scene, `key=value`.
    pub fn overrides(&self) -> Vec<String> {
        let set = self.set.iter();
        set.map(|(key, value)| format!("{key}={value}")).collect()
    }

    /// Variables of the search, for the scene with its values.
    ///
    /// # Errors
    /// [`Error::Plan`], if a start is out of its bounds, or not above 0 with a logarithmic scale.
    pub fn variables(&self, problem: &Problem) -> Result<Vec<Variable>, Error> {
        let both = self.change.iter().zip(&problem.parameters);
        both.map(|(changed, parameter)| changed.variable(parameter.value))
            .collect()
    }

    /// Objectives of a problem, whose sum is to be small.
    ///
    /// # Errors
    /// [`Error::Objective`] or [`Error::Plan`].
    pub fn objectives(&self, problem: &Problem) -> Result<Vec<(f64, Objective)>, Error> {
        let mut list = Vec::new();
        for (sign, goals) in [(1.0, &self.minimise), (-1.0, &self.maximise)] {
            for goal in goals {
                let (of, weight) = match goal {
                    Goal::Of(of) => (of, 1.0),
                    Goal::Weighted { of, weight } => (of, *weight),
                };
                list.push((sign * weight, Objective::read(problem, of)?));
            }
        }

        for target in &self.fit {
            let fit = target.fit(problem.steps)?;
            list.push((1.0, Objective::read(problem, &target.of)?.fitted(fit)));
        }
        Ok(list)
    }
}

impl Changed {
    /// The variable, with the value of the scene.
    fn variable(&self, value: f64) -> Result<Variable, Error> {
        let key = &self.key;
        let start = self.start.unwrap_or(value);
        let is_log = self.scale == Scale::Log;
        let min = self
            .min
            .unwrap_or(if is_log { 0.0 } else { f64::NEG_INFINITY });
        let max = self.max.unwrap_or(f64::INFINITY);
        if !(min <= start && start <= max) {
            return Err(Error::Plan(format!(
                "\"{key}\" starts with {start}, which is not from {min} to {max}"
            )));
        }
        if is_log && start <= 0.0 {
            return Err(Error::Plan(format!(
                "\"{key}\" starts with {start}, which has no logarithm; leave \"scale\" out"
            )));
        }

        // The size of a step that counts as large.
        let span = max - min;
        let size = if is_log {
            1.0
        } else if span.is_finite() && span > 0.0 {
            span
        } else if start == 0.0 {
            1.0
        } else {
            start.abs()
        };
        Ok(Variable {
            start,
            min,
            max,
            size,
            is_log,
        })
    }
}

impl Target {
    /// Values at steps.
    fn fit(&self, steps: usize) -> Result<Fit, Error> {
        let of = &self.of;
        let wrong = |message: String| Err(Error::Plan(format!("\"fit\" of {of}: {message}")));
        let targets: Vec<(usize, f64)> = match (self.value, self.values.is_empty()) {
            (Some(value), true) => vec![(steps, value)],
            (None, false) if self.steps.is_empty() && self.values.len() == steps => {
                (1..).zip(self.values.iter().copied()).collect()
            }
            (None, false) if self.steps.len() == self.values.len() => {
                let both = self.steps.iter().zip(&self.values);
                both.map(|(step, value)| (*step, *value)).collect()
            }
            (None, false) => {
                let (values, numbers) = (self.values.len(), self.steps.len());
                return wrong(format!(
                    "{values} values for {numbers} steps, where the run has {steps}; give as many \"steps\""
                ));
            }
            _ => return wrong("give either \"value\" or \"values\"".to_owned()),
        };

        // Steps and weights that exist.
        if let Some((step, _)) = targets.iter().find(|(step, _)| *step == 0 || *step > steps) {
            return wrong(format!("step {step} is not from 1 to {steps}"));
        }
        if !(self.weight.is_finite() && self.weight > 0.0) {
            return wrong(format!("weight is {}; it is above 0", self.weight));
        }
        Ok(Fit {
            targets,
            weight: self.weight,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_seeks_nothing_is_refused_with_what_to_give() {
        for (text, expected) in [
            (r#"{"scene": "s.json", "change": []}"#, "change"),
            (r#"{"scene": "s.json", "change": [{"key": "a"}]}"#, "fit"),
            (
                r#"{"scene": "s.json", "change": [{"key": "a"}], "minimise": ["b.x"], "method": "gauss_newton"}"#,
                "leave \"method\" out",
            ),
            (r#"{"scene": "s.json", "changes": []}"#, "changes"),
        ] {
            let message = Plan::parse(text).map_err(|error| error.to_string());
            assert!(
                message.is_err_and(|message| message.contains(expected)),
                "{text}"
            );
        }
    }
}
