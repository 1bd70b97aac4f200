//! The signed singular value decomposition of a 2x2 matrix, in closed form.

use super::{Mat2, Vec2};

/// `F = U diag(sigma) V^T` with rotations `U` and `V`, so that `det F < 0` shows as `sigma[1] < 0`.
#[derive(Clone, Copy, Debug)]
pub struct SignedSvd {
    /// Left rotation.
    pub u: Mat2,
    /// Singular values, `sigma[0] >= |sigma[1]|`.
    pub sigma: Vec2,
    /// Right rotation.
    pub v: Mat2,
}

/// Decomposes `f`.
///
/// A 2x2 matrix is the sum of a scaled rotation (complex number `q`) and a scaled reflection (`r`); the singular
/// values are `|q| +- |r|`, and the rotations' angles half the sum and half the difference of the two arguments.
/// The smaller value is `det F / sigma_0`, which does not cancel.
pub fn signed_svd(f: &Mat2) -> SignedSvd {
    let q = Vec2::new(f.m11 + f.m22, f.m21 - f.m12) * 0.5;
    let r = Vec2::new(f.m11 - f.m22, f.m21 + f.m12) * 0.5;
    let (q_norm, r_norm) = (q.norm(), r.norm());
    let largest = q_norm + r_norm;
    let smallest = if largest > 0.0 { f.determinant() / largest } else { 0.0 };
    let (q_unit, r_unit) = (unit_or_x(q, q_norm), unit_or_x(r, r_norm));
    // arg(q) = u - v and arg(r) = u + v, where u and v are the angles of the rotations U and V.
    let u = half_angle(complex(q_unit, r_unit));
    let v = complex(Vec2::new(q_unit.x, -q_unit.y), u);
    SignedSvd { u: rotation(u), sigma: Vec2::new(largest, smallest), v: rotation(v) }
}

fn complex(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

fn unit_or_x(a: Vec2, norm: f64) -> Vec2 {
    if norm > 0.0 { a / norm } else { Vec2::new(1.0, 0.0) }
}

/// The unit vector at half the angle of the unit vector `a`.
fn half_angle(a: Vec2) -> Vec2 {
    if a.x >= 0.0 {
        let c = (0.5 * (1.0 + a.x)).sqrt();
        Vec2::new(c, 0.5 * a.y / c)
    } else {
        let s = (0.5 * (1.0 - a.x)).sqrt().copysign(a.y);
        Vec2::new(0.5 * a.y / s, s)
    }
}

fn rotation(a: Vec2) -> Mat2 {
    Mat2::new(a.x, -a.y, a.y, a.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_factors_multiply_back(entries in prop::array::uniform4(-3.0_f64..3.0), exponent in -9_i32..9) {
            let f = Mat2::from_row_slice(&entries) * 10_f64.powi(exponent);
            let SignedSvd { u, sigma, v } = signed_svd(&f);
            let back = u * Mat2::from_diagonal(&sigma) * v.transpose();
            prop_assert!((back - f).norm() <= 1e-14 * f.norm());
            prop_assert!((u.determinant() - 1.0).abs() < 1e-14 && (v.determinant() - 1.0).abs() < 1e-14);
            prop_assert!((u.transpose() * u - Mat2::identity()).norm() < 1e-14);
            prop_assert!(sigma.x >= sigma.y.abs() * (1.0 - 1e-15));
        }
    }

    #[test]
    fn degenerate_matrices_decompose() {
        let quarter = Mat2::new(0.0, -1.0, 1.0, 0.0);
        let flip = Mat2::new(1.0, 0.0, 0.0, -1.0);
        for f in [Mat2::zeros(), Mat2::identity(), -Mat2::identity(), quarter, flip, -flip, flip * quarter] {
            let SignedSvd { u, sigma, v } = signed_svd(&f);
            assert!((u * Mat2::from_diagonal(&sigma) * v.transpose() - f).norm() < 1e-15, "{f}");
        }
    }
}
