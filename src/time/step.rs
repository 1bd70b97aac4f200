//! One step of implicit Euler, as the minimisation of an incremental potential.

use super::{Record, State, World};
use crate::contact::{Contacts, Friction};
use crate::math::{Vec2, parallel};
use crate::solve::{Failure, Potential, Solver, Status};

/// What a step did.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// How its last solve ended.
    pub status: Status,
    /// `|p|_inf / h` of its last direction (m/s).
    pub residual: f64,
    /// Change of velocity (m/s) that friction brought up to date would make.
    pub lag_residual: f64,
    /// Energies and sums at its end.
    pub record: Record,
}

/// Brings `state` from `t_n` to `t_n + h`.
///
/// # Errors
/// Why the step has no end. Then `state` is as before.
pub fn step(world: &World, solver: &mut Solver, state: &mut State) -> Result<StepReport, Failure> {
    let h = world.h;
    let targets = world.targets((state.step + 1) as f64 * h);
    let x_tilde: Vec<Vec2> = state.x.iter().zip(&state.v).map(|(x, v)| x + v * h + world.gravity * (h * h)).collect();
    let mut x = state.x.clone();
    let mut contacts = solver.contacts(&world.surface, &x, &x_tilde)?;
    let mut friction = lagged(world, &contacts, &x, state);
    let mut iterations = 0;
    let mut lags = 0;
    loop {
        let potential = Potential {
            mass: &world.mass,
            x_tilde: &x_tilde,
            h,
            energies: &world.energies,
            surface: &world.surface,
            friction: &friction,
        };
        let solved = solver.minimise(&potential, &targets, &mut x)?;
        iterations += solved.iterations;
        lags += 1;
        contacts = solver.contacts(&world.surface, &x, &x_tilde)?;
        let renewed = lagged(world, &contacts, &x, state);
        let lag_residual = velocity_change(world, &friction, &renewed, &x);
        if lags >= world.lag.iterations || lag_residual <= world.lag.tolerance {
            let v = x.iter().zip(&state.x).map(|(x, x_n)| (x - x_n) / h).collect();
            *state = State { step: state.step + 1, x, v };
            let record = Record::new(world, state, &contacts, &friction, iterations);
            return Ok(StepReport { status: solved.status, residual: solved.residual, lag_residual, record });
        }
        friction = renewed;
    }
}

/// The record of a state as it is, on which nothing has acted yet.
///
/// # Errors
/// The touching pair.
pub fn initial_record(world: &World, solver: &mut Solver, state: &State) -> Result<Record, Failure> {
    let contacts = solver.contacts(&world.surface, &state.x, &state.x)?;
    Ok(Record::new(world, state, &contacts, &Friction::default(), 0))
}

/// Friction of `contacts` at `x` against sliding from the state's positions.
fn lagged(world: &World, contacts: &Contacts, x: &[Vec2], state: &State) -> Friction {
    Friction::lagged(&world.surface, &world.friction, contacts, x, &state.x, world.eps_v * world.h)
}

/// The largest change of a vertex's velocity (m/s) over a step if one friction acted instead of the other.
fn velocity_change(world: &World, old: &Friction, new: &Friction, x: &[Vec2]) -> f64 {
    let mut change = vec![Vec2::zeros(); x.len()];
    for (friction, sign) in [(old, -1.0), (new, 1.0)] {
        for part in friction.parts() {
            part.add_gradient(x, sign * world.h, &mut change);
        }
    }
    parallel::max(x.len(), 0.0, |i| if world.mass[i] > 0.0 { change[i].norm() / world.mass[i] } else { 0.0 })
}
