//! Bodies that a contact without a coefficient of restitution stops, in integrators that look back.
//!
//! A formula of two steps takes the velocity at the end from three places, and an impact between them
//! for a smooth change: BDF2 gives a body that falls at `v` and is stopped the velocity
//! `(3 q_1 - 4 q_0 + q_-1) / (2 h) = -v / 2`, as a rebound. The body has not moved so. Where a contact
//! changes the speed apart by more than gravity does in a step, bodies get the velocity `(q_1 - q_0) / h`
//! of their displacement, as after a step of implicit Euler, and to the next step they have always moved
//! so.

use super::{Rebound, Struck};
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use crate::tuning::CAUGHT_JUMP;
use ipcsim_contact::SharedVertices;

/// Velocities at the end of a stage, with the displacement of bodies that contacts have stopped.
pub(super) fn caught(world: &World, landing: StageEnd, rebound: Rebound) -> Rebound {
    let looks_back = world.integrator.history() > 0;
    let is_of_book = world.model.surface.shared_vertices == SharedVertices::PerEdge;
    if !looks_back || is_of_book || landing.contacts.is_empty() {
        return rebound;
    }

    // Velocities of vertices: of the formula, and of the displacement.
    let StageEnd {
        stage,
        from,
        at,
        contacts,
    } = landing;
    let h = stage.end - from.time;
    let surface = &world.model.surface;
    let mut v = at.x.clone();
    let coordinates = &world.model.coordinates;
    coordinates.displacements(at, &rebound.q_dot, &mut v);

    // Speeds that gravity changes in a step are no impact, nor is a turn on a wheel.
    let small = world.loading.gravity.norm() * h;
    let mut bodies: Vec<usize> = Vec::new();
    for contact in contacts.forces(surface, &at.x) {
        let [a, b] = contact.bodies;
        let has_law = world.options.restitution.between(a, b).is_some();
        let deforms = contact.bodies.map(|body| world.bodies[body].kind.is_soft());
        if has_law || a == b || deforms != [false; 2] {
            continue;
        }

        // The power of the force over its size is the speed apart.
        let parts = contact.on_vertices.iter();
        let [displaced, apart, fast] =
            parts.fold([0.0; 3], |[displaced, apart, fast], &(i, force)| {
                let way = (at.x[i] - from.x[i]) / h;
                [
                    displaced + force.dot(&way),
                    apart + force.dot(&v[i]),
                    way.norm().max(fast),
                ]
            });
        let least = contact.force.abs() * small.max(CAUGHT_JUMP * fast);
        if apart - displaced > least {
            bodies.extend([a, b]);
        }
    }
    bodies.sort_unstable();
    bodies.dedup();
    bodies.retain(|&body| !world.bodies[body].kind.is_obstacle());
    if bodies.is_empty() {
        return rebound;
    }

    let Rebound { mut q_dot, struck } = rebound;
    let mut nodes = struck.nodes;
    for body in bodies {
        for node in world.bodies[body].nodes.clone() {
            q_dot[node] = (at.q[node] - from.q[node]) / h;
            nodes.push(node);
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    Rebound {
        q_dot,
        struck: Struck { nodes },
    }
}
