//! Projection of small symmetric matrices onto the positive semi-definite ones.

use super::Vec2;
use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, DimDiff, DimSub, Matrix3, OMatrix, SymmetricEigen, U1};

/// Eigenvalues and unit eigenvectors of the symmetric matrix `[[a, b], [b, d]]`, largest first.
pub fn symmetric_eigen2(a: f64, b: f64, d: f64) -> [(f64, Vec2); 2] {
    let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
    let radius = (half * half + b * b).sqrt();
    // The column of A - (mean - radius) I that does not cancel is along the first eigenvector.
    let first = if half >= 0.0 { Vec2::new(half + radius, b) } else { Vec2::new(b, radius - half) };
    let norm = first.norm();
    let first = if norm > 0.0 { first / norm } else { Vec2::new(1.0, 0.0) };
    [(mean + radius, first), (mean - radius, Vec2::new(-first.y, first.x))]
}

/// The positive semi-definite matrix nearest to the symmetric `m` in the Frobenius norm: negative eigenvalues
/// become zero.
pub fn project<D>(m: OMatrix<f64, D, D>) -> OMatrix<f64, D, D>
where
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let mut eigen = SymmetricEigen::new(m.clone());
    if eigen.eigenvalues.min() >= 0.0 {
        return m;
    }
    eigen.eigenvalues.apply(|value| *value = value.max(0.0));
    eigen.recompose()
}

/// The same for a saddle, `m = [[A, u], [u^T, 0]]` with a positive semi-definite `A`, which has one negative eigenvalue
/// unless `u = 0`.
///
/// It is at least `-|u|`, and from there Newton's method on the characteristic polynomial, all of whose roots are real,
/// climbs to it.
pub fn project_saddle(m: Matrix3<f64>) -> Matrix3<f64> {
    const MOST_STEPS: usize = 32;
    let u = Vec2::new(m.m31, m.m32);
    let trace = m.m11 + m.m22;
    let minors = m.m11 * m.m22 - m.m21 * m.m21 - u.norm_squared();
    let determinant = m.determinant();
    let mut root = -u.norm();
    for _ in 0..MOST_STEPS {
        let value = ((root - trace) * root + minors) * root - determinant;
        let slope = (3.0 * root - 2.0 * trace) * root + minors;
        let next = root - value / slope;
        if next <= root || next.is_nan() {
            break;
        }
        root = next;
    }
    let shifted = m - Matrix3::from_diagonal_element(root);
    let rows = [0, 1, 2].map(|i| shifted.row(i).transpose());
    let normals = [rows[0].cross(&rows[1]), rows[1].cross(&rows[2]), rows[2].cross(&rows[0])];
    let largest = normals.into_iter().max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    let vector = largest.unwrap_or_default();
    let square = vector.norm_squared();
    if square > 0.0 { m - vector * vector.transpose() * (root / square) } else { project(m) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat2, outer};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn two_by_two_eigenpairs_rebuild_the_matrix(a in -5.0_f64..5.0, b in -5.0_f64..5.0, d in -5.0_f64..5.0) {
            let [(l0, v0), (l1, v1)] = symmetric_eigen2(a, b, d);
            let back = outer(v0, v0) * l0 + outer(v1, v1) * l1;
            prop_assert!((back - Mat2::new(a, b, b, d)).norm() < 1e-13);
            prop_assert!(l0 >= l1 && v0.dot(&v1).abs() < 1e-14);
        }

        #[test]
        fn a_saddle_is_projected_as_any_matrix(
            (a, b) in ((-3.0_f64..3.0, -3.0_f64..3.0), (-3.0_f64..3.0, -3.0_f64..3.0)), u in (-5.0_f64..5.0, -5.0_f64..5.0),
            flat in 0.0_f64..1.0, small in -12_i32..1
        ) {
            let (a, b) = (Vec2::new(a.0, a.1), Vec2::new(b.0, b.1) * if flat < 0.2 { 0.0 } else { 1.0 });
            let block = outer(a, a) + outer(b, b);
            let u = Vec2::new(u.0, u.1) * 10_f64.powi(small);
            let m = Matrix3::new(block.m11, block.m12, u.x, block.m21, block.m22, u.y, u.x, u.y, 0.0);
            let (found, expected) = (project_saddle(m), project(m));
            prop_assert!((found - expected).norm() <= 1e-12 * m.norm(), "{} {}", found, expected);
        }

        #[test]
        fn projected_matrices_have_no_negative_eigenvalue(e in prop::array::uniform6(-5.0_f64..5.0)) {
            let m = Matrix3::new(e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]);
            let p = project(m);
            prop_assert!(SymmetricEigen::new(p).eigenvalues.min() > -1e-12);
            // The removed part is negative semi-definite, and orthogonal to what was kept.
            prop_assert!(SymmetricEigen::new(m - p).eigenvalues.max() < 1e-12);
            prop_assert!((p * (m - p)).norm() < 1e-11);
        }
    }
}
