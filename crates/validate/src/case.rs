//! Cases, how they are run, and what they return.
//!
//! Cases do not depend on each other. Each runs on one thread, and several run at the same time;
//! results are in the order of the list and the same on any number of threads.

use super::plot::Plot;
use super::quantity::{Quantity, Verdict};
use ipcsim::math::parallel;
use ipcsim::simulation::Error;
use serde::Serialize;

/// How long a case takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// Less than a second; the case is part of the test suite.
    Quick,
    /// Up to half a minute.
    Full,
}

/// An experiment whose result is known without the simulator.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Case {
    /// Name by which the case is selected, equal to that of its file; its first word is the
    /// subject.
    pub name: &'static str,
    /// Experiment in a few words.
    pub title: &'static str,
    /// Claim that the case proves, as a sentence or two.
    pub proves: &'static str,
    /// Formula of the expected values.
    pub formula: &'static str,
    /// Source of the formula.
    pub source: &'static str,
    /// How long the case takes.
    pub weight: Weight,
    /// Builds the scenes, runs them and judges the results.
    #[serde(skip)]
    pub run: fn() -> Result<Outcome, Error>,
}

/// Measured quantities of a case, and a plot of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Quantities in the order of the report.
    pub quantities: Vec<Quantity>,
    /// Expected curves and measured points.
    pub plot: Plot,
}

impl Outcome {
    /// An outcome without quantities yet.
    pub fn new(plot: Plot) -> Self {
        Self {
            quantities: Vec::new(),
            plot,
        }
    }

    /// Adds a quantity.
    pub fn check(&mut self, quantity: Quantity) {
        self.quantities.push(quantity);
    }

    /// Adds a quantity that must agree to a share of the expected value.
    pub fn relative(
        &mut self,
        name: impl Into<String>,
        unit: &'static str,
        expected: f64,
        got: f64,
        tolerance: f64,
    ) {
        self.check(Quantity::relative(name, unit, expected, got, tolerance));
    }

    /// Adds a quantity that must agree to a difference in its own unit.
    pub fn absolute(
        &mut self,
        name: impl Into<String>,
        unit: &'static str,
        expected: f64,
        got: f64,
        tolerance: f64,
    ) {
        self.check(Quantity::absolute(name, unit, expected, got, tolerance));
    }

    /// Adds a quantity that must not be above a limit.
    pub fn at_most(&mut self, name: impl Into<String>, unit: &'static str, limit: f64, got: f64) {
        self.check(Quantity::at_most(name, unit, limit, got));
    }

    /// Adds a quantity that must not be below a limit.
    pub fn at_least(&mut self, name: impl Into<String>, unit: &'static str, limit: f64, got: f64) {
        self.check(Quantity::at_least(name, unit, limit, got));
    }
}

/// Result of a case that has run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Case that has run.
    #[serde(flatten)]
    pub case: Case,
    /// Judgement of the whole case.
    pub verdict: Verdict,
    /// Measured quantities and plot; `None` if the case could not be run to its end.
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
    /// Reason for which the case could not be run to its end.
    pub error: Option<String>,
}

impl Report {
    /// Runs a case. One that cannot be run to its end, or measures nothing, fails.
    pub fn of(case: Case) -> Self {
        let done = (case.run)();
        let verdict = match &done {
            Ok(outcome) => outcome.quantities.iter().map(Quantity::verdict).max(),
            Err(_) => None,
        };

        let error = done.as_ref().err().map(ToString::to_string);
        Self {
            case,
            verdict: verdict.unwrap_or(Verdict::Fail),
            outcome: done.ok(),
            error,
        }
    }

    /// Measured quantities; none if the case could not be run to its end.
    pub fn quantities(&self) -> &[Quantity] {
        self.outcome
            .as_ref()
            .map_or(&[], |outcome| &outcome.quantities)
    }
}

/// Runs cases on `threads` threads, one a core if `None`, and calls `done` after each.
///
/// # Errors
/// Message of the operating system if the threads cannot be started.
pub fn run_all(
    cases: &[Case],
    threads: Option<usize>,
    done: impl Fn(&Report) + Sync,
) -> Result<Vec<Report>, String> {
    parallel::tasks(cases.len(), threads, |k| {
        let report = Report::of(cases[k]);
        done(&report);
        report
    })
}
