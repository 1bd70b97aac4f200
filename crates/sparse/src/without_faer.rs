//! Stands for the factorisation by faer in a program without the feature `faer`: it has no value.

use super::{BlockMatrix, NotPositiveDefinite};

/// Factorisation that is not built in.
pub(super) enum FaerCholesky {}

impl FaerCholesky {
    /// There is none.
    pub(super) fn analyse(_: &BlockMatrix) -> Option<Self> {
        None
    }

    /// See [`Cholesky::factor_entries`](super::Cholesky::factor_entries).
    pub(super) fn factor_entries(&self) -> usize {
        match *self {}
    }

    /// See [`Cholesky::factorise`](super::Cholesky::factorise).
    pub(super) fn factorise(&mut self, _: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        match *self {}
    }

    /// See [`Cholesky::solve`](super::Cholesky::solve).
    pub(super) fn solve(&mut self, _: &mut [f64]) {
        match *self {}
    }
}
