//! Sleep: groups of bodies at rest stay where they are, and a step solves nothing for them.
//!
//! Bodies that may come near each other in a step make a [group](plan), as do bodies that a joint
//! connects. A group sleeps in a step if each of its bodies has been quiet at the end of some steps
//! in a row: no vertex faster than a speed `s`, and forces in balance within the residual of the
//! solver. For the step
//!
//! - velocities of its bodies are 0, and their coordinates fixed: they are eliminated, as prescribed
//!   ones are;
//! - contacts between bodies that stay are not computed ([`Sleeping`](crate::time::options::sleeping::Sleeping)). They are found
//!   once at the end, for reports and for anchors of friction;
//! - collision detection goes on, so that certificates hold for sleepers as for all others;
//! - where all bodies sleep nothing is solved at all, and the next such step repeats the [report](all_asleep).
//!
//! A group wakes *before* a step in which something that acts on it [`changes`], or in which a body
//! that is awake may come near: any place within its velocity and the fall under gravity counts. If
//! a body that is awake ends a step within `d_hat` of a sleeper all the same, the step is solved
//! again from its start, with that group awake. So no accepted step has a force between sleepers
//! and others that was left out: the solve is exactly the step of the bodies that are awake.
//!
//! **The error.** Motion slower than `s`. In the time `T` that a body sleeps, it would have moved
//! by `s T` at most while it stayed as slow as it was. Its kinetic energy, at most `1/2 m s^2` each
//! time it falls asleep, is a term of the ledger. The force that it neglects is at most
//! `m (2 s + r) / h` with the imbalance `r` of the solver: it could change a velocity by `2 s`
//! within a step.
//!
//! All of it follows from numbers of the state, of no clock and no thread, and the counts of quiet
//! steps are part of the memory of a step: a resumed run falls asleep and wakes at the same steps.

mod all_asleep;
pub(in crate::time) mod asleep_stage;
mod changes;
mod plan;

use crate::solve::{Failure, Solver};
use crate::time::memory::Rest;
use crate::time::options::control::Sleep;
use crate::time::options::ledger::jump;
use crate::time::options::recovery::whole;
use crate::time::report::StepReport;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::StageResult;
use crate::time::world::World;
use changes::changing;
use ipcsim_math::Vec2;
use plan::Plan;

pub(in crate::time) use all_asleep::sleep_on;

/// Computes the end of a span as one step, in which groups of bodies at rest sleep as `sleep` lets
/// them.
///
/// # Errors
/// [`Failure`] of the usual method with all bodies awake, if no fallback solves the span either.
pub(in crate::time) fn with_sleepers(
    world: &World,
    solver: &mut Solver,
    state: &State,
    span: Span,
    sleep: &Sleep,
) -> Result<StageResult, Failure> {
    let changing = changing(world, state, span);
    let mut plan = Plan::of(world, sleep, state, span, &changing);
    let mut woken = Vec::new();
    let mut wasted = 0;
    loop {
        let start = laid_down(world, state, &plan.asleep);

        // A failure with sleepers proves nothing: all bodies awake decide.
        let mut arrival = match whole(world, solver, &start, span) {
            Err(failure) if !plan.has_sleepers() || failure == Failure::Interrupted => {
                return Err(failure);
            }
            Err(_) => {
                woken.extend(plan.wake_all());
                continue;
            }
            Ok(arrival) => arrival,
        };

        // A body came near a sleeper: the step is repeated with its group awake.
        if !arrival.report.woken.is_empty() {
            wasted += arrival.report.record.newton_iterations;
            woken.extend(plan.wake(world, sleep, state, &arrival.report.woken));
            continue;
        }

        arrival.report.record.newton_iterations += wasted;
        woken.sort_unstable();
        arrival.report.woken = woken;
        enter(world, &mut arrival.report, state, &start);
        arrival.state.memory.options.sleep.rest = rested(world, sleep, &start, &arrival, &changing);
        arrival.report.hash = arrival.state.hash();

        // Repeating the step needs no solve as long as nothing changes.
        if plan.is_night() {
            all_asleep::keep(world, solver, &arrival.state, &arrival.report);
        }
        return Ok(arrival);
    }
}

/// Enters into the ledger of a step, if it has one, the energy and momentum that sleepers have in a
/// `state` and not in that with which the step began.
fn enter(world: &World, report: &mut StepReport, state: &State, start: &State) {
    if let Some(ledger) = &mut report.record.ledger {
        let at = state.configuration();
        let (work, impulse) = jump(&world.model, &at, &state.q_dot, &start.q_dot);
        ledger.work.sleep += work;
        ledger.impulses.sleep += impulse;
    }
}

/// The state at the start of a step in which some bodies are `asleep`, `[bodies]`: without their
/// velocities.
fn laid_down(world: &World, state: &State, asleep: &[bool]) -> State {
    let mut start = state.clone();
    let steps = world.options.sleep.as_ref().map_or(0, |sleep| sleep.steps);
    let memory = &mut start.memory.options.sleep;
    memory.rest.resize(world.bodies.len(), Rest::default());
    for (number, body) in world.bodies.iter().enumerate() {
        let rest = &mut memory.rest[number];
        rest.asleep = asleep[number];
        if rest.asleep {
            rest.quiet = steps;
            start.q_dot[body.nodes.clone()].fill(Vec2::zeros());
            start.v[body.vertices.clone()].fill(Vec2::zeros());
        }
    }
    start
}

/// How long each body has been quiet at the end of a step that began with `start`, `[bodies]`.
///
/// No body is quiet if the solver's residual exceeds its tolerance, or if its loads are `changing`.
fn rested(
    world: &World,
    sleep: &Sleep,
    start: &State,
    arrival: &StageResult,
    changing: &[bool],
) -> Vec<Rest> {
    let StageResult { state, report } = arrival;
    let is_balanced = report.record.imbalance <= world.newton.imbalance.max(sleep.slowest());

    let bodies = world.bodies.iter().enumerate();
    let after = bodies.map(|(number, body)| {
        let before = start.memory.options.sleep.rest[number];
        if before.asleep || body.kind.is_obstacle() {
            return before;
        }

        let speeds = state.v[body.vertices.clone()].iter().map(Vec2::norm);
        let is_slow = speeds.fold(0.0, f64::max) <= sleep.speeds[number];
        let is_quiet = is_slow && is_balanced && !changing[number];

        Rest {
            quiet: if is_quiet {
                before.quiet.saturating_add(1).min(sleep.steps)
            } else {
                0
            },
            asleep: false,
        }
    });
    after.collect()
}
