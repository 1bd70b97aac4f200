//! The search direction of algorithm 1 (Li et al. 2020), by the system that fits the state.

use super::direction::Direction;
use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use super::strategy::Search;
use crate::solve::failure::Failure;

impl Newton {
    /// Computes gradient and search direction at a state; see
    /// [`Systems`](super::systems::Systems::find_direction).
    ///
    /// # Errors
    /// A [`Failure`], if the gradient is not finite, or the matrix has no factorisation.
    pub(super) fn find_direction(
        &mut self,
        problem: &mut Problem,
        search: Search,
        iterate: &Iterate,
        direction: &mut Direction,
    ) -> Result<(), Failure> {
        let Self {
            filter,
            systems,
            log,
            ..
        } = self;
        systems.find_direction(problem, search, iterate, &filter.candidates, direction, log)
    }
}
