//! Resistance of a vertex or a coordinate against its velocity: Rayleigh's mass part, and damping of
//! bodies that move as wholes.

use super::NAME;
use crate::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2};

/// Energy of a vertex or node that resists its velocity within a stage, `c / (2 beta) |x - x_ref|^2`
/// (J).
///
/// Its derivative is `c v` with `v = (x - x_ref) / beta` and the resistance `c` (kg/s; of angles
/// kg m^2/s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Resistance over time, `c / beta` (N/m).
    pub stiffness: f64,
    /// Position `x_ref` from which the velocity counts (m).
    pub at: Vec2,
}

impl LocalEnergy<1> for Drag {
    const NAME: &'static str = NAME;

    fn value(&self, [x]: &[Vec2; 1]) -> f64 {
        0.5 * self.stiffness * (x - self.at).norm_squared()
    }

    fn gradient(&self, [x]: &[Vec2; 1]) -> [Vec2; 1] {
        [(x - self.at) * self.stiffness]
    }

    fn hessian(&self, _: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
        [[Mat2::identity() * self.stiffness]]
    }
}

impl Batched<1> for Drag {}
