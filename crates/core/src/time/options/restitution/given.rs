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
        let (Some(first), Some(second)) = (wholes.push(a, forces), wholes.push(b, forces)) else {
            return;
        };

        // Both sides are one body where it meets its own image.
        given.push(Given {
            bodies: [a, b],
            push: first.times(time),
        });
        if a != b {
            given.push(Given {
                bodies: [b, a],
                push: second.times(time),
            });
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
