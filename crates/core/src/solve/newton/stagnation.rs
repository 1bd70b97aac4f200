//! Stagnation of a solve: directions over which nothing that tells progress has fallen.
//!
//! A solve makes progress where the least imbalance of forces so far falls by a tenth, or where the
//! potential does, counted from the least value that a direction has predicted. Steps of crowds may take
//! hundreds of directions and make progress with each few of them. A solve that makes none, since
//! rounding or a spiral of small gaps holds it, ends with its name.

use crate::tuning::STAGNANT_RATIO;

/// Progress of a solve since its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stagnation {
    /// Number of directions since the last progress.
    directions: usize,
    /// Least imbalance at the last progress (m/s).
    imbalance: f64,
    /// Least value of the present potential that a direction has predicted (J s^2).
    predicted: f64,
    /// Potential above that at the last progress (J s^2).
    excess: f64,
}

impl Default for Stagnation {
    fn default() -> Self {
        Self {
            directions: 0,
            imbalance: f64::INFINITY,
            predicted: f64::INFINITY,
            excess: f64::INFINITY,
        }
    }
}

impl Stagnation {
    /// Notes that the potential is another one, whose values do not compare with those before.
    pub(super) fn change_potential(&mut self) {
        self.predicted = f64::INFINITY;
        self.excess = f64::INFINITY;
    }

    /// Notes a direction from a state with this imbalance (m/s), which has `predicted` a value of the
    /// potential and led to another `value` (J s^2).
    pub(super) fn note(&mut self, imbalance: f64, value: f64, predicted: f64) {
        self.directions += 1;
        self.predicted = self.predicted.min(predicted);
        let excess = (value - self.predicted).max(0.0);

        if imbalance <= STAGNANT_RATIO * self.imbalance {
            self.imbalance = imbalance;
            self.directions = 0;
        }
        if excess < STAGNANT_RATIO * self.excess {
            self.excess = excess;
            self.directions = 0;
        }
    }

    /// True if more than `most` directions in a row made no progress.
    pub(super) fn lasts(&self, most: usize) -> bool {
        self.directions > most
    }

    /// Number of directions since the last progress.
    pub(super) fn directions(&self) -> usize {
        self.directions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_of_the_imbalance_or_of_the_excess_by_a_tenth_is_progress() {
        let mut stagnation = Stagnation::default();
        stagnation.note(1.0, 10.0, 0.0);
        for _ in 0..60 {
            stagnation.note(0.95, 9.5, 0.5);
        }
        assert!(stagnation.lasts(59) && !stagnation.lasts(60));

        let mut nearer = stagnation;
        nearer.note(0.89, 9.5, 0.5);
        assert_eq!(nearer.directions(), 0);
        let mut lower = stagnation;
        lower.note(0.95, 8.9, 0.5);
        assert_eq!(lower.directions(), 0);

        // Values of another potential say nothing about progress with this one.
        stagnation.change_potential();
        stagnation.note(1.0, 20.0, 15.0);
        stagnation.note(1.0, 19.9, 15.0);
        assert_eq!(stagnation.directions(), 1);
    }
}
