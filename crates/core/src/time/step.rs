//! One step through time, and the start of a simulation.
//!
//! A step is one [`whole`](super::recovery::whole) span, in which groups of bodies may
//! [`sleep`](super::sleep), or several substeps
//! ([`adaptive`](super::adaptive)). The state changes only if the step succeeds.

use super::adaptive::adaptively;
use super::advance::{StageResult, anchors};
use super::ending::is_over;
use super::equilibrium;
use super::memory::StepMemory;
use super::minimum::Surroundings;
use super::record::Record;
use super::report::{StepOutput, StepReport};
use super::sleep::{sleep_on, with_sleepers};
use super::span::Span;
use super::state::State;
use super::step_control::along_path;
use super::world::World;
use crate::solve::{Failure, Iterate, Solver, Touching};

/// Brings `state` to the end of the next time step.
///
/// The end time is a multiple of `world.h`, so that no error of time adds up; with arc length it is that
/// of the next equilibrium.
///
/// # Errors
/// [`Failure`] of the usual method, if no fallback solves the step either (see
/// [`Recovery`](super::Recovery)); [`Failure::Interrupted`] if it is stopped from outside. Then
/// `state` is as before, and the solver's memory is not.
pub fn step(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepOutput, Failure> {
    let mut changes = world.changes_after(state.step).peekable();
    if changes.peek().is_none() {
        return step_with(world, solver, state);
    }

    // What acts on bodies is different now, so that nobody sleeps.
    let before = state.parameters.clone();
    let rest = std::mem::take(&mut state.memory.rest);
    changes.for_each(|change| state.parameters.set(change));
    let done = step_with(world, solver, state);
    if done.is_err() {
        state.parameters = before;
        state.memory.rest = rest;
    }
    done
}

/// [`step`], once parameters have been set.
///
/// # Errors
/// As those of [`step`].
fn step_with(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepOutput, Failure> {
    let end = (state.step + 1) as f64 * world.h;
    let span = Span { end, h: world.h };
    if let Some(report) = sleep_on(world, solver, state, span) {
        let log = solver.take_log();
        return Ok(StepOutput { report, log });
    }
    let arrival = match (world.adaptive, world.arc_length) {
        (_, Some(_)) => along_path(world, solver, state),
        (Some(control), None) => adaptively(world, solver, state, span, control),
        (None, None) => with_sleepers(world, solver, state, span),
    };

    // The log is taken even if the step failed.
    let log = solver.take_log();
    let StageResult {
        state: end,
        mut report,
    } = arrival?;
    report.over = is_over(world, [state, &end], &report.record);
    *state = end;
    Ok(StepOutput { report, log })
}

/// Brings the start of a run to equilibrium under the loads at its time, if the world asks for that;
/// a later state stays as it is.
///
/// Velocities stay those of the scene. What the search finds of friction and joints, the first step
/// remembers.
///
/// # Errors
/// [`Failure`] of the search. Then `state` is as before.
pub fn settle(world: &World, state: &mut State) -> Result<(), Failure> {
    let Some(settling) = world.settling.filter(|_| state.step == 0) else {
        return Ok(());
    };
    let barriers = world.barriers.with(&state.memory.doubled);
    let surroundings = Surroundings {
        barriers: &barriers,
        friction: &world.friction,
    };
    let found = equilibrium::settle(world, settling, state, surroundings)?;

    let memory = StepMemory {
        anchors: anchors(world, &found.friction, &found.tangents),
        multipliers: found.multipliers,
        turned: found.turned,
        flowed: found.flowed,
        ..StepMemory::default()
    };
    let q_dot = std::mem::take(&mut state.q_dot);
    *state = State {
        time: state.time,
        memory,
        parameters: state.parameters.clone(),
        ..State::of(&world.model.coordinates, found.iterate.at, q_dot)
    };
    Ok(())
}

/// Account of a state on which nothing has acted yet: its energies and contacts.
///
/// # Errors
/// [`Failure::Touching`], with the touching pair.
pub fn begin(world: &World, solver: &mut Solver, state: &State) -> Result<StepOutput, Failure> {
    // Contacts at the start; the log is taken even if something touches.
    let barriers = world.barriers.with(&state.memory.doubled);
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
