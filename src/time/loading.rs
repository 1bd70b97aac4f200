//! Gravity and other forces, evaluated at a time.
//!
//! Forces on components that have mass become accelerations, which inertia carries: they move the
//! predicted place of a stage. Forces on components without mass enter the potential as linear
//! terms.

use crate::body::Load;
use crate::math::Vec2;
use crate::solve::Model;

/// Gravity and the forces on nodes, as functions of time.
#[derive(Debug, Default)]
pub struct Loading {
    /// Gravity (m/s^2), the same everywhere.
    pub gravity: Vec2,
    /// Forces on nodes other than gravity.
    pub loads: Vec<Load>,
    /// Forces that a program sets between steps, and that act until it sets others (N; on angles
    /// N m), `[nodes]`; empty if there are none.
    pub pushes: Vec<Vec2>,
}

/// Gravity and other forces at one time, split by what carries them.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// Acceleration of each node by forces on components that have mass (m/s^2; of angles rad/s^2),
    /// `[nodes]`.
    pub acceleration: Vec<Vec2>,
    /// Forces on components without mass (N; on angles N m), `[nodes]`; empty if there are none.
    pub massless: Vec<Vec2>,
}

impl Loading {
    /// True if no force but gravity acts at any time.
    pub fn is_weight_alone(&self) -> bool {
        self.loads.is_empty() && self.pushes.is_empty()
    }

    /// Generalized forces other than gravity at time `t` (N; on angles N m), `[nodes]`; empty if
    /// there are none.
    pub fn forces(&self, nodes: usize, t: f64) -> Vec<Vec2> {
        if self.is_weight_alone() {
            return Vec::new();
        }

        // Several loads may act on the same node.
        let mut forces = self.pushes.clone();
        forces.resize(nodes, Vec2::zeros());
        for load in &self.loads {
            forces[load.node] += load.force.at(t);
        }
        forces
    }

    /// Accelerations and massless forces of a model at time `t` (s).
    pub fn at(&self, model: &Model, t: f64) -> Loads {
        let nodes = model.mass.len();
        let forces = self.forces(nodes, t);
        let mut massless = Vec::new();
        let mut acceleration = vec![Vec2::zeros(); nodes];

        for (node, a) in acceleration.iter_mut().enumerate() {
            let mass = model.mass[node];
            if mass.min() > 0.0 {
                *a = model.coordinates.lift(node) * self.gravity;
            }

            // Inertia carries a force on a component that has mass.
            let Some(force) = forces.get(node) else {
                continue;
            };
            for axis in 0..2 {
                if mass[axis] > 0.0 {
                    a[axis] += force[axis] / mass[axis];
                } else if force[axis] != 0.0 {
                    massless.resize(nodes, Vec2::zeros());
                    massless[node][axis] = force[axis];
                }
            }
        }

        Loads {
            acceleration,
            massless,
        }
    }
}
