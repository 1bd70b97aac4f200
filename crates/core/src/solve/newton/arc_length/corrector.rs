//! Step along one direction of an increment: bounded, tested and halved until the next correction
//! is shorter.

use super::bordered_system::BorderedSystem;
use super::metric::{Metric, PathChange};
use super::{Increment, Place, off_path, prescribe};
use crate::solve::failure::Failure;
use crate::solve::newton::direction::Direction;
use crate::solve::newton::iterate::{Iterate, Trial};
use crate::solve::newton::problem::Problem;
use crate::solve::newton::workspace::Newton;
use crate::tuning::{PATH_CONTRACTION, PATH_MOST_HALVINGS};
use ipcsim_math::Vec2;

/// Data of an increment that its directions need.
pub(super) struct Corrector<'a> {
    /// The increment.
    pub(super) increment: &'a Increment<'a>,
    /// Length of changes.
    pub(super) metric: &'a Metric,
    /// Equations at the present state.
    pub(super) border: &'a BorderedSystem,
    /// Coordinates (m; of angles rad) and load time (s) at the start.
    pub(super) start: (&'a [Vec2], f64),
    /// Loads at the present state.
    pub(super) place: &'a Place,
    /// Change by the equations.
    pub(super) change: &'a PathChange,
    /// True for the predictor, which leaves the path.
    pub(super) is_first: bool,
}

/// A direction that was taken.
pub(super) struct Taken {
    /// Loads at its end.
    pub(super) place: Place,
    /// True if all of it was taken.
    pub(super) is_whole: bool,
    /// Its residual (m/s).
    pub(super) residual: f64,
}

impl Newton {
    /// Moves a state along a change, as far as nothing inverts or touches and until the next
    /// correction is shorter.
    ///
    /// # Errors
    /// [`Failure::OffPath`], if no part of the change will do.
    pub(super) fn travel(
        &mut self,
        problem: &Problem,
        journey: &Corrector,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<Taken, Failure> {
        let Corrector {
            increment,
            metric,
            place,
            change,
            ..
        } = journey;
        let model = increment.model;

        // Prescribed coordinates move with the load time.
        direction.p.clone_from(&change.way);
        let end = increment.loaded.targets(place.time + change.time);
        let mut goal = iterate.at.q.clone();
        prescribe(&end, &mut goal);
        for target in &end {
            for axis in (0..2).filter(|&axis| target.axes[axis]) {
                let node = target.node;
                direction.p[node][axis] = goal[node][axis] - iterate.at.q[node][axis];
            }
        }
        direction.displace(&model.coordinates, &iterate.at);
        let residual = problem
            .potential
            .stage
            .residual(model, &direction.displacement);
        let is_short = residual <= problem.potential.stage.tolerance;
        let length = metric.product(change, change).sqrt();
        if !residual.is_finite() || !length.is_finite() {
            return Err(off_path(direction));
        }

        let bound = self.shorten(problem, iterate, direction);
        let mut alpha = self.first_length(bound.contact.fraction);
        for _ in 0..PATH_MOST_HALVINGS {
            let share = alpha * bound.inversion;
            let next = increment.place(if share < 1.0 {
                place.time + share * change.time
            } else {
                place.time + change.time
            });
            let is_free = self.place(increment, &iterate.at.q, direction, alpha, &next, trial)
                && self.is_safe_way(problem, iterate, trial);
            let is_better = journey.is_first || is_short || {
                let wanted = (1.0 - PATH_CONTRACTION * share) * length;
                is_free && self.correction(journey, &next, &trial.iterate)? <= wanted
            };
            if is_free && is_better {
                self.accept(trial, iterate);
                return Ok(Taken {
                    place: next,
                    is_whole: share >= 1.0,
                    residual,
                });
            }
            alpha *= 0.5;
        }
        Err(off_path(direction))
    }

    /// Puts a trial at a fraction `alpha` of a direction from `q`, with prescribed coordinates where
    /// they are at the place `next`; true if nothing touches there.
    fn place(
        &mut self,
        increment: &Increment,
        q: &[Vec2],
        direction: &Direction,
        alpha: f64,
        next: &Place,
        trial: &mut Trial,
    ) -> bool {
        let Increment {
            model, barriers, ..
        } = increment;

        let Iterate { at, contacts } = &mut trial.iterate;
        for (t, (q, p)) in at.q.iter_mut().zip(q.iter().zip(&direction.p)) {
            *t = q + p * alpha;
        }
        prescribe(&next.targets, &mut at.q);
        model.coordinates.positions(&at.q, &mut at.x);

        let Self { filter, log, .. } = self;
        let found = filter.find_contacts(model, barriers, &at.x, &at.x, contacts, log);
        trial.gap = if found.is_ok() { contacts.min_gap } else { 0.0 };
        found.is_ok()
    }

    /// True if the motion from a state to a trial is free, as it is stored, and uses up no gap.
    fn is_safe_way(&mut self, problem: &Problem, iterate: &Iterate, trial: &Trial) -> bool {
        let Self { filter, log, .. } = self;
        filter.cover_way(problem.potential.model, &iterate.at, &trial.iterate.at, log);
        self.is_safe(problem, &iterate.at, trial, false)
    }

    /// Length (1) of the correction at a trial by the equations of the state before; infinite if its
    /// forces are not finite.
    ///
    /// # Errors
    /// [`Failure::Indefinite`], if the matrix is singular to rounding.
    fn correction(
        &mut self,
        journey: &Corrector,
        next: &Place,
        trial: &Iterate,
    ) -> Result<f64, Failure> {
        let Corrector {
            increment,
            metric,
            border,
            start,
            ..
        } = journey;
        let potential = increment.potential(&next.stage);
        let slope = potential.slope(&trial.contacts, &trial.at);
        if !slope.iter().all(|g| (g.x + g.y).is_finite()) {
            return Ok(f64::INFINITY);
        }

        let rest = self.balancing(increment.model, border.negative, &slope)?;
        let gone = PathChange::since(*start, &trial.at.q, next.time);
        let excess = metric.excess(&gone);
        let correction = border.corrected(metric, excess, &rest);
        Ok(metric.product(&correction, &correction).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraints;
    use crate::solve::test_problems::{Curve, Pulled, barriers, on_a_curve, started};

    #[test]
    fn corrections_that_would_run_away_are_halved_until_they_shrink() {
        // The force `atan u` at u = 5 falls to nearly 0 within the increment. The tangent leads to u = -30,
        // from where plain corrections grow.
        let start = 5.0_f64;
        let mut u: f64 = start - start.atan() * (1.0 + start * start);
        let mut sizes = Vec::new();
        for _ in 0..3 {
            let change = -u.atan() * (1.0 + u * u);
            sizes.push(change.abs());
            u += change;
        }
        assert!(sizes[1] > 10.0 * sizes[0] && sizes[2] > 10.0 * sizes[1]);

        let curve = Curve::of(|u| [u * u.atan(), u.atan(), 1.0 / (1.0 + u * u)]);
        let (model, at) = on_a_curve(start, curve);
        let (barriers, constraints) = (barriers(), Constraints::default());
        let loaded = Pulled(at.clone());
        let increment = Increment {
            model: &model,
            barriers: &barriers,
            constraints: &constraints,
            loaded: &loaded,
            length: 1e6,
            lasting: start.atan(),
            last: Some(PathChange {
                way: vec![-Vec2::x()],
                time: -1.0,
            }),
            turns: false,
        };
        let (mut solver, mut iterate) = started(&model, &at);
        let on = solver
            .follow(&increment, start.atan(), &mut iterate)
            .unwrap();
        let end = iterate.at.q[0].x;
        assert!((end.atan() - on.stage.end).abs() < 1e-8, "{end}");
        assert!(
            end.abs() < 1e-4 && on.solved.iterations > 4,
            "{end} {:?}",
            on.solved
        );
    }

    #[test]
    fn a_change_that_is_no_number_is_off_the_path() {
        let curve = Curve::of(|u| [0.0, 0.0 * u, f64::NAN]);
        let (model, at) = on_a_curve(0.0, curve);
        let (barriers, constraints) = (barriers(), Constraints::default());
        let loaded = Pulled(at.clone());
        let increment = Increment {
            model: &model,
            barriers: &barriers,
            constraints: &constraints,
            loaded: &loaded,
            length: 1.0,
            lasting: 1.0,
            last: None,
            turns: false,
        };
        let (mut solver, mut iterate) = started(&model, &at);
        let found = solver.follow(&increment, 0.0, &mut iterate);
        assert!(
            matches!(
                found,
                Err(Failure::OffPath { .. } | Failure::Indefinite { .. })
            ),
            "the stiffness is no number"
        );
        assert_eq!(iterate.at.q[0], Vec2::zeros());
    }
}
