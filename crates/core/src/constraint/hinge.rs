//! Hinges: a point of one body stays on a point of another.

use super::opening::Constraint;
use super::pose::{Pose, Slopes};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// A hinge: the opening is the way between the two bodies' points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hinge;

impl Constraint for Hinge {
    fn opening(&self, pose: &Pose) -> Vec2 {
        pose.way
    }

    fn slopes(&self, _: &Pose) -> Slopes {
        let still = Vec2::zeros();
        [[Vec2::x(), still, still], [Vec2::y(), still, still]]
    }
}
