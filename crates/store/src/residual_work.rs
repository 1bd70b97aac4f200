//! Part of `run.json` about the forces that the solver left over, in runs that keep a ledger.
//!
//! A ledger closes with any tolerance, since residual forces are a term of it. Where their work is not
//! small compared with the others, these say little about the bodies.

use super::ledger::Books;
use ipcsim::time::Record;
use serde::{Deserialize, Serialize};

/// Share of the largest term of a ledger above which the work of residual forces is notable (1).
pub const NOTABLE: f64 = 1e-3;

/// Work of residual forces over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResidualWork {
    /// Its largest size since the start (J).
    pub work: f64,
    /// The same relative to the largest term of the ledger (1): work by a source, the energy gained, or
    /// the energy of bodies without gravity.
    pub share: f64,
    /// Largest term so far (J).
    #[serde(skip)]
    largest: f64,
    /// Sums since the start.
    #[serde(skip)]
    books: Books,
}

impl ResidualWork {
    /// Enters the next record of a run.
    pub(super) fn count(&mut self, record: &Record) {
        self.books.enter(record);
        let work = self.books.work;
        self.work = self.work.max(work.residual.abs());

        // Gravity is the first potential. It depends on where the origin is.
        let gravity = record.potentials.first().copied().unwrap_or_default();
        let mechanical = record
            .ledger
            .as_ref()
            .map_or(0.0, |ledger| ledger.mechanical);
        let energies = [self.books.gained(), mechanical - gravity];
        for term in work.values().into_iter().chain(energies) {
            self.largest = self.largest.max(term.abs());
        }
        if self.largest > 0.0 {
            self.share = self.work / self.largest;
        }
    }

    /// Sentence about work that is not small; `None` if it is.
    pub fn warning(&self) -> Option<String> {
        let Self { work, share, .. } = self;
        (*share > NOTABLE).then(|| {
            format!(
                "warning: the forces that the solver left over do {work:.1e} J of work, {:.1} % of the \
                 largest term of the ledger (at most {} % is usual); a smaller solver.tolerance and \
                 solver.imbalance, or their defaults, make it smaller",
                100.0 * share,
                100.0 * NOTABLE
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use ipcsim::time::{Ledger, Work};

    /// Record of a step with these energies, gravity among them, and work (J) of loads and of the
    /// residual.
    fn record(step: usize, [mechanical, gravity, loads, residual]: [f64; 4]) -> Record {
        let work = Work {
            loads,
            residual,
            ..Work::default()
        };
        Record {
            potentials: vec![gravity],
            ..testing::record(
                step,
                Ledger {
                    mechanical,
                    work,
                    ..Ledger::default()
                },
            )
        }
    }

    #[test]
    fn residual_work_is_compared_with_the_largest_term_wherever_the_origin_is() {
        // The height of the origin adds 1e9 J to gravity, and to no term.
        let mut counted = ResidualWork::default();
        counted.count(&record(0, [1e9, 1e9, 0.0, 0.0]));
        assert_eq!(counted.warning(), None);
        counted.count(&record(1, [1e9 + 2.0, 1e9, 2.0, -1e-3]));
        assert_eq!(counted.warning(), None);
        counted.count(&record(2, [1e9 + 4.0, 1e9, 2.0, -3e-2]));
        assert!((counted.share - 0.031 / 4.0).abs() < 1e-12, "{counted:?}");
        let warning = counted.warning().unwrap_or_default();
        assert!(
            warning.contains("3.1e-2 J") && warning.contains("0.8 %"),
            "{warning}"
        );
    }
}
