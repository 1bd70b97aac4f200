//! Sparse Cholesky factorisation, by faer on the calling thread: its own threads make it slower and change the bits.

use super::BlockMatrix;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side};

/// A factorisation `A = L L^T` whose symbolic part and memory are kept while the pattern stays.
pub struct Cholesky {
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

/// The matrix is not positive definite, numerically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// Scalar row at which a pivot was not positive.
    pub row: usize,
}

impl Cholesky {
    /// Analyses the pattern of `matrix`, in the order its nodes are in. `None` if memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
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
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
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
    pub fn solve(&mut self, b: &mut [f64]) {
        let rows = b.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(b, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }

    /// Number of entries of the factor that are stored.
    pub fn factor_entries(&self) -> usize {
        self.factor.len()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat2;
    use nalgebra::{DMatrix, DVector};

    /// A chain of `nodes` with springs and a few long links, as a block matrix and as a dense one.
    fn sample(nodes: usize) -> (BlockMatrix, DMatrix<f64>) {
        let links: Vec<[usize; 2]> = (1..nodes)
            .map(|j| [j, j - 1])
            .chain((0..nodes / 7).map(|j| [j, nodes - 1 - j]))
            .filter(|[a, b]| a != b)
            .collect();
        let mut matrix = BlockMatrix::new(nodes, &mut links.clone());
        let mut dense = DMatrix::zeros(2 * nodes, 2 * nodes);
        let mut add = |a: usize, b: usize, block: Mat2| {
            assert!(matrix.add(a, b, &block));
            let mut view = dense.fixed_view_mut::<2, 2>(2 * a, 2 * b);
            view += block;
            if a != b {
                let mut mirrored = dense.fixed_view_mut::<2, 2>(2 * b, 2 * a);
                mirrored += block.transpose();
            }
        };
        for (k, &[a, b]) in links.iter().enumerate() {
            let angle = k as f64;
            let h = Mat2::identity() * 0.1
                + crate::math::outer([angle.cos(), angle.sin()].into(), [angle.cos(), angle.sin()].into());
            add(a, a, h);
            add(b, b, h);
            add(a, b, -h);
        }
        (0..nodes).for_each(|j| add(j, j, Mat2::identity() * 0.01));
        (matrix, dense)
    }

    #[test]
    fn solutions_are_those_of_a_dense_solver() {
        for nodes in [1, 2, 9, 150] {
            let (matrix, dense) = sample(nodes);
            let mut cholesky = Cholesky::analyse(&matrix).unwrap();
            cholesky.factorise(&matrix).unwrap();
            let expected = DVector::from_fn(2 * nodes, |i, _| (i as f64 * 0.7).sin());
            let mut b: Vec<f64> = (&dense * &expected).iter().copied().collect();
            cholesky.solve(&mut b);
            assert!((DVector::from_vec(b) - &expected).norm() < 1e-10 * expected.norm(), "{nodes}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let (mut matrix, _) = sample(9);
        assert!(matrix.add(4, 4, &Mat2::from_diagonal_element(-100.0)));
        let mut cholesky = Cholesky::analyse(&matrix).unwrap();
        assert!(cholesky.factorise(&matrix).is_err());
    }
}
