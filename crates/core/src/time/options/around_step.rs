//! Options around a step: which of them finds its end.

use super::adaptive::adaptively;
use super::arc_length::step_control::along_path;
use super::recovery::whole;
use super::sleep::with_sleepers;
use super::tightening::tightened;
use crate::solve::{Failure, Solver};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::StageResult;
use crate::time::world::World;

/// Computes the end of a step: in substeps, along a path, with groups of bodies that sleep, with
/// sections that are tightened, or as one whole.
///
/// # Errors
/// [`Failure`] of the usual method, if no fallback solves the step either.
pub(in crate::time) fn end_of_step(
    world: &World,
    solver: &mut Solver,
    state: &State,
    span: Span,
) -> Result<StageResult, Failure> {
    let options = &world.options;
    if options.arc_length.is_some() {
        along_path(world, solver, state)
    } else if let Some(control) = options.adaptive {
        adaptively(world, solver, state, span, control)
    } else if let Some(sleep) = &options.sleep {
        with_sleepers(world, solver, state, span, sleep)
    } else if !options.preloads.is_empty() {
        tightened(world, solver, state, span, |solver, trial| {
            whole(world, solver, trial, span)
        })
    } else {
        whole(world, solver, state, span)
    }
}
