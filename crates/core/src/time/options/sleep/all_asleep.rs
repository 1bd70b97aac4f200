//! Steps in which all bodies sleep, one after another.
//!
//! Such a step leaves everything but its number and time as it is, and its report equals the report
//! of the step before. The solver keeps that report, and a step asks only whether something changes
//! that could wake a body. A run that resumes has no report to repeat, computes the first one, and
//! has the same bits.

use super::changing;
use crate::solve::Solver;
use crate::time::report::StepReport;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_math::Vec2;
use std::sync::Arc;

/// The last step, in which all bodies slept.
#[derive(Debug)]
struct AllAsleep {
    /// Coordinates of all nodes (m; of angles rad), `[nodes]`.
    q: Vec<Vec2>,
    /// Number of sleepers.
    sleepers: usize,
    /// Hash of the state but for the step number.
    contents: u64,
    /// Account of the step.
    report: StepReport,
}

/// Lets a solver keep the `report` of a step to `state` in which all bodies slept.
///
/// Nothing is kept where a report contains durations, whose rounding differs from step to step.
pub(super) fn keep(world: &World, solver: &mut Solver, state: &State, report: &StepReport) {
    if world.options.ledger {
        return;
    }
    solver.keep(Arc::new(AllAsleep {
        q: state.q.clone(),
        sleepers: state.memory.options.sleep.sleeping_count(),
        contents: state.hash_of_contents(),
        report: report.clone(),
    }));
}

/// Brings `state` to the end of a span in which all bodies sleep, as in the step before; `None` if
/// a body may wake, or if the solver has no such step.
pub(in crate::time) fn sleep_on(
    world: &World,
    solver: &mut Solver,
    state: &mut State,
    span: Span,
) -> Option<StepReport> {
    let last = solver.last();
    let kept = last.kept.as_ref()?.downcast_ref::<AllAsleep>()?;
    let is_same = last.stage.as_ref()?.end.to_bits() == state.time.to_bits()
        && kept.q == state.q
        && kept.sleepers == state.memory.options.sleep.sleeping_count();
    if !is_same || changing(world, state, span).contains(&true) {
        return None;
    }

    let mut report = kept.report.clone();
    let contents = kept.contents;
    solver.pass_until(span.end);
    state.step += 1;
    state.time = span.end;
    report.record.step = state.step;
    report.record.time = state.time;
    report.hash = state.hash_with(contents);
    Some(report)
}
