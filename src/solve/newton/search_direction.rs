//! The step of Newton's method that finds a direction.

use super::direction::Direction;
use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use super::strategy::Search;
use crate::solve::failure::Failure;

impl Newton {
    /// Computes the search direction at a state; see [`Systems`](super::systems::Systems).
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
