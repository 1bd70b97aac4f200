//! Projection of small symmetric matrices onto the positive semi-definite ones.
//!
//! A Newton direction descends if the matrix of the system is positive definite. The Hessian of an
//! energy need not be, but it is a sum over elements with a few unknowns each: projecting every
//! element makes the sum positive semi-definite. Matrices of two rows and saddles with a corner of
//! zero have closed forms or nearly so; all others are left to an iteration for eigenvalues.

use super::Vec2;
use crate::tuning::EIGENVALUE_MOST_STEPS;
use nalgebra::allocator::Allocator;
use nalgebra::{DefaultAllocator, DimDiff, DimSub, Matrix3, OMatrix, SymmetricEigen, U1};

/// Eigenvalues and unit eigenvectors of the symmetric matrix `[[a, b], [b, d]]`, largest first.
///
/// With `m = (a + d)/2`, `h = (a - d)/2` and `r = sqrt(h^2 + b^2)` the eigenvalues are `m + r` and
/// `m - r`. A multiple of the identity has the axes as eigenvectors.
pub fn symmetric_eigen2(a: f64, b: f64, d: f64) -> [(f64, Vec2); 2] {
    let mean = 0.5 * (a + d);
    let half = 0.5 * (a - d);
    let radius = (half * half + b * b).sqrt();

    // The column of A - (mean - radius) I that does not cancel is along the first eigenvector.
    let first = if half >= 0.0 {
        Vec2::new(half + radius, b)
    } else {
        Vec2::new(b, radius - half)
    };

    // A multiple of the identity has no such column.
    let norm = first.norm();
    let first = if norm > 0.0 {
        first / norm
    } else {
        Vec2::new(1.0, 0.0)
    };
    [
        (mean + radius, first),
        (mean - radius, Vec2::new(-first.y, first.x)),
    ]
}

/// Positive semi-definite matrix nearest to the symmetric `m` in the Frobenius norm: negative
/// eigenvalues become zero (Higham 1988, "Computing a nearest symmetric positive semidefinite
/// matrix").
///
/// A matrix without negative eigenvalues is returned as it is, to the last bit.
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

/// Symmetric matrix `[[A, u], [u^T, 0]]` with a positive semi-definite `A` of two rows. It has one
/// negative eigenvalue unless `u = 0`.
#[derive(Clone, Copy, Debug)]
pub struct Saddle {
    /// Block `A` as `[A_11, A_21, A_22]`.
    pub a: [f64; 3],
    /// Column `u` above the zero.
    pub u: Vec2,
}

impl Saddle {
    /// All entries of the matrix, `[3, 3]`.
    #[inline]
    pub fn matrix(&self) -> Matrix3<f64> {
        let [a, b, c] = self.a;
        let u = self.u;
        Matrix3::new(a, b, u.x, b, c, u.y, u.x, u.y, 0.0)
    }

    /// Positive semi-definite matrix nearest to this one in the Frobenius norm, `[3, 3]`.
    ///
    /// The negative eigenvalue is at least `-|u|`. All roots of the characteristic polynomial are
    /// real, so Newton's method climbs from there to the eigenvalue. With its eigenvector `(-y, 1)`
    /// the part that the eigenvalue contributes is removed.
    #[inline]
    pub fn projected(&self) -> Matrix3<f64> {
        let [a, b, c] = self.a;
        let u = self.u;
        let square = u.norm_squared();
        if square == 0.0 {
            return self.matrix();
        }

        // Newton's method for the negative eigenvalue.
        let trace = a + c;
        let minors = a * c - b * b - square;
        let determinant = 2.0 * b * u.x * u.y - c * u.x * u.x - a * u.y * u.y;
        let mut root = -square.sqrt();
        for _ in 0..EIGENVALUE_MOST_STEPS {
            let value = ((root - trace) * root + minors) * root - determinant;
            let slope = (3.0 * root - 2.0 * trace) * root + minors;
            let next = root - value / slope;
            // The method climbs to the root: a step that does not is one of rounding.
            if next <= root || next.is_nan() {
                break;
            }
            root = next;
        }

        // The eigenvector is (-y, 1); its part of the matrix is removed.
        let p = a - root;
        let r = c - root;
        let y = Vec2::new(r * u.x - b * u.y, p * u.y - b * u.x) / (p * r - b * b);
        let removed = root / (1.0 + y.norm_squared());

        let xx = removed * y.x * y.x;
        let xy = removed * y.x * y.y;
        let yy = removed * y.y * y.y;
        let ux = u.x + removed * y.x;
        let uy = u.y + removed * y.y;
        Matrix3::new(a - xx, b - xy, ux, b - xy, c - yy, uy, ux, uy, -removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat2, outer};
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
            let a = Vec2::new(a.0, a.1);
            let b = Vec2::new(b.0, b.1) * if flat < 0.2 { 0.0 } else { 1.0 };
            let block = outer(a, a) + outer(b, b);
            let u = Vec2::new(u.0, u.1) * 10_f64.powi(small);
            let saddle = Saddle { a: [block.m11, block.m21, block.m22], u };
            let found = saddle.projected();
            let expected = project(saddle.matrix());
            prop_assert!((found - expected).norm() <= 1e-12 * saddle.matrix().norm(), "{} {}", found, expected);
        }

        #[test]
        fn projected_matrices_have_no_negative_eigenvalue(e in prop::array::uniform6(-5.0_f64..5.0)) {
            let m = Matrix3::new(e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]);
            let p = project(m);
            prop_assert!(SymmetricEigen::new(p).eigenvalues.min() > -1e-12);
            // The removed part is negative semi-definite, and orthogonal to the rest.
            prop_assert!(SymmetricEigen::new(m - p).eigenvalues.max() < 1e-12);
            prop_assert!((p * (m - p)).norm() < 1e-11);
        }
    }
}
