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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ConstraintAction, ConstraintRow, JointFrame, Rule};
    use ipcsim_math::cross;
    use nalgebra::Rotation2;

    /// A gear with a ratio, and an arm of 1.5 m.
    fn gear(ratio: f64) -> Gear {
        Gear { arm: 1.5, ratio }
    }

    #[test]
    fn gears_are_closed_by_their_ratio_over_many_turns() {
        for ratio in [-2.5, 0.4] {
            for second in [-40.0, -1.0, 7.3, 25.0] {
                for ahead in [0.0, 0.3] {
                    let angles = [ratio * second + ahead, second];
                    let arrows = angles.map(|angle| Rotation2::new(angle) * Vec2::x());
                    // The count of turns knows the angles to about half a turn.
                    let near = [angles[0] + 3.0, angles[1] - 3.0];
                    let pose = RelativePose::new(Vec2::zeros(), arrows, near);
                    let residual = gear(ratio).residual(&pose);
                    let expected = Vec2::new(1.5 * ahead, 0.0);
                    assert!((residual - expected).norm() < 1e-12, "{residual}");
                }
            }
        }
    }

    #[test]
    fn gears_multiply_a_torque_by_their_ratio() {
        let x = [[0.0, 0.1], [1.0, 0.2], [2.0, 1.0], [2.3, 1.6]].map(Vec2::from);
        let frames = [
            JointFrame::turning([0, 1], [x[0], x[1]], x[0], Vec2::x()),
            JointFrame::turning([2, 3], [x[2], x[3]], x[2], Vec2::y()),
        ];
        let rule = Rule::Gear(gear(-2.5));
        let row = ConstraintRow::new(rule, ConstraintAction::Closed, &frames, 1.0, 1.0);

        // Work of the force 2 N as the bodies turn: 2 N times 1.5 m times the angle.
        let forces: Vec<(usize, Vec2)> = row.forces_by(&x, Vec2::new(2.0, 0.0)).collect();
        for (own, torque) in [(&forces[..3], 3.0), (&forces[3..], 7.5)] {
            let force: Vec2 = own.iter().map(|(_, force)| force).sum();
            let moments = own.iter().map(|(vertex, force)| cross(x[*vertex], *force));
            let moment: f64 = moments.sum();
            assert!(force.norm() < 1e-13 && (moment - torque).abs() < 1e-13);
        }
    }
}
