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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::newton::solver::Solver;
    use crate::solve::stage::Stage;
    use crate::solve::test_problems::{Curve, barriers, on_a_curve, potential, started, statics};

    /// Direction from a place on a curve with an inertia (1), by a source, and the damping.
    fn direction(u: f64, curve: Curve, inertia: f64, search: Search) -> (f64, f64) {
        let (model, at) = on_a_curve(u, curve);
        let stage = Stage {
            inertia,
            ..statics(&at, &[])
        };
        let barriers = barriers();
        let mut potential = potential(&model, &stage, &barriers);
        let mut problem = Problem::new(&mut potential, &[], &at);
        let (mut solver, iterate) = started(&model, &at);
        let Solver {
            newton, direction, ..
        } = &mut solver;
        newton.find_gradient(&problem, &iterate, direction).unwrap();
        newton
            .find_direction(&mut problem, search, &iterate, direction)
            .unwrap();
        assert!(direction.decrease() > 0.0, "it descends");
        (direction.p[0].x, direction.damping)
    }

    #[test]
    fn the_distance_from_the_minimum_is_squared_by_each_direction() {
        // For the potential `e^u - u` the next place is `u - 1 + e^-u`, about `u^2 / 2`.
        let mut u = 0.5;
        for _ in 0..4 {
            let curve = Curve::of(|u| [u.exp() - u, u.exp() - 1.0, u.exp()]);
            let next = u + direction(u, curve, 0.0, Search::Exact).0;
            let expected = u - 1.0 + f64::exp(-u);
            assert!((next - expected).abs() < 1e-15, "{next} {expected}");
            assert!(next < 0.5 * u * u + 1e-15);
            u = next;
        }
        assert!(u < 1e-9, "{u}");
    }

    #[test]
    fn where_the_exact_matrix_is_not_definite_the_curvature_is_left_out_or_outweighed() {
        // Curvature -2 and slope 1, with an inertia of 0.5 on top.
        let hill = Curve::of(|u| [u - u * u, 1.0 - 2.0 * u, -2.0]);
        for search in [Search::Exact, Search::Newton, Search::ScaledGradient(1)] {
            let (p, damping) = direction(0.0, hill, 0.5, search);
            assert!((p + 2.0).abs() < 1e-13, "{search:?}: {p}");
            assert_eq!(damping, 0.0);
        }
        let (p, damping) = direction(0.0, hill, 0.5, Search::Regularized);
        assert!(
            (damping - 10.0).abs() < 1e-9,
            "the first of 0.01, 0.1 and so on: {damping}"
        );
        assert!(
            (p + 1.0 / (damping - 1.5)).abs() < 1e-9 * p.abs(),
            "{p} {damping}"
        );

        // The exact matrix has a curvature that inertia outweighs, the projected one has none.
        let slope = Curve::of(|u| [u - 0.125 * u * u, 1.0 - 0.25 * u, -0.25]);
        assert!((direction(0.0, slope, 0.5, Search::Exact).0 + 4.0).abs() < 1e-13);
        assert!((direction(0.0, slope, 0.5, Search::Newton).0 + 2.0).abs() < 1e-13);

        // In a valley nothing is added, or the least damping.
        let valley = Curve::of(|u| [u + u * u, 1.0 + 2.0 * u, 2.0]);
        for (search, least) in [
            (Search::Exact, 0.0),
            (Search::Newton, 0.0),
            (Search::Regularized, 0.01),
        ] {
            let (p, damping) = direction(0.0, valley, 0.5, search);
            assert_eq!(damping, least);
            assert!((p + 1.0 / (2.5 + least)).abs() < 1e-15, "{search:?}: {p}");
        }
    }
}
