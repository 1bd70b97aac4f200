//! Forces of springs and dampers at the start of a stage, for integrators that take a share of them.

use super::joint::{ConstraintAction, Joint};
use super::warm_start::WarmStart;
use ipcsim_math::Vec2;

impl WarmStart<'_> {
    /// Forces (N or N m) of the spring and of the damper of each row, `k (c - c_0)` and `b c'`, where
    /// a stage begins with vertices at `x` (m); 0 for all other rows and in broken joints.
    ///
    /// The rate `c' = (c_before - c) / beta` is the one from which that at the end follows.
    pub fn spring_forces(&self, joints: &[Joint], x: &[Vec2]) -> Vec<[f64; 2]> {
        let mut forces = Vec::new();
        for (number, joint) in joints.iter().enumerate() {
            for row in &joint.rows {
                let ConstraintAction::Sprung(spring) = &row.action else {
                    forces.push([0.0; 2]);
                    continue;
                };
                let residual = row.first_residual(x, self.near(number));
                let rate = (self.before(forces.len()) - residual) / self.beta;
                let acting = f64::from(u8::from(!self.is_broken(number)));
                forces.push([
                    acting * spring.stiffness * (residual - spring.rest),
                    acting * spring.damping * rate,
                ]);
            }
        }
        forces
    }

    /// Adds the derivatives by positions (N) of springs and dampers where a stage begins with vertices
    /// at `x` (m), times a factor.
    pub fn add_spring_gradient(&self, joints: &[Joint], x: &[Vec2], factor: f64, out: &mut [Vec2]) {
        let rows = joints.iter().flat_map(|joint| &joint.rows);
        for (row, [spring, damper]) in rows.zip(self.spring_forces(joints, x)) {
            let force = Vec2::new(spring + damper, 0.0);
            if force == Vec2::zeros() {
                continue;
            }
            for (vertex, by) in row.forces_by(x, force) {
                out[vertex] += by * factor;
            }
        }
    }

    /// Adds the derivatives by positions (N) of the last forces of equations and taut ropes where
    /// vertices are at `x` (m), times a factor.
    pub fn add_closed_gradient(&self, joints: &[Joint], x: &[Vec2], factor: f64, out: &mut [Vec2]) {
        let numbered = joints.iter().enumerate();
        let rows =
            numbered.flat_map(|(number, joint)| joint.rows.iter().map(move |row| (number, row)));
        for ((number, row), force) in rows.zip(self.forces) {
            let is_closed = matches!(
                row.action,
                ConstraintAction::Closed | ConstraintAction::Taut
            );
            if !is_closed || self.is_broken(number) || *force == Vec2::zeros() {
                continue;
            }
            for (vertex, by) in row.forces_by(x, *force) {
                out[vertex] += by * factor;
            }
        }
    }
}
