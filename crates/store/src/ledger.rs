//! The ledger of a run: work and impulses since its start, as further columns of `energies.csv`.
//!
//! | columns | contents |
//! |---|---|
//! | `mechanical` | kinetic energy, gravity, elasticity, barriers and springs in joints (J) |
//! | `work_` and a source | what the source has added to it since the start (J), negative for losses |
//! | `work_unexplained` | change of `mechanical` since the start, less all work (J): rounding |
//! | `angular_momentum` | about the origin of the scene (kg m^2/s) |
//! | `impulse_` and a source, `_x`, `_y` | what the source has added to momentum since the start (N s) |
//! | `moment_` and a source | what the source has added to angular momentum since the start (N m s) |
//! | `impulse_unexplained_x`, `_y`, `moment_unexplained` | changes since the start, less all impulses |
//!
//! A step knows its own work and impulses. Sums over steps are made here, in order, so that a
//! resumed run has the same ones.

use ipcsim::time::{Impulse, Impulses, Ledger, Record, Work};
use std::fmt::Write;

/// Energy and momentum at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Opening {
    /// Kinetic and stored energy (J).
    mechanical: f64,
    /// Linear and angular momentum.
    momentum: Impulse,
}

/// Sums of work and impulses since the start of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Books {
    /// Energy and momentum at the start, once it has been entered.
    opening: Option<Opening>,
    /// Energy and momentum of the last state.
    closing: Option<Opening>,
    /// Work since the start, by sources.
    pub work: Work,
    /// Impulses since the start, by sources.
    pub impulses: Impulses,
    /// Energy that barriers gain when the next step begins (J).
    stiffening: f64,
    /// Number of the step that was entered last.
    step: Option<usize>,
}

impl Books {
    /// Enters the next record: that of the start, or that of a step. Records without a ledger, as
    /// of a scene that asked for none when it began, change nothing; nor does the last one again, which
    /// a run enters twice if it shows its last state although the scene does not ask for it.
    pub fn enter(&mut self, record: &Record) {
        let Some(ledger) = record
            .ledger
            .as_ref()
            .filter(|_| self.step != Some(record.step))
        else {
            return;
        };
        self.step = Some(record.step);
        let Ledger {
            mechanical,
            angular_momentum,
            work,
            impulses,
        } = ledger;

        // Barriers that have become stiffer after the last step hold more energy in this one.
        self.work += *work;
        self.work.stiffening += self.stiffening;
        self.impulses += *impulses;
        self.stiffening = record.stiffening - work.stiffening;

        let state = Opening {
            mechanical: *mechanical,
            momentum: Impulse {
                linear: record.momentum,
                angular: *angular_momentum,
            },
        };
        self.opening.get_or_insert(state);
        self.closing = Some(state);
    }

    /// Kinetic and stored energy of the last state less that of the start (J).
    pub fn gained(&self) -> f64 {
        let energy = |state: Option<Opening>| state.map_or(0.0, |state| state.mechanical);
        energy(self.closing) - energy(self.opening)
    }

    /// Change of energy that no work explains (J).
    pub fn unexplained_work(&self) -> f64 {
        self.gained() - self.work.sum()
    }

    /// Change of momentum that no impulse explains.
    pub fn unexplained_impulse(&self) -> Impulse {
        let momentum = |state: Option<Opening>| state.map_or(Impulse::default(), |s| s.momentum);
        let [end, start] = [self.closing, self.opening].map(momentum);
        let sum = self.impulses.sum();
        Impulse {
            linear: end.linear - start.linear - sum.linear,
            angular: end.angular - start.angular - sum.angular,
        }
    }
}

/// Largest change of energy, relative to the largest energy or work, that work may leave
/// unexplained in a valid run (1).
pub const CLOSES: f64 = 1e-8;

/// Names of all columns of the ledger.
pub fn columns() -> Vec<String> {
    let mut columns = vec!["mechanical".to_owned()];
    columns.extend(Work::NAMES.map(|name| format!("work_{name}")));
    columns.push("work_unexplained".to_owned());

    columns.push("angular_momentum".to_owned());
    for name in Impulses::NAMES.into_iter().chain(["unexplained"]) {
        columns.push(format!("impulse_{name}_x"));
        columns.push(format!("impulse_{name}_y"));
        columns.push(format!("moment_{name}"));
    }
    columns
}

/// Fields of a record after those of the table, each with a comma before it; empty fields for a
/// record without a ledger.
pub(super) fn fields(books: &Books, record: &Record) -> String {
    let Some(ledger) = &record.ledger else {
        return ",".repeat(columns().len());
    };

    let mut numbers = vec![ledger.mechanical];
    numbers.extend(books.work.values());
    numbers.push(books.unexplained_work());
    numbers.push(ledger.angular_momentum);
    let unexplained = [books.unexplained_impulse()];
    for Impulse { linear, angular } in books.impulses.values().into_iter().chain(unexplained) {
        numbers.extend([linear.x, linear.y, angular]);
    }

    // Writing to a string cannot fail.
    let mut text = String::new();
    for number in numbers {
        let _ = write!(text, ",{number:?}");
    }
    text
}

#[cfg(test)]
mod tests;
