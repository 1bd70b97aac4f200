//! Forces that have no potential, as they are at the start of a stage.

use super::NAME;
use crate::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2};

/// Work of a lagged force `f` on a vertex, `-f . (x - x_start)` (J).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thrust {
    /// Force `f` (N).
    pub force: Vec2,
    /// Position at the start of the stage (m).
    pub start: Vec2,
    /// Derivative of the force by the position of its vertex where it is taken (N/m). That by the origin
    /// from which areas count is balanced by the energies of edges.
    pub slope: Mat2,
    /// Number of the load.
    pub load: usize,
}

impl LocalEnergy<1> for Thrust {
    const NAME: &'static str = NAME;

    fn value(&self, [x]: &[Vec2; 1]) -> f64 {
        -self.force.dot(&(x - self.start))
    }

    fn gradient(&self, _: &[Vec2; 1]) -> [Vec2; 1] {
        [-self.force]
    }

    fn hessian(&self, _: &[Vec2; 1]) -> [[Mat2; 1]; 1] {
        [[Mat2::zeros()]]
    }
}

impl Batched<1> for Thrust {}
