//! Rungs of the ladder of fallbacks, and the note that one was needed.
//!
//! Reports and files hold these types; the ladder itself is in `recovery.rs`.

use serde::{Deserialize, Serialize};

/// A fallback for steps that the usual method does not solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// Directions stay farther away from contact.
    TighterFilter,
    /// The exact Hessian with a multiple of the mass.
    RegularizedHessian,
    /// Scaled gradients for some iterations, then Newton's method.
    Gradient,
    /// Two steps of half the length, or more and smaller ones.
    HalvedStep,
    /// Statics: bodies snap to another equilibrium, by motion that is damped.
    DampedMotion,
}

/// Note of the fallback that solved a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// Fallback that solved the step.
    pub rung: Fallback,
    /// Short name of the failure of the usual method, for programs.
    pub kind: String,
    /// Sentence about the failure of the usual method.
    pub why: String,
}

impl Fallback {
    /// All rungs of dynamics, from the lowest. Statics has [`Fallback::DampedMotion`] above them.
    pub const ALL: [Self; 4] = [
        Self::TighterFilter,
        Self::RegularizedHessian,
        Self::Gradient,
        Self::HalvedStep,
    ];

    /// Name of the rung in reports, in `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TighterFilter => "tighter_filter",
            Self::RegularizedHessian => "regularized_hessian",
            Self::Gradient => "gradient",
            Self::HalvedStep => "halved_step",
            Self::DampedMotion => "damped_motion",
        }
    }
}
