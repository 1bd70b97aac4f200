//! One step of implicit Euler, as the minimisation of an incremental potential.

use super::recovery::{self, Recovery};
use super::{Record, State, World};
use crate::body::Configuration;
use crate::contact::{Contacts, Friction, Lag};
use crate::math::{Vec2, parallel};
use crate::solve::{Failure, Potential, Solver, Status};
use serde::{Deserialize, Serialize};

/// What a step did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// How its last solve ended.
    pub status: Status,
    /// `|p|_inf / h` of its last direction (m/s).
    pub residual: f64,
    /// Change of velocity (m/s) that friction brought up to date would make.
    pub lag_residual: f64,
    /// What it took, if Newton's method as it is failed.
    pub recovery: Option<Recovery>,
    /// Energies and sums at its end.
    pub record: Record,
}

/// A stretch of time that is solved as one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Its end (s).
    pub(super) end: f64,
    /// Its length (s).
    pub(super) h: f64,
}

/// Brings `state` from `t_n` to `t_n + h`.
///
/// # Errors
/// Why the step has no end, not even on a rung of the ladder (see [`Recovery`]). Then `state` is as before.
pub fn step(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepReport, Failure> {
    let span = Span {
        end: (state.step + 1) as f64 * world.h,
        h: world.h,
    };
    let (end, report) = advance(world, solver, state, span).or_else(|failure| {
        recovery::recover(failure, |rung| {
            recovery::retry(rung, world, solver, state, span)
        })
    })?;
    *state = end;
    Ok(report)
}

/// The state at the end of a span that begins with `state`.
///
/// # Errors
/// Why there is none.
pub(super) fn advance(
    world: &World,
    solver: &mut Solver,
    state: &State,
    Span { end, h }: Span,
) -> Result<(State, StepReport), Failure> {
    let targets = world.targets(end);
    let start = Configuration {
        q: state.q.clone(),
        x: state.x.clone(),
    };
    let predict = |i: usize| state.q[i] + state.q_dot[i] * h + world.acceleration[i] * (h * h);
    let q_tilde: Vec<Vec2> = (0..state.q.len()).map(predict).collect();
    let mut x_tilde = start.x.clone();
    world.model.coordinates.positions(&q_tilde, &mut x_tilde);
    let mut at = start.clone();
    let mut contacts = solver.contacts(&world.model.surface, world.barrier, &at.x, &x_tilde)?;
    let mut potential = Potential {
        coordinates: &world.model.coordinates,
        mass: &world.model.mass,
        q_tilde: &q_tilde,
        acceleration: &world.acceleration,
        x_tilde: &x_tilde,
        start: &start,
        h,
        energies: &world.model.energies,
        own: &world.model.own,
        surface: &world.model.surface,
        barrier: world.barrier,
        friction: lagged(world, h, (&contacts, &at.x), &start),
    };
    solver.start(&potential, &targets, &mut at, &mut contacts)?;
    let (mut iterations, mut lags) = (0, 0);
    loop {
        let solved = solver.minimise(&mut potential, &targets, &mut at, &mut contacts)?;
        iterations += solved.iterations;
        lags += 1;
        let renewed = lagged(world, h, (&contacts, &at.x), &start);
        let lag_residual = velocity_change(world, &potential, &renewed, &at);
        if lags >= world.lag.iterations || lag_residual <= world.lag.tolerance {
            let friction_energy = potential.friction_energy(&at);
            let q_dot =
                at.q.iter()
                    .zip(&start.q)
                    .map(|(q, q_n)| (q - q_n) / h)
                    .collect();
            let state = State::new(&world.model.coordinates, state.step + 1, at.q, q_dot);
            let record = Record::new(world, &state, &contacts, friction_energy, iterations);
            let (status, residual) = (solved.status, solved.residual);
            solver.keep(contacts);
            return Ok((
                state,
                StepReport {
                    status,
                    residual,
                    lag_residual,
                    recovery: None,
                    record,
                },
            ));
        }
        potential.friction = renewed;
    }
}

/// The record of a state as it is, on which nothing has acted yet.
///
/// # Errors
/// The touching pair.
pub fn initial_record(
    world: &World,
    solver: &mut Solver,
    state: &State,
) -> Result<Record, Failure> {
    let contacts = solver.contacts(&world.model.surface, world.barrier, &state.x, &state.x)?;
    let record = Record::new(world, state, &contacts, 0.0, 0);
    solver.keep(contacts);
    Ok(record)
}

/// Friction of contacts at `x` against sliding from `start` within `h`.
fn lagged(
    world: &World,
    h: f64,
    (contacts, x): (&Contacts, &[Vec2]),
    start: &Configuration,
) -> Friction {
    let lag = Lag {
        table: &world.friction,
        start: &start.x,
        slip: world.eps_v * h,
    };
    Friction::lagged(&world.model.surface, contacts, x, lag)
}

/// The largest change of a coordinate's velocity (m/s, rad/s) over a step if `renewed` friction acted instead of the
/// potential's.
fn velocity_change(
    world: &World,
    potential: &Potential,
    renewed: &Friction,
    at: &Configuration,
) -> f64 {
    if potential.friction.is_empty() && renewed.is_empty() {
        return 0.0;
    }
    let mut by_x = vec![Vec2::zeros(); at.x.len()];
    let y = potential.tangent_positions(at);
    for (friction, sign) in [(&potential.friction, -1.0), (renewed, 1.0)] {
        for part in friction.parts() {
            part.add_gradient(&y, sign * potential.h, &mut by_x);
        }
    }
    let mut change = vec![Vec2::zeros(); at.q.len()];
    world
        .model
        .coordinates
        .pull_back(potential.start, &by_x, &mut change);
    let of = |i: usize| {
        if world.model.mass[i].min() > 0.0 {
            change[i].component_div(&world.model.mass[i]).norm()
        } else {
            0.0
        }
    };
    parallel::max(change.len(), 0.0, of)
}
