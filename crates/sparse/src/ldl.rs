//! Factorisation `A = L D L^T` of symmetric matrices that are not positive definite, on one thread.
//!
//! Stiffness at an unstable equilibrium has a few negative eigenvalues, which a Cholesky
//! factorisation refuses. By Sylvester's law of inertia the diagonal `D` has as many negative entries
//! as the matrix has negative eigenvalues (Golub and Van Loan, "Matrix Computations", section 8.1.5).
//! Rows are not exchanged for larger pivots, so a solution is refined against the matrix itself until
//! its residual no longer falls (section 3.5.3 there).
//!
//! The factorisation works by scalars and looks up: row `k` of `L` solves a triangular system with
//! the rows before it, whose pattern is a walk through the elimination tree (T. A. Davis 2006,
//! "Direct Methods for Sparse Linear Systems", sections 4.1 to 4.8).
#![allow(
    clippy::cast_possible_truncation,
    reason = "the analysis refuses more than 2^32 scalars"
)]

mod pattern;

use super::BlockMatrix;
use super::tuning::{LOST_RESIDUAL, REFINEMENTS};
use pattern::{Pattern, Reach};

/// Factorisation `A = L D L^T` of the scalar matrix, and memory for it.
pub struct Ldl {
    /// Order of elimination, and patterns of the matrix and the factor.
    pattern: Pattern,
    /// Values of the upper triangle in this order.
    values: Vec<f64>,
    /// Row of each entry of the factor, ascending in each column.
    factor_rows: Vec<u32>,
    /// Entries of the factor; the first one of each column belongs to `D`.
    factor: Vec<f64>,
}

/// A pivot is zero: the matrix is singular, or would need another order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular to rounding")]
pub struct Singular;

impl Ldl {
    /// Orders and analyses the pattern of `matrix`, and takes the memory of the factor. `None` if
    /// memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let pattern = Pattern::of(matrix)?;

        // The reservation of memory may fail.
        let entries = pattern.factor_starts[pattern.size()];
        let mut factor = Vec::new();
        let mut factor_rows = Vec::new();
        factor.try_reserve_exact(entries).ok()?;
        factor_rows.try_reserve_exact(entries).ok()?;
        factor.resize(entries, 0.0);
        factor_rows.resize(entries, 0);
        Some(Self {
            values: vec![0.0; pattern.rows.len()],
            pattern,
            factor_rows,
            factor,
        })
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values, and returns the number
    /// of its negative eigenvalues.
    ///
    /// # Errors
    /// [`Singular`], if a pivot is zero.
    pub fn factorise(&mut self, matrix: &BlockMatrix) -> Result<usize, Singular> {
        let size = self.pattern.size();
        let entries = (0..size).flat_map(|column| matrix.scalar_column(column));
        for (&place, (_, value)) in self.pattern.places.iter().zip(entries) {
            self.values[place] = value;
        }

        let mut negative = 0;
        let mut reach = Reach::new(size);
        let mut x = vec![0.0; size];
        // Last entry of each column of the factor so far.
        let mut ends = self.pattern.factor_starts.clone();
        for k in 0..size {
            let own = self.pattern.starts[k]..self.pattern.starts[k + 1];
            reach.find(k, &self.pattern.rows[own.clone()], &self.pattern.parents);
            for (&row, value) in self.pattern.rows[own.clone()].iter().zip(&self.values[own]) {
                x[row as usize] += value;
            }

            let mut d = std::mem::take(&mut x[k]);
            for &column in &reach.columns {
                let column = column as usize;
                d -= self.eliminate(column, k, &mut ends[column], &mut x);
            }
            if d == 0.0 || !d.is_finite() {
                return Err(Singular);
            }
            negative += usize::from(d < 0.0);
            self.factor[self.pattern.factor_starts[k]] = d;
            self.factor_rows[self.pattern.factor_starts[k]] = k as u32;
        }
        if self.factor.iter().all(|entry| entry.is_finite()) {
            Ok(negative)
        } else {
            Err(Singular)
        }
    }

    /// Entry `(k, column)` of `L` from the row `x`, from which its column is subtracted. It is
    /// stored after `end`. Returns the number to subtract from the pivot.
    fn eliminate(&mut self, column: usize, k: usize, end: &mut usize, x: &mut [f64]) -> f64 {
        let start = self.pattern.factor_starts[column];
        let value = std::mem::take(&mut x[column]);
        let entry = value * (1.0 / self.factor[start]);

        let above = start + 1..*end + 1;
        for (&row, l) in self.factor_rows[above.clone()]
            .iter()
            .zip(&self.factor[above])
        {
            x[row as usize] -= l * value;
        }

        *end += 1;
        self.factor[*end] = entry;
        self.factor_rows[*end] = k as u32;
        entry * value
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

        // Refinement ends when rounding stops it, before the residual grows.
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

        if size(&residual) <= LOST_RESIDUAL * scale {
            Ok(())
        } else {
            Err(Singular)
        }
    }

    /// Substitutes forward, divides by `D` and substitutes back, in place.
    fn substitute(&self, b: &mut [f64]) {
        let mut x: Vec<f64> = self
            .pattern
            .order
            .iter()
            .map(|&scalar| b[scalar as usize])
            .collect();
        let column = |j: usize| {
            let below = self.pattern.factor_starts[j] + 1..self.pattern.factor_starts[j + 1];
            let rows = self.factor_rows[below.clone()].iter();
            rows.map(|&row| row as usize).zip(&self.factor[below])
        };

        for j in 0..x.len() {
            let own = x[j];
            for (i, l) in column(j) {
                x[i] -= l * own;
            }
        }
        for j in (0..x.len()).rev() {
            let below: f64 = column(j).rev().fold(0.0, |sum, (i, l)| sum + l * x[i]);
            x[j] = x[j] * (1.0 / self.factor[self.pattern.factor_starts[j]]) - below;
        }

        for (&scalar, x) in self.pattern.order.iter().zip(x) {
            b[scalar as usize] = x;
        }
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
    use crate::test_matrices::{backward_error, grid, springs};
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
    use faer::sparse::linalg::SupernodalThreshold;
    use faer::sparse::linalg::cholesky::{
        CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
    };
    use faer::sparse::{SparseColMat, Triplet};
    use faer::{Par, Side, Spec};
    use ipcsim_math::Mat2;
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

    /// Pivots of the factorisation by the library faer, in the order of elimination.
    fn pivots_of_faer(matrix: &BlockMatrix) -> Vec<f64> {
        let size = 2 * matrix.nodes();
        let mut triplets = Vec::new();
        for column in 0..size {
            let entries = matrix.scalar_column(column);
            triplets.extend(entries.map(|(row, value)| Triplet::new(row, column, value)));
        }
        let lower =
            SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &triplets).unwrap();
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..CholeskySymbolicParams::default()
        };
        let ordering = SymmetricOrdering::Amd;
        let symbolic =
            factorize_symbolic_cholesky(lower.symbolic(), Side::Lower, ordering, params).unwrap();
        let mut factor = vec![0.0; symbolic.len_val()];
        let size = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default());
        symbolic
            .factorize_numeric_ldlt(
                &mut factor,
                lower.as_ref(),
                Side::Lower,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut MemBuffer::new(size)),
                Spec::default(),
            )
            .unwrap();
        let SymbolicCholeskyRaw::Simplicial(columns) = symbolic.raw() else {
            panic!("supernodes were not asked for");
        };
        let starts = columns.col_ptr().iter().take(columns.ncols());
        starts.map(|&start| factor[start]).collect()
    }

    #[test]
    fn pivots_have_the_bits_of_those_by_faer() {
        for n in [1, 4, 9, 20] {
            let mut matrix = springs(n * n, &grid(n));
            let drop = Mat2::new(-30.0, 0.5, 0.5, -0.1);
            assert!(matrix.add(n / 2, n / 2, &drop));
            let mut own = Ldl::analyse(&matrix).unwrap();
            own.factorise(&matrix).unwrap();
            let pivots: Vec<f64> = own.pattern.factor_starts[..2 * n * n]
                .iter()
                .map(|&start| own.factor[start])
                .collect();
            assert_eq!(pivots, pivots_of_faer(&matrix));
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
