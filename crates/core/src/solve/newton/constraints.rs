//! Constraints within a solve: multipliers of an augmented Lagrangian (Nocedal and Wright, chapter
//! 17).
//!
//! - `multiplier_update` finds the multipliers of all joints to first order, by conjugate gradients;
//! - `schur_preconditioner` preconditions them;
//! - `constraint_jacobian` has the derivatives of all residuals by coordinates.

pub(crate) mod constraint_jacobian;
pub(crate) mod multiplier_update;
pub(crate) mod schur_preconditioner;
