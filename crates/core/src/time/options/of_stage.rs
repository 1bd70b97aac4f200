//! Options within a stage, as the plain stage of a step needs them.
//!
//! Each function says what a stage is without options, and with them. They are called in this order.

use super::arc_length::continuation::next_on_path;
use super::energy_correction::{Restored, restore};
use super::ledger::{Account, Jump};
use super::predictor::{PAST, expected};
use super::restitution::{Rebound, Struck, rebound};
use super::sleep::asleep_stage::{completed, unsolved};
use super::statics::equilibrium::equilibrium;
use super::statics::extrapolation::extrapolated;
use super::sticking;
use crate::solve::{Failure, Solver, Stage, Strategy};
use crate::time::memory::{
    AdaptiveMemory, EnergyMemory, OptionMemory, PathMemory, PlasticityMemory, StiffeningMemory,
};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::minimum::Minimum;
use crate::time::step::stage_end::StageEnd;
use crate::time::step::surroundings::Around;
use crate::time::world::World;
use ipcsim_contact::Stiffened;
use std::mem::take;

/// Where bodies are expected to go in a stage of a step from `start`: in statics as in the last increment,
/// and if steps are adaptive by the forces of the last ones.
pub(in crate::time) fn expect(world: &World, start: &State, stage: &mut Stage, span: Span) {
    if world.integrator.is_static() && world.options.arc_length.is_none() {
        stage.expected = extrapolated(world, start, span);
    } else if world.options.adaptive.is_some() {
        stage.expected = expected(start, stage, span.h);
    }
}

/// End of a stage that is not the minimum of its potential: where the stage begins if all bodies
/// sleep, equilibrium in statics, and with arc length the next one on the path. `None` for a plain
/// stage.
pub(in crate::time) fn instead_of_minimum(
    world: &World,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    around: &Around,
    strategy: Strategy,
) -> Option<Result<Minimum, Failure>> {
    let surroundings = around.awake();

    if around.sleeping.are_all() {
        Some(unsolved(world, surroundings, solver, stage, from))
    } else if let Some(control) = world.options.arc_length {
        let how = (control, strategy);
        Some(next_on_path(world, surroundings, solver, stage, from, how))
    } else if world.integrator.is_static() {
        Some(equilibrium(
            world,
            surroundings,
            solver,
            stage,
            from,
            strategy,
        ))
    } else {
        None
    }
}

/// Velocities at the end of a stage.
pub(in crate::time) struct Velocities {
    /// Velocities of coordinates (m/s; of angles rad/s), `[nodes]`, and the energy deficit.
    pub(in crate::time) restored: Restored,
    /// Bodies whose velocities jumped.
    pub(in crate::time) struck: Struck,
    /// Number of groups of bodies whose coefficients of restitution were lowered.
    pub(in crate::time) lowered: usize,
    /// Account of the stage, if the world keeps a ledger.
    pub(in crate::time) account: Option<Account>,
}

/// Velocities at the end of a stage: its own, or those after impacts, and otherwise with the energy
/// that the integrator has taken if the world keeps it. The account of the stage has both.
pub(in crate::time) fn velocities(
    world: &World,
    account: Option<&Account>,
    landing: StageEnd,
    is_last: bool,
) -> Velocities {
    let model = &world.model;
    let StageEnd {
        stage, from, at, ..
    } = landing;
    let Rebound {
        caught,
        lawful,
        q_dot,
        struck,
        lowered,
        by_scripts,
    } = rebound(world, landing);

    // The account has the changes by impacts first, then that by restored energy.
    let mut account = account.copied();
    if let Some(account) = &mut account {
        let lawful = lawful.as_deref().unwrap_or(&caught);
        let staged = stage.velocity(&at.q);
        account.add_jump(Jump::Impacts, model, at, [&staged, &caught]);
        account.add_jump(Jump::Restitution, model, at, [&caught, lawful]);
        account.add_jump(Jump::Impacts, model, at, [lawful, &q_dot]);
        account.add_by_scripts(by_scripts);
    }

    let owed = from.memory.options.energy_correction.owed;
    let owed = owed.unwrap_or(0.0);
    let keeps = world.options.keeps_energy && struck.is_nobody();
    let restored = match account.as_mut().filter(|_| keeps) {
        None => Restored::nothing(q_dot, owed),
        Some(account) => {
            let restored = restore(world, landing, account, owed, q_dot.clone(), is_last);
            account.add_jump(Jump::Restored, model, at, [&q_dot, &restored.q_dot]);
            restored
        }
    };
    Velocities {
        restored,
        struck,
        lowered,
        account,
    }
}

/// Number of past states that a step remembers, for its integrator, for the control of substeps, and
/// for the direction of a path or of increments.
pub(in crate::time) fn depth(world: &World) -> usize {
    let own = world.integrator.history();
    if world.options.adaptive.is_some() {
        own.max(PAST)
    } else if world.options.arc_length.is_some() || world.integrator.is_static() {
        own.max(1)
    } else {
        own
    }
}

/// A stage with the contacts of sleeping bodies.
pub(in crate::time) struct Completed {
    /// The minimum.
    pub(in crate::time) minimum: Minimum,
    /// Barriers of the next step.
    pub(in crate::time) stiffened: Stiffened,
    /// Sleeping bodies that others came near to.
    pub(in crate::time) woken: Vec<usize>,
}

/// Completes the `found` end of a stage of a step that begins with `start`: sleeping bodies keep the
/// stiffness and the joint forces that they had, and their contacts are found.
///
/// # Errors
/// [`Failure::Touching`], if something touches there.
pub(in crate::time) fn complete(
    world: &World,
    solver: &mut Solver,
    stage: &Stage,
    start: &State,
    around: &Around,
    found: (Minimum, Stiffened),
) -> Result<Completed, Failure> {
    let (mut minimum, stiffened) = found;
    let sleeping = &around.sleeping;
    let before = &start.memory;
    let woken = sleeping.met(world, &minimum.iterate.contacts);
    sleeping.keep_forces(world, &mut minimum.multipliers, &before.multipliers);
    let minimum = completed(minimum, sleeping, world, around.everywhere(), solver, stage)?;
    Ok(Completed {
        minimum,
        stiffened,
        woken,
    })
}

/// Memory of all options at the end of a stage that began at `from`, in a step from `start`, where
/// velocities are still `owed` an energy (J). It takes what only the memory needs from the stage.
pub(in crate::time) fn remembered(
    world: &World,
    [start, from]: [&State; 2],
    stage: &Stage,
    completed: &mut Completed,
    owed: f64,
) -> OptionMemory {
    let Completed {
        minimum, stiffened, ..
    } = completed;
    OptionMemory {
        stiffening: StiffeningMemory {
            adapted: take(&mut stiffened.adapted),
        },
        sticking: sticking::remembered(world, &minimum.friction, &minimum.tangents),
        // A substep is accepted, and the next length known, only after its last stage.
        adaptive: AdaptiveMemory::default(),
        arc_length: PathMemory {
            gained: world.options.arc_length.map(|_| stage.end - from.time),
        },
        energy_correction: EnergyMemory {
            owed: world.options.keeps_energy.then_some(owed),
        },
        plasticity: PlasticityMemory {
            flowed: take(&mut minimum.flowed),
        },
        // Bodies are quiet at the end of whole steps.
        sleep: start.memory.options.sleep.clone(),
        gas: world.gas_at(start, &minimum.iterate.at.x, stage.end),
    }
}
