//! One step through time.

use super::advance::{Arrival, advance};
use super::record::Record;
use super::recovery::recover;
use super::report::{StepOutput, StepReport};
use super::span::Span;
use super::state::State;
use super::world::World;
use crate::solve::{Failure, Iterate, Solver, Strategy, Touching};

/// Brings `state` to the end of the next time step.
///
/// # Errors
/// [`Failure`] of the usual method, if no fallback solves the step either (see
/// [`Recovery`](super::Recovery)). Then `state` is as before.
pub fn step(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepOutput, Failure> {
    let end = (state.step + 1) as f64 * world.h;
    let span = Span { end, h: world.h };
    let arrival = advance(world, solver, state, span, Strategy::USUAL)
        .or_else(|failure| recover(world, solver, state, span, failure));

    let log = solver.take_log();
    let Arrival { state: end, report } = arrival?;
    *state = end;
    Ok(StepOutput { report, log })
}

/// Account of a state on which nothing has acted yet.
///
/// # Errors
/// [`Failure::Touching`], with the touching pair.
pub fn begin(world: &World, solver: &mut Solver, state: &State) -> Result<StepOutput, Failure> {
    let found = solver.iterate_at(&world.model, world.barrier, state.configuration(), &state.x);
    let log = solver.take_log();
    let Iterate { contacts, .. } = found?;
    let record = Record::new(world, state, &contacts, 0.0, 0);
    solver.finish(Touching {
        contacts,
        ..Touching::default()
    });
    let report = StepReport::of_start(record, state.hash());
    Ok(StepOutput { report, log })
}
