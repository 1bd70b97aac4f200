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

use super::BlockMatrix;
use super::graph::Graph;
use super::minimum_degree::minimum_degree;
use super::tuning::{LOST_RESIDUAL, REFINEMENTS};

/// No column.
const NONE: u32 = u32::MAX;

/// Factorisation `A = L D L^T` of the scalar matrix, and memory for it.
pub struct Ldl {
    /// Scalar that is eliminated at each place, `[2 nodes]`.
    order: Vec<u32>,
    /// Upper triangle of the matrix in this order: first entry of each column, `[2 nodes + 1]`.
    starts: Vec<usize>,
    /// Row of each of its entries.
    rows: Vec<u32>,
    /// Value of each of its entries.
    values: Vec<f64>,
    /// Place among its entries of each entry of the matrix's lower triangle.
    places: Vec<usize>,
    /// Parent of each column in the elimination tree, `[2 nodes]`.
    parents: Vec<u32>,
    /// First entry of each column of the factor, `[2 nodes + 1]`.
    factor_starts: Vec<usize>,
    /// Row of each entry of the factor, ascending in each column.
    factor_rows: Vec<u32>,
    /// Entries of the factor; the first one of each column is that of `D`.
    factor: Vec<f64>,
}

/// A pivot is zero: the matrix is singular, or would need another order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular to rounding")]
pub struct Singular;

/// Rows of `L` that each row depends on: the columns that a walk through the elimination tree
/// reaches.
struct Reach {
    /// Row that has visited each column last, `[columns]`.
    visitor: Vec<u32>,
    /// Columns of the present row, in an order in which they can be eliminated.
    columns: Vec<u32>,
    /// Columns of the present path.
    path: Vec<u32>,
}

impl Reach {
    /// Reach of no row.
    fn new(size: usize) -> Self {
        Self {
            visitor: vec![NONE; size],
            columns: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Columns that row `k` depends on, whose own entries left of the diagonal are in `rows`. Calls
    /// `visit` with each column.
    fn find(&mut self, k: usize, rows: &[u32], parents: &[u32]) {
        self.visitor[k] = k as u32;
        self.columns.clear();
        // Later paths come first: they end where an earlier one has been.
        for &row in rows.iter().filter(|&&row| (row as usize) < k) {
            let mut column = row;
            while self.visitor[column as usize] != k as u32 {
                self.visitor[column as usize] = k as u32;
                self.path.push(column);
                column = parents[column as usize];
            }
            self.columns.extend(self.path.drain(..).rev());
        }
        self.columns.reverse();
    }
}

impl Ldl {
    /// Orders and analyses the pattern of `matrix`, and takes the memory of the factor. `None` if
    /// memory does not suffice.
    pub fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let size = 2 * matrix.nodes();
        if u32::try_from(4 * matrix.block_count()).is_err() {
            return None;
        }
        let lower = || {
            (0..size).flat_map(move |column| {
                let rows = matrix.scalar_column(column);
                rows.map(move |(row, _)| [row, column])
            })
        };
        let pairs: Vec<[usize; 2]> = lower().collect();
        let order = minimum_degree(Graph::new(size, &pairs));
        let mut position = vec![0; size];
        for (place, &scalar) in order.iter().enumerate() {
            position[scalar as usize] = place;
        }

        // Upper triangle in this order, column by column.
        let permuted = |[row, column]: [usize; 2]| {
            let (a, b) = (position[row], position[column]);
            (a.min(b), a.max(b))
        };
        let mut starts = vec![0; size + 1];
        for pair in lower() {
            starts[permuted(pair).1 + 1] += 1;
        }
        for column in 0..size {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; pairs.len()];
        let mut places = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let (row, column) = permuted(pair);
            places.push(next[column]);
            rows[next[column]] = row as u32;
            next[column] += 1;
        }

        let (parents, counts) = elimination_tree(&starts, &rows);
        let mut factor_starts = vec![0; size + 1];
        for column in 0..size {
            factor_starts[column + 1] = factor_starts[column] + counts[column];
        }

        // Memory is reserved in a way that can fail.
        let entries = factor_starts[size];
        let mut factor = Vec::new();
        let mut factor_rows = Vec::new();
        factor.try_reserve_exact(entries).ok()?;
        factor_rows.try_reserve_exact(entries).ok()?;
        factor.resize(entries, 0.0);
        factor_rows.resize(entries, 0);
        Some(Self {
            order,
            values: vec![0.0; rows.len()],
            starts,
            rows,
            places,
            parents,
            factor_starts,
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
        let size = self.order.len();
        let entries = (0..size).flat_map(|column| matrix.scalar_column(column));
        for (&place, (_, value)) in self.places.iter().zip(entries) {
            self.values[place] = value;
        }

        let mut negative = 0;
        let mut reach = Reach::new(size);
        let mut x = vec![0.0; size];
        // Last entry of each column of the factor so far.
        let mut ends = self.factor_starts.clone();
        for k in 0..size {
            let own = self.starts[k]..self.starts[k + 1];
            reach.find(k, &self.rows[own.clone()], &self.parents);
            for (&row, value) in self.rows[own.clone()].iter().zip(&self.values[own]) {
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
            self.factor[self.factor_starts[k]] = d;
            self.factor_rows[self.factor_starts[k]] = k as u32;
        }
        if self.factor.iter().all(|entry| entry.is_finite()) {
            Ok(negative)
        } else {
            Err(Singular)
        }
    }

    /// Entry `(k, column)` of `L` from the row `x`, from which its column is subtracted. It is stored
    /// after `end`. Returns what it takes from the pivot.
    fn eliminate(&mut self, column: usize, k: usize, end: &mut usize, x: &mut [f64]) -> f64 {
        let start = self.factor_starts[column];
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
            .order
            .iter()
            .map(|&scalar| b[scalar as usize])
            .collect();
        let column = |j: usize| {
            let below = self.factor_starts[j] + 1..self.factor_starts[j + 1];
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
            x[j] = x[j] * (1.0 / self.factor[self.factor_starts[j]]) - below;
        }

        for (&scalar, x) in self.order.iter().zip(x) {
            b[scalar as usize] = x;
        }
    }
}

/// Parent of each column in the elimination tree, and the number of entries of each column of the
/// factor, its diagonal included, `[columns]` each. `rows` has the upper triangle by columns.
fn elimination_tree(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let size = starts.len() - 1;
    let mut parents = vec![NONE; size];
    let mut counts = vec![1; size];
    let mut visitor = vec![NONE; size];
    for k in 0..size {
        visitor[k] = k as u32;
        for &row in &rows[starts[k]..starts[k + 1]] {
            let mut column = row as usize;
            while visitor[column] != k as u32 {
                visitor[column] = k as u32;
                counts[column] += 1;
                if parents[column] == NONE {
                    parents[column] = k as u32;
                }
                column = parents[column] as usize;
            }
        }
    }
    (parents, counts)
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
            let pivots: Vec<f64> = own.factor_starts[..2 * n * n]
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
