//! Data of a stage from the motion so far: the start of slip, and a flight along arcs.

use crate::body::Configuration;
use crate::solve::{SlipStart, Stage, TurningFlight};
use crate::time::state::State;
use crate::time::world::World;
use crate::tuning::TIME_ROUNDING;
use ipcsim_contact::SharedVertices;

/// Lets a stage measure slip from the start of the step in frames that turn with the surfaces, unless
/// contact is that of the book.
///
/// A velocity is `(q - q_ref) / beta`, where the reference is ahead of the start by the motion of the
/// time by which the step is longer than `beta`. Slip of that motion does not count: it is a share of
/// the slip of the stage or the step before, or the slip of the velocities of the start. Where velocities alternate,
/// friction sees that by the change of velocities, so that it ends.
pub(in crate::time) fn slip_in_turning_frames(
    world: &World,
    start: &State,
    ends: &[State],
    stage: &mut Stage,
) {
    let model = &world.model;
    if model.surface.shared_vertices != SharedVertices::Once {
        return;
    }

    let slip = SlipStart::new(start.configuration());
    let ahead = stage.beta.map_or(0.0, |beta| stage.end - start.time - beta);
    stage.slip = Some(if ahead <= TIME_ROUNDING * stage.slip_time {
        slip
    } else if let Some(stage) = ends.last() {
        let share = ahead / (stage.time - start.time);
        slip.less(model, stage.configuration(), share)
    } else if let Some(past) = start.memory.history.first() {
        // The past lies the other way in time.
        let before = Configuration::of(&model.coordinates, past.q.clone());

        // By velocities too where these may alternate.
        let share = -ahead / past.h;
        if world.integrator.mixes_velocities() {
            slip.less(model, before, share)
        } else {
            let velocities = [&start.q_dot[..], &past.q_dot];
            slip.less_alternating(model, before, share, (velocities, ahead))
        }
    } else {
        slip.less_velocity(model, &start.q_dot, ahead)
    });
}

/// Motion of the last step as it would go on in a stage, if there are rigid bodies: that of the state
/// before, or of the velocities of the start.
pub(in crate::time) fn turning_flight(
    world: &World,
    start: &State,
    ends: &[State],
    stage: &Stage,
) -> Option<TurningFlight> {
    let beta = stage.beta?;
    world.model.coordinates.rigid_nodes().next()?;
    let begins = ends.last().map_or(start.time, |end| end.time);
    let lasts = stage.end - begins;
    let since_start = (begins - start.time) / lasts;

    if let Some(past) = start.memory.history.first() {
        let longer = lasts / past.h;
        let ways = start.q.iter().zip(&past.q);
        return Some(TurningFlight {
            way: ways.map(|(now, before)| (now - before) * longer).collect(),
            behind: 0.5 / longer + since_start,
        });
    }

    // Velocities of implicit Euler are means of its last step.
    let is_mean = ends.is_empty() && lasts - beta <= TIME_ROUNDING * lasts;
    Some(TurningFlight {
        way: start.q_dot.iter().map(|v| v * lasts).collect(),
        behind: if is_mean { 0.5 } else { since_start },
    })
}
