//! The force that holds bodies back while they look for equilibrium.
//!
//! It is compared as the imbalance of forces is: by the speed that it would give a body, whatever
//! its mesh and its mass.

use crate::solve::{Solver, Stage, Target};
use crate::time::world::World;
use ipcsim_math::Vec2;

/// Force that holds a body back in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::time) struct PseudoTransient {
    /// Largest speed that it would give a body in the time of the clock (m/s).
    pub(in crate::time) speed: f64,
    /// The same, with each body counted by its pace (m/s).
    pub(in crate::time) counted: f64,
    /// Largest force on a body (N).
    pub(in crate::time) force: f64,
    /// One vertex of the body.
    pub(in crate::time) vertex: usize,
}

impl PseudoTransient {
    /// Force `m M (q - q_before)` at the end `q` of a round (m; of angles rad, `[nodes]`), with the
    /// body where it counts most. Prescribed coordinates are held by supports instead.
    pub(in crate::time) fn of(
        world: &World,
        solver: &Solver,
        stage: &Stage,
        targets: &[Target],
        q: &[Vec2],
    ) -> Self {
        let model = &world.model;
        let coordinates = &model.coordinates;
        let bodies = solver.masses().len();
        let mut squares = vec![0.0; bodies];
        let mut forces = vec![Vec2::zeros(); bodies];
        let mut fixed = vec![[false; 2]; model.mass.len()];
        for target in targets {
            for (fixed, axis) in fixed[target.node].iter_mut().zip(target.axes) {
                *fixed |= axis;
            }
        }

        for (node, mass) in model.mass.iter().enumerate() {
            let body = model.surface.body[coordinates.vertex_of(node)];
            let moved = q[node] - stage.predicted.q[node];
            let mut force = moved.component_mul(mass) * stage.inertia;
            for axis in 0..2 {
                if fixed[node][axis] || mass[axis] <= 0.0 {
                    force[axis] = 0.0;
                } else {
                    squares[body] += force[axis] * force[axis] / mass[axis];
                }
            }
            forces[body] += coordinates.lift(node).tr_mul(&force) / stage.contact;
        }

        let mut most = Self::default();
        for (body, mass) in solver.masses().iter().enumerate() {
            if *mass <= 0.0 {
                continue;
            }
            let speed = (squares[body] / mass).sqrt() / stage.clock;
            let counted = speed * model.pace.imbalance[body];
            most.speed = most.speed.max(speed);
            most.force = most.force.max(forces[body].norm());
            if counted > most.counted {
                most.counted = counted;
                most.vertex = world.bodies[body].vertices.start;
            }
        }
        most
    }
}
