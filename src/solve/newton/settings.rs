//! When Newton's method stops, and how it ended.
//!
//! A solve converges if a direction is short as a speed: the tolerance bounds the error of
//! velocities, whatever the length of the step. It ends well, too, if rounding hides any further
//! decrease.

use crate::sparse::LinearSolver;
use serde::{Deserialize, Serialize};

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Speed `|J p|_inf / beta` (m/s) of the Newton direction below which a state is accepted.
    pub tolerance: f64,
    /// Largest number of directions that one minimisation may compute.
    pub max_iterations: usize,
    /// Implementation of the factorisation.
    pub linear: LinearSolver,
}

/// Test that a minimisation passed in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The tolerance was met.
    Converged,
    /// The tolerance was not met, but the decrease of the potential is lost in the rounding of its
    /// value, and directions no longer become shorter.
    RoundingReached,
}

/// A minimum of the potential.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// Test that the minimum passed.
    pub status: Status,
    /// Number of directions computed.
    pub iterations: usize,
    /// Residual of the last direction (m/s; in statics N).
    pub residual: f64,
}
