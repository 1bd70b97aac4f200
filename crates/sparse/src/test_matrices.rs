//! Matrices and graphs that several tests use: springs on soft ground, and grids.

use super::BlockMatrix;
use ipcsim_math::{Mat2, outer};

/// Matrix of stiff springs between the `links`, on soft ground. It is positive definite.
pub(super) fn springs(nodes: usize, links: &[[usize; 2]]) -> BlockMatrix {
    let mut matrix = BlockMatrix::new(nodes, &mut links.to_vec());
    let mut add = |a: usize, b: usize, block: Mat2| assert!(matrix.add(a, b, &block));
    for (k, &[a, b]) in links.iter().enumerate().filter(|(_, [a, b])| a != b) {
        let (sin, cos) = (k as f64).sin_cos();
        // Not symmetric, so that a block and its transpose differ.
        let mut off = outer([cos, sin].into(), [cos, sin].into()) + Mat2::identity() * 0.1;
        off.m12 += 0.05;
        add(a, b, -off);
        add(a, a, Mat2::identity() * 1.5);
        add(b, b, Mat2::identity() * 1.5);
    }
    (0..nodes).for_each(|j| add(j, j, Mat2::new(0.03, 0.01, 0.01, 0.02)));
    matrix
}

/// Edges of a grid of `n` times `n` nodes, whose cells are cut into triangles.
pub(super) fn grid(n: usize) -> Vec<[usize; 2]> {
    let edges = |k: usize| [[k, k + 1], [k, k + n], [k + n + 1, k]];
    (0..n - 1)
        .flat_map(|i| (0..n - 1).flat_map(move |j| edges(i * n + j)))
        .collect()
}

/// Normwise backward error `|b - A x| / (|A| |x| + |b|)` in the largest norm.
pub(super) fn backward_error(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> f64 {
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let residual: Vec<f64> = matrix.times(x).iter().zip(b).map(|(a, b)| a - b).collect();
    let scale = matrix.largest_row_sum() * largest(x) + largest(b);
    largest(&residual) / scale
}
