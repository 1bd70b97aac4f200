//! What acts between bodies in a stage, and the minimum that it leads to.
//!
//! Barriers and friction are those of the world, with what the steps before have left of them. Bodies
//! that stay where they are have no contacts with each other while the stage is solved, and have them
//! again at its end.

use super::continuation::next_on_path;
use super::equilibrium::equilibrium;
use super::minimum::{Minimum, Surroundings, solve_stage, unsolved};
use super::sleeping::Sleeping;
use super::state::State;
use super::world::World;
use crate::solve::{Failure, Solver, Stage, Strategy};
use ipcsim_contact::{Barriers, FrictionTable, Stiffened};
use std::borrow::Cow;

/// Barriers and friction of a stage, and who stays where it is.
pub(super) struct Setting<'a> {
    /// Bodies that stay.
    stays: Sleeping,
    /// Barriers between all bodies.
    all: Barriers,
    /// Barriers of the solve, without those between bodies that stay.
    pub(super) barriers: Barriers,
    /// Friction, with the anchors of sticking contacts.
    friction: Cow<'a, FrictionTable>,
}

/// End of a stage, with the contacts of bodies that stay.
pub(super) struct End {
    /// The minimum.
    pub(super) minimum: Minimum,
    /// Barriers of the next step.
    pub(super) stiffened: Stiffened,
    /// Sleepers that others came near to.
    pub(super) woken: Vec<usize>,
}

impl<'a> Setting<'a> {
    /// The setting of a stage of a step that begins with `start`.
    pub(super) fn of(world: &'a World, start: &State, stage: &Stage) -> Self {
        let stays = Sleeping::of(world, start, stage);
        let all = world.barriers.with(&start.memory.doubled);
        Self {
            barriers: stays.part(&all),
            friction: friction(world, start),
            stays,
            all,
        }
    }

    /// Minimum of the stage from a state; where it begins if nobody is awake.
    ///
    /// # Errors
    /// [`Failure`], if the stage is not solved.
    pub(super) fn minimum(
        &self,
        world: &World,
        solver: &mut Solver,
        stage: &mut Stage,
        from: &State,
        strategy: Strategy,
    ) -> Result<Minimum, Failure> {
        let surroundings = Surroundings {
            barriers: &self.barriers,
            friction: &self.friction,
        };
        if self.stays.are_everybody() {
            unsolved(world, surroundings, solver, stage, from)
        } else {
            minimum_of(world, surroundings, solver, stage, from, strategy)
        }
    }

    /// End of the stage: sleepers keep what they had at its `start`, and their contacts are found.
    ///
    /// # Errors
    /// [`Failure::Touching`], if something touches there.
    pub(super) fn completed(
        &self,
        world: &World,
        solver: &mut Solver,
        stage: &Stage,
        start: &State,
        mut minimum: Minimum,
        mut stiffened: Stiffened,
    ) -> Result<End, Failure> {
        let Self { stays, .. } = self;
        let woken = stays.met(world, &minimum.iterate.contacts);
        let before = &start.memory;
        stays.keep(&mut stiffened, &before.doubled);
        stays.keep_forces(world, &mut minimum.multipliers, &before.multipliers);

        let surroundings = Surroundings {
            barriers: &self.all,
            friction: &self.friction,
        };
        Ok(End {
            minimum: minimum.completed(stays, world, surroundings, solver, stage)?,
            stiffened,
            woken,
        })
    }
}

/// Minimum of a stage that begins at `from`; in statics equilibrium at its end, and with arc length the
/// next one on the path.
///
/// # Errors
/// [`Failure`], if the stage is not solved.
fn minimum_of(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    strategy: Strategy,
) -> Result<Minimum, Failure> {
    if let Some(control) = world.arc_length {
        let how = (control, strategy);
        next_on_path(world, surroundings, solver, stage, from, how)
    } else if world.integrator.is_static() {
        equilibrium(world, surroundings, solver, stage, from, strategy)
    } else {
        solve_stage(world, surroundings, solver, stage, from, strategy)
    }
}

/// Friction in a step from `start`: that of the world, with the coefficients that were set and the
/// anchors of the state.
fn friction<'a>(world: &'a World, start: &State) -> Cow<'a, FrictionTable> {
    let mut table = Cow::Borrowed(&world.friction);
    if table.sticks {
        table = Cow::Owned(table.holding(&start.memory.anchors));
    }
    if !start.parameters.keep_friction() {
        start.parameters.rub(table.to_mut());
    }
    table
}
