//! Increments along a path of equilibria, in parts where the whole is not solved.
//!
//! A step of a scene with arc length is one increment of the length that the scene asks for. A part
//! that is not solved is repeated with half of its length from the same state, and after a part that
//! is solved the next one is twice as long again. Parts are halves of halves, so that their sum is the
//! whole to the last bit. No clock takes part, and a part that fails changes no state.
//!
//! Contacts make corners in a path. Small parts are therefore also tried with a load that turns
//! round.

use crate::solve::{Failure, Solver, Strategy};
use crate::time::options::fallback::{Fallback, Recovery};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::stages::{StageResult, advance};
use crate::time::world::World;
use crate::tuning::{PATH_CORNER, PATH_GROWTH, PATH_LEAST_PART};

/// Brings a state to the end of an increment along its path.
///
/// # Errors
/// The first [`Failure`], if parts are not solved either; [`Failure::Interrupted`] if the step is
/// stopped meanwhile.
pub(in crate::time) fn along_path(
    world: &World,
    solver: &mut Solver,
    start: &State,
) -> Result<StageResult, Failure> {
    let mut so_far: Option<StageResult> = None;
    let mut first = None;
    let mut left = 1.0;
    let mut part = 1.0;
    loop {
        let at = so_far.as_ref().map_or(start, |arrival| &arrival.state);
        let from = State {
            step: start.step,
            ..at.clone()
        };

        let h = part * world.h;
        let span = Span {
            end: from.time + h,
            h,
        };

        // Near a corner of the path the load time may turn round.
        let attempt = match advance(world, solver, &from, span, Strategy::USUAL) {
            Err(failure) if may_help(failure) && part <= PATH_CORNER => {
                advance(world, solver, &from, span, Strategy::JUMPING).map_err(|_| failure)
            }
            attempt => attempt,
        };

        // A part that fails is halved; the first failure names the cause.
        let arrival = match attempt {
            Ok(arrival) => arrival,
            Err(failure) => {
                let cause = *first.get_or_insert(failure);
                if !may_help(failure) || part <= PATH_LEAST_PART {
                    return Err(if may_help(failure) { cause } else { failure });
                }
                part *= 0.5;
                continue;
            }
        };

        left -= part;
        part = (PATH_GROWTH * part).min(left);
        let joined = match so_far.take() {
            None => arrival,
            Some(before) => before.followed_by(arrival),
        };

        if left <= 0.0 {
            return Ok(noted(joined, first));
        }
        so_far = Some(joined);
    }
}

/// True if a shorter part may be solved where a longer one has failed.
fn may_help(failure: Failure) -> bool {
    !matches!(
        failure,
        Failure::Touching(_)
            | Failure::OutOfMemory { .. }
            | Failure::Interrupted
            | Failure::Unheld { .. }
            | Failure::Loose { .. }
    )
}

/// The end of an increment, with the note that it was divided after a failure.
fn noted(mut arrival: StageResult, failure: Option<Failure>) -> StageResult {
    arrival.report.recovery = failure.map(|failure| Recovery {
        rung: Fallback::HalvedStep,
        kind: failure.kind().to_owned(),
        why: failure.to_string(),
    });
    arrival
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_part_is_tried_only_where_it_may_be_solved() {
        let may = [
            Failure::OffPath { vertex: 0 },
            Failure::Indefinite { vertex: 0 },
            Failure::Snaps {
                vertex: 0,
                ratio: 2.0,
            },
            Failure::NoProgress {
                fraction: 1.0,
                pair: None,
            },
        ];
        let may_not = [
            Failure::OutOfMemory { vertices: 1 },
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
        ];
        assert!(may.into_iter().all(may_help));
        assert!(!may_not.into_iter().any(may_help));
    }
}
