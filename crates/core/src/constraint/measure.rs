//! Displacement of a joint, on which limits, motors and springs act.
//!
//! The distance of two points is a [`DistanceConstraint`](super::DistanceConstraint) of length zero.

use super::pose::{Bends, RelativePose, Slopes};
use super::residual::Constraint;
use super::slot::across;
use super::weld::{turn_bends, turn_slopes};
use ipcsim_math::{Mat2, Vec2, perp};
use serde::{Deserialize, Serialize};

/// Angle by which the second body has turned against the first since the start (rad), over turns,
/// as a residual `(turn, 0)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turned;

impl Constraint for Turned {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(pose.turn(), 0.0)
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        [turn_slopes(pose, 1.0), [Vec2::zeros(); 3]]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        turn_bends(pose, force.x)
    }
}

/// Distance of the second point along the line of the first body (m), as a residual `(s, 0)`.
///
/// `s = u . w` with the unit vector `u` along the line and the vector `w` from the first point to
/// the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Along;

impl Constraint for Along {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(-pose.axis(0).dot(&pose.way), 0.0)
    }

    /// `ds = u . dw + c dalpha` with the distance `c` from the line and its angle `alpha`.
    fn slopes(&self, pose: &RelativePose) -> Slopes {
        let by_arrow = pose.angle_slope(0) * across(pose);
        let still = Vec2::zeros();
        [[-pose.axis(0), by_arrow, still], [still; 3]]
    }

    /// `s_w alpha = n`, `s_alpha alpha = -s`, and the angle itself is curved.
    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        let axis = pose.axis(0);
        let slope = pose.angle_slope(0);
        let along = -axis.dot(&pose.way);
        let mut bends = [[Mat2::zeros(); 3]; 3];
        bends[0][1] = -perp(axis) * slope.transpose() * force.x;
        bends[1][0] = bends[0][1].transpose();
        let own = slope * slope.transpose() * -along + pose.angle_bend(0) * across(pose);
        bends[1][1] = own * force.x;
        bends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::ends::Ends;
    use crate::constraint::pose::{JointFrame, STENCIL};
    use crate::constraint::{
        Alike, DistanceConstraint, Epicyclic, Gear, Hinge, Rack, Rule, Slider, Slot,
    };
    use std::f64::consts::FRAC_PI_2;

    /// All rules, with a force.
    fn rules() -> Vec<Rule> {
        vec![
            Rule::Hinge(Hinge),
            Rule::Rod(DistanceConstraint { length: 0.7 }),
            Rule::Slot(Slot),
            Rule::Slider(Slider { arm: 1.3 }),
            Rule::Alike(Alike { arm: 0.8 }),
            Rule::Gear(Gear {
                arm: 1.1,
                ratio: -2.5,
            }),
            Rule::Epicyclic(Epicyclic {
                arm: 1.1,
                ratio: -2.5,
            }),
            Rule::Rack(Rack { radius: -0.3 }),
            Rule::Turned(Turned),
            Rule::Along(Along),
        ]
    }

    /// Two frames of six vertices that have no symmetry, and positions.
    fn ends() -> (Ends, [Vec2; STENCIL]) {
        let first = JointFrame::mean([0, 1, 2], [0.2, 0.5, 0.3], [-1.0, 0.7, 0.3]);
        let x = [
            [0.3, -0.1],
            [1.1, 0.4],
            [0.2, 0.9],
            [1.7, 1.2],
            [2.4, 0.6],
            [0.0, 0.0],
        ];
        let x = x.map(Vec2::from);
        let at = Vec2::new(1.4, 0.9);
        let second = JointFrame::turning([3, 4], [x[3], x[4]], at, Vec2::new(0.6, -0.8));
        (Ends::of(&[first, second]), x)
    }

    #[test]
    fn slopes_are_those_of_the_openings() {
        let (ends, x) = ends();
        for rule in rules() {
            let slopes = ends.jacobian(&rule.slopes(&ends.pose(&x, [0.0; 2])));
            for k in 0..STENCIL {
                for axis in 0..2 {
                    let at = |step: f64| {
                        let mut moved = x;
                        moved[k][axis] += step;
                        rule.residual(&ends.pose(&moved, [0.0; 2]))
                    };
                    let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                    let error = (slope - slopes[k].column(axis)).norm();
                    assert!(error < 1e-8, "{rule:?} {k} {axis}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn curvatures_are_those_of_the_slopes() {
        let (ends, x) = ends();
        let force = Vec2::new(0.7, -1.9);
        for rule in rules() {
            if matches!(rule, Rule::Rod(_)) {
                continue;
            }
            let gradient = |x: &[Vec2; STENCIL]| {
                let slopes = ends.jacobian(&rule.slopes(&ends.pose(x, [0.0; 2])));
                slopes.map(|by| by.tr_mul(&force))
            };
            let mut bends = [[Mat2::zeros(); STENCIL]; STENCIL];
            ends.add_curvature(&rule.curvature(&ends.pose(&x, [0.0; 2]), force), &mut bends);
            for k in 0..STENCIL {
                for axis in 0..2 {
                    let at = |step: f64| {
                        let mut moved = x;
                        moved[k][axis] += step;
                        gradient(&moved)
                    };
                    let (after, before) = (at(1e-6), at(-1e-6));
                    for i in 0..STENCIL {
                        let slope = (after[i] - before[i]) / 2e-6;
                        let error = (slope - bends[i][k].column(axis)).norm();
                        assert!(error < 1e-7, "{rule:?} {i} {k} {axis}: {error:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn residuals_are_the_lengths_and_angles_that_a_ruler_finds() {
        // The first body's line leads along y; the second point is 3 m on and 2 m to its right, and
        // the second body has turned by 0.4 rad against the first.
        let second = nalgebra::Rotation2::new(FRAC_PI_2 + 0.4) * Vec2::x();
        let arrows = [Vec2::new(0.0, 2.0), second];
        let pose = RelativePose::new(Vec2::new(-2.0, -3.0), arrows, [0.0; 2]);
        let residual = |rule: Rule| rule.residual(&pose);
        let cases = [
            (Rule::Hinge(Hinge), [-2.0, -3.0]),
            (
                Rule::Rod(DistanceConstraint { length: 0.5 }),
                [13.0_f64.sqrt() - 0.5, 0.0],
            ),
            (Rule::Slot(Slot), [-2.0, 0.0]),
            (Rule::Along(Along), [3.0, 0.0]),
            (Rule::Turned(Turned), [0.4, 0.0]),
            (Rule::Alike(Alike { arm: 5.0 }), [2.0, 0.0]),
            (Rule::Slider(Slider { arm: 5.0 }), [-2.0, 2.0]),
        ];
        for (rule, expected) in cases {
            let error = (residual(rule) - Vec2::from(expected)).norm();
            assert!(error < 1e-14, "{rule:?}: {error:e}");
        }
    }
}
