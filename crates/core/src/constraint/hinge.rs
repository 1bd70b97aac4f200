//! Hinges: a point of one body stays on a point of another.

use super::pose::{RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// A hinge: the residual is the vector between the two bodies' points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hinge;

impl Constraint for Hinge {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        pose.way
    }

    fn slopes(&self, _: &RelativePose) -> Slopes {
        let still = Vec2::zeros();
        [[Vec2::x(), still, still], [Vec2::y(), still, still]]
    }
}
