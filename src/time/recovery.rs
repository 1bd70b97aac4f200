//! Fallbacks for a step that the usual Newton's method does not solve.
//!
//! The step is tried again from its start, once on every rung of a ladder, until one of them solves
//! it:
//!
//! 1. **tighter filter**: a direction takes at most a third of the usual share of the way to
//!    contact, so that gaps shrink slowly and barriers do not become stiff suddenly;
//! 2. **regularized Hessian**: the exact Hessian of contacts and arcs and a multiple of the mass,
//!    instead of projection;
//! 3. **gradient**: scaled gradients for some iterations, then Newton's method: these need no
//!    factorisation;
//! 4. **halved step**: two steps of half the length, with prescribed motion and lagged friction of
//!    their own; each may be halved again.
//!
//! Every rung solves to the same tolerance and keeps every state free of intersections. The rung
//! that helps is a function of the state at the step's start, as the step itself is. If none solves
//! the step, its first failure counts.

use super::advance::{Arrival, advance};
use super::rung::{Recovery, Rung};
use super::span::Span;
use super::state::State;
use super::world::World;
use crate::solve::{Failure, Search, Solver, Strategy};

/// Share of the usual way to contact that a direction may take under the tighter filter (1).
const TIGHTER: f64 = 1.0 / 3.0;
/// Number of directions that are scaled gradients.
const GRADIENTS: usize = 100;
/// Number of times that a step may be halved.
const MAX_HALVINGS: usize = 4;

/// Variant of Newton's method on a rung; the usual one for halved steps.
fn strategy(rung: Rung) -> Strategy {
    let search = match rung {
        Rung::TighterFilter | Rung::HalvedStep => Search::Newton,
        Rung::RegularizedHessian => Search::Regularized,
        Rung::Gradient => Search::ScaledGradient(GRADIENTS),
    };

    let reach = match rung {
        Rung::TighterFilter => TIGHTER,
        _ => Strategy::USUAL.reach,
    };
    Strategy { reach, search }
}

/// Solves a span on the lowest rung that can, after the usual method has ended with `failure`.
///
/// The report of the step names the rung and the failure.
///
/// # Errors
/// `failure`, if no rung solves the span, or if none can help against it.
pub(super) fn recover(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    failure: Failure,
) -> Result<Arrival, Failure> {
    if matches!(failure, Failure::Touching(_) | Failure::OutOfMemory { .. }) {
        return Err(failure);
    }

    for rung in Rung::ALL {
        let retried = match rung {
            Rung::HalvedStep => halved(world, solver, start, span, MAX_HALVINGS),
            _ => advance(world, solver, start, span, strategy(rung)),
        };
        if let Ok(mut arrival) = retried {
            arrival.report.recovery = Some(Recovery {
                rung,
                kind: failure.kind().to_owned(),
                why: failure.to_string(),
            });
            return Ok(arrival);
        }
    }
    Err(failure)
}

/// Solves a span as two of half the length, each of them halved again where that is needed, at most
/// `depth` times.
///
/// # Errors
/// [`Failure`] of the first piece that is not solved.
fn halved(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    depth: usize,
) -> Result<Arrival, Failure> {
    let [first, second] = span.halves();
    let middle = half(world, solver, start, first, depth)?;

    // Both halves count as one step.
    let from = State {
        step: start.step,
        ..middle.state
    };
    let end = half(world, solver, &from, second, depth)?;
    Ok(Arrival {
        state: end.state,
        report: middle.report.followed_by(end.report),
    })
}

/// Solves half a span, or halves it again if `depth` allows that.
///
/// # Errors
/// [`Failure`] of the first piece that is not solved.
fn half(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    depth: usize,
) -> Result<Arrival, Failure> {
    // Shorter spans are easier: the usual method goes first.
    match advance(world, solver, start, span, Strategy::USUAL) {
        Err(_) if depth > 1 => halved(world, solver, start, span, depth - 1),
        solved => solved,
    }
}
