//! The linear equations of an increment: stiffness, and tangent of the path.

use super::Increment;
use super::metric::{Metric, PathChange};
use crate::solve::failure::Failure;
use crate::solve::model::Model;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::Iterate;
use crate::solve::newton::problem::Problem;
use crate::solve::newton::workspace::Newton;
use ipcsim_math::Vec2;

/// Linear equations at a state within an increment.
pub(super) struct BorderedSystem {
    /// Number of negative eigenvalues of the stiffness.
    pub(super) negative: usize,
    /// Tangent `(v, 1)` of the path, per load time.
    pub(super) tangent: PathChange,
    /// Change from the start of the increment.
    pub(super) gone: PathChange,
}

impl BorderedSystem {
    /// Change along the tangent of the length 1, in the direction of the last increment; the load
    /// time grows without one. `rest` is the displacement that balances the remaining forces. Where
    /// the load turns round bodies move as on the tangent, up to the contact that makes it turn.
    pub(super) fn predicted(
        &self,
        metric: &Metric,
        increment: &Increment,
        rest: &[Vec2],
    ) -> PathChange {
        let length = metric.product(&self.tangent, &self.tangent).sqrt();
        let last = increment.last.as_ref();
        let goes_on = last.is_none_or(|last| metric.goes_on(&self.tangent, last));
        let time = if goes_on { 1.0 } else { -1.0 } / length;
        let ahead = self.along(time, rest);
        PathChange {
            time: if increment.turns { -time } else { time },
            ..ahead
        }
    }

    /// Newton's change for the displacement `rest` that balances forces at this load time, where
    /// the squared length exceeds 1 by `excess`.
    pub(super) fn corrected(&self, metric: &Metric, excess: f64, rest: &[Vec2]) -> PathChange {
        let by_rest = 2.0 * metric.of_ways(&self.gone.way, rest);
        let by_time = 2.0 * metric.product(&self.gone, &self.tangent);
        self.along(-(excess + by_rest) / by_time, rest)
    }

    /// Change of the load time by `time` (s), with the displacements that belong to it.
    fn along(&self, time: f64, rest: &[Vec2]) -> PathChange {
        let ways = rest.iter().zip(&self.tangent.way);
        PathChange {
            way: ways.map(|(rest, v)| rest + v * time).collect(),
            time,
        }
    }
}

impl Newton {
    /// Fixes the numbers without meaning next to angles, which nothing resists.
    pub(super) fn fix_spare(
        &mut self,
        problem: &Problem,
        iterate: &Iterate,
        direction: &Direction,
    ) {
        let coordinates = &problem.potential.model.coordinates;
        for (angle, _) in coordinates.curvatures(&iterate.at, &direction.gradient.x) {
            self.systems.fixed[angle][1] = true;
        }
    }

    /// Factorises the stiffness at a state, where the increment has `gone` so far, and solves for
    /// the tangent of the path and for the displacement that balances the remaining forces. The
    /// right sides are the gradient and its derivative by the load time.
    ///
    /// # Errors
    /// [`Failure::Indefinite`], if the matrix is singular to rounding.
    pub(super) fn border(
        &mut self,
        problem: &mut Problem,
        iterate: &Iterate,
        direction: &Direction,
        [gradient, by_time]: [&[Vec2]; 2],
        gone: PathChange,
    ) -> Result<(BorderedSystem, Vec<Vec2>), Failure> {
        let Self {
            filter,
            systems,
            log,
            ..
        } = self;

        let by_x = &direction.gradient.x;
        let candidates = &filter.nearby.wide;
        let negative = systems.factorise_exact(problem, iterate, candidates, by_x, log)?;

        // Both right sides use the same factor.
        Ok((
            BorderedSystem {
                negative,
                tangent: PathChange {
                    way: self.balancing(problem.potential.model, negative, by_time)?,
                    time: 1.0,
                },
                gone,
            },
            self.balancing(problem.potential.model, negative, gradient)?,
        ))
    }

    /// Displacement `-K^-1 g` by the stiffness that was factorised last.
    ///
    /// # Errors
    /// [`Failure::Indefinite`], if the matrix is singular to rounding.
    pub(super) fn balancing(
        &mut self,
        model: &Model,
        negative: usize,
        gradient: &[Vec2],
    ) -> Result<Vec<Vec2>, Failure> {
        let mut way = vec![Vec2::zeros(); gradient.len()];
        if let Some(system) = self.systems.kept.last_mut() {
            let solved = system.direction_of_any(negative, gradient, &mut way);
            solved.map_err(|failed| Failure::Indefinite {
                vertex: model.coordinates.vertex_of(failed.node),
            })?;
        }
        Ok(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraints;
    use crate::solve::newton::arc_length::Loaded;
    use crate::solve::newton::solver::Solver;
    use crate::solve::test_problems::{Curve, Pulled, barriers, on_a_curve, snapping, started};
    use nalgebra::{Matrix2, Vector2};

    /// Largest change of place (m) and of load time (s) of the increment.
    const LENGTH: f64 = 0.2;
    const LASTING: f64 = 0.5;

    /// A change of the single point and of the load time.
    fn change(way: f64, time: f64) -> PathChange {
        PathChange {
            way: vec![Vec2::new(way, 0.0)],
            time,
        }
    }

    #[test]
    fn the_change_solves_the_equations_of_balance_and_length_for_any_sign_of_the_stiffness() {
        for u in [0.4_f64, 0.9] {
            let (model, at) = on_a_curve(u, Curve::of(snapping));
            let (barriers, constraints) = (barriers(), Constraints::default());
            let loaded = Pulled(at.clone());
            let mut increment = Increment {
                model: &model,
                barriers: &barriers,
                constraints: &constraints,
                loaded: &loaded,
                length: LENGTH,
                lasting: LASTING,
                last: Some(change(0.1, -0.1)),
                turns: false,
            };

            // Equations at a state that is neither in balance nor at the distance.
            let (time, gone) = (0.3, change(0.15, 0.2));
            let stage = loaded.stage(time);
            let mut potential = increment.potential(&stage);
            let mut problem = Problem::new(&mut potential, &[], &at);
            let (mut solver, iterate) = started(&model, &at);
            let Solver {
                newton, direction, ..
            } = &mut solver;
            newton.find_gradient(&problem, &iterate, direction).unwrap();
            let gradient = direction.gradient.q.clone();
            let sides = [&gradient[..], &[-Vec2::x()]];
            let (border, rest) = newton
                .border(&mut problem, &iterate, direction, sides, gone.clone())
                .unwrap();
            let metric = Metric::of(&model, &[], [LENGTH, LASTING]);
            let excess = metric.excess(&gone);
            let found = border.corrected(&metric, excess, &rest);

            // The same two equations as a matrix.
            let [_, force, stiffness] = snapping(u);
            assert_eq!(border.negative, usize::from(stiffness < 0.0));
            let [along, of_time] = [0.3 / (LENGTH * LENGTH), 0.4 / (LASTING * LASTING)];
            let matrix = Matrix2::new(stiffness, -1.0, along, of_time);
            let squared = (0.15 / LENGTH).powi(2) + (0.2 / LASTING).powi(2);
            let right = Vector2::new(time - force, 1.0 - squared);
            let expected = matrix.lu().solve(&right).unwrap();
            let error = Vector2::new(found.way[0].x, found.time) - expected;
            assert!(error.norm() < 1e-12, "{found:?} {expected}");

            let ahead = check_predictor(&border, &metric, &mut increment);
            assert!(ahead.time * stiffness > 0.0, "{ahead:?}");
        }
    }

    /// Checks that the predictor has the length 1, keeps the direction of the last increment, and turns
    /// the load round where it is to; returns it.
    fn check_predictor(
        border: &BorderedSystem,
        metric: &Metric,
        increment: &mut Increment,
    ) -> PathChange {
        let none = [Vec2::zeros()];
        let ahead = border.predicted(metric, increment, &none);
        assert!((metric.product(&ahead, &ahead) - 1.0).abs() < 1e-13);
        assert!(ahead.way[0].x > 0.0, "{ahead:?}");

        increment.turns = true;
        let turned = border.predicted(metric, increment, &none);
        assert_eq!((turned.way[0], turned.time), (ahead.way[0], -ahead.time));
        ahead
    }
}
