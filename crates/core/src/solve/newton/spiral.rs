//! Directions that spiral into small gaps.
//!
//! A direction that contact cuts leaves a tenth of a gap, where the barrier is a hundred times as stiff as
//! before. Where a fast body meets several others by turns, the next direction is cut by another pair, and
//! gaps fall by a factor of five or ten each time until rounding holds them. Two such directions in a row
//! say so: then directions take a third of their safe part, which leaves room for all pairs, until contact
//! cuts none.

use super::progress::Searched;
use crate::tuning::{SPIRAL_DIRECTIONS, SPIRAL_RATIO, TIGHTER_REACH};

/// Directions of a solve in a row after which gaps are much smaller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spiral {
    /// Number of cut directions in a row after which the smallest gap has fallen.
    falls: usize,
}

impl Spiral {
    /// Share of the safe part of a direction that the next one may take (1).
    pub(super) fn reach(self) -> f64 {
        if self.falls >= SPIRAL_DIRECTIONS {
            TIGHTER_REACH
        } else {
            1.0
        }
    }

    /// Notes the result of a line search, with the smallest gaps before and after it (m).
    pub(super) fn note(&mut self, searched: &Searched, [before, after]: [f64; 2]) {
        let is_cut = searched.fraction < 1.0;
        let is_tight = self.falls >= SPIRAL_DIRECTIONS;
        if is_cut && after < SPIRAL_RATIO * before {
            self.falls += 1;
        } else if !(is_cut && is_tight) {
            self.falls = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Result of a line search along a direction of which contact allowed a fraction.
    fn searched(fraction: f64) -> Searched {
        Searched {
            value: 0.0,
            lost: false,
            fraction,
            was_whole: fraction >= 1.0,
        }
    }

    #[test]
    fn two_falls_in_a_row_tighten_the_reach_until_contact_cuts_no_direction() {
        let mut spiral = Spiral::default();
        let cut = searched(0.3);
        spiral.note(&cut, [1.0, 0.2]);
        spiral.note(&cut, [0.2, 0.15]);
        spiral.note(&cut, [0.15, 0.03]);
        assert_eq!(spiral.reach(), 1.0, "not in a row");
        spiral.note(&cut, [0.03, 0.006]);
        assert_eq!(spiral.reach(), TIGHTER_REACH);

        // Gaps that no longer fall keep it, a direction that nothing cuts ends it.
        spiral.note(&cut, [0.006, 0.006]);
        assert_eq!(spiral.reach(), TIGHTER_REACH);
        spiral.note(&searched(1.0), [0.006, 0.009]);
        assert_eq!(spiral.reach(), 1.0);
    }
}
