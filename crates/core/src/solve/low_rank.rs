//! Terms of the Newton matrix that couple many nodes by few numbers.
//!
//! The pressure of a gas depends on the volume of its chamber, and so on every vertex of the outline. As
//! blocks of the matrix `K` this would be a full square over the outline. It is one product of vectors
//! instead, so that the whole matrix is
//!
//! `H = K + U U^T`
//!
//! with a column of `U` for each gas. Solutions follow from those with `K` (Sherman, Morrison and Woodbury;
//! Golub and Van Loan, "Matrix Computations", section 2.1.4):
//!
//! `H^-1 b = y - Z S^-1 U^T y`, with `y = K^-1 b`, `Z = K^-1 U` and `S = 1 + U^T Z`.
//!
//! `K` need not be positive definite where `H` is: the gas itself may hold a body up. Both have Schur
//! complements in one bordered matrix, so that by Sylvester's law of inertia `H` has as many negative
//! eigenvalues as `K`, less the number in `S`.
//!
//! For `m` gases a factorisation costs `m` solutions with `K` more, and each later solution `m` scalar
//! products and as many sums of vectors. A full square would cost memory and fill with the square of
//! the outline.

use super::numbering::NONE;
use crate::body::{Configuration, Coordinates};
use ipcsim_math::{Mat2, Vec2, outer};
use nalgebra::{DMatrix, DVector, Dyn, LU};

/// Columns `U`, and solutions with them.
///
/// The order of use is: [`LowRank::push`] for each gas, [`LowRank::prepare`] after `K` was
/// factorised, [`LowRank::correct`] after each solution with `K`.
#[derive(Default)]
pub(super) struct LowRank {
    /// Columns of `U`, two numbers for each row of nodes (sqrt(kg)).
    columns: Vec<Vec<f64>>,
    /// Columns of `Z = K^-1 U`.
    solved: Vec<Vec<f64>>,
    /// Factor of `S`; `None` before a factorisation.
    schur: Option<LU<f64, Dyn, Dyn>>,
    /// True if `K` was factorised as one that is not positive definite.
    pub(super) is_by_ldl: bool,
}

impl LowRank {
    /// True if the matrix is `K`.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Removes all columns.
    pub(super) fn clear(&mut self) {
        self.columns.clear();
        self.solved.clear();
        self.schur = None;
        self.is_by_ldl = false;
    }

    /// Adds the column of derivatives by positions (`[vertices]`) times a root, for a matrix with these
    /// `rows` of nodes, without the `fixed` components.
    pub(super) fn push(
        &mut self,
        (coordinates, at): (&Coordinates, &Configuration),
        by_x: &[Vec2],
        root: f64,
        (rows, fixed): (&[usize], &[[bool; 2]]),
    ) {
        // By nodes, as the matrix has them.
        let mut by_q = vec![Vec2::zeros(); rows.len()];
        coordinates.pull_back(at, by_x, &mut by_q);

        let nodes = rows.iter().filter(|row| **row != NONE).count();
        let mut column = vec![0.0; 2 * nodes];
        for ((&row, by), fixed) in rows.iter().zip(&by_q).zip(fixed) {
            for axis in (0..2).filter(|&axis| row != NONE && !fixed[axis]) {
                column[2 * row + axis] = by[axis] * root;
            }
        }
        self.columns.push(column);
    }

    /// Solves for all columns by `solve`, which solves with `K` in place, and returns the number of
    /// negative eigenvalues of `S`; `None` if `S` is singular.
    ///
    /// `S` is symmetric since `K` is; its lower half is copied to the upper one, so that rounding
    /// does not break the symmetry.
    pub(super) fn prepare(&mut self, mut solve: impl FnMut(&mut [f64])) -> Option<usize> {
        self.solved.clone_from(&self.columns);
        self.solved.iter_mut().for_each(|column| solve(column));

        // The Schur complement, whose signs count.
        let count = self.columns.len();
        let mut schur = DMatrix::identity(count, count);
        for (i, column) in self.columns.iter().enumerate() {
            for (j, solved) in self.solved[..=i].iter().enumerate() {
                schur[(i, j)] += dot(column, solved);
                schur[(j, i)] = schur[(i, j)];
            }
        }

        // Its inertia, and its factor.
        let values = schur.symmetric_eigenvalues();
        self.schur = Some(schur.lu());
        let regular = values
            .iter()
            .all(|value| value.is_finite() && *value != 0.0);
        regular.then(|| values.iter().filter(|value| **value < 0.0).count())
    }

    /// Turns the solution with `K` into that with `H`.
    ///
    /// Without columns nothing changes.
    pub(super) fn correct(&self, y: &mut [f64]) {
        let Some(schur) = &self.schur else { return };
        let products = self.columns.iter().map(|column| dot(column, y));
        let products = DVector::from_iterator(self.columns.len(), products);
        let Some(shares) = schur.solve(&products) else {
            return;
        };

        for (solved, share) in self.solved.iter().zip(&shares) {
            for (y, z) in y.iter_mut().zip(solved) {
                *y -= z * share;
            }
        }
    }

    /// Adds `U U^T` times `p` to a `product`.
    ///
    /// It costs two products for each column, and never forms the square.
    pub(super) fn add_times(&self, p: &[f64], product: &mut [f64]) {
        for column in &self.columns {
            let share = dot(column, p);
            for (sum, u) in product.iter_mut().zip(column) {
                *sum += u * share;
            }
        }
    }

    /// Part of the block on the diagonal at a row of nodes.
    ///
    /// With the block of `K` there it gives the block of `H`.
    pub(super) fn diagonal(&self, row: usize) -> Mat2 {
        let columns = self.columns.iter();
        let own = columns.map(|column| Vec2::new(column[2 * row], column[2 * row + 1]));
        own.map(|u| outer(u, u)).sum()
    }
}

/// Scalar product, in the order of rows.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solves with a matrix in place.
    fn solver(matrix: &DMatrix<f64>) -> impl FnMut(&mut [f64]) {
        let lu = matrix.clone().lu();
        move |b: &mut [f64]| {
            let solved = lu.solve(&DVector::from_column_slice(b)).unwrap();
            b.copy_from_slice(solved.as_slice());
        }
    }

    #[test]
    fn solutions_products_and_signs_are_those_of_the_full_matrix() {
        let n = 6;
        let columns: Vec<Vec<f64>> = [0.3, 1.7]
            .iter()
            .map(|s| (0..n).map(|i| (s * (i as f64 + 1.0)).sin()).collect())
            .collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        // Positive definite, and with one and two negative eigenvalues that columns lift or do not.
        for signs in [[1.0, 2.0], [-0.2, 2.0], [-0.1, -0.2], [-50.0, 1.0]] {
            let mut k = DMatrix::from_fn(n, n, |i, j| 0.05 / (1.0 + i.abs_diff(j) as f64));
            for i in 0..n {
                k[(i, i)] += signs.get(i).copied().unwrap_or(1.0 + i as f64);
            }
            let mut full = k.clone();
            for column in &columns {
                let u = DVector::from_column_slice(column);
                full += &u * u.transpose();
            }

            let mut low_rank = LowRank {
                columns: columns.clone(),
                ..LowRank::default()
            };
            let mut solve = solver(&k);
            let lifted = low_rank.prepare(&mut solve).unwrap();
            let negative = |matrix: &DMatrix<f64>| {
                let values = matrix.symmetric_eigenvalues();
                values.iter().filter(|value| **value < 0.0).count()
            };
            assert_eq!(negative(&full), negative(&k) - lifted, "{signs:?}");

            let mut y = b.clone();
            solve(&mut y);
            low_rank.correct(&mut y);
            let expected = full
                .clone()
                .lu()
                .solve(&DVector::from_column_slice(&b))
                .unwrap();
            let error = (DVector::from_column_slice(&y) - &expected).norm();
            assert!(error < 1e-12 * expected.norm(), "{signs:?}: {error}");

            let mut product = (&k * &expected).as_slice().to_vec();
            low_rank.add_times(expected.as_slice(), &mut product);
            for (a, b) in product.iter().zip(&b) {
                assert!((a - b).abs() < 1e-12);
            }
            for row in 0..n / 2 {
                let block = low_rank.diagonal(row);
                let sum = full[(2 * row, 2 * row + 1)] - k[(2 * row, 2 * row + 1)];
                assert!((block[(0, 1)] - sum).abs() < 1e-14);
            }
        }
    }
}
