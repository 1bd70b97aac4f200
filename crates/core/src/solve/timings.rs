//! Where the time of a step goes.
//!
//! A clock runs around each phase of the solver. The sums end up in `timings.csv`, and have no
//! influence on results.

use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A part of a step whose time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Search for pairs that may come near.
    BroadPhase,
    /// Largest safe step: continuous collision detection and inversion.
    StepBound,
    /// Contacts at a state.
    Contacts,
    /// Friction: its normal forces, present and extrapolated along a direction, without
    /// substitutions.
    Friction,
    /// First derivatives of the potential.
    Gradient,
    /// Second derivatives and their assembly.
    Hessian,
    /// Fill-reducing order of the unknowns.
    Ordering,
    /// Pattern of the matrix and of its factor.
    Symbolic,
    /// Numeric factorisation of the matrix.
    Factorisation,
    /// Forward and backward substitution.
    Solve,
    /// Values of the potential in the line search.
    LineSearch,
    /// Forces that close joints, with the direction that belongs to them.
    Closing,
    /// Transfer of a state to pictures and files; not part of a step.
    Output,
}

impl Phase {
    /// All phases with the names of their columns in `timings.csv`.
    pub const ALL: [(Self, &'static str); 13] = [
        (Self::BroadPhase, "broad_phase"),
        (Self::StepBound, "narrow_phase"),
        (Self::Contacts, "contacts"),
        (Self::Friction, "friction"),
        (Self::Gradient, "gradient"),
        (Self::Hessian, "hessian"),
        (Self::Ordering, "ordering"),
        (Self::Symbolic, "symbolic"),
        (Self::Factorisation, "numeric"),
        (Self::Solve, "solve"),
        (Self::LineSearch, "line_search"),
        (Self::Closing, "closing"),
        (Self::Output, "output"),
    ];
}

/// The present time; `None` on a platform without a clock, where all times are 0.
fn now() -> Option<Instant> {
    let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    has_clock.then(Instant::now)
}

/// Time spent in each phase since the counts began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timings {
    /// Time of each phase, in the order of [`Phase::ALL`].
    spent: [Duration; Phase::ALL.len()],
}

impl Timings {
    /// Runs `work`, counts its time for `phase`, and returns its result.
    #[inline]
    pub fn measure<R>(&mut self, phase: Phase, work: impl FnOnce() -> R) -> R {
        let start = now();
        let result = work();
        if let Some(start) = start {
            self.spent[phase as usize] += start.elapsed();
        }
        result
    }

    /// Time spent in `phase` (s).
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase as usize].as_secs_f64()
    }

    /// Adds the times of another count, phase by phase.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.spent.iter_mut().zip(&other.spent) {
            *mine = mine.saturating_add(*theirs);
        }
    }
}
