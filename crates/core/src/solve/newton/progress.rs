//! Progress of a solve, as far as it decides about the next direction.
//!
//! Three counters control the additions of a solve to algorithm 1. A solve of many directions is
//! slow, and its line searches look farther. Directions whose decrease is lost in rounding, and
//! that do not become shorter, mean that rounding is reached. Directions that contact cuts short
//! mean that prescribed motion must proceed in smaller pieces. All of them start anew when the
//! potential changes. The last direction also says whether the minimum is near, where friction may
//! be renewed.

use crate::tuning::{CUT_IN_A_ROW, CUT_SHORT, MINIMUM_NEAR, SLOW_SOLVE, STALLED_DIRECTIONS};

/// Result of a line search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    /// Potential at the end (J s^2).
    pub(super) value: f64,
    /// True if the decrease along the whole direction is lost in rounding, or nothing could move.
    pub(super) lost: bool,
    /// Fraction of the direction that contact allowed.
    pub(super) fraction: f64,
    /// True if the whole direction was taken.
    pub(super) was_whole: bool,
}

/// History of a solve since its potential last changed.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// Potential at the present state (J s^2), if it is known.
    pub(super) value: Option<f64>,
    /// Residual of the last direction, if its length measures the distance to the minimum (m/s); infinite before.
    pub(super) last: f64,
    /// True if the last direction was taken whole.
    was_whole: bool,
    /// Number of directions that were not taken whole.
    shortened: usize,
    /// Number of directions taken.
    directions: usize,
    /// Smallest residual so far (m/s).
    best: f64,
    /// Directions in a row whose decrease was lost in rounding and that were not shorter than
    /// before.
    stalled: usize,
    /// Directions in a row that contact cut short.
    cut: usize,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            value: None,
            last: f64::INFINITY,
            was_whole: false,
            shortened: 0,
            directions: 0,
            best: f64::INFINITY,
            stalled: 0,
            cut: 0,
        }
    }
}

impl Progress {
    /// Notes that the potential has changed a little: its value is unknown again, and directions
    /// may become shorter again.
    pub(super) fn change_potential(&mut self) {
        self.value = None;
        self.stalled = 0;
        self.best = f64::INFINITY;
    }

    /// True if directions no longer lower the potential by more than its rounding.
    pub(super) fn is_stalled(&self) -> bool {
        self.stalled >= STALLED_DIRECTIONS
    }

    /// True if the last direction was within the `tolerance` (m/s).
    pub(super) fn is_short(&self, tolerance: f64) -> bool {
        self.last <= tolerance
    }

    /// True if the last direction was taken whole and was short, though maybe not within the
    /// `tolerance` (m/s).
    pub(super) fn is_near(&self, tolerance: f64) -> bool {
        self.was_whole && self.last <= MINIMUM_NEAR * tolerance
    }

    /// True if the last direction was taken whole.
    pub(super) fn is_whole(&self) -> bool {
        self.was_whole
    }

    /// Number of directions so far that were not taken whole: contact or an inversion cut them, or the line
    /// search halved them. It starts anew when the solve changes its potential for a new stretch of work.
    pub(super) fn shortened(&self) -> usize {
        self.shortened
    }

    /// Number of directions so far.
    pub(super) fn directions(&self) -> usize {
        self.directions
    }

    /// True if contact has cut several directions short.
    pub(super) fn is_cut_short(&self) -> bool {
        self.cut >= CUT_IN_A_ROW
    }

    /// Counts a direction, and returns true if the solve is slow.
    pub(super) fn count(&mut self) -> bool {
        self.directions += 1;
        self.directions > SLOW_SOLVE
    }

    /// Notes the result of a line search along a direction with this residual (m/s),
    /// whose length `measures` the distance to the minimum or does not.
    ///
    /// The direction counts as stalled if its decrease is lost and its residual exceeds half of the
    /// smallest one so far.
    pub(super) fn note(&mut self, residual: f64, measures: bool, searched: &Searched) {
        self.value = Some(searched.value);
        self.was_whole = searched.was_whole;
        self.shortened += usize::from(!searched.was_whole);
        self.last = if measures { residual } else { f64::INFINITY };

        let is_lost = measures && searched.lost;
        self.stalled = if is_lost && residual > 0.5 * self.best {
            self.stalled + 1
        } else {
            0
        };
        self.best = self.best.min(residual);

        self.cut = if searched.fraction < CUT_SHORT {
            self.cut + 1
        } else {
            0
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Result of a line search whose decrease may be lost, along a fraction of the direction.
    fn searched(lost: bool, fraction: f64) -> Searched {
        Searched {
            value: 2.0,
            lost,
            fraction,
            was_whole: fraction >= 1.0,
        }
    }

    #[test]
    fn rounding_is_reached_after_four_lost_directions_that_are_not_half_as_long_as_the_shortest() {
        let mut progress = Progress::default();
        progress.note(1.0, true, &searched(false, 1.0));
        for _ in 0..STALLED_DIRECTIONS {
            assert!(!progress.is_stalled());
            progress.note(0.6, true, &searched(true, 1.0));
        }
        assert!(progress.is_stalled());

        // A direction of less than half of that, a lower potential, or another potential begin anew.
        for (residual, lost) in [(0.29, true), (5.0, false)] {
            let mut other = progress.clone();
            other.note(residual, true, &searched(lost, 1.0));
            assert!(!other.is_stalled());
        }
        progress.change_potential();
        assert!(!progress.is_stalled() && progress.value.is_none());
    }

    #[test]
    fn directions_that_measure_nothing_are_neither_short_nor_stalled() {
        let mut progress = Progress::default();
        for _ in 0..2 * STALLED_DIRECTIONS {
            progress.note(1e-12, false, &searched(true, 1.0));
            assert!(!progress.is_short(1.0) && !progress.is_near(1.0) && !progress.is_stalled());
        }
        assert_eq!(progress.value, Some(2.0));
        progress.note(1e-12, true, &searched(true, 1.0));
        assert!(progress.is_short(1.0) && progress.is_near(1.0));
    }

    #[test]
    fn two_directions_in_a_row_that_contact_stops_early_are_cut_short() {
        let mut progress = Progress::default();
        for (fraction, cut) in [(0.04, false), (0.06, false), (0.01, false), (0.01, true)] {
            progress.note(1.0, true, &searched(false, fraction));
            assert_eq!(progress.is_cut_short(), cut, "{fraction}");
        }
    }

    #[test]
    fn a_solve_is_slow_from_the_33rd_direction_on() {
        let mut progress = Progress::default();
        let slow = (1..=40).find(|_| progress.count());
        assert_eq!(slow, Some(SLOW_SOLVE + 1));
        progress.change_potential();
        assert!(
            progress.count(),
            "a change of the potential does not make it fast"
        );
    }
}
