//! Sticking: contacts that hold on by anchors instead of creeping.

use crate::time::memory::StickingMemory;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::{Friction, FrictionTable};
use ipcsim_math::Vec2;
use std::borrow::Cow;

/// Friction of the world in a step from `start`, with the anchors of its sticking contacts if they
/// have any.
pub(in crate::time) fn holding<'a>(world: &'a World, start: &State) -> Cow<'a, FrictionTable> {
    if world.friction.sticks {
        let anchors = &start.memory.options.sticking.anchors;
        Cow::Owned(world.friction.holding(anchors))
    } else {
        Cow::Borrowed(&world.friction)
    }
}

/// Memory of sticking at the end of a step, with its friction at the positions `y` on tangents (m);
/// none where sticking contacts creep.
pub(in crate::time) fn remembered(
    world: &World,
    friction: &Friction,
    y: &[Vec2],
) -> StickingMemory {
    let anchors = if world.friction.sticks {
        friction.anchors(&world.model.surface, y)
    } else {
        Vec::new()
    };
    StickingMemory { anchors }
}
