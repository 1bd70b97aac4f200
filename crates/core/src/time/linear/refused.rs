//! Steps that have no derivative here, each with its reason.

use crate::solve::Failure;
use thiserror::Error;

/// Why a step has no derivative.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Refused {
    /// An option of the scene changes states by rules without a derivative.
    #[error("{option} has no derivative: {reason}")]
    Option {
        /// Key and value in the scene.
        option: String,
        /// Why.
        reason: &'static str,
    },
    /// A step was solved in another manner than its equation says.
    #[error("step {step} has no derivative: {reason}")]
    Step {
        /// Number of the step.
        step: usize,
        /// Why.
        reason: &'static str,
    },
    /// The matrix of a step is singular, or does not fit into memory.
    #[error("step {step} has no derivative: {failure}")]
    Matrix {
        /// Number of the step.
        step: usize,
        /// Failure of the factorisation.
        failure: Failure,
    },
}
