//! Stiffening: barriers that bodies press hard become stiffer for the next step.
//!
//! [`stiffen`] decides by how much, from gaps and forces at the end of a step.

use crate::body::Body;
use crate::solve::Model;
use crate::time::state::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_contact::{Barriers, Motion, Stiffened, stiffen};
use ipcsim_math::Vec2;

/// Barriers between all bodies in a step from `start`, with the stiffness that they have reached.
pub(in crate::time) fn barriers(world: &World, start: &State) -> Barriers {
    world
        .barriers
        .with(&start.memory.options.stiffening.doubled)
}

/// Stiffness of barriers for the step after one of length `h` (s) from `start` to a landing. What
/// restitution makes of velocities is no motion under forces, and does not count. Nothing stiffens
/// within a step, without `h`, and in statics, whose forces are the same functions at all times.
pub(in crate::time) fn stiffened(
    world: &World,
    barriers: &Barriers,
    start: &State,
    landing: StageEnd,
    h: Option<f64>,
) -> Stiffened {
    let Some(h) = h.filter(|_| !world.integrator.is_static()) else {
        return Stiffened::default();
    };
    let StageEnd {
        stage,
        at,
        contacts,
        ..
    } = landing;
    let surface = &world.model.surface;
    stiffen(barriers, surface, contacts, &at.x, || {
        motion(world, start, &stage.velocity(&at.q), h)
    })
}

/// Motion of all bodies from the velocities of `start` to `q_dot` within `h` (s), by the momentum
/// of their nodes.
fn motion(world: &World, start: &State, q_dot: &[Vec2], h: f64) -> Motion {
    let Model {
        coordinates,
        mass,
        joints,
        ..
    } = &world.model;
    let force = |body: &Body| {
        let nodes = body.nodes.clone();
        let gained = nodes.map(|node| {
            let impulse = mass[node].component_mul(&(q_dot[node] - start.q_dot[node]));
            coordinates.lift(node).tr_mul(&impulse)
        });
        (!body.kind.is_obstacle()).then(|| gained.sum::<Vec2>().norm() / h)
    };
    Motion {
        accelerating: world.bodies.iter().map(force).collect(),
        joined: joints.iter().map(|joint| joint.bodies).collect(),
    }
}
