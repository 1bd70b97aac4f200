//! Springs between two vertices, the elements of mass-spring bodies.

use super::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, outer};

/// Energy of a spring between two vertices.
///
/// The free physics-based simulation book, chapter on mass-spring systems. The energy (J) is
///
/// `l^2 k/2 (|d|^2 / l^2 - 1)^2` with `d = x_0 - x_1`,
///
/// - `k`: [`stiffness`](Self::stiffness) (J/m^2);
/// - `l^2`: [`rest_squared`](Self::rest_squared), squared length at rest (m^2).
#[derive(Clone, Copy, Debug)]
pub struct Spring {
    /// Stiffness `k` (J/m^2), positive.
    pub stiffness: f64,
    /// Squared rest length `l^2` (m^2).
    pub rest_squared: f64,
}

impl LocalEnergy<2> for Spring {
    const NAME: &'static str = "spring";

    /// `l^2 k/2 (|d|^2 / l^2 - 1)^2` (J), finite for all positions.
    fn value(&self, x: &[Vec2; 2]) -> f64 {
        let stretch = (x[0] - x[1]).norm_squared() / self.rest_squared - 1.0;
        0.5 * self.rest_squared * self.stiffness * stretch * stretch
    }

    /// `2 k (|d|^2 / l^2 - 1) d` for the first vertex, and its negative for the second (N).
    fn gradient(&self, x: &[Vec2; 2]) -> [Vec2; 2] {
        let d = x[0] - x[1];
        let g = d * (2.0 * self.stiffness * (d.norm_squared() / self.rest_squared - 1.0));
        [g, -g]
    }

    /// Projected Hessian (N/m).
    ///
    /// Along `d` it has the eigenvalue `2 k (3 |d|^2 / l^2 - 1)` and across it
    /// `2 k (|d|^2 / l^2 - 1)`. Negative ones become zero. Where the vertices coincide both are
    /// negative, and the Hessian is zero.
    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, 0.0)
    }

    /// Hessian (N/m) without projection.
    fn exact_hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        self.second_derivative(x, f64::NEG_INFINITY)
    }

    /// The length at rest grows by the factor.
    fn resized(&self, factor: f64) -> Option<Self> {
        Some(Self {
            rest_squared: self.rest_squared * (factor * factor),
            ..*self
        })
    }
}

impl Spring {
    /// Hessian (N/m) whose eigenvalues, relative to `2 k`, are raised to `least`.
    fn second_derivative(&self, x: &[Vec2; 2], least: f64) -> [[Mat2; 2]; 2] {
        let d = x[0] - x[1];
        let square = d.norm_squared();
        let ratio = square / self.rest_squared;

        // Eigenvalues relative to 2 k along d and across it.
        let along = (3.0 * ratio - 1.0).max(least);
        let across = (ratio - 1.0).max(least);
        // Vertices that coincide have no direction, but then both eigenvalues are equal.
        let direction = if square > 0.0 {
            outer(d, d) / square
        } else {
            Mat2::zeros()
        };

        let h = (Mat2::identity() * across + direction * (along - across)) * (2.0 * self.stiffness);
        [[h, -h], [-h, h]]
    }
}

impl Batched<2> for Spring {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(e in prop::array::uniform4(-1.0_f64..1.0)) {
            let spring = Spring { stiffness: 7.0, rest_squared: 0.04 };
            let x = [Vec2::new(e[0], e[1]), Vec2::new(e[2], e[3])];
            prop_assume!((x[0] - x[1]).norm() > 0.05);
            let clamped = (x[0] - x[1]).norm_squared() < 0.04;
            testing::check(&spring, x, 1e-6, clamped);
            prop_assert!(testing::torque(&spring, x).abs() < 1e-10);
        }
    }
}
