//! Rack and pinion: a wheel rolls along a line of another body.

use super::measure::Along;
use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use super::weld::{turn_bends, turn_slopes};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// A pinion on a rack: the residual is `(s - r theta, 0)`, with the displacement `s` of the axle of
/// the second body along the line of the first (m) and the angle `theta` by which the second has
/// turned against the first (rad, over turns).
///
/// Both count from body to body, so that whatever holds rack and axle may move and turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rack {
    /// Displacement `r` for a radian (m): the pitch radius of the pinion, with a sign.
    pub radius: f64,
}

impl Constraint for Rack {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        let rolled = Vec2::new(self.radius * pose.turn(), 0.0);
        Along.residual(pose) - rolled
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        let mut slopes = Along.slopes(pose);
        let turn = turn_slopes(pose, self.radius);
        for (slope, turn) in slopes[0].iter_mut().zip(turn) {
            *slope -= turn;
        }
        slopes
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        let mut bends = Along.curvature(pose, force);
        let turn = turn_bends(pose, self.radius * force.x);
        for (bend, turn) in bends.iter_mut().flatten().zip(turn.iter().flatten()) {
            *bend -= turn;
        }
        bends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ConstraintAction, ConstraintRow, JointFrame, Rule};
    use ipcsim_math::cross;
    use nalgebra::Rotation2;

    #[test]
    fn a_pinion_that_rolls_many_turns_closes_the_rack_wherever_the_rack_is() {
        let rack = Rack { radius: -0.2 };
        for turned in [-0.7, 2.0] {
            for rolled in [-30.0, 0.1, 55.0] {
                let line = Rotation2::new(turned) * Vec2::x();
                let arrow = Rotation2::new(turned + rolled) * Vec2::x();
                let near = [turned + 3.0, turned + rolled - 3.0];
                // From the pinion to the rack, 0.2 m below its axle.
                let way = -line * (-0.2 * rolled);
                let residual = rack.residual(&RelativePose::new(way, [line, arrow], near));
                assert!(residual.norm() < 1e-12, "{residual}");
            }
        }
    }

    #[test]
    fn teeth_push_along_the_pitch_line() {
        let x = [[-1.0, -0.2], [1.0, -0.1], [0.4, 0.5], [0.9, 0.7]].map(Vec2::from);
        let axle = Vec2::new(0.4, 0.0);
        let frames = [
            JointFrame::turning([0, 1], [x[0], x[1]], axle, Vec2::x()),
            JointFrame::turning([2, 3], [x[2], x[3]], axle, Vec2::x()),
        ];
        let rule = Rule::Rack(Rack { radius: -0.3 });
        let row = ConstraintRow::new(rule, ConstraintAction::Closed, &frames, 1.0, 1.0);
        let forces: Vec<(usize, Vec2)> = row.forces_by(&x, Vec2::new(2.0, 0.0)).collect();
        let pitch = axle - Vec2::new(0.0, 0.3);
        for (own, along) in [(&forces[..3], -2.0), (&forces[3..], 2.0)] {
            let force: Vec2 = own.iter().map(|(_, force)| force).sum();
            let moments = own.iter().map(|(i, force)| cross(x[*i] - pitch, *force));
            let moment: f64 = moments.sum();
            assert!((force - Vec2::new(along, 0.0)).norm() < 1e-12, "{force}");
            assert!(moment.abs() < 1e-12, "{moment}");
        }
    }
}
