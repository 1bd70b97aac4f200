//! Errors of the factorisation.

/// Error of a factorisation: rounding or negative curvature left a pivot that is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not positive definite: the pivot of row {row} is not positive")]
pub struct NotPositiveDefinite {
    /// Scalar row of the pivot.
    pub row: usize,
}
