//! The augmented Lagrangian of a constraint, as an energy of positions (Nocedal and Wright,
//! "Numerical Optimization", chapter 17).
//!
//! With an opening `c(x)`, a multiplier `lambda` and a stiffness `k` the energy is
//!
//! `k/2 |c(x) + lambda/k|^2`
//!
//! and its gradient `J^T (lambda + k c)` with `J = dc/dx`. As Hessian serves `k J^T J`, which needs
//! no projection. It is exact for hinges, whose opening is linear; for other constraints it leaves
//! out the curvature of `c`, which costs iterations but moves no minimum.
//!
//! At a minimum of all energies the joint carries the force `lambda + k c`, which is the multiplier
//! of the next minimisation.

use super::Constraint;
use crate::energy::{Batched, LocalEnergy};
use crate::math::{Mat2, Vec2};
use std::sync::Arc;

/// Augmented Lagrangian of one constraint, `k/2 |c(x) + lambda/k|^2` (J).
///
/// It differs from `lambda . c + k/2 |c|^2` by a constant, and is not negative.
#[derive(Clone, Debug)]
pub struct Augmented {
    /// The constraint `c`, shared with the joint it comes from.
    pub constraint: Arc<dyn Constraint>,
    /// Multiplier `lambda` (N): the force against the opening, as far as it is known.
    pub multiplier: Vec2,
    /// Stiffness `k` (N/m), above 0.
    pub stiffness: f64,
}

impl Augmented {
    /// Force `lambda + k c` (N) at the opening `c` (m), which is the next multiplier.
    pub fn force(&self, opening: Vec2) -> Vec2 {
        self.multiplier + opening * self.stiffness
    }
}

impl LocalEnergy<4> for Augmented {
    const NAME: &'static str = "joint";

    /// `|lambda + k c|^2 / 2k` (J), the same number without a division by `k` inside the square.
    fn value(&self, x: &[Vec2; 4]) -> f64 {
        let force = self.force(self.constraint.opening(x));
        0.5 * force.norm_squared() / self.stiffness
    }

    /// `J^T (lambda + k c)` (N), a force for each vertex.
    fn gradient(&self, x: &[Vec2; 4]) -> [Vec2; 4] {
        let force = self.force(self.constraint.opening(x));
        self.constraint.jacobian(x).map(|by| by.tr_mul(&force))
    }

    /// `k J^T J`, which is the whole Hessian where `c` is linear in the positions.
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

        // A hinge that pulls, away from where it is closed.
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
