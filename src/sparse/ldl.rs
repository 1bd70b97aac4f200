//! Factorisation `A = L D L^T` of symmetric matrices that are not positive definite, by the library
//! faer on one thread.
//!
//! Stiffness at an unstable equilibrium has a few negative eigenvalues, which a Cholesky
//! factorisation refuses. By Sylvester's law of inertia the diagonal `D` has as many negative entries
//! as the matrix has negative eigenvalues (Golub and Van Loan, "Matrix Computations", section 8.1.5).
//! Rows are not exchanged for larger pivots, so a solution is refined against the matrix itself until
//! its residual no longer falls (section 3.5.3 there).

use super::BlockMatrix;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::SparseColMat;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side, Spec};

/// Largest number of refinements of a solution. Each makes the residual smaller by the growth of
/// pivots times rounding, so that two are enough for a matrix that can be solved at all.
const REFINEMENTS: usize = 4;
/// Residual relative to the right side (1) above which a factorisation has lost the matrix.
const LOST: f64 = 1e-6;

/// Factorisation `A = L D L^T` of the scalar matrix, and memory for it.
pub struct Ldl {
    /// Lower triangle by scalars.
    lower: SparseColMat<usize, f64>,
    /// Order of elimination and pattern of the factor.
    symbolic: SymbolicCholesky<usize>,
    /// Entries of the factor; the first one of each column is that of `D`.
    factor: Vec<f64>,
    /// Memory that a factorisation or a solve needs for its duration.
    scratch: MemBuffer,
}

/// A pivot is zero: the matrix is singular, or would need another order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular to rounding")]
pub struct Singular;

impl Ldl {
    /// Orders and analyses the pattern of `matrix`, and takes the memory of the factor. `None` if
    /// memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let lower = matrix.lower();
        let by_columns = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..CholeskySymbolicParams::default()
        };
        let symbolic = factorize_symbolic_cholesky(
            lower.symbolic(),
            Side::Lower,
            SymmetricOrdering::Amd,
            by_columns,
        )
        .ok()?;

        // Memory is reserved in a way that can fail.
        let factorisation =
            symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default());
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

    /// Factorises `matrix`, which has the analysed pattern and finite values, and returns the number
    /// of its negative eigenvalues.
    ///
    /// # Errors
    /// [`Singular`], if a pivot is zero.
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<usize, Singular> {
        matrix.copy_lower(self.lower.val_mut());
        let factorised = self.symbolic.factorize_numeric_ldlt(
            &mut self.factor,
            self.lower.as_ref(),
            Side::Lower,
            LdltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.scratch),
            Spec::default(),
        );
        factorised.map_err(|LdltError::ZeroPivot { .. }| Singular)?;
        if self.factor.iter().all(|entry| entry.is_finite()) {
            Ok(self.negative())
        } else {
            Err(Singular)
        }
    }

    /// Number of negative entries of `D`.
    fn negative(&self) -> usize {
        let SymbolicCholeskyRaw::Simplicial(columns) = self.symbolic.raw() else {
            return 0;
        };
        let starts = columns.col_ptr().iter().take(columns.ncols());
        starts.filter(|&&start| self.factor[start] < 0.0).count()
    }

    /// Solves `A x = b` in place, `[2 nodes]`, for the `matrix` that was factorised last.
    ///
    /// # Errors
    /// [`Singular`], if refinement does not bring the residual below a millionth of `b`.
    pub fn solve(&mut self, matrix: &BlockMatrix, b: &mut [f64]) -> Result<(), Singular> {
        let right = b.to_vec();
        let scale = size(&right);
        self.substitute(b);
        let mut residual = residual(matrix, b, &right);
        for _ in 0..REFINEMENTS {
            let before = size(&residual);
            let mut better = residual.clone();
            self.substitute(&mut better);
            better.iter_mut().zip(&*b).for_each(|(d, x)| *d += x);
            residual = self::residual(matrix, &better, &right);
            if size(&residual) >= before {
                residual = self::residual(matrix, b, &right);
                break;
            }
            b.copy_from_slice(&better);
        }
        if size(&residual) <= LOST * scale {
            Ok(())
        } else {
            Err(Singular)
        }
    }

    /// Substitutes forward, divides by `D` and substitutes back, in place.
    fn substitute(&mut self, b: &mut [f64]) {
        let rows = b.len();
        LdltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(b, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.scratch),
        );
    }
}

/// Residual `b - A x`.
fn residual(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> Vec<f64> {
    let mut residual = matrix.times(x);
    residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    residual
}

/// Largest absolute value; infinite if one is not a number.
fn size(a: &[f64]) -> f64 {
    let larger = |most: f64, a: &f64| {
        if a.is_nan() {
            f64::INFINITY
        } else {
            most.max(a.abs())
        }
    };
    a.iter().fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat2;
    use crate::sparse::test_matrices::{backward_error, grid, springs};
    use nalgebra::DMatrix;
    use nalgebra_sparse::CscMatrix;

    #[test]
    fn negative_eigenvalues_are_counted_and_systems_with_them_solved() {
        for pulls in 0..4 {
            // Each strong negative block makes two eigenvalues negative, or one that acts along x.
            let mut matrix = springs(49, &grid(7));
            for k in 0..pulls {
                let drop = Mat2::new(-30.0, 0.0, 0.0, if k == 1 { 0.0 } else { -30.0 });
                assert!(matrix.add(6 * k, 6 * k, &drop));
            }
            let dense: DMatrix<f64> = DMatrix::from(&CscMatrix::from(&matrix));
            let values = dense.symmetric_eigenvalues();
            let expected = values.iter().filter(|&&value| value < 0.0).count();
            assert_eq!(expected, [0, 2, 3, 5][pulls]);

            let mut factor = Ldl::analyse(&matrix).unwrap();
            assert_eq!(factor.factorise(&matrix), Ok(expected));
            let b: Vec<f64> = (0..98).map(|i| f64::from(i).sin()).collect();
            let mut x = b.clone();
            factor.solve(&matrix, &mut x).unwrap();
            assert!(backward_error(&matrix, &x, &b) < 8.0 * f64::EPSILON);
        }
    }

    #[test]
    fn a_zero_pivot_is_an_error() {
        let mut matrix = springs(2, &[]);
        let block = matrix.diagonal(0);
        assert!(matrix.add(0, 0, &-block));
        let mut factor = Ldl::analyse(&matrix).unwrap();
        assert_eq!(factor.factorise(&matrix), Err(Singular));
    }
}
