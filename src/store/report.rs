//! `run.json`: what a run was and how it ended.

use crate::scene::Derived;
use crate::solve::{Phase, Status, Timings};
use crate::time::{Record, StepReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// All steps were done.
    Completed,
    /// A step has no end.
    Failed,
    /// It was ended from outside.
    Interrupted,
}

/// Why a run did not complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A short name for programs.
    pub kind: String,
    /// The step that failed.
    pub step: usize,
    /// A sentence for people.
    pub message: String,
    /// The vertices at fault, as body and number in it.
    pub vertices: Vec<String>,
}

/// A step that Newton's method as it is could not solve, and what did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    /// The step.
    pub step: usize,
    /// The rung of the ladder that solved it.
    pub rung: String,
    /// A short name of why the step failed at first, for programs.
    pub kind: String,
    /// The same in a sentence.
    pub why: String,
}

/// What a run does apart from its scene. A run that is resumed does the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Whether it draws frames.
    pub frames: bool,
    /// Steps between checkpoints; as time goes by if absent.
    pub checkpoint_every: Option<usize>,
    /// Where continuous collision queries are recorded.
    pub record_ccd: Option<PathBuf>,
    /// Whether the ends of all accepted step segments are stored.
    #[serde(default)]
    pub certify: bool,
}

/// The contents of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// The scene's name.
    pub scene: String,
    /// Version of the program.
    pub version: String,
    /// How the run ended.
    pub status: RunStatus,
    /// Why it did not complete.
    pub reason: Option<Reason>,
    /// Steps done.
    pub steps: usize,
    /// Pictures written.
    pub frames: usize,
    /// Step segments stored.
    #[serde(default)]
    pub segments: usize,
    /// Newton directions computed.
    pub newton_iterations: usize,
    /// Steps that ended because rounding was reached before the tolerance.
    pub steps_at_rounding: usize,
    /// Steps that were tried again, with what solved them.
    #[serde(default)]
    pub recoveries: Vec<Recovered>,
    /// The smallest distance of a contact (m).
    pub min_gap: Option<f64>,
    /// The smallest ratio of a triangle's area to that at rest.
    pub min_j: Option<f64>,
    /// Largest change of velocity (m/s) in a step that friction brought up to date would have made.
    pub friction_lag_residual: f64,
    /// Hash of the last state, hexadecimal.
    pub hash: String,
    /// What it was asked to do, apart from the scene.
    #[serde(default)]
    pub options: RunOptions,
    /// Numbers that the run used, whether given or derived.
    pub parameters: BTreeMap<String, f64>,
    /// The same numbers and others with their units, and why they are what they are.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// Threads used.
    pub threads: usize,
    /// Seconds per phase and in all.
    pub timings: BTreeMap<String, f64>,
}

/// [`Reason::kind`] of a run whose end nobody has seen.
pub const UNFINISHED: &str = "unfinished";

impl RunReport {
    /// Whether the run goes on, or was killed: its folder lacks what is made at the end.
    pub fn is_unfinished(&self) -> bool {
        self.reason
            .as_ref()
            .is_some_and(|reason| reason.kind == UNFINISHED)
    }

    /// Counts the state at the start.
    pub fn count(&mut self, record: &Record) {
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        self.min_gap = least(self.min_gap, record.min_gap);
        self.min_j = least(self.min_j, record.min_area_ratio);
        self.newton_iterations = self
            .newton_iterations
            .saturating_add(record.newton_iterations);
    }

    /// Counts a step.
    pub fn count_step(&mut self, done: &StepReport) {
        self.count(&done.record);
        self.steps = done.record.step;
        self.steps_at_rounding += usize::from(done.status == Status::RoundingReached);
        self.friction_lag_residual = self.friction_lag_residual.max(done.lag_residual);
        self.recoveries
            .extend(done.recovery.as_ref().map(|recovery| Recovered {
                step: done.record.step,
                rung: recovery.rung.name().to_owned(),
                kind: recovery.kind.clone(),
                why: recovery.why.clone(),
            }));
    }

    /// Notes where the time of all steps went, and of the whole run.
    pub fn time(&mut self, timings: &Timings, whole: Duration) {
        for (phase, name) in Phase::ALL {
            self.timings.insert(name.to_owned(), timings.seconds(phase));
        }
        self.timings.insert("whole".to_owned(), whole.as_secs_f64());
    }
}
