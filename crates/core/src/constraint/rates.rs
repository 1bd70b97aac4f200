//! Residuals from which rates of joints count: of dampers, and of motors and brakes with a speed.
//!
//! The rate at the end of a stage is `(c - c_before) / beta`. As an integrator makes velocities of
//! coordinates, `v = (q - q_ref) / beta`, it makes `c_before` of the residuals of earlier states and
//! of their rates. The residual at `q_ref` would have another rate, with an error of order `h`,
//! wherever `c` is curved: two points that turn about each other at one distance have none.

use super::joint::Joint;
use super::warm_start::near_of;
use ipcsim_math::Vec2;

/// True if a force in `joints` depends on a rate.
pub fn have_rates(joints: &[Joint]) -> bool {
    let mut rows = joints.iter().flat_map(|joint| &joint.rows);
    rows.any(|row| row.action.has_rate())
}

/// First component of the residual (m or rad) of each row of `joints`, in their order, where vertices
/// are at `x` (m) and the bodies of each joint have `turned` (rad).
pub fn first_residuals(joints: &[Joint], x: &[Vec2], turned: &[Vec2]) -> Vec<f64> {
    let numbered = joints.iter().enumerate();
    let rows = numbered.flat_map(|(number, joint)| joint.rows.iter().map(move |row| (number, row)));
    rows.map(|(number, row)| row.first_residual(x, near_of(turned, number)))
        .collect()
}

/// Change of the first residual (m or rad) of each row to first order, where vertices at `x` (m) move
/// `by` displacements (m).
pub fn first_changes(joints: &[Joint], x: &[Vec2], by: &[Vec2]) -> Vec<f64> {
    let rows = joints.iter().flat_map(|joint| &joint.rows);
    rows.map(|row| row.change(x, by).x).collect()
}
