//! Pressure on sides of an outline that turns about the axis.

use super::NAME;
use crate::revolved::{positive_part, scaled, side};
use crate::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2};

/// Pressure `p` that follows a side with `K` nodes in order, two or three, with the inside of the body on
/// the left.
///
/// Its energy is `p` times the volume of revolution under the side, less its value at the start (J).
/// Summed over an outline that is closed, or ends on the axis, this is the work of the pressure on the
/// full turn. Elsewhere the force along the axis has `p pi r^2` too much at the end of the last side and
/// too little at the start of the first, which [`Thrust`](crate::Thrust) takes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressedRing<const K: usize> {
    /// Pressure (Pa).
    pub pressure: f64,
    /// Positions of the nodes at the start of the stage (m).
    pub start: [Vec2; K],
    /// Number of the load.
    pub load: usize,
}

impl<const K: usize> LocalEnergy<K> for PressedRing<K> {
    const NAME: &'static str = NAME;

    fn value(&self, x: &[Vec2; K]) -> f64 {
        self.pressure * (side::volume(x) - side::volume(&self.start))
    }

    fn gradient(&self, x: &[Vec2; K]) -> [Vec2; K] {
        side::slopes(x).map(|slope| slope * self.pressure)
    }

    /// Hessian (N/m), projected by its eigenvalues.
    fn hessian(&self, x: &[Vec2; K]) -> [[Mat2; K]; K] {
        positive_part(&side::curvature(x), self.pressure)
    }

    fn exact_hessian(&self, x: &[Vec2; K]) -> [[Mat2; K]; K] {
        scaled(&side::curvature(x), self.pressure)
    }
}

impl<const K: usize> Batched<K> for PressedRing<K> {}
