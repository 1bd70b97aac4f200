//! Gears whose axles a turning body holds: angles count relative to the line of their centres.

use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

/// A pair of gears on a carrier that turns. The residual is
/// `(L ((theta_1 - phi) - r (theta_2 - phi)), 0)`.
///
/// `theta_1` and `theta_2` are the angles of the two bodies and `phi` the angle of the line from
/// one centre to the other, all over turns since the start. The carrier holds both centres, so
/// `phi` is its own angle, and this is Willis' equation (Uicker, Pennock, Shigley, "Theory of
/// Machines and Mechanisms", planetary gear trains). Teeth meet on that line: forces of the
/// residual are a force at the pitch point, with its reaction, and the carrier itself needs none.
///
/// Gears about one axle have no line of centres. Two vertices of their carrier take the places of the
/// centres ([`JointFrame::carried_by`](super::JointFrame::carried_by)): the gears feel torques, and the
/// carrier their reaction, `1 - r` times the torque on the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epicyclic {
    /// Length `L` by which an angle becomes a residual (m): the size of the larger body.
    pub arm: f64,
    /// Turns `r` of the first body for one turn of the second, both against the carrier (1).
    pub ratio: f64,
}

impl Constraint for Epicyclic {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        let [first, second] = pose.angles_to_way();
        Vec2::new(self.arm * (first - self.ratio * second), 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        let of_line = pose.way_slope() * (self.arm * (self.ratio - 1.0));
        let first = pose.angle_slope(0) * self.arm;
        let second = pose.angle_slope(1) * (-self.arm * self.ratio);
        [[of_line, first, second], [Vec2::zeros(); 3]]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        let moment = self.arm * force.x;
        let mut bends = [[Mat2::zeros(); 3]; 3];
        bends[0][0] = pose.way_bend() * (moment * (self.ratio - 1.0));
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

    #[test]
    fn a_train_is_closed_by_willis_equation_over_many_turns_of_its_carrier() {
        let ratio = -2.5;
        let gear = Epicyclic { arm: 1.5, ratio };
        for carrier in [-31.0, 0.4, 12.0] {
            for second in [-40.0, 7.3] {
                let first = carrier + ratio * (second - carrier);
                let arrows = [first, second].map(|angle| Rotation2::new(angle) * Vec2::x());
                let way = Rotation2::new(carrier) * Vec2::new(0.3, 0.0);
                // The count of turns knows the angles to about half a turn.
                let near = [first - carrier + 3.0, second - carrier - 3.0];
                let residual = gear.residual(&RelativePose::new(way, arrows, near));
                assert!(residual.norm() < 1e-12, "{residual}");
            }
        }
    }

    #[test]
    fn teeth_push_at_the_pitch_point() {
        // Centres 0.9 m apart: radii of 0.3 and 0.6 m, and teeth meet at x = 0.3 m.
        let x = [[0.0, 0.0], [0.2, 0.1], [0.9, 0.0], [1.1, 0.3]].map(Vec2::from);
        let frames = [
            JointFrame::turning([0, 1], [x[0], x[1]], x[0], -Vec2::x()),
            JointFrame::turning([2, 3], [x[2], x[3]], x[2], -Vec2::x()),
        ];
        let rule = Rule::Epicyclic(Epicyclic {
            arm: 1.5,
            ratio: -2.0,
        });
        let row = ConstraintRow::new(rule, ConstraintAction::Closed, &frames, 1.0, 1.0);
        let forces: Vec<(usize, Vec2)> = row.forces_by(&x, Vec2::new(2.0, 0.0)).collect();
        let pitch = Vec2::new(0.3, 0.0);
        for own in [&forces[..3], &forces[3..]] {
            let force: Vec2 = own.iter().map(|(_, force)| force).sum();
            let moments = own.iter().map(|(i, force)| cross(x[*i] - pitch, *force));
            let moment: f64 = moments.sum();
            // A torque of 3 N m on the first gear.
            assert!((force.norm() - 10.0).abs() < 1e-12, "{force}");
            assert!(moment.abs() < 1e-12, "{moment}");
        }
    }
}
