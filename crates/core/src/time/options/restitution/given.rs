//! Impulses that contacts have given in a stage: of their barriers and of their friction.

use super::rigid_motion::Push;
use super::row::Wholes;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_math::Vec2;

/// Impulse of a contact on one of its bodies.
pub(super) struct Given {
    /// The body, and the other one.
    pub(super) bodies: [usize; 2],
    /// Impulse on the first of them.
    pub(super) push: Push,
}

/// Impulses of all contacts between bodies that move as a whole, each on both of its bodies.
pub(super) fn given(world: &World, wholes: Wholes, landing: StageEnd) -> Vec<Given> {
    let surface = &world.model.surface;
    let time = landing.stage.friction_time();
    let mut given = Vec::new();
    let mut add = |bodies: [usize; 2], forces: &[(usize, Vec2)]| {
        let [a, b] = bodies;
        let (Some(first), Some(second)) = (&wholes.bodies[a], &wholes.bodies[b]) else {
            return;
        };
        for (bodies, centre) in [([a, b], first.centre), ([b, a], second.centre)] {
            let own = forces
                .iter()
                .filter(|(vertex, _)| wholes.body_of[*vertex] == bodies[0]);
            let push = Push::on_vertices(centre, wholes.x, own).times(time);
            given.push(Given { bodies, push });
        }
    };

    for normal in landing.contacts.forces(surface, &landing.at.x) {
        add(normal.bodies, &normal.on_vertices);
    }
    for friction in landing.friction.forces(surface, landing.tangents) {
        add(friction.bodies, &friction.on_vertices);
    }
    given
}
