//! Slots: a point of the second body stays on a line of the first.

use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2, cross, perp};
use serde::{Deserialize, Serialize};

/// A slot: with the unit vector `u` along the line and the vector `d` from the second point to the
/// first the residual is `(u x -d, 0)`, the distance from the line, positive on its left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot;

impl Constraint for Slot {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(across(pose), 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        [across_slopes(pose), [Vec2::zeros(); 3]]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        across_bends(pose, force.x)
    }
}

/// Distance of the second point from the line of the first body (m), positive on its left.
pub(super) fn across(pose: &RelativePose) -> f64 {
    -cross(pose.axis(0), pose.way)
}

/// Derivatives of [`across`].
///
/// With the angle `alpha` of the line, `n` across it and the vector `w = -d`:
/// `dc = n . dw - (u . w) dalpha`.
pub(super) fn across_slopes(pose: &RelativePose) -> [Vec2; 3] {
    let axis = pose.axis(0);
    [
        -perp(axis),
        pose.angle_slope(0) * axis.dot(&pose.way),
        Vec2::zeros(),
    ]
}

/// Second derivatives of [`across`], times a force (N).
///
/// `c_w alpha = -u`, `c_alpha alpha = -c`, and the angle itself is curved.
pub(super) fn across_bends(pose: &RelativePose, force: f64) -> Bends {
    let axis = pose.axis(0);
    let slope = pose.angle_slope(0);
    let along = -axis.dot(&pose.way);
    let mut bends = [[Mat2::zeros(); 3]; 3];
    bends[0][1] = axis * slope.transpose() * force;
    bends[1][0] = bends[0][1].transpose();
    bends[1][1] = (slope * slope.transpose() * -across(pose) - pose.angle_bend(0) * along) * force;
    bends
}
