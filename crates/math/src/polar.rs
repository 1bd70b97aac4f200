//! Polar decomposition and singular values of a 2x2 matrix, in closed form.
//!
//! Laws of elasticity need the rotation `R` and the stretches of a deformation gradient `F`, and
//! the modes of their second derivatives. All of these follow from two vectors, without angles.

use super::{Mat2, Vec2};

/// Decomposition `F = U diag(sigma) V^T` with rotations `U` and `V`: `det F < 0` gives
/// `sigma_1 < 0`.
///
/// A 2x2 matrix is the sum of a scaled rotation and a scaled reflection,
/// `F = |q| Rot(q) + |r| Ref(r)` with `Rot(c, s) = [[c, -s], [s, c]]` and
/// `Ref(c, s) = [[c, s], [s, -c]]` of the unit vectors along `q` and `r`. The singular values are
/// `|q| +- |r|`. With `u` and `v` the angles of `U` and `V`, `q` has the angle `u - v` and `r` the
/// angle `u + v`. Every matrix `U M V^T` therefore follows without `U` and `V`.
#[derive(Clone, Copy, Debug)]
pub struct Polar {
    /// Unit vector along `q`.
    rotation: Vec2,
    /// Unit vector along `r`.
    reflection: Vec2,
    /// Singular values, `sigma[0] >= |sigma[1]|`.
    pub sigma: Vec2,
}

impl Polar {
    /// Decomposes `f`. The smaller singular value is `det F / sigma_0`, which does not cancel.
    ///
    /// Where a norm is zero the direction is arbitrary: the x axis is taken. The zero matrix has
    /// the identity as its rotation.
    #[inline]
    pub fn of(f: &Mat2) -> Self {
        let q = Vec2::new(f.m11 + f.m22, f.m21 - f.m12) * 0.5;
        let r = Vec2::new(f.m11 - f.m22, f.m21 + f.m12) * 0.5;
        let q_norm = q.norm();
        let r_norm = r.norm();

        // The difference of the norms would cancel where the determinant does not.
        let largest = q_norm + r_norm;
        let smallest = if largest > 0.0 {
            f.determinant() / largest
        } else {
            0.0
        };
        Self {
            rotation: unit_or_x(q, q_norm),
            reflection: unit_or_x(r, r_norm),
            sigma: Vec2::new(largest, smallest),
        }
    }

    /// Rotation nearest to `F`, `R = U V^T`.
    #[inline]
    pub fn rotation(&self) -> Mat2 {
        rotate(self.rotation)
    }

    /// Matrix `U diag(a, b) V^T` with other singular values.
    #[inline]
    pub fn diagonal(&self, a: f64, b: f64) -> Mat2 {
        rotate(self.rotation) * (0.5 * (a + b)) + reflect(self.reflection) * (0.5 * (a - b))
    }

    /// Matrix `U [[0, -1], [1, 0]] V^T`, the derivative of a rotation between `U` and `V`.
    #[inline]
    pub fn twist(&self) -> Mat2 {
        rotate(super::perp(self.rotation))
    }

    /// Matrix `U [[0, 1], [1, 0]] V^T`, a shear between `U` and `V`.
    #[inline]
    pub fn flip(&self) -> Mat2 {
        reflect(super::perp(self.reflection))
    }
}

/// Unit vector along `a`, whose norm is given, or the x axis if that is zero.
fn unit_or_x(a: Vec2, norm: f64) -> Vec2 {
    if norm > 0.0 {
        a / norm
    } else {
        Vec2::new(1.0, 0.0)
    }
}

/// Matrix `[[c, -s], [s, c]]` of the vector `(c, s)`: a rotation if that has length 1.
fn rotate(a: Vec2) -> Mat2 {
    Mat2::new(a.x, -a.y, a.y, a.x)
}

/// Matrix `[[c, s], [s, -c]]` of the vector `(c, s)`: a reflection if that has length 1.
fn reflect(a: Vec2) -> Mat2 {
    Mat2::new(a.x, a.y, a.y, -a.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks the decomposition against the one that nalgebra iterates for.
    fn check(f: &Mat2) {
        let polar = Polar::of(f);
        let scale = f.norm();
        assert!(
            (polar.diagonal(polar.sigma.x, polar.sigma.y) - f).norm() <= 1e-14 * scale,
            "{f}"
        );

        // Singular values and their sign.
        let expected = f.singular_values();
        assert!((polar.sigma.x - expected.max()).abs() <= 1e-14 * scale);
        assert!((polar.sigma.y.abs() - expected.min()).abs() <= 1e-14 * scale);
        assert!(polar.sigma.y * f.determinant() >= 0.0);

        // The four modes are orthonormal.
        let modes = [
            polar.diagonal(1.0, 0.0),
            polar.diagonal(0.0, 1.0),
            polar.twist() * 0.5_f64.sqrt(),
            polar.flip() * 0.5_f64.sqrt(),
        ];
        for (i, a) in modes.iter().enumerate() {
            for (j, b) in modes.iter().enumerate() {
                assert!(
                    (a.dot(b) - f64::from(u8::from(i == j))).abs() < 1e-14,
                    "{i} {j}"
                );
            }
        }
        assert!((polar.rotation().determinant() - 1.0).abs() < 1e-14);
    }

    proptest! {
        #[test]
        fn the_factors_multiply_back(entries in prop::array::uniform4(-3.0_f64..3.0), exponent in -9_i32..9) {
            check(&(Mat2::from_row_slice(&entries) * 10_f64.powi(exponent)));
        }
    }

    #[test]
    fn degenerate_matrices_decompose() {
        let quarter = Mat2::new(0.0, -1.0, 1.0, 0.0);
        let flip = Mat2::new(1.0, 0.0, 0.0, -1.0);
        for f in [
            Mat2::zeros(),
            Mat2::identity(),
            -Mat2::identity(),
            quarter,
            flip,
            -flip,
            flip * quarter,
        ] {
            check(&f);
        }
    }
}
