//! Fallbacks for steps that the usual method does not solve, and the note that one was needed.

use serde::{Deserialize, Serialize};

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Directions stay farther away from contact.
    TighterFilter,
    /// The exact Hessian with a multiple of the mass.
    RegularizedHessian,
    /// Scaled gradients first.
    Gradient,
    /// Two steps of half the length, or more and smaller ones.
    HalvedStep,
}

/// How a step was solved after all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// The rung that solved it.
    pub rung: Rung,
    /// A short name of why Newton's method as it is did not, for programs.
    pub kind: String,
    /// The same in a sentence.
    pub why: String,
}

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: [Self; 4] = [
        Self::TighterFilter,
        Self::RegularizedHessian,
        Self::Gradient,
        Self::HalvedStep,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::TighterFilter => "tighter_filter",
            Self::RegularizedHessian => "regularized_hessian",
            Self::Gradient => "gradient",
            Self::HalvedStep => "halved_step",
        }
    }
}
