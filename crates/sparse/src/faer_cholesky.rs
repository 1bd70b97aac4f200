//! Cholesky factorisation by the library faer, on one thread, in the library's order.
//!
//! It stands behind the same calls as ipcsim's own factorisations and shares no code with them.
//! Runs and tests can therefore compare the two.

use super::{BlockMatrix, NotPositiveDefinite};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::SparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side, Spec};

/// Factorisation `A = L L^T` of the scalar matrix, and memory for it. Rows are ordered anew by
/// approximate minimum degree, so that an error in the order of a [`BlockMatrix`] cannot hide here.
pub(super) struct FaerCholesky {
    /// Lower triangle by scalars.
    lower: SparseColMat<usize, f64>,
    /// Order of elimination and pattern of the factor.
    symbolic: SymbolicCholesky<usize>,
    /// Entries of the factor.
    factor: Vec<f64>,
    /// Memory that a factorisation or a solve needs for its duration.
    scratch: MemBuffer,
}

impl FaerCholesky {
    /// Orders and analyses the pattern of `matrix`, and takes the memory of the factor. `None` if
    /// memory does not suffice.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let lower = matrix.lower();
        let symbolic = factorize_symbolic_cholesky(
            lower.symbolic(),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams::default(),
        )
        .ok()?;

        // The reservation of memory may fail.
        let factorisation =
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
        let solve = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let mut factor = Vec::new();
        factor.try_reserve_exact(symbolic.len_val()).ok()?;
        factor.resize(symbolic.len_val(), 0.0);

        Some(Self {
            lower,
            symbolic,
            factor,
            scratch: MemBuffer::try_new(factorisation.or(solve)).ok()?,
        })
    }

    /// Number of stored entries of the factor, zeros in dense blocks included.
    pub(super) fn factor_entries(&self) -> usize {
        self.symbolic.len_val()
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        matrix.copy_lower(self.lower.val_mut());
        let result = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            self.lower.as_ref(),
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.scratch),
            Spec::default(),
        );

        result
            .map(|_| ())
            .map_err(|LltError::NonPositivePivot { index }| NotPositiveDefinite {
                row: self.row_of(index),
            })
    }

    /// Row of the matrix whose pivot an error of faer names. The library counts in its own order.
    fn row_of(&self, index: usize) -> usize {
        let pivot = match self.symbolic.raw() {
            // Errors of this method count from one.
            SymbolicCholeskyRaw::Simplicial(_) => index - 1,
            SymbolicCholeskyRaw::Supernodal(_) => index,
        };
        let order = self.symbolic.perm().map(|order| order.arrays().0);
        order.map_or(pivot, |order| order[pivot])
    }

    /// Solves `A x = b` in place, `[2 nodes]`.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let rows = b.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(b, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::test_matrices::{backward_error, grid, springs};
    use crate::{Cholesky, LinearSolver, NotPositiveDefinite};
    use ipcsim_math::Mat2;

    #[test]
    fn faer_solves_what_was_refused_and_mended() {
        let mut matrix = springs(100, &grid(10));
        let mut faer = Cholesky::analyse(&matrix, LinearSolver::Faer).unwrap();
        assert!(matrix.add(55, 55, &Mat2::from_diagonal_element(-50.0)));
        assert!(faer.factorise(&matrix).is_err());
        assert!(matrix.add(55, 55, &Mat2::from_diagonal_element(50.0)));
        faer.factorise(&matrix).unwrap();
        let b: Vec<f64> = (0..200).map(|i| f64::from(i).sin()).collect();
        let mut x = b.clone();
        faer.solve(&mut x);
        assert!(backward_error(&matrix, &x, &b) < 4.0 * f64::EPSILON);
    }

    #[test]
    fn faer_names_the_row_that_makes_a_matrix_indefinite() {
        let nodes = 100;
        let full: Vec<[usize; 2]> = (0..nodes)
            .flat_map(|a| (0..a).map(move |b| [a, b]))
            .collect();
        // One factor by single columns, one by dense blocks.
        for links in [grid(10), full] {
            for row in [0, 1, 77, 198, 199] {
                let mut matrix = springs(nodes, &links);
                let mut drop = Mat2::zeros();
                drop[(row % 2, row % 2)] = -1e4;
                assert!(matrix.add(row / 2, row / 2, &drop));
                let mut faer = Cholesky::analyse(&matrix, LinearSolver::Faer).unwrap();
                assert_eq!(faer.factorise(&matrix), Err(NotPositiveDefinite { row }));
            }
        }
    }
}
