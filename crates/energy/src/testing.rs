//! Checks of derivatives by finite differences, for the tests of energies here and elsewhere.

use super::{Curvature, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, cross, outer};
use nalgebra::{DMatrix, SMatrix};

/// Compares derivatives with central differences of width `step` (m): the gradient with differences
/// of the value, and unless `clamped` the Hessian with differences of the gradient, up to [`kink`].
///
/// Checks also that the projected Hessian is symmetric without negative eigenvalue, and that forces
/// add up to zero.
///
/// # Panics
/// If one of these does not hold.
pub fn check<const N: usize>(energy: &impl LocalEnergy<N>, x: [Vec2; N], step: f64, clamped: bool) {
    check_derivatives(energy, x, step, clamped);
    let gradient = energy.gradient(&x);
    let forces: f64 = gradient.iter().map(Vec2::norm).sum();
    let force_scale = forces + energy.value(&x).abs() / step * 1e-9;
    let force: Vec2 = gradient.iter().sum();
    assert!(force.norm() <= 1e-11 * force_scale + 1e-300, "{force}");
}

/// As [`check`], for energies whose forces need not add up to zero.
///
/// # Panics
/// If a derivative is wrong, or the projected Hessian is not symmetric or has a negative eigenvalue.
pub fn check_derivatives<const N: usize>(
    energy: &impl LocalEnergy<N>,
    x: [Vec2; N],
    step: f64,
    clamped: bool,
) {
    let gradient = energy.gradient(&x);
    let hessian = energy.hessian(&x);
    let forces: f64 = gradient.iter().map(Vec2::norm).sum();
    let force_scale = forces + energy.value(&x).abs() / step * 1e-9;
    let stiffness = hessian.iter().flatten().map(Mat2::norm).fold(0.0, f64::max);

    // Column by column: the slope of the value, and the change of the gradient.
    let mut full = DMatrix::zeros(2 * N, 2 * N);
    for column in 0..2 * N {
        let i = column / 2;
        let axis = column % 2;
        let mut plus = x;
        let mut minus = x;
        plus[i][axis] += step;
        minus[i][axis] -= step;

        let slope = (energy.value(&plus) - energy.value(&minus)) / (2.0 * step);
        let error = (slope - gradient[i][axis]).abs();
        assert!(error < 1e-5 * force_scale, "{slope} {}", gradient[i][axis]);

        let after = energy.gradient(&plus);
        let before = energy.gradient(&minus);
        for j in 0..N {
            let change = (after[j] - before[j]) / (2.0 * step);
            let kink = kink(&before[j], &gradient[j], &after[j], step);
            let block = hessian[j][i];
            for k in 0..2 {
                full[(2 * j + k, column)] = block[(k, axis)];
                let error = (change[k] - block[(k, axis)]).abs() - kink;
                let is_near = error < 1e-5 * stiffness + 1e-9;
                assert!(clamped || is_near, "{j} {i}: {change} {block}");
            }
        }
    }

    // Symmetry, projection and balance of forces.
    assert!((&full - full.transpose()).norm() <= 1e-12 * full.norm());
    let least = full.clone().symmetric_eigenvalues().min();
    assert!(least >= -1e-10 * full.norm(), "{least}");
    check_products(energy, &x);
}

/// Largest error of the central difference of a function that may have a kink, such as the stress where a
/// material begins to flow: the difference between its slopes on both sides of `here`.
///
/// Without a kink it is `step` times a second derivative, which is small.
pub fn kink<const R: usize, const C: usize>(
    before: &SMatrix<f64, R, C>,
    here: &SMatrix<f64, R, C>,
    after: &SMatrix<f64, R, C>,
    step: f64,
) -> f64 {
    (after - here * 2.0 + before).norm() / step
}

/// Compares Hessians that are sums of products with their blocks.
fn check_products<const N: usize>(energy: &impl LocalEnergy<N>, x: &[Vec2; N]) {
    for (curvature, blocks) in [
        (Curvature::Projected, energy.hessian(x)),
        (Curvature::Exact, energy.exact_hessian(x)),
    ] {
        // The blocks less the products must vanish.
        let mut left = blocks;
        let is_sum = energy.products(x, curvature, &mut |weight, a, b| {
            for (i, row) in left.iter_mut().enumerate() {
                for (j, left) in row.iter_mut().enumerate() {
                    *left -= (outer(a[i], b[j]) + outer(b[i], a[j])) * (0.5 * weight);
                }
            }
        });

        let norm = |blocks: &[[Mat2; N]; N]| {
            let all = blocks.iter().flatten();
            all.map(Mat2::norm).fold(0.0, f64::max)
        };

        let error = norm(&left);
        assert!(!is_sum || error <= 1e-12 * norm(&blocks), "{curvature:?}");
    }
}

/// Torque of the gradient about the origin (J), which vanishes for energies that do not depend on
/// rotations.
pub fn torque<const N: usize>(energy: &impl LocalEnergy<N>, x: [Vec2; N]) -> f64 {
    energy
        .gradient(&x)
        .iter()
        .zip(x)
        .map(|(g, x)| cross(x, *g))
        .sum()
}
