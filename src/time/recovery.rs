//! What is done about a step that Newton's method as it is cannot solve.
//!
//! The step is tried again from its start, once on every rung of a ladder, until one of them solves it:
//!
//! 1. **tighter filter**: a direction goes at most a third of the usual share of the way to contact, so that gaps shrink
//!    slowly and barriers do not become stiff all of a sudden;
//! 2. **regularized Hessian**: the exact Hessian of contacts and arcs and a multiple of the mass, instead of projection;
//! 3. **gradient**: scaled gradients for a while, then Newton's method: these need no factorisation;
//! 4. **halved step**: two steps of half the length, with prescribed motion and lagged friction of their own, each of
//!    which may be halved again.
//!
//! Every rung solves to the same tolerance and keeps every state free of intersections. Which one it was is a function of
//! the state at the step's start, as the step itself is. If none solves the step its first failure counts.

use super::step::{Span, advance};
use super::{State, StepReport, World};
use crate::solve::{Direction, Failure, Manner, Solver, Status};
use serde::{Deserialize, Serialize};

/// A rung of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Directions stay farther away from contact.
    TighterFilter,
    /// The exact Hessian with a multiple of the mass.
    RegularizedHessian,
    /// Scaled gradients first.
    Gradient,
    /// Two steps of half the length, or more and smaller ones.
    HalvedStep,
}

/// How a step was solved after all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// The rung that solved it.
    pub rung: Rung,
    /// A short name of why Newton's method as it is did not, for programs.
    pub kind: String,
    /// The same in a sentence.
    pub why: String,
}

/// Share, of the usual one, of the way to contact that a direction may take under the tighter filter.
const TIGHTER: f64 = 1.0 / 3.0;
/// Directions that are scaled gradients.
const GRADIENTS: usize = 100;
/// How often a step may be halved.
const MAX_HALVINGS: usize = 4;

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: [Self; 4] = [
        Self::TighterFilter,
        Self::RegularizedHessian,
        Self::Gradient,
        Self::HalvedStep,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::TighterFilter => "tighter_filter",
            Self::RegularizedHessian => "regularized_hessian",
            Self::Gradient => "gradient",
            Self::HalvedStep => "halved_step",
        }
    }

    fn manner(self) -> Manner {
        match self {
            Self::TighterFilter => Manner {
                reach: TIGHTER,
                ..Manner::USUAL
            },
            Self::RegularizedHessian => Manner {
                direction: Direction::Regularized,
                ..Manner::USUAL
            },
            Self::Gradient => Manner {
                direction: Direction::Gradient(GRADIENTS),
                ..Manner::USUAL
            },
            Self::HalvedStep => Manner::USUAL,
        }
    }
}

/// What the lowest rung makes of a step that can, after `failure`.
///
/// # Errors
/// `failure`, if there is none, or if no rung can help against it.
pub(super) fn recover(
    failure: Failure,
    mut retry: impl FnMut(Rung) -> Result<(State, StepReport), Failure>,
) -> Result<(State, StepReport), Failure> {
    if matches!(failure, Failure::Touching(_) | Failure::OutOfMemory { .. }) {
        return Err(failure);
    }
    let solved = Rung::ALL
        .into_iter()
        .find_map(|rung| Some((rung, retry(rung).ok()?)));
    let (rung, (state, report)) = solved.ok_or(failure)?;
    Ok((
        state,
        StepReport {
            recovery: Some(Recovery {
                rung,
                kind: failure.kind().to_owned(),
                why: failure.to_string(),
            }),
            ..report
        },
    ))
}

/// Tries a span once more, on a rung.
///
/// # Errors
/// Why it does not solve it either.
pub(super) fn retry(
    rung: Rung,
    world: &World,
    solver: &mut Solver,
    state: &State,
    span: Span,
) -> Result<(State, StepReport), Failure> {
    if rung == Rung::HalvedStep {
        return halved(world, solver, state, (span, MAX_HALVINGS));
    }
    solver.manner = rung.manner();
    let tried = advance(world, solver, state, span);
    solver.manner = Manner::USUAL;
    tried
}

/// A span as two of half the length, each of them halved again where that is needed, at most `depth` times.
fn halved(
    world: &World,
    solver: &mut Solver,
    state: &State,
    (span, depth): (Span, usize),
) -> Result<(State, StepReport), Failure> {
    let h = 0.5 * span.h;
    let mut part = |from: &State, end: f64| {
        let span = Span { end, h };
        match advance(world, solver, from, span) {
            Err(_) if depth > 1 => halved(world, solver, from, (span, depth - 1)),
            tried => tried,
        }
    };
    let (middle, first) = part(state, span.end - h)?;
    let (end, second) = part(
        &State {
            step: state.step,
            ..middle
        },
        span.end,
    )?;
    let mut record = second.record;
    record.newton_iterations += first.record.newton_iterations;
    let rounding = [first.status, second.status].contains(&Status::RoundingReached);
    let report = StepReport {
        status: if rounding {
            Status::RoundingReached
        } else {
            Status::Converged
        },
        residual: first.residual.max(second.residual),
        lag_residual: first.lag_residual.max(second.lag_residual),
        recovery: None,
        record,
    };
    Ok((end, report))
}
