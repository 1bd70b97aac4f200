//! Gears: the angles of two bodies keep a ratio.

use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

/// A pair of gears: the residual is `(L (theta_1 - r theta_2), 0)`, with the angles by which the two
/// bodies have turned since the start, over turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gear {
    /// Length `L` by which an angle becomes a residual (m): the size of the larger body.
    pub arm: f64,
    /// Turns of the first body for one turn of the second (1); negative for gears that mesh from
    /// outside, which turn in opposite directions.
    pub ratio: f64,
}

impl Constraint for Gear {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        let turned = pose.angle(0) - self.ratio * pose.angle(1);
        Vec2::new(self.arm * turned, 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        let first = pose.angle_slope(0) * self.arm;
        let second = pose.angle_slope(1) * (-self.arm * self.ratio);
        [[Vec2::zeros(), first, second], [Vec2::zeros(); 3]]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        let moment = self.arm * force.x;
        let mut bends = [[Mat2::zeros(); 3]; 3];
        bends[1][1] = pose.angle_bend(0) * moment;
        bends[2][2] = pose.angle_bend(1) * (-moment * self.ratio);
        bends
    }
}
