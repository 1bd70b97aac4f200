//! Error of a factorisation.
//!
//! A Newton matrix may fail to be positive definite by rounding, or if energies are not projected.
//! The row tells which unknown is at fault.

/// Error of a factorisation: rounding or negative curvature left a pivot that is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not positive definite: the pivot of row {row} is not positive")]
pub struct NotPositiveDefinite {
    /// Scalar row of the pivot.
    pub row: usize,
}
