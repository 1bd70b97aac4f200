//! Welds: the second body does not turn against the first. With a hinge nothing is free any more.

use super::pose::{Bends, RelativePose, Slopes, within_half_a_turn};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

/// Two bodies that turn alike: the residual is `(L turn, 0)`, with the angle of the second arrow
/// against the first and a length `L`. Whole turns do not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alike {
    /// Length `L` by which an angle becomes a residual (m): the size of the larger body.
    pub arm: f64,
}

impl Constraint for Alike {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(self.arm * within_half_a_turn(pose.turn()), 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        [turn_slopes(pose, self.arm), [Vec2::zeros(); 3]]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        turn_bends(pose, self.arm * force.x)
    }
}

/// Derivatives of the turn, times a length `arm` (m).
pub(super) fn turn_slopes(pose: &RelativePose, arm: f64) -> [Vec2; 3] {
    let [first, second] = [0, 1].map(|side| pose.angle_slope(side) * arm);
    [Vec2::zeros(), -first, second]
}

/// Second derivatives of the turn, times a moment (N m).
pub(super) fn turn_bends(pose: &RelativePose, moment: f64) -> Bends {
    let mut bends = [[Mat2::zeros(); 3]; 3];
    bends[1][1] = pose.angle_bend(0) * -moment;
    bends[2][2] = pose.angle_bend(1) * moment;
    bends
}
