//! Rescue of slow solves: a search for the best length of each direction.
//!
//! A usual line search accepts the first length that lowers the potential. After many directions it
//! continues from there, half or twice as far, as long as the potential sinks. Solves that converge
//! in a few directions never come here.

use super::direction::Direction;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::workspace::Newton;
use crate::tuning::SEARCH_MOST_HALVINGS;

impl Newton {
    /// Improves a trial that was accepted at the fraction `alpha` of a direction, and returns its
    /// potential (J s^2).
    ///
    /// The trial moves half or twice as far, repeatedly, as long as that is free and lowers the
    /// potential. Where the potential bends down, or contacts come and go, Newton's directions are
    /// far too short or too long, and a solve would need thousands of them.
    pub(super) fn look_around(
        &mut self,
        problem: &Problem,
        from: &Iterate,
        direction: &mut Direction,
        alpha: f64,
        trial: &mut Trial,
    ) -> f64 {
        let at = &from.at;
        let mut best = alpha;
        let mut least = trial.value;
        for factor in [0.5, 2.0] {
            for _ in 0..SEARCH_MOST_HALVINGS {
                let next = factor * best;

                // The bound of the direction says nothing about motions beyond its end.
                if factor > 1.0 && !self.reaches(problem, from, direction, next) {
                    break;
                }
                self.try_at(problem, at, direction, next, trial);
                let lower = trial.moved && trial.value < least;
                if !(lower && self.is_safe(problem, at, trial, false)) {
                    break;
                }
                best = next;
                least = trial.value;
            }
            if best < alpha {
                break;
            }
        }

        // The last trial failed: back to the best one.
        self.try_at(problem, at, direction, best, trial);
        least
    }

    /// True if `alpha` times the direction, usually longer than the direction itself, is safe.
    fn reaches(
        &mut self,
        problem: &Problem,
        from: &Iterate,
        direction: &Direction,
        alpha: f64,
    ) -> bool {
        let mut longer = direction.times(alpha);
        self.shorten(problem, from, &mut longer).is_full()
    }
}
