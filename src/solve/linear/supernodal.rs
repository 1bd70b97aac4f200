//! Cholesky factorisation by supernodes, by faer on the calling thread: its own threads make it slower and change the
//! bits.

use super::BlockMatrix;
use super::cholesky::NotPositiveDefinite;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side};

/// A factorisation `A = L L^T` of dense pieces.
pub(super) struct Supernodal {
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl Supernodal {
    /// Analyses the pattern of `matrix`, in the order its nodes are in. `None` if memory does not suffice.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let upper = transposed(&matrix.lower().symbolic().to_owned().ok()?);
        let parameters = CholeskySymbolicParams::default();
        let symbolic =
            factorize_symbolic_cholesky(upper.as_ref(), Side::Upper, SymmetricOrdering::Identity, parameters).ok()?;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, faer::Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let memory = MemBuffer::try_new(scratch).ok()?;
        let factor = vec![0.0; symbolic.len_val()];
        Some(Self { symbolic, factor, memory })
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row at which it turned out not to be positive definite.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix.lower(),
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                faer::Spec::default(),
            )
            .map(|_| ())
            .map_err(|LltError::NonPositivePivot { index }| NotPositiveDefinite { row: index })
    }

    /// Solves `A x = b` in place.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let rows = b.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(b, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}

/// The pattern of the transpose, with ascending rows.
fn transposed(pattern: &SymbolicSparseColMat<usize>) -> SymbolicSparseColMat<usize> {
    let n = pattern.ncols();
    let mut pointers = vec![0; n + 1];
    for &row in pattern.row_idx() {
        pointers[row + 1] += 1;
    }
    for j in 0..n {
        pointers[j + 1] += pointers[j];
    }
    let mut next = pointers.clone();
    let mut indices = vec![0; pattern.row_idx().len()];
    for (column, ends) in pattern.col_ptr().windows(2).enumerate() {
        for &row in &pattern.row_idx()[ends[0]..ends[1]] {
            indices[next[row]] = column;
            next[row] += 1;
        }
    }
    SymbolicSparseColMat::new_checked(n, n, pointers, None, indices)
}
