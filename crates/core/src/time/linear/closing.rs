//! Equations of joints among each other: the Schur complement of the preconditioner.
//!
//! With rows `C` and the matrix `K` the Schur complement is `S = C K^-1 C^T`. Its column for a
//! row is the displacement of all nodes by a unit force of that row, and its entries are openings
//! of one row by the force of another.
//!
//! Several joints may hold the same motion. Then `S` is singular, and the pseudoinverse shares
//! the force among them instead of failing. Rows are scaled by the roots of the diagonal first,
//! so that equations in m and in rad count alike.

use super::fields::{along, mask};
use super::joint_rows::Row;
use crate::solve::StageMatrix;
use ipcsim_math::Vec2;
use nalgebra::{DMatrix, SymmetricEigen};

/// Eigenvalues of the equations of joints below this share of the largest one belong to equations
/// that repeat others.
const REPEATED: f64 = 1e-12;

/// Equations of joints among each other.
///
/// Without joints both lists are empty, and forces are an empty list.
#[derive(Default)]
pub(super) struct Closing {
    /// Displacement of nodes by a unit force of each equation.
    pub(super) ways: Vec<Vec<Vec2>>,
    /// Pseudoinverse of their openings.
    inverse: DMatrix<f64>,
}

impl Closing {
    /// Equations of `rows` among each other, without `fixed` components.
    pub(super) fn of(matrix: &mut StageMatrix, rows: &[Row], fixed: &[[bool; 2]]) -> Self {
        let mut ways = Vec::new();
        for row in rows {
            let mut force = vec![Vec2::zeros(); fixed.len()];
            for (node, by) in &row.by {
                force[*node] += by;
            }
            for (force, fixed) in force.iter_mut().zip(fixed) {
                mask(force, *fixed, false);
            }
            ways.push(matrix.solve(&force));
        }

        // The mean of both triangles, since solutions have rounding errors.
        let count = rows.len();
        let opening = |i: usize, j: usize| {
            0.5 * (along(&rows[i].by, &ways[j]) + along(&rows[j].by, &ways[i]))
        };

        // Equations count alike, whatever their units.
        let roots: Vec<f64> = (0..count).map(|i| opening(i, i).abs().sqrt()).collect();
        let root = |i: usize| if roots[i] > 0.0 { roots[i] } else { 1.0 };
        let openings = DMatrix::from_fn(count, count, |i, j| opening(i, j) / (root(i) * root(j)));
        let inverse = if count == 0 {
            openings
        } else {
            let eigen = SymmetricEigen::new(openings);
            let largest = eigen.eigenvalues.amax();
            let inverses = eigen.eigenvalues.map(|value| {
                if value.abs() > REPEATED * largest {
                    1.0 / value
                } else {
                    0.0
                }
            });
            let vectors = &eigen.eigenvectors;
            let inverse = vectors * DMatrix::from_diagonal(&inverses) * vectors.transpose();
            DMatrix::from_fn(count, count, |i, j| inverse[(i, j)] / (root(i) * root(j)))
        };
        Self { ways, inverse }
    }

    /// Forces that take openings away.
    ///
    /// `openings` (m or rad) has one entry for each equation, and so has the result.
    pub(super) fn forces(&self, openings: &[f64]) -> Vec<f64> {
        let count = openings.len();
        let of = |i: usize| (0..count).map(|j| self.inverse[(i, j)] * openings[j]).sum();
        (0..count).map(of).collect()
    }
}
