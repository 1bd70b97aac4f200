//! Progress of a solve: what earlier directions say about the next one.
//!
//! Three counters decide what a solve does beside algorithm 1. A solve of many directions is slow,
//! and its line searches look farther. Directions whose decrease is lost in rounding, and that do
//! not become shorter, mean that rounding is reached. Directions that contact cuts short mean that
//! prescribed motion must proceed in smaller pieces. All of them start anew when the potential
//! changes. The last direction also says whether the minimum is near, where friction may be
//! renewed.

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

/// Ratio of residual and tolerance below which a minimum counts as near.
///
/// Unit 1, 10 to 1e4; usually 100. Higher: friction that leads no longer is renewed while contacts
/// still come and go. Lower: it is renewed so late that it costs directions.
const NEAR: f64 = 100.0;
/// Number of directions after which a solve counts as slow.
const SLOW: usize = 32;
/// Number of directions without progress after which rounding counts as reached.
const PATIENCE: usize = 4;
/// Fraction of a direction below which contact cuts it short.
const CUT_SHORT: f64 = 0.05;
/// Number of directions cut short in a row after which prescribed motion proceeds in smaller
/// pieces.
const CUT_IN_A_ROW: usize = 2;

impl Default for Progress {
    fn default() -> Self {
        Self {
            value: None,
            last: f64::INFINITY,
            was_whole: false,
            directions: 0,
            best: f64::INFINITY,
            stalled: 0,
            cut: 0,
        }
    }
}

impl Progress {
    /// Notes that the potential has changed a little: its value is no longer known, and directions
    /// may become shorter again.
    pub(super) fn change_potential(&mut self) {
        self.value = None;
        self.stalled = 0;
        self.best = f64::INFINITY;
    }

    /// True if directions no longer lower the potential by more than its rounding.
    pub(super) fn is_stalled(&self) -> bool {
        self.stalled >= PATIENCE
    }

    /// True if the last direction was within the `tolerance` (m/s).
    pub(super) fn is_short(&self, tolerance: f64) -> bool {
        self.last <= tolerance
    }

    /// True if the last direction was taken whole and was short, though maybe not within the
    /// `tolerance` (m/s).
    pub(super) fn is_near(&self, tolerance: f64) -> bool {
        self.was_whole && self.last <= NEAR * tolerance
    }

    /// True if contact has cut several directions short.
    pub(super) fn is_cut_short(&self) -> bool {
        self.cut >= CUT_IN_A_ROW
    }

    /// Counts a direction, and returns true if the solve is slow.
    pub(super) fn count(&mut self) -> bool {
        self.directions += 1;
        self.directions > SLOW
    }

    /// Notes the result of a line search along a direction with this residual (m/s),
    /// whose length `measures` the distance to the minimum or does not.
    ///
    /// The direction counts as stalled if its decrease is lost and its residual exceeds half of the
    /// smallest one so far.
    pub(super) fn note(&mut self, residual: f64, measures: bool, searched: &Searched) {
        self.value = Some(searched.value);
        self.was_whole = searched.was_whole;
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
