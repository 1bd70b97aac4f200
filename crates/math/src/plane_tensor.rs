//! Symmetric tensors of a plane body: three components in the plane and one across it.
//!
//! Stress and strain of a plane body have no shear across the plane, so that four numbers are a
//! whole tensor of space. Its principal values and its von Mises value are three-dimensional.

use super::{Mat2, Vec2};
use std::ops::{Add, AddAssign, Mul};

/// Symmetric tensor of space that has no shear across the plane; the unit depends on its use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaneTensor {
    /// Component along x.
    pub xx: f64,
    /// Component along y.
    pub yy: f64,
    /// Shear in the plane.
    pub xy: f64,
    /// Component across the plane.
    pub zz: f64,
}

impl PlaneTensor {
    /// Stands for a tensor that does not exist: all components are NaN.
    pub const ABSENT: Self = Self {
        xx: f64::NAN,
        yy: f64::NAN,
        xy: f64::NAN,
        zz: f64::NAN,
    };

    /// Tensor with the symmetric part of a matrix in the plane and `zz` across it.
    pub fn new(in_plane: &Mat2, zz: f64) -> Self {
        Self {
            xx: in_plane.m11,
            yy: in_plane.m22,
            xy: 0.5 * (in_plane.m12 + in_plane.m21),
            zz,
        }
    }

    /// Von Mises value, `sqrt(((xx - yy)^2 + (yy - zz)^2 + (zz - xx)^2) / 2 + 3 xy^2)`: of a stress
    /// the one in uniaxial tension with the same energy of distortion.
    pub fn von_mises(&self) -> f64 {
        let differences = [self.xx - self.yy, self.yy - self.zz, self.zz - self.xx];
        let squares: f64 = differences.iter().map(|d| d * d).sum();
        (0.5 * squares + 3.0 * self.xy * self.xy).sqrt()
    }

    /// Principal values, the largest first; that across the plane is `zz`.
    pub fn principal(&self) -> [f64; 3] {
        let mean = 0.5 * (self.xx + self.yy);
        let radius = Vec2::new(0.5 * (self.xx - self.yy), self.xy).norm();
        let mut values = [mean + radius, mean - radius, self.zz];
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        values
    }
}

impl Add for PlaneTensor {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            xy: self.xy + other.xy,
            zz: self.zz + other.zz,
        }
    }
}

impl AddAssign for PlaneTensor {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for PlaneTensor {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            xx: self.xx * factor,
            yy: self.yy * factor,
            xy: self.xy * factor,
            zz: self.zz * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_simple_states_are_those_of_textbooks() {
        // Tension along x; shear, whose von Mises value is sqrt 3 times as large; equal pressure.
        let tension = PlaneTensor::new(&Mat2::new(5.0, 0.0, 0.0, 0.0), 0.0);
        assert_eq!(tension.von_mises(), 5.0);
        assert_eq!(tension.principal(), [5.0, 0.0, 0.0]);
        let shear = PlaneTensor::new(&Mat2::new(0.0, 2.0, 2.0, 0.0), 0.0);
        assert!((shear.von_mises() - 2.0 * 3.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!(shear.principal(), [2.0, 0.0, -2.0]);
        let pressure = PlaneTensor::new(&(Mat2::identity() * -3.0), -3.0);
        assert_eq!(pressure.von_mises(), 0.0);
    }

    #[test]
    fn a_rotation_changes_components_but_not_principal_values() {
        let (sin, cos) = 0.7_f64.sin_cos();
        let turn = Mat2::new(cos, -sin, sin, cos);
        let turned = turn * Mat2::new(4.0, 0.0, 0.0, -1.0) * turn.transpose();
        let tensor = PlaneTensor::new(&turned, 2.0);
        for (found, expected) in tensor.principal().into_iter().zip([4.0, 2.0, -1.0]) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        // ((4 - 2)^2 + (2 + 1)^2 + (4 + 1)^2) / 2 = 19.
        assert!((tensor.von_mises() - 19.0_f64.sqrt()).abs() < 1e-14);
    }
}
