//! One step through time, and the account of its start.
//!
//! A plain step is one attempt, `stages::advance`: the integrator predicts, the solver minimises an
//! incremental potential, velocities follow. `minimum` is the loop around Newton's method, `lagging`
//! the friction in it, `surroundings` what earlier steps have left between bodies. Options are in
//! [`options`](super::options): around a step (`around_step`) and within a stage (`of_stage`).
//!
//! The state changes only if the step succeeds.

pub(in crate::time) mod joint_memory;
pub(in crate::time) mod lagging;
pub(in crate::time) mod minimum;
mod motion_so_far;
pub(in crate::time) mod stage_end;
pub(in crate::time) mod stages;
pub(in crate::time) mod surroundings;

use super::memory::StepMemory;
use super::options::around_step::end_of_step;
use super::options::sleep::sleep_on;
use super::options::stiffening::barriers;
use super::parameters::Parameters;
use super::record::Record;
use super::report::{StepOutput, StepReport};
use super::span::Span;
use super::state::State;
use super::world::World;
use crate::constraint::stored_energy;
use crate::solve::{Failure, Iterate, Solver, Touching};
use ipcsim_energy::dead_load;

/// Brings `state` to the end of the next time step.
///
/// The end time is a multiple of `world.h`, so that no error of time adds up; with arc length it is
/// the load time of the next equilibrium.
///
/// # Errors
/// [`Failure`] of the usual method, if no fallback solves the step either (see
/// [`Recovery`](super::Recovery)); [`Failure::Interrupted`] if it is stopped from outside. Then
/// `state` is as before, and the solver's memory is not.
pub fn step(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepOutput, Failure> {
    let before = set_parameters(world, state);
    let span = Span {
        end: (state.step + 1) as f64 * world.h,
        h: world.h,
    };

    // Nothing is solved while all bodies sleep.
    if let Some(report) = sleep_on(world, solver, state, span) {
        let log = solver.take_log();
        return Ok(StepOutput { report, log });
    }

    // The log is taken even if the step failed.
    let end = end_of_step(world, solver, state, span);
    let log = solver.take_log();
    match end {
        Ok(end) => {
            let mut report = end.report;
            if let Some(ledger) = &mut report.record.ledger {
                ledger.work.changes += before.gained(world, state);
            }
            *state = end.state;
            Ok(StepOutput { report, log })
        }
        Err(failure) => {
            before.put_back(state);
            Err(failure)
        }
    }
}

/// What a state had before parameters were set; nothing if none were.
struct Before(Option<(Parameters, StepMemory)>);

impl Before {
    /// Energy (J) that the setting of parameters has added to that of a `state`: its weight has
    /// another potential, and its springs another energy.
    fn gained(&self, world: &World, state: &State) -> f64 {
        let Some((parameters, _)) = &self.0 else {
            return 0.0;
        };
        let change = |i| world.weight(&state.parameters, i) - world.weight(parameters, i);
        let memory = &state.memory;
        let stored = |set: &Parameters| {
            let joints = set.joints(&world.model.joints);
            stored_energy(&joints, &state.x, &memory.turned, &memory.broken)
        };
        dead_load(change, &state.q) + stored(&state.parameters) - stored(parameters)
    }

    /// Undoes the setting of parameters.
    fn put_back(self, state: &mut State) {
        if let Some((parameters, memory)) = self.0 {
            state.parameters = parameters;
            state.memory = memory;
        }
    }
}

/// Sets the parameters that change between the last step and the next one, and wakes all bodies if
/// there are any.
fn set_parameters(world: &World, state: &mut State) -> Before {
    let mut changes = world.changes_after(state.step).peekable();
    if changes.peek().is_none() {
        return Before(None);
    }
    let before = (state.parameters.clone(), state.memory.clone());
    changes.for_each(|change| state.parameters.set(change));
    state.memory.after_change();
    Before(Some(before))
}

/// Account of a state on which nothing has acted yet: its energies and contacts.
///
/// # Errors
/// [`Failure::Touching`], with the touching pair.
pub fn begin(world: &World, solver: &mut Solver, state: &State) -> Result<StepOutput, Failure> {
    // Contacts at the start; the log is taken even if something touches.
    let barriers = barriers(world, state);
    let found = solver.iterate_at(&world.model, &barriers, state.configuration(), &state.x);
    let log = solver.take_log();
    let Iterate { contacts, .. } = found?;

    // Report, and contacts for the first step.
    let record = Record::of_start(world, state, &contacts);
    solver.finish(Touching {
        contacts,
        ..Touching::default()
    });
    let report = StepReport::of(record, state.hash());
    Ok(StepOutput { report, log })
}
