//! Failures with the names of the bodies at fault.
//!
//! Newton's method itself knows only that a number is not finite or that iterations are used up.
//! These functions find the energy, the vertex or the blocked coordinate that a message can name.

use super::assessment::Assessment;
use super::direction::Direction;
use super::iterate::Iterate;
use super::problem::Problem;
use super::settings::Status;
use super::solve_state::SolveState;
use super::strategy::Search;
use super::workspace::Newton;
use crate::solve::failure::Failure;
use crate::solve::pace::Pace;
use crate::tuning::STAGNANT_DIRECTIONS;
use ipcsim_contact::tuning::MOST_TURNS;

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

    /// Source of the next direction, by a `search`.
    ///
    /// # Errors
    /// [`Failure`] of a solve that has used up its iterations, or makes no progress any more.
    pub(super) fn go_on_by(
        &self,
        search: Search,
        problem: &Problem,
        solve_state: &mut SolveState,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Result<Search, Failure> {
        let Some(search) = solve_state.next(search) else {
            return Err(self.out_of_iterations(problem, solve_state, iterate, direction));
        };
        if solve_state.stagnation.lasts(STAGNANT_DIRECTIONS) {
            return Err(self.stagnant(problem, solve_state, iterate, direction));
        }
        Ok(search)
    }

    /// True if a line search that ended with `failure` ends the solve: rounding is reached, and forces
    /// balance.
    pub(super) fn ends(
        &mut self,
        assessed: &Assessment,
        failure: &Failure,
        problem: &Problem,
        solve_state: &SolveState,
        iterate: &Iterate,
    ) -> bool {
        assessed.ends(problem, failure) && self.is_balanced(problem, solve_state, iterate)
    }

    /// Failure of a solve that does not end whose cause has a name: a joint that turns a body too often, as
    /// a motor may, or motion that has no room.
    fn named_cause(&self, problem: &Problem, iterate: &Iterate) -> Option<Failure> {
        let asked = problem.potential.constraints.most_turns(&iterate.at.x);
        match asked {
            Some((vertex, turns)) if turns > MOST_TURNS => {
                Some(Failure::Spinning { vertex, turns })
            }
            _ => self.without_room(problem, iterate),
        }
    }

    /// Nothing, if forces balance at a state that ends the solve with a `status`.
    ///
    /// # Errors
    /// [`Failure::Unbalanced`] where rounding has ended it before.
    pub(super) fn balanced(
        &mut self,
        status: Status,
        problem: &Problem,
        solve_state: &SolveState,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Result<(), Failure> {
        if status == Status::Converged || self.is_balanced(problem, solve_state, iterate) {
            return Ok(());
        }
        if let Some(failure) = self.named_cause(problem, iterate) {
            return Err(failure);
        }
        let model = problem.potential.model;
        Err(Failure::Unbalanced {
            vertex: model.coordinates.vertex_of(direction.steepest()),
            imbalance: counted(solve_state),
            gap: iterate.contacts.min_gap,
        })
    }

    /// Failure of a solve that makes no progress any more.
    pub(super) fn stagnant(
        &self,
        problem: &Problem,
        solve_state: &SolveState,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Failure {
        if let Some(failure) = self.named_cause(problem, iterate) {
            return failure;
        }
        let model = problem.potential.model;
        Failure::Stagnant {
            vertex: model.coordinates.vertex_of(direction.steepest()),
            count: solve_state.stagnation.directions(),
            imbalance: counted(solve_state),
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
        if let Some(failure) = self.named_cause(problem, iterate) {
            return failure;
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
            imbalance: counted(solve_state),
            tolerance: stage.tolerance / pace,
            vertex,
        }
    }
}

/// Imbalance of the body that is farthest from its tolerance, and the one that would have been accepted
/// (m/s).
fn counted(solve_state: &SolveState) -> [f64; 2] {
    let SolveState {
        imbalance,
        settings,
        ..
    } = solve_state;
    [imbalance.counted, settings.imbalance].map(|speed| speed / imbalance.pace)
}
