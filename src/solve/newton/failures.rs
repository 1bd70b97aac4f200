//! Residuals, and failures with the names of what is at fault.

use super::direction::Direction;
use super::iterate::Iterate;
use super::parts::Newton;
use super::problem::Problem;
use super::settings::Settings;
use super::strategy::Search;
use super::systems::energy_not_finite;
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

    /// Residual of a direction (m/s; in statics N). A matrix with `1 + damping` times the mass makes directions shorter by
    /// at most that factor.
    ///
    /// # Errors
    /// [`Failure::NotFinite`], if the direction is not finite.
    pub(super) fn residual(
        problem: &Problem,
        iterate: &Iterate,
        direction: &mut Direction,
    ) -> Result<f64, Failure> {
        let Problem { potential, .. } = problem;
        direction.displace(&potential.model.coordinates, &iterate.at);
        let Direction {
            displacement,
            gradient,
            damping,
            ..
        } = direction;

        let residual = potential.stage.residual(displacement, &gradient.q);
        if residual.is_finite() {
            return Ok(residual * (1.0 + *damping));
        }
        let not_finite = displacement.iter().position(|d| !(d.x + d.y).is_finite());
        Err(Failure::NotFinite {
            energy: "direction",
            vertex: not_finite.unwrap_or(0),
        })
    }

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
