//! Bodies that a step would lead through each other.
//!
//! The search for a minimum is free of contact, but the minimum may be on the other side of a free
//! body: the search turns that body, takes a fast one round its end, and turns it back. Two tests
//! find such steps, which are then divided (`recovery.rs`):
//!
//! 1. **before** a step: no body passes another one if both move on as they do. A step that is too
//!    long to tell on which side of a body its impact is has no right impulse either;
//! 2. **after** a step: the direct motion from its start to its end cuts through no body, deeper
//!    than a slide round a corner explains
//!    ([`SweptPenetrations`](ipcsim_contact::SweptPenetrations)). Stored states do not tell by how
//!    many turns a body has turned; where one turns by more than half a turn, the motion by the
//!    smaller angle is tested as well.
//!
//! For a body that moves less than the narrowest place of its outline, which is the rule, both
//! tests cost one comparison.

use crate::constraint::within_half_a_turn;
use crate::solve::Failure;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::{Pace, SweptPenetration};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::path::{Sweep, Turn};
use std::f64::consts::PI;

/// Tests that no body passes another one within a span, and that none moves too far into another
/// one, if all move on with the velocities of `start`. The pace says how far is too far.
///
/// # Errors
/// [`Failure::CutsThrough`], with the deepest cut.
pub(in crate::time) fn foresees_nothing(
    world: &World,
    start: &State,
    span: Span,
    pace: Pace,
) -> Result<(), Failure> {
    if world.options.tunnelling.are_absent() {
        return Ok(());
    }
    let way: Vec<Vec2> = start.q_dot.iter().map(|q_dot| q_dot * span.h).collect();
    let q: Vec<Vec2> = start.q.iter().zip(&way).map(|(q, way)| q + way).collect();
    let mut x = start.x.clone();
    world.model.coordinates.positions(&q, &mut x);
    let turns = world.model.coordinates.turns(&start.q, &way);
    refused(deepest(world, start, &x, &turns, pace))
}

/// Tests that the direct motion from the state at the start of a span to the one at its end cuts
/// through no body.
///
/// # Errors
/// [`Failure::CutsThrough`], with the deepest cut.
pub(in crate::time) fn passes_nothing(
    world: &World,
    start: &State,
    end: &State,
) -> Result<(), Failure> {
    if world.options.tunnelling.are_absent() {
        return Ok(());
    }
    let way: Vec<Vec2> = end.q.iter().zip(&start.q).map(|(a, b)| a - b).collect();
    let turns = world.model.coordinates.turns(&start.q, &way);
    refused(deepest(world, start, &end.x, &turns, Pace::Fast))?;
    match by_smaller_angles(&turns) {
        None => Ok(()),
        Some(turns) => refused(deepest(world, start, &end.x, &turns, Pace::Fast)),
    }
}

/// The same turns by at most half a turn each; `None` if they are.
fn by_smaller_angles(turns: &[Option<Turn>]) -> Option<Vec<Option<Turn>>> {
    let large = turns
        .iter()
        .flatten()
        .any(|turn| turn.motion.angle.abs() > PI);
    let smaller = |turn: Turn| {
        let mut motion = turn.motion;
        motion.angle = within_half_a_turn(motion.angle);
        Turn::from(motion)
    };
    large.then(|| turns.iter().map(|turn| turn.map(smaller)).collect())
}

/// Deepest cut on the direct motion from `start` to the positions `end` (m, `[vertices]`), with these
/// turns of reduced bodies.
fn deepest(
    world: &World,
    start: &State,
    end: &[Vec2],
    turns: &[Option<Turn>],
    pace: Pace,
) -> Option<SweptPenetration> {
    let coordinates = &world.model.coordinates;
    let motion = Sweep {
        start: &start.x,
        end,
        turn_of: coordinates.turn_of(),
        turns,
    };
    let outlines = world.model.surface.outlines();
    world.options.tunnelling.deepest(&outlines, &motion, pace)
}

/// Error for a cut that is deeper than a step may cut.
///
/// # Errors
/// [`Failure::CutsThrough`].
fn refused(cut: Option<SweptPenetration>) -> Result<(), Failure> {
    match cut {
        Some(cut) if !cut.is_allowed() => Err(Failure::CutsThrough(cut)),
        _ => Ok(()),
    }
}
