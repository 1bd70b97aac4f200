//! Equations of joints among each other: the Schur complement of the preconditioner.

use super::fields::{along, mask};
use super::joint_rows::Row;
use crate::solve::StageMatrix;
use ipcsim_math::Vec2;
use nalgebra::{DMatrix, SymmetricEigen};

/// Eigenvalues of the equations of joints below this share of the largest one belong to equations
/// that repeat others.
const REPEATED: f64 = 1e-12;

/// Equations of joints among each other.
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
    pub(super) fn forces(&self, openings: &[f64]) -> Vec<f64> {
        let count = openings.len();
        let of = |i: usize| (0..count).map(|j| self.inverse[(i, j)] * openings[j]).sum();
        (0..count).map(of).collect()
    }
}
