//! Proximal force of the search for equilibrium, which holds bodies back.
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

        // Supports hold prescribed components.
        for target in targets {
            for (fixed, axis) in fixed[target.node].iter_mut().zip(target.axes) {
                *fixed |= axis;
            }
        }

        for (node, mass) in model.mass.iter().enumerate() {
            let body = model.surface.body[coordinates.vertex_of(node)];
            let moved = q[node] - stage.predicted.q[node];

            // Weights of inverse mass make the sum a square of a speed, like the tolerance.
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

        // The body with the largest force relative to its pace counts.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::integrator::Statics;
    use crate::time::testing::{MASS, circles, stage};

    #[test]
    fn the_force_that_holds_a_body_back_counts_by_the_speed_that_it_would_give_it() {
        let (mut world, state) = circles(&[[0.0, 0.0], [5.0, 0.0]], true, 0.0);
        let solver = world.solver();
        let stage = stage(&world, &Statics, &state, &[], 1.0);
        let mut q = state.q.clone();
        q[0] += Vec2::new(0.03, 0.04);
        q[2] += Vec2::new(0.0, -0.02);

        // A distance of 50 mm in the time of the clock, 0.1 s, by the force m d / T^2.
        let of = |world: &World, targets: &[Target]| {
            PseudoTransient::of(world, &solver, &stage, targets, &q)
        };
        let held = of(&world, &[]);
        assert!((held.speed - 0.5).abs() < 1e-14 && (held.counted - 0.5).abs() < 1e-14);
        assert!((held.force - MASS * 0.05 / 0.01).abs() < 1e-12);
        assert_eq!(held.vertex, 0);

        // A support takes the force on a component that it holds.
        let target = Target {
            node: 0,
            position: q[0],
            axes: [false, true],
        };
        let along = of(&world, &[target]);
        assert!((along.speed - 0.3).abs() < 1e-14);

        // Three times the pace of the second body is more than the first.
        world.model.pace.imbalance[1] = 3.0;
        let counted = of(&world, &[]);
        assert!((counted.speed - 0.5).abs() < 1e-14 && (counted.counted - 0.6).abs() < 1e-14);
        assert_eq!(counted.vertex, world.bodies[1].vertices.start);
    }
}
