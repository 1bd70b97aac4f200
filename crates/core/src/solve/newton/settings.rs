//! When Newton's method stops, and how it ended.
//!
//! A solve converges if a direction is short as a speed, and if the forces at its end balance: the
//! tolerance bounds the error of velocities, whatever the length of the step, and the imbalance the
//! error of forces. It ends well, too, if rounding hides any further decrease.

use ipcsim_sparse::LinearSolver;
use serde::{Deserialize, Serialize};

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Speed `|J p|_inf / beta` (m/s) of the Newton direction below which a state is accepted.
    pub tolerance: f64,
    /// Imbalance of forces (m/s) below which a state is accepted: the speed that they may give a
    /// body in a step.
    pub imbalance: f64,
    /// Largest number of directions that one minimisation may compute.
    pub max_iterations: usize,
    /// Implementation of the factorisation.
    pub linear: LinearSolver,
}

impl Solved {
    /// No solve, where nothing is unknown.
    pub const NOTHING: Self = Self {
        status: Status::Converged,
        iterations: 0,
        residual: 0.0,
        imbalance: 0.0,
        follows: true,
        unstable: None,
    };
}

impl Settings {
    /// True if forces must balance better than directions are short. Otherwise only directions
    /// decide, from projected Hessians, as in Li et al. 2020, algorithm 1, and in the book.
    pub(super) fn weighs_forces(&self) -> bool {
        self.imbalance < self.tolerance
    }
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
    /// Residual of the last direction (m/s).
    pub residual: f64,
    /// Imbalance of forces at the minimum (m/s): the speed that they would give a body in a step.
    pub imbalance: f64,
    /// True if friction has the normal forces of the minimum.
    pub follows: bool,
    /// Number of negative eigenvalues of the stiffness, on a path of equilibria: 0 where the state is
    /// stable. `None` where the state is a minimum.
    pub unstable: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_weighed_only_if_they_must_balance_better_than_directions_are_short() {
        for (imbalance, weighs) in [(1e-4, true), (1e-3, false), (1e-2, false)] {
            let settings = Settings {
                tolerance: 1e-3,
                imbalance,
                max_iterations: 10,
                linear: LinearSolver::default(),
            };
            assert_eq!(settings.weighs_forces(), weighs);
        }
        let nothing = Solved::NOTHING;
        assert_eq!((nothing.iterations, nothing.unstable), (0, None));
    }
}
