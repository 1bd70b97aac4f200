//! The filtered line search: as far along a direction as is safe, then back until the potential
//! does not grow (Li et al. 2020, algorithm 1, the inner loop).
//!
//! 1. The filter bounds the step: no element inverts, and nothing touches.
//! 2. The potential at the end of the bound is evaluated; the step is halved while it is above the
//!    potential at the start.
//! 3. The motion to a lower state is tested exactly, as it is stored, before it is accepted.
//!
//! Near a minimum the potential decreases by less than its rounding. Such a step is accepted if the
//! potential grows by no more than that error, and the search reports that the decrease is lost.

use super::direction::Direction;
use super::filter::Bound;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::progress::{Progress, Searched};
use super::workspace::Newton;
use crate::body::Configuration;
use crate::solve::counts::Count;
use crate::solve::descent::Descent;
use crate::solve::failure::Failure;
use crate::solve::potential::Potential;
use crate::solve::timings::Phase;
use crate::tuning::{POTENTIAL_ROUNDINGS, SEARCH_MOST_HALVINGS};
use ipcsim_math::{Vec2, parallel};

/// Knowledge before a line search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchStart {
    /// Potential at the start (J s^2).
    pub(super) value: f64,
    /// True if the solve is slow: then the search tries other lengths for a lower potential, too.
    pub(super) slow: bool,
}

impl Newton {
    /// Moves a state along a direction, as far as is safe and until the potential does not grow.
    ///
    /// The direction is shortened so that no element inverts. If nothing moves because the step is
    /// below the rounding of coordinates, the state stays and the decrease counts as lost.
    ///
    /// # Errors
    /// [`Failure::NoProgress`], if no length lowers the potential.
    pub(super) fn line_search(
        &mut self,
        problem: &Problem,
        outset: SearchStart,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<Searched, Failure> {
        // Safe part of the direction.
        let bound = self.shorten(problem, iterate, direction);
        let Bound {
            inversion, contact, ..
        } = bound;

        if contact.fraction < 1.0 {
            self.log.counts.note(Count::Cut);
        }

        // A decrease within the noise is lost. A step that contact or inversion cuts short may be
        // blind far from any minimum: the whole direction decides.
        let decrease = direction.decrease();
        let noise = self.noise(outset.value, &iterate.at);
        let mut searched = Searched {
            value: outset.value,
            lost: decrease <= noise * inversion,
            fraction: contact.fraction,
            was_whole: false,
        };

        // Backtracking.
        let mut alpha = self.first_length(contact.fraction);
        for _ in 0..SEARCH_MOST_HALVINGS {
            self.try_at(problem, &iterate.at, direction, alpha, trial);
            let blind = alpha * decrease <= noise;
            let margin = if blind { noise } else { 0.0 };

            // Only a lower potential is worth the exact test of the motion as it is stored.
            let lower = trial.moved && trial.value <= outset.value + margin;
            let proved = bound.proves(problem.potential.model, alpha);
            if lower && self.is_safe(problem, &iterate.at, trial, proved) {
                searched.value = trial.value;
                if outset.slow && !blind {
                    searched.value = self.look_around(problem, iterate, direction, alpha, trial);
                }
                searched.was_whole = alpha * inversion >= 1.0;
                if !searched.lost {
                    self.note_descent(problem, outset, direction, inversion, trial, iterate);
                }
                self.spiral
                    .note(&searched, [iterate.contacts.min_gap, trial.gap]);
                self.accept(trial, iterate);
                return Ok(searched);
            }

            // Coordinates cannot represent a smaller motion.
            if !trial.moved && blind && alpha > 0.0 {
                searched.lost = true;
                searched.was_whole = true;
                return Ok(searched);
            }
            alpha *= 0.5;
            self.log.counts.note(Count::Halvings);
        }

        Err(Failure::NoProgress {
            fraction: inversion * contact.fraction,
            pair: contact.pair,
        })
    }

    /// First length of a line search along a direction where contact allows a `fraction`: the whole
    /// direction, or the share of the safe part that the strategy and earlier directions leave.
    pub(super) fn first_length(&self, fraction: f64) -> f64 {
        if fraction < 1.0 {
            self.strategy.reach * self.spiral.reach() * fraction
        } else {
            1.0
        }
    }

    /// Prepares a line search: the potential at its start, unless the last search has found it.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] with the energy that is not finite.
    pub(super) fn set_out(
        &self,
        problem: &Problem,
        progress: &mut Progress,
        iterate: &Iterate,
        direction: &Direction,
    ) -> Result<SearchStart, Failure> {
        let value = progress.value.unwrap_or_else(|| problem.value(iterate));
        if !value.is_finite() {
            return Err(self.value_not_finite(problem, iterate, direction));
        }

        let slow = progress.count();
        Ok(SearchStart { value, slow })
    }

    /// [`Newton::line_search`] along a direction that may be too short to lower the potential; then
    /// the state stays, and the result is `None`.
    ///
    /// # Errors
    /// Failures of the line search other than [`Failure::NoProgress`].
    pub(super) fn last_step(
        &mut self,
        problem: &Problem,
        direction: &mut Direction,
        trial: &mut Trial,
        iterate: &mut Iterate,
    ) -> Result<Option<Searched>, Failure> {
        let outset = SearchStart {
            value: problem.value(iterate),
            slow: false,
        };

        match self.line_search(problem, outset, direction, trial, iterate) {
            Ok(searched) => Ok(Some(searched)),
            Err(Failure::NoProgress { .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Shortens a direction so that nothing inverts; see
    /// [`Filter::shorten`](super::filter::Filter::shorten).
    pub(super) fn shorten(
        &mut self,
        problem: &Problem,
        from: &Iterate,
        direction: &mut Direction,
    ) -> Bound {
        let Self { filter, log, .. } = self;
        filter.shorten(problem.potential, from, direction, log)
    }

    /// Evaluates the state at the fraction `alpha` of the direction from `at`: its contacts, the
    /// potential and the smallest gap.
    ///
    /// Where something touches the gap is 0 and the potential is infinite.
    pub(super) fn try_at(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        direction: &Direction,
        alpha: f64,
        trial: &mut Trial,
    ) {
        let model = problem.potential.model;
        let there = &mut trial.iterate.at;
        trial.moved = false;
        for (t, (q, p)) in there.q.iter_mut().zip(at.q.iter().zip(&direction.p)) {
            *t = q + p * alpha;
            trial.moved |= t != q;
        }
        model.coordinates.follow(&mut there.q);
        model.coordinates.positions(&there.q, &mut there.x);

        // Contacts there, and the potential.
        let barriers = problem.potential.barriers;
        let candidates = &self.filter.nearby.near;
        self.log.timings.measure(Phase::LineSearch, || {
            let Iterate { at, contacts } = &mut trial.iterate;
            let is_free = contacts
                .renew(&model.surface, barriers, candidates, &at.x)
                .is_ok();
            trial.gap = if is_free { contacts.min_gap } else { 0.0 };
            trial.value = if is_free {
                problem.value(&trial.iterate)
            } else {
                f64::INFINITY
            };
        });
    }

    /// True if the motion from `at` to a trial is free and uses up no gap.
    ///
    /// A motion that the bound of the direction has `proved` free is not tested again.
    pub(super) fn is_safe(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        trial: &Trial,
        proved: bool,
    ) -> bool {
        let Self { filter, log, .. } = self;
        let Trial { iterate, gap, .. } = trial;

        filter.is_free(problem.potential, at, &iterate.at, proved, log)
            && filter.keeps_gaps(problem.potential.model, at, iterate, *gap)
    }

    /// Makes a trial the accepted state, and notes the motion to it if the track is watched.
    pub(super) fn accept(&mut self, trial: &mut Trial, iterate: &mut Iterate) {
        if let Some(track) = &mut self.log.track {
            track.add(&iterate.at, &trial.iterate.at);
        }
        trial.accept(iterate);
    }

    /// Notes the motion to a trial that is about to be accepted, if motions are watched: one by rounding is none
    /// that a person could follow. The direction was
    /// shortened to its share of `inversion`.
    fn note_descent(
        &mut self,
        problem: &Problem,
        outset: SearchStart,
        direction: &Direction,
        inversion: f64,
        trial: &Trial,
        iterate: &Iterate,
    ) {
        let Some(descents) = &mut self.log.descents else {
            return;
        };
        let Iterate { at, contacts } = &trial.iterate;
        let from = &iterate.at;

        // The share, by the node that the direction moves most.
        let most = direction.farthest_node();
        let taken = at.q[most] - from.q[most];
        let share = taken.norm() / direction.p[most].norm();

        let ends = at.x.iter().zip(&from.x);
        let displacement: Vec<Vec2> = ends.map(|(to, from)| to - from).collect();
        let Potential { model, stage, .. } = &*problem.potential;
        descents.push(Descent {
            before: outset.value,
            after: trial.value,
            share: inversion * share,
            speed: stage.residual(model, &displacement),
            contacts: contacts.len(),
            gap: contacts.min_gap,
        });
    }

    /// Error of a potential `E` by rounding (J s^2), of the sum and of the positions.
    ///
    /// A potential of this size and stiffness `k` turns an error `dx` of positions into at most
    /// `|dx| sqrt(2 E k)`.
    fn noise(&self, value: f64, at: &Configuration) -> f64 {
        let largest = parallel::max(at.x.len(), 0.0, |i| at.x[i].amax());
        let stiffness = self.systems.largest_stiffness();
        let size = value.abs();
        POTENTIAL_ROUNDINGS * f64::EPSILON * (size + largest * (2.0 * size * stiffness).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::newton::solver::Solver;
    use crate::solve::test_problems::{Curve, barriers, on_a_curve, potential, started, statics};
    use ipcsim_math::Vec2;

    /// Searches from a place in the direction of +1 m, along which the potential is expected to fall
    /// by 1 J s^2 to first order, and returns the result with the place at the end.
    fn searched(start: f64, curve: Curve, slow: bool) -> (Result<Searched, Failure>, f64) {
        let (model, at) = on_a_curve(start, curve);
        let (barriers, stage) = (barriers(), statics(&at, &[]));
        let mut potential = potential(&model, &stage, &barriers);
        let problem = Problem::new(&mut potential, &[], &at);
        let (mut solver, mut iterate) = started(&model, &at);
        let Solver {
            newton,
            direction,
            trial,
            ..
        } = &mut solver;
        direction.p[0] = Vec2::x();
        direction.gradient.q[0] = -Vec2::x();
        let outset = SearchStart {
            value: problem.value(&iterate),
            slow,
        };
        let found = newton.line_search(&problem, outset, direction, trial, &mut iterate);
        (found, iterate.at.q[0].x)
    }

    #[test]
    fn a_potential_that_falls_and_then_rises_accepts_the_first_half_that_is_not_higher() {
        // Minimum at c: the potential is back at its start at 2 c.
        let far = Curve::of(|u| [(u - 0.6).powi(2), 0.0, 0.0]);
        let middle = Curve::of(|u| [(u - 0.3).powi(2), 0.0, 0.0]);
        let near = Curve::of(|u| [(u - 0.03).powi(2), 0.0, 0.0]);
        for (curve, fraction) in [(far, 1.0), (middle, 0.5), (near, 0.03125)] {
            let (found, end) = searched(0.0, curve, false);
            let found = found.unwrap();
            assert_eq!(end, fraction);
            assert_eq!(found.value, (curve.jet)(fraction)[0]);
            assert_eq!(found.was_whole, fraction >= 1.0);
            assert!(!found.lost);
        }
    }

    #[test]
    fn a_potential_that_never_falls_makes_no_progress_and_moves_nothing() {
        let step = Curve::of(|u| [f64::from(u8::from(u > 0.0)), 0.0, 0.0]);
        let (found, end) = searched(0.0, step, false);
        let failure = Failure::NoProgress {
            fraction: 1.0,
            pair: None,
        };
        assert_eq!(found.unwrap_err(), failure);
        assert_eq!(end, 0.0);
    }

    #[test]
    fn a_potential_that_only_falls_below_rounding_of_coordinates_is_lost() {
        // At u = 1 no step shorter than 1e-16 changes the coordinate.
        let step = Curve::of(|u| [if u > 1.0 { 2.0 } else { 1.0 }, 0.0, 0.0]);
        let (found, end) = searched(1.0, step, false);
        let found = found.unwrap();
        assert!(found.lost && found.was_whole);
        assert_eq!((found.value, end), (1.0, 1.0));
    }

    #[test]
    fn a_potential_that_is_infinite_beyond_a_point_accepts_the_first_half_before_it() {
        let cliff = Curve::of(|u| [if u < 0.2 { -u } else { f64::INFINITY }, 0.0, 0.0]);
        let (found, end) = searched(0.0, cliff, false);
        assert_eq!((found.unwrap().value, end), (-0.125, 0.125));
    }

    #[test]
    fn a_wall_shortens_the_direction_before_any_value_is_asked_for() {
        let wall = Curve {
            wall: 0.5,
            ..Curve::of(|u| [if u < 0.5 { -u } else { f64::NAN }, 0.0, 0.0])
        };
        let (found, end) = searched(0.0, wall, false);
        assert!((end - 0.45).abs() < 1e-15, "{end}");
        assert!(!found.unwrap().was_whole);
    }

    #[test]
    fn a_rise_within_rounding_of_the_value_is_accepted_and_counts_as_lost() {
        // The potential of 1e20 J s^2 has an error far above the decrease of 1 J s^2.
        let flat = Curve::of(|u| [1e20 + 1e5 * u, 0.0, 0.0]);
        let (found, end) = searched(0.0, flat, false);
        assert!(found.unwrap().lost);
        assert_eq!(end, 1.0);
    }

    #[test]
    fn a_slow_solve_looks_for_the_best_of_the_halves_and_doubles() {
        // Minimum at 5 m: 1, 2 and 4 are lower and lower, 8 is not.
        let far = Curve::of(|u| [(u - 5.0).powi(2), 0.0, 0.0]);
        assert_eq!(searched(0.0, far, true).1, 4.0);
        assert_eq!(searched(0.0, far, false).1, 1.0);

        // A step at the start makes all lengths lower, and the best one is 1/4.
        let near = Curve::of(|u| [if u > 0.0 { (u - 0.26).abs() } else { 9.0 }, 0.0, 0.0]);
        let (found, end) = searched(0.0, near, true);
        assert_eq!(end, 0.25);
        assert!((found.unwrap().value - 0.01).abs() < 1e-15);

        // A wall bounds the search for longer steps.
        let walled = Curve { wall: 3.0, ..far };
        assert_eq!(searched(0.0, walled, true).1, 2.0);
    }
}
