//! `run.json`: what a run was and how it ended.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Numbers that the run used, whether given or derived.
    pub parameters: BTreeMap<String, f64>,
    /// Threads used.
    pub threads: usize,
    /// Seconds per phase and in all.
    pub timings: BTreeMap<String, f64>,
}
