//! How a solve goes on.

use super::line_search::Searched;

/// Fraction of a direction below which contact cuts it short; twice in a row, and prescribed motion goes on in smaller pieces.
const CUT_SHORT: f64 = 0.05;

/// How a solve goes on, since its potential last changed.
pub(super) struct Progress {
    /// Value of the potential, if it is known.
    pub(super) energy: Option<f64>,
    pub(super) iterations: usize,
    /// The smallest residual so far (m/s).
    best: f64,
    /// Directions in a row whose decrease drowned in rounding and that were not shorter than before.
    pub(super) stalled: usize,
    /// Directions in a row that contact cut short.
    pub(super) cut: usize,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            energy: None,
            iterations: 0,
            best: f64::INFINITY,
            stalled: 0,
            cut: 0,
        }
    }
}

impl Progress {
    /// Notes what a direction did; `tells` is whether its length says how far the minimum is.
    pub(super) fn note(&mut self, residual: f64, tells: bool, searched: &Searched) {
        self.energy = Some(searched.energy);
        self.stalled = if tells && searched.lost && residual > 0.5 * self.best {
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
