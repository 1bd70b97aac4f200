//! Reasons why a gradient does not exist.

use ipcsim::scene::SceneError;
use ipcsim::solve::Failure;
use ipcsim::time::linear::Refused;

/// Reason why a gradient does not exist.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The scene, or one with other values, cannot be read or built.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A key or value of the scene has no derivative.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A step was not solved.
    #[error("step {step} failed: {failure}")]
    Step {
        /// Number of the step.
        step: usize,
        /// Its failure.
        failure: Failure,
    },
    /// A parameter leads to no number of the scene.
    #[error("\"{path}\" names no number of the scene: {reason}")]
    Parameter {
        /// Path of the parameter.
        path: String,
        /// Why.
        reason: String,
    },
    /// A text names no number of a run that has a derivative.
    #[error("\"{text}\" names no objective: {reason}")]
    Objective {
        /// The text.
        text: String,
        /// Reason, with the names that exist.
        reason: String,
    },
    /// A plan asks for something that cannot be.
    #[error("{0}")]
    Plan(String),
    /// A search was stopped from outside.
    #[error("{0}")]
    Stopped(String),
    /// States do not fit into the memory that is given.
    #[error(
        "states of this run need {:.0} MB, and {:.0} MB are given; allow more memory, or take fewer steps",
        *bytes as f64 / 1e6, *given as f64 / 1e6
    )]
    Memory {
        /// Bytes that are needed.
        bytes: usize,
        /// Bytes that are given.
        given: usize,
    },
    /// States that were computed again are other ones.
    #[error("step {step} was computed again with another result; please report this")]
    NotRepeated {
        /// Number of the step.
        step: usize,
    },
    /// Other values lead to another mesh, or other bodies.
    #[error("\"{path}\" has no derivative: with {value} instead, {what}")]
    OtherMesh {
        /// Path of the parameter.
        path: String,
        /// Value that was tried.
        value: f64,
        /// What differs.
        what: &'static str,
    },
}
