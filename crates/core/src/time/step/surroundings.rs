//! Barriers and friction of a stage, with the memory of the steps before.

use super::minimum::Surroundings;
use crate::solve::Stage;
use crate::time::options::sleeping::Sleeping;
use crate::time::options::sticking::holding;
use crate::time::options::stiffening::barriers;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::{Barriers, FrictionTable};
use std::borrow::Cow;

/// Barriers and friction of a stage, and the bodies that sleep in it.
pub(in crate::time) struct Around<'a> {
    /// Bodies that sleep.
    pub(in crate::time) sleeping: Sleeping,
    /// Barriers between all bodies, with the stiffness that they have reached.
    pub(in crate::time) all: Barriers,
    /// Barriers of the solve: those between bodies that move.
    pub(in crate::time) barriers: Barriers,
    /// Friction, with the anchors of sticking contacts.
    pub(in crate::time) friction: Cow<'a, FrictionTable>,
}

impl<'a> Around<'a> {
    /// Barriers and friction of a stage of a step that begins with `start`.
    pub(in crate::time) fn of(world: &'a World, start: &State, stage: &Stage) -> Self {
        let sleeping = Sleeping::of(world, start, stage);
        let all = barriers(world, start);
        Self {
            barriers: sleeping.part(&all),
            friction: friction(world, start),
            sleeping,
            all,
        }
    }

    /// Interactions of bodies in the solve of the stage.
    pub(in crate::time) fn awake(&self) -> Surroundings<'_> {
        Surroundings {
            barriers: &self.barriers,
            friction: &self.friction,
        }
    }

    /// Interactions of all bodies, including sleeping ones.
    pub(in crate::time) fn everywhere(&self) -> Surroundings<'_> {
        Surroundings {
            barriers: &self.all,
            friction: &self.friction,
        }
    }
}

/// Friction in a step from `start`: the world's, with the coefficients that were set and the
/// anchors of the state.
pub(in crate::time) fn friction<'a>(world: &'a World, start: &State) -> Cow<'a, FrictionTable> {
    let mut table = holding(world, start);
    if !start.parameters.keep_friction() {
        start.parameters.rub(table.to_mut());
    }
    table
}
