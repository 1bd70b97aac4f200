//! Fallbacks for a step that the usual Newton's method does not solve.
//!
//! The step is tried again from its start, once on every rung of a ladder, until one of them solves
//! it:
//!
//! 1. **tighter filter**: a direction takes at most a third of the usual share of the displacement
//!    to contact, so that gaps shrink slowly and barriers do not become stiff suddenly;
//! 2. **regularized Hessian**: the exact Hessian of contacts and arcs and a multiple of the mass,
//!    instead of projection;
//! 3. **gradient**: scaled gradients for some iterations, then Newton's method: these need no
//!    factorisation;
//! 4. **halved step**: two steps of half the length, each with its prescribed motion and lagged
//!    friction; each may be halved again;
//! 5. **damped motion**, in statics: bodies that snap from one equilibrium to another follow motion
//!    without inertia in a tough liquid.
//!
//! In statics an increment in which friction goes round in circles is halved, too, though it is solved.
//!
//! Every rung solves to the same tolerance and keeps every state free of intersections. The rung
//! that helps is a function of the state at the step's start, as the step itself is. If none solves
//! the step, its first failure counts.

use crate::solve::{Failure, Search, Solver, Strategy};
use crate::time::options::fallback::{Fallback, Recovery};
use crate::time::options::tunnelling::foresees_nothing;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::{StageResult, advance};
use crate::time::world::World;
use crate::tuning::{
    CUT_MOST_HALVINGS, LATE_MOST_HALVINGS, MOST_GRADIENTS, SPAN_MOST_GROWTH, STEP_MOST_HALVINGS,
    TIGHTER_REACH,
};
use ipcsim_contact::Pace;
use ipcsim_math::number::counted;

/// Variant of Newton's method on a rung; the usual one for halved steps.
fn strategy(rung: Fallback) -> Strategy {
    let search = match rung {
        Fallback::TighterFilter | Fallback::HalvedStep | Fallback::DampedMotion => Search::Newton,
        Fallback::RegularizedHessian => Search::Regularized,
        Fallback::Gradient => Search::ScaledGradient(MOST_GRADIENTS),
    };

    let reach = match rung {
        Fallback::TighterFilter => TIGHTER_REACH,
        _ => Strategy::USUAL.reach,
    };
    Strategy {
        reach,
        search,
        jumps: rung == Fallback::DampedMotion,
    }
}

/// Computes the end of a span as one step, which is divided only where bodies would pass each other
/// or where nothing else solves it.
///
/// # Errors
/// [`Failure`] of the usual method, if no fallback solves the span either.
pub(in crate::time) fn whole(
    world: &World,
    solver: &mut Solver,
    state: &State,
    span: Span,
) -> Result<StageResult, Failure> {
    let divided = match foresees_nothing(world, state, span, Pace::Far) {
        Ok(()) => None,
        Err(cut) => Some(divide(world, solver, state, span, cut)),
    };
    match divided {
        Some(Ok(arrival)) => Ok(arrival),
        Some(Err(Failure::Interrupted)) => Err(Failure::Interrupted),
        _ => match advance(world, solver, state, span, Strategy::USUAL) {
            Ok(arrival) => calmed(world, solver, state, span, arrival),
            Err(failure) => recover(world, solver, state, span, failure),
        },
    }
}

/// The end of an increment, in shorter ones where friction has gone round in circles in statics: less of it changes between
/// sticking and sliding in each. It stays as it is if that does not help either.
///
/// # Errors
/// [`Failure::Interrupted`] if the step is stopped meanwhile.
fn calmed(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    arrival: StageResult,
) -> Result<StageResult, Failure> {
    let contacts = arrival.report.late_contacts;
    if contacts == 0 || !world.integrator.is_static() {
        return Ok(arrival);
    }
    match in_calm_halves(world, solver, start, span, LATE_MOST_HALVINGS) {
        Ok(Some(mut calm)) => {
            calm.report.recovery = Some(Recovery {
                rung: Fallback::HalvedStep,
                kind: "late_friction".to_owned(),
                why: format!(
                    "friction went round in circles at {}",
                    counted(contacts, "contact")
                ),
            });
            Ok(calm)
        }
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        _ => Ok(arrival),
    }
}

/// The end of an increment as two of half the length, each of them halved again, up to `depth` times, where friction
/// goes round in circles; `None` if it does so in the shortest.
///
/// # Errors
/// [`Failure`] of the first part that is not solved.
fn in_calm_halves(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    depth: usize,
) -> Result<Option<StageResult>, Failure> {
    let mut so_far: Option<StageResult> = None;
    for half in span.halves() {
        // All parts count as one step.
        let at = so_far.as_ref().map_or(start, |end| &end.state);
        let from = State {
            step: start.step,
            ..at.clone()
        };

        let mut end = advance(world, solver, &from, half, Strategy::USUAL)?;
        if end.report.late_contacts > 0 {
            if depth == 0 {
                return Ok(None);
            }
            let calm = in_calm_halves(world, solver, &from, half, depth - 1)?;
            let Some(calm) = calm else {
                return Ok(None);
            };
            end = calm;
        }
        so_far = Some(match so_far {
            None => end,
            Some(before) => before.followed_by(end),
        });
    }
    Ok(so_far)
}

/// Solves a span on the lowest rung that can, after the usual method has ended with `failure`.
///
/// The report of the step names the rung and the failure.
///
/// # Errors
/// `failure`, if no rung solves the span, or if none can help against it; [`Failure::Interrupted`]
/// if the step is stopped meanwhile.
pub(in crate::time) fn recover(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    failure: Failure,
) -> Result<StageResult, Failure> {
    if failure.is_final() {
        return Err(failure);
    }

    // Other paths to the same minimum cut through the same bodies.
    if matches!(failure, Failure::CutsThrough(_)) {
        return divide(world, solver, start, span, failure);
    }

    for rung in rungs(world, failure) {
        let retried = match rung {
            Fallback::HalvedStep => { Halving::USUAL }.halved(world, solver, start, span),
            _ => advance(world, solver, start, span, strategy(rung)),
        };
        if matches!(retried, Err(Failure::Interrupted)) {
            return Err(Failure::Interrupted);
        }
        if let Ok(arrival) = retried {
            return Ok(recovered(arrival, rung, failure));
        }
    }
    Err(failure)
}

/// Rungs that can help against a failure, from the lowest.
///
/// Only shorter increments and damped motion can follow a body that snaps, or that grows beyond measure.
fn rungs(world: &World, failure: Failure) -> impl Iterator<Item = Fallback> {
    let damped = world
        .integrator
        .is_static()
        .then_some(Fallback::DampedMotion);
    let helps = move |rung: &Fallback| {
        let follows = matches!(rung, Fallback::HalvedStep | Fallback::DampedMotion);
        follows || !matches!(failure, Failure::Snaps { .. } | Failure::Overloaded { .. })
    };
    Fallback::ALL.into_iter().chain(damped).filter(helps)
}

/// Divides a span that would lead a body through another one.
///
/// # Errors
/// `failure`, if that does not help; [`Failure::Interrupted`] if the step is stopped meanwhile.
pub(in crate::time) fn divide(
    world: &World,
    solver: &mut Solver,
    start: &State,
    span: Span,
    failure: Failure,
) -> Result<StageResult, Failure> {
    match { Halving::OF_CUTS }.halved(world, solver, start, span) {
        Ok(arrival) => Ok(recovered(arrival, Fallback::HalvedStep, failure)),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(_) => Err(failure),
    }
}

/// The end of a span that `rung` has solved after `failure`.
fn recovered(mut arrival: StageResult, rung: Fallback, failure: Failure) -> StageResult {
    arrival.report.recovery = Some(Recovery {
        rung,
        kind: failure.kind().to_owned(),
        why: failure.to_string(),
    });
    arrival
}

/// Division of a step into halves, each of them halved again where that is needed.
#[derive(Clone, Copy)]
struct Halving {
    /// Number of times that a span may still be halved.
    depth: usize,
    /// Bodies whose impacts need shorter spans.
    pace: Pace,
    /// Length of the last span that was solved (s); infinite before the first.
    last: f64,
}

impl Halving {
    /// Division of a step that fails.
    const USUAL: Self = Self {
        depth: STEP_MOST_HALVINGS,
        pace: Pace::Far,
        last: f64::INFINITY,
    };
    /// Division of a step that leads a body through another one.
    const OF_CUTS: Self = Self {
        depth: CUT_MOST_HALVINGS,
        pace: Pace::Striking,
        last: f64::INFINITY,
    };

    /// Solves a span as two of half the length.
    ///
    /// # Errors
    /// [`Failure`] of the first piece that is not solved.
    fn halved(
        &mut self,
        world: &World,
        solver: &mut Solver,
        start: &State,
        span: Span,
    ) -> Result<StageResult, Failure> {
        let [first, second] = span.halves();
        let middle = self.half(world, solver, start, first)?;

        // Both halves count as one step.
        let from = State {
            step: start.step,
            ..middle.state
        };
        let end = self.half(world, solver, &from, second)?;
        Ok(StageResult {
            state: end.state,
            report: middle.report.followed_by(end.report),
        })
    }

    /// Solves half a span, or halves it again if that is allowed.
    ///
    /// # Errors
    /// [`Failure`] of the first piece that is not solved.
    fn half(
        &mut self,
        world: &World,
        solver: &mut Solver,
        start: &State,
        span: Span,
    ) -> Result<StageResult, Failure> {
        // Shorter spans are easier: the usual method goes first, unless bodies still pass each
        // other or have just been stopped in a much shorter span.
        let may_halve = self.depth > 1;
        let is_abrupt = span.h > SPAN_MOST_GROWTH * self.last;
        let is_too_long = is_abrupt || foresees_nothing(world, start, span, self.pace).is_err();
        let solved = if may_halve && is_too_long {
            None
        } else {
            match advance(world, solver, start, span, Strategy::USUAL) {
                Err(failure) if !may_halve || failure == Failure::Interrupted => {
                    return Err(failure);
                }
                solved => solved.ok(),
            }
        };

        if let Some(arrival) = solved {
            self.last = span.h;
            return Ok(arrival);
        }
        self.depth -= 1;
        let halved = self.halved(world, solver, start, span);
        self.depth += 1;
        halved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::integrator::Statics;
    use crate::time::testing::{D_HAT, H, RADIUS, circles, contacts};

    /// The failure of a solve that has used up its iterations.
    fn iterations() -> Failure {
        Failure::Iterations {
            count: 7,
            residual: 1.0,
            tolerance: 1e-3,
            imbalance: [1.0, 1e-3],
            vertex: 0,
        }
    }

    /// The failure of a body that leaves its branch of equilibria.
    const SNAPS: Failure = Failure::Snaps {
        vertex: 0,
        ratio: 9.0,
    };

    #[test]
    fn each_rung_changes_one_thing_of_the_usual_method() {
        let usual = Strategy::USUAL;
        let third = Strategy {
            reach: 1.0 / 3.0,
            ..usual
        };
        let exact = Strategy {
            search: Search::Regularized,
            ..usual
        };
        let gradients = Strategy {
            search: Search::ScaledGradient(100),
            ..usual
        };
        assert_eq!(strategy(Fallback::TighterFilter), third);
        assert_eq!(strategy(Fallback::RegularizedHessian), exact);
        assert_eq!(strategy(Fallback::Gradient), gradients);
        assert_eq!(strategy(Fallback::HalvedStep), usual);
        assert_eq!(strategy(Fallback::DampedMotion), Strategy::JUMPING);
    }

    #[test]
    fn rungs_are_tried_from_the_lowest_and_only_those_that_can_follow_a_body_that_snaps() {
        let (mut world, _) = circles(&[[0.0, 0.0]], false, 0.0);
        let rungs = |world: &World, failure| rungs(world, failure).collect::<Vec<_>>();
        assert_eq!(rungs(&world, iterations()), Fallback::ALL);
        assert_eq!(rungs(&world, SNAPS), [Fallback::HalvedStep]);

        world.integrator = Box::new(Statics);
        let all = [&Fallback::ALL[..], &[Fallback::DampedMotion]].concat();
        assert_eq!(rungs(&world, iterations()), all);
        let follow = [Fallback::HalvedStep, Fallback::DampedMotion];
        assert_eq!(rungs(&world, SNAPS), follow);
    }

    #[test]
    fn failures_that_no_rung_can_help_against_end_the_step_at_once() {
        let place = [0.0, RADIUS + 0.5 * D_HAT];
        let (world, state) = circles(&[place], true, 0.0);
        let found = contacts(&world, &state.x);
        let pair = found.pairs(&world.model.surface).next().unwrap();
        let span = Span { end: H, h: H };
        for failure in [
            Failure::Touching(pair),
            Failure::OutOfMemory { vertices: 3 },
            Failure::Interrupted,
            Failure::Unheld {
                vertex: 0,
                force: 1.0,
            },
            Failure::Loose {
                vertex: 0,
                touches: true,
                rubs: false,
            },
        ] {
            let mut solver = world.solver();
            let ended = recover(&world, &mut solver, &state, span, failure);
            assert_eq!(ended.err(), Some(failure));
            assert!(solver.last().stage.is_none(), "{failure:?} was tried again");
        }
    }

    #[test]
    fn the_lowest_rung_that_solves_a_step_is_noted_with_the_failure() {
        let (world, state) = circles(&[[0.0, 1.0]], false, 0.0);
        let span = Span { end: H, h: H };
        for (failure, rung) in [
            (iterations(), Fallback::TighterFilter),
            (SNAPS, Fallback::HalvedStep),
        ] {
            let mut solver = world.solver();
            let arrival = recover(&world, &mut solver, &state, span, failure).unwrap();
            assert_eq!(arrival.state.time.to_bits(), H.to_bits());
            let note = arrival.report.recovery.unwrap();
            assert_eq!((note.rung, &note.kind[..]), (rung, failure.kind()));
            assert_eq!(note.why, failure.to_string());
        }
    }
}
