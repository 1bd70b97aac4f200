//! What a slow solve does more: it looks for the best length of each direction.

use super::direction::Direction;
use super::iterate::Trial;
use super::line_search::MAX_HALVINGS;
use super::parts::Newton;
use super::problem::Problem;
use crate::body::Configuration;

impl Newton {
    /// Improves a trial that was accepted at the part `alpha` of a direction: half or twice as far, again and again, as
    /// long as that is free and lowers the potential. Returns the potential (J s^2).
    ///
    /// Where the potential bends down, or contacts come and go, Newton's directions are far too short or too long, and
    /// a solve would need thousands of them.
    pub(super) fn look_around(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        direction: &mut Direction,
        alpha: f64,
        trial: &mut Trial,
    ) -> f64 {
        let mut best = alpha;
        let mut least = trial.value;
        for factor in [0.5, 2.0] {
            for _ in 0..MAX_HALVINGS {
                let next = factor * best;
                if factor > 1.0 && !self.reaches(problem, at, direction, next) {
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
        self.try_at(problem, at, direction, best, trial);
        least
    }

    /// True if `alpha` times the direction is safe.
    fn reaches(
        &mut self,
        problem: &Problem,
        at: &Configuration,
        direction: &Direction,
        alpha: f64,
    ) -> bool {
        let mut longer = direction.times(alpha);
        self.shorten(problem, at, &mut longer).is_full()
    }
}
