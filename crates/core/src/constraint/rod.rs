//! Rods and ropes: two points of two bodies keep their distance, or do not exceed it.

use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2, outer};
use serde::{Deserialize, Serialize};

/// A rod without mass, or a rope, a spring or a cylinder, by the treatment of its residual.
///
/// With the vector `d` between its ends the residual is `(|d| - L, 0)`, so that the first component
/// of the force is the pull in the rod. It is not linear in positions: its slope turns with the
/// rod.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceConstraint {
    /// Length `L` of the rod (m).
    pub length: f64,
}

impl Constraint for DistanceConstraint {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(pose.way.norm() - self.length, 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        // A rod of length zero has no direction: any one will do.
        let along = pose.way.try_normalize(0.0).unwrap_or_else(Vec2::x);
        let still = Vec2::zeros();
        [[along, still, still], [still; 3]]
    }
}

impl DistanceConstraint {
    /// Second derivatives of the residual times a `force` (N) along the rod, which turns with it:
    /// `f (I - n n^T) / |d|` with the unit vector `n` along the rod.
    ///
    /// It is not a [`curvature`](Constraint::curvature) of the rule, since rods that are pressed
    /// would make the Hessian of a step indefinite.
    pub(super) fn turning(pose: &RelativePose, force: f64) -> Bends {
        let mut bends = [[Mat2::zeros(); 3]; 3];
        let length = pose.way.norm();
        if length > 0.0 {
            let along = pose.way / length;
            bends[0][0] = (Mat2::identity() - outer(along, along)) * (force / length);
        }
        bends
    }
}
