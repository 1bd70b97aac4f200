//! Forces on points of a body with an angle, as far as they turn it.

use super::NAME;
use crate::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2};

/// Work of forces that turn a rigid body, for two vertices `a` and `b` of the body (J):
///
/// `-g . ((b - a) - (b - a) at the start)`
///
/// A point `P` of the body is at `x_P = c + alpha d + beta perp(d)` from the centre `c`, with
/// `d = b - a` and constants `alpha` and `beta`. The work of forces `f` on points, less the work of
/// their sum on the centre, is the work of `g = sum alpha f - beta perp(f)` along `d`. Both
/// vertices together feel no force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lever {
    /// The vector `g` (N).
    pub pull: Vec2,
    /// Vector `b - a` at the start of the stage (m).
    pub start: Vec2,
    /// Number of the load.
    pub load: usize,
}

impl LocalEnergy<2> for Lever {
    const NAME: &'static str = NAME;

    fn value(&self, [a, b]: &[Vec2; 2]) -> f64 {
        -self.pull.dot(&((b - a) - self.start))
    }

    fn gradient(&self, _: &[Vec2; 2]) -> [Vec2; 2] {
        [self.pull, -self.pull]
    }

    /// Zero: curvature comes from the arcs on which the vertices move.
    fn hessian(&self, _: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        [[Mat2::zeros(); 2]; 2]
    }
}

impl Batched<2> for Lever {}
