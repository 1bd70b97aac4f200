//! Failures with the names of what is at fault.
//!
//! Newton's method itself knows only that a number is not finite or that iterations are used up.
//! These functions find the energy, the vertex or the blocked coordinate that a message can name.

use super::direction::Direction;
use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use super::settings::Settings;
use super::systems::energy_not_finite;
use crate::solve::failure::Failure;

impl Newton {
    /// Failure that names the energy that is not finite at a state.
    pub(super) fn value_not_finite(
        &self,
        problem: &Problem,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Failure {
        let potential = &problem.potential;
        let vertex = potential.model.coordinates.vertex_of(direction.steepest());
        energy_not_finite(potential, &self.filter.candidates, &iterate.at, vertex)
    }

    /// Failure of a solve that has used up its iterations.
    pub(super) fn out_of_iterations(
        &self,
        problem: &Problem,
        settings: &Settings,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Failure {
        if !problem.pins.all_met() {
            return self.blocked(problem, iterate);
        }

        let stage = problem.potential.stage;
        Failure::Iterations {
            count: settings.max_iterations,
            residual: stage.residual(&direction.displacement, &direction.gradient.q),
            tolerance: stage.tolerance,
            unit: stage.unit(),
            vertex: direction.farthest(),
        }
    }
}
