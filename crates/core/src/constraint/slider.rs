//! Sliders: the second body moves along a line of the first and does not turn against it.

use super::pose::{Bends, RelativePose, Slopes, within_half_a_turn};
use super::residual::Constraint;
use super::slot::{across, across_bends, across_slopes};
use super::weld::{turn_bends, turn_slopes};
use ipcsim_math::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

/// A slider: the residual is the distance of the second point from the line, and the angle of the
/// second body against the first times a length `L`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slider {
    /// Length `L` by which an angle becomes a residual (m): the size of the larger body.
    pub arm: f64,
}

impl Constraint for Slider {
    fn residual(&self, pose: &RelativePose) -> Vec2 {
        Vec2::new(across(pose), self.arm * within_half_a_turn(pose.turn()))
    }

    fn slopes(&self, pose: &RelativePose) -> Slopes {
        [across_slopes(pose), turn_slopes(pose, self.arm)]
    }

    fn curvature(&self, pose: &RelativePose, force: Vec2) -> Bends {
        let line = across_bends(pose, force.x);
        let turn = turn_bends(pose, self.arm * force.y);
        let mut bends = [[Mat2::zeros(); 3]; 3];
        for (i, row) in bends.iter_mut().enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                *block = line[i][j] + turn[i][j];
            }
        }
        bends
    }
}
