//! Gradient and search direction of algorithm 1 (Li et al. 2020), by the system that fits the
//! state.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::strategy::Search;
use super::workspace::Newton;
use crate::solve::failure::Failure;
use crate::solve::timings::Phase;

impl Newton {
    /// Computes the gradient at a state, with penalties on prescribed coordinates.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] or [`Failure::Touching`], if it is not finite.
    pub(super) fn find_gradient(
        &mut self,
        problem: &Problem,
        iterate: &Iterate,
        direction: &mut Direction,
    ) -> Result<(), Failure> {
        let Iterate { at, contacts } = iterate;
        self.log.timings.measure(Phase::Gradient, || {
            problem.gradient(contacts, at, &mut direction.gradient);
        });

        let gradient = &direction.gradient.q;
        if gradient.iter().all(|g| (g.x + g.y).is_finite()) {
            return Ok(());
        }
        Err(self.value_not_finite(problem, iterate, direction))
    }

    /// Computes the search direction at a state from the gradient there; see
    /// [`Systems`](super::systems::Systems::find_direction).
    ///
    /// # Errors
    /// A [`Failure`], if the matrix has no factorisation.
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
        systems.find_direction(
            problem,
            search,
            iterate,
            &filter.nearby.wide,
            direction,
            log,
        )
    }
}
