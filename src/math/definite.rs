//! Projection of small symmetric matrices onto the positive semi-definite ones.

use super::Vec2;
use nalgebra::{Matrix3, Matrix4, SymmetricEigen};

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
pub fn project3(m: Matrix3<f64>) -> Matrix3<f64> {
    let mut eigen = SymmetricEigen::new(m);
    if eigen.eigenvalues.min() >= 0.0 {
        return m;
    }
    eigen.eigenvalues.apply(|value| *value = value.max(0.0));
    eigen.recompose()
}

/// See [`project3`].
pub fn project4(m: Matrix4<f64>) -> Matrix4<f64> {
    let mut eigen = SymmetricEigen::new(m);
    if eigen.eigenvalues.min() >= 0.0 {
        return m;
    }
    eigen.eigenvalues.apply(|value| *value = value.max(0.0));
    eigen.recompose()
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
        fn projected_matrices_have_no_negative_eigenvalue(e in prop::array::uniform6(-5.0_f64..5.0)) {
            let m = Matrix3::new(e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]);
            let p = project3(m);
            prop_assert!(SymmetricEigen::new(p).eigenvalues.min() > -1e-12);
            // The removed part is negative semi-definite, and orthogonal to what was kept.
            prop_assert!(SymmetricEigen::new(m - p).eigenvalues.max() < 1e-12);
            prop_assert!((p * (m - p)).norm() < 1e-11);
        }
    }
}
