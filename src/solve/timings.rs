//! Where the time of a step goes.

use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A part of a step whose time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Finding the pairs that may come near.
    BroadPhase,
    /// The largest safe step: continuous collision detection and inversion.
    StepBound,
    /// Finding contacts at a state.
    Contacts,
    /// Derivatives of the potential.
    Gradient,
    /// Second derivatives and their assembly.
    Hessian,
    /// A fill-reducing order of the unknowns.
    Ordering,
    /// The pattern of the matrix and of its factor.
    Symbolic,
    /// Numeric factorisation.
    Factorisation,
    /// Triangular solves.
    Solve,
    /// Values of the potential in the line search.
    LineSearch,
    /// Handing a state over to what is drawn and written; not part of a step.
    Output,
}

impl Phase {
    /// All phases with the names of their columns in `timings.csv`.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::BroadPhase, "broad_phase"),
        (Self::StepBound, "narrow_phase"),
        (Self::Contacts, "contacts"),
        (Self::Gradient, "gradient"),
        (Self::Hessian, "hessian"),
        (Self::Ordering, "ordering"),
        (Self::Symbolic, "symbolic"),
        (Self::Factorisation, "numeric"),
        (Self::Solve, "solve"),
        (Self::LineSearch, "line_search"),
        (Self::Output, "output"),
    ];
}

/// Time spent in each phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timings {
    spent: [Duration; Phase::ALL.len()],
}

impl Timings {
    /// Runs `work` and counts its time for `phase`.
    #[inline]
    pub fn measure<R>(&mut self, phase: Phase, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.spent[phase as usize] += start.elapsed();
        result
    }

    /// Seconds spent in `phase`.
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase as usize].as_secs_f64()
    }

    /// Adds what another one has counted.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.spent.iter_mut().zip(&other.spent) {
            *mine = mine.saturating_add(*theirs);
        }
    }
}
