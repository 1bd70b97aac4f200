//! A constraint as an energy of positions.

use super::Constraint;
use crate::energy::{Batched, LocalEnergy};
use crate::math::{Mat2, Vec2};
use std::sync::Arc;

/// Augmented Lagrangian of one constraint, `k/2 |c(x) + lambda/k|^2` (J).
///
/// It differs from `lambda . c + k/2 |c|^2` by a constant, and is not negative.
#[derive(Clone, Debug)]
pub struct Augmented {
    /// The constraint `c`.
    pub constraint: Arc<dyn Constraint>,
    /// Multiplier `lambda` (N): the force against the opening, as far as it is known.
    pub multiplier: Vec2,
    /// Stiffness `k` (N/m), above 0.
    pub stiffness: f64,
}

impl Augmented {
    /// Force `lambda + k c` (N) at the opening `c` (m): the next multiplier.
    pub fn force(&self, opening: Vec2) -> Vec2 {
        self.multiplier + opening * self.stiffness
    }
}

impl LocalEnergy<4> for Augmented {
    const NAME: &'static str = "joint";

    fn value(&self, x: &[Vec2; 4]) -> f64 {
        let force = self.force(self.constraint.opening(x));
        0.5 * force.norm_squared() / self.stiffness
    }

    fn gradient(&self, x: &[Vec2; 4]) -> [Vec2; 4] {
        let force = self.force(self.constraint.opening(x));
        self.constraint.jacobian(x).map(|by| by.tr_mul(&force))
    }

    /// `k J^T J`, which is all of it where `c` is linear in the positions.
    fn hessian(&self, x: &[Vec2; 4]) -> [[Mat2; 4]; 4] {
        let jacobian = self.constraint.jacobian(x);
        jacobian.map(|row| jacobian.map(|column| row.tr_mul(&column) * self.stiffness))
    }
}

impl Batched<4> for Augmented {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Hinge;
    use crate::energy::testing;

    #[test]
    fn derivatives_match_differences() {
        let x = [
            Vec2::new(0.1, 0.2),
            Vec2::new(1.3, -0.4),
            Vec2::new(-0.7, 0.9),
            Vec2::new(0.4, 2.1),
        ];
        let hinge = Hinge::between([x[0], x[1]], [x[2], x[3]], Vec2::new(0.3, 0.5));
        let energy = Augmented {
            constraint: Arc::new(hinge),
            multiplier: Vec2::new(3.0, -2.0),
            stiffness: 40.0,
        };
        let moved = [
            x[0] + Vec2::new(0.1, 0.0),
            x[1],
            x[2] - Vec2::new(0.0, 0.3),
            x[3],
        ];
        testing::check(&energy, moved, 1e-6, false);
    }
}
