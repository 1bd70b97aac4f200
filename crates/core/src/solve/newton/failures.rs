//! Failures with the names of the bodies at fault.
//!
//! Newton's method itself knows only that a number is not finite or that iterations are used up.
//! These functions find the energy, the vertex or the blocked coordinate that a message can name.

use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::solve_state::SolveState;
use super::workspace::Newton;
use crate::solve::failure::Failure;
use crate::solve::pace::Pace;

impl Newton {
    /// Failure that names the energy that is not finite at a state, and the vertex with the largest
    /// gradient; [`Failure::Touching`], if that is because something touches.
    pub(super) fn value_not_finite(
        &self,
        problem: &Problem,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Failure {
        let potential = &problem.potential;
        let vertex = potential.model.coordinates.vertex_of(direction.steepest());
        match potential.not_finite(&self.filter.nearby.near, &iterate.at) {
            Ok(energy) => Failure::NotFinite { energy, vertex },
            Err(touch) => Failure::Touching(touch),
        }
    }

    /// Failure of a solve that has used up its iterations.
    pub(super) fn out_of_iterations(
        &self,
        problem: &Problem,
        solve_state: &SolveState,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Failure {
        if !problem.pins.all_met() {
            return self.blocked(problem, iterate);
        }

        // Speeds and tolerances belong to the body that is farthest from its tolerance.
        let stage = problem.potential.stage;
        let model = problem.potential.model;
        let Pace {
            direction: paces, ..
        } = &model.pace;
        let pace_of = |i: usize| paces[model.surface.body[i]];
        let vertex = direction.farthest(pace_of);
        let pace = pace_of(vertex);
        let residual = stage.residual(model, &direction.displacement);
        Failure::Iterations {
            count: solve_state.settings.max_iterations,
            residual: residual * (1.0 + direction.damping) / pace,
            imbalance: [
                solve_state.imbalance.counted,
                solve_state.settings.imbalance,
            ]
            .map(|imbalance| imbalance / solve_state.imbalance.pace),
            tolerance: stage.tolerance / pace,
            vertex,
        }
    }
}
