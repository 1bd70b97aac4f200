//! The end of an increment along a path of equilibria, whose load time is an unknown.
//!
//! In statics time only says how far loads and scripts have come. With arc length a stage ends at the
//! load time at which the solver finds the next equilibrium, which may be an earlier one: beyond a limit
//! point loads fall. A run along a path begins at the equilibrium of the loads at its start.
//!
//! The memory of a step has the last increment, which tells the direction of the path. The time of
//! a state is its load time in all results. Only animations and lists of files count increments,
//! since their times must grow.

use crate::solve::{Failure, Increment, Loaded, PathChange, Solver, Stage, Strategy, Target};
use crate::time::options::control::ArcLength;
use crate::time::options::ledger::StageStart;
use crate::time::options::statics::followed::{Renewed, renewed};
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::lagging::Lateness;
use crate::time::step::minimum::{Minimum, Surroundings, potential};
use crate::time::world::World;
use crate::tuning::{FOLLOWED_MOST_ROUNDS, REST_MOST_ROUNDS};
use ipcsim_contact::rest_closely;
use ipcsim_math::Vec2;
use std::borrow::Cow;

/// Loads and scripts of a world at any load time, for an increment from a state.
struct LoadsOf<'a> {
    /// The world.
    world: &'a World,
    /// State at the start.
    from: &'a State,
    /// Loads that follow bodies have the forces without a potential that they have here (m),
    /// `[vertices]`.
    followed: Vec<Vec2>,
    /// Largest change of the load time (s).
    lasting: f64,
}

impl LoadsOf<'_> {
    /// Static stage that ends at the load time `end` (s).
    fn at(&self, end: f64) -> Stage {
        let Self { world, from, .. } = *self;
        let following = world.loading.following(from, &self.followed, end);
        let span = Span {
            end,
            h: self.lasting,
        };
        let stage = world.integrator.stage(world.departure(from, &[], span));
        Stage { following, ..stage }
    }
}

impl Loaded for LoadsOf<'_> {
    fn stage(&self, time: f64) -> Stage {
        Stage {
            inertia: 0.0,
            ..self.at(time)
        }
    }

    fn targets(&self, time: f64) -> Vec<Target> {
        let Self { world, from, .. } = self;
        world.targets(&from.parameters, time, from.time, &from.q)
    }
}

/// Next equilibrium on the path of a state; the `stage` becomes that at its load time.
///
/// # Errors
/// [`Failure`] of the increment.
pub(in crate::time) fn next_on_path(
    world: &World,
    surroundings: Surroundings,
    solver: &mut Solver,
    stage: &mut Stage,
    from: &State,
    (control, strategy): (ArcLength, Strategy),
) -> Result<Minimum, Failure> {
    let lasting = stage.slip_time;
    let mut loads = LoadsOf {
        world,
        from,
        followed: from.x.clone(),
        lasting,
    };
    let mut barriers = Cow::Borrowed(surroundings.barriers);
    let mut rounds = 0;
    let mut renewals = 0;
    loop {
        let surroundings = Surroundings {
            barriers: &barriers,
            ..surroundings
        };
        let at = from.configuration();
        let mut iterate = solver.iterate_at(&world.model, &barriers, at, &from.x)?;

        // The increment, or a part of it.
        let at_start = loads.stage(from.time);
        let outset_potential = potential(world, surroundings, &at_start, from, &iterate);
        let constraints = outset_potential.constraints.turning();
        let outset_contacts = iterate.contacts.clone();
        let reached = solver.follow(
            &Increment {
                model: &world.model,
                barriers: &barriers,
                constraints: &constraints,
                loaded: &loads,
                length: control.length * (lasting / world.h),
                lasting,
                last: last(from),
                turns: strategy.jumps,
            },
            from.time,
            &mut iterate,
        )?;

        // The increment again, where bodies rest with a gap that counts.
        let surface = &world.model.surface;
        let closer = rest_closely(&barriers, surface, &iterate.contacts, &iterate.at.x);
        if let Some(adapted) = closer.filter(|_| rounds < REST_MOST_ROUNDS) {
            barriers = Cow::Owned(barriers.with(&adapted));
            rounds += 1;
            continue;
        }
        *stage = reached.stage;

        // The same with loads as they are at its end.
        if let Some(Renewed { vertex, force, .. }) = renewed(world, from, stage, &iterate.at) {
            if renewals >= FOLLOWED_MOST_ROUNDS {
                return Err(Failure::Unheld { vertex, force });
            }
            loads.followed.clone_from(&iterate.at.x);
            renewals += 1;
            continue;
        }

        // Account of the whole increment, at its loads.
        let targets = loads.targets(stage.end);
        let outset = StageStart::of(world, from, &targets, &outset_contacts);
        let end = potential(world, surroundings, stage, from, &iterate);
        let late = Lateness::default();
        let mut minimum = Minimum::of(outset, from, end, iterate, late, reached.solved);
        minimum.barriers = (rounds > 0).then(|| barriers.into_owned());
        return Ok(minimum);
    }
}

/// Change by the last increment; `None` before the first.
fn last(from: &State) -> Option<PathChange> {
    let past = from.memory.history.first()?;
    let way = |(now, before): (&Vec2, &Vec2)| now - before;
    Some(PathChange {
        way: from.q.iter().zip(&past.q).map(way).collect(),
        time: from.memory.options.arc_length.gained?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::memory::Past;
    use crate::time::testing::circles;

    #[test]
    fn the_last_increment_is_the_way_from_the_past_state_and_the_load_time_that_was_gained() {
        let (_, mut state) = circles(&[[0.4, 1.0]], false, 0.0);
        assert!(last(&state).is_none());
        state.memory.history.push(Past {
            q: vec![Vec2::new(0.1, 1.5), Vec2::new(-0.2, 0.0)],
            q_dot: vec![Vec2::zeros(); 2],
            h: 1.0,
        });
        assert!(last(&state).is_none());

        // Beyond a limit point loads fall.
        state.memory.options.arc_length.gained = Some(-0.25);
        let change = last(&state).unwrap();
        let expected = [Vec2::new(0.3, -0.5), Vec2::new(0.2, 0.0)];
        for (way, expected) in change.way.iter().zip(expected) {
            assert!((way - expected).norm() < 1e-15);
        }
        assert_eq!((change.way.len(), change.time), (2, -0.25));
    }
}
