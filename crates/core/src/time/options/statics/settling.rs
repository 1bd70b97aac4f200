//! Equilibrium at the start of a run, before its first step.

use super::equilibrium::equilibrium;
use crate::solve::{Failure, Settings, Solver, Strategy};
use crate::time::integrator::{Departure, Integrator, Statics};
use crate::time::memory::{OptionMemory, PlasticityMemory, StepMemory};
use crate::time::options::sticking;
use crate::time::options::stiffening::barriers;
use crate::time::span::Span;
use crate::time::state::State;
use crate::time::step::minimum::{Minimum, Surroundings};
use crate::time::world::World;

/// Brings the start of a run to equilibrium under the loads at its time, if the world asks for that;
/// a later state stays as it is.
///
/// Velocities stay those of the scene. What the search finds of friction and joints, the first step
/// remembers.
///
/// # Errors
/// [`Failure`] of the search. Then `state` is as before.
pub fn settle(world: &World, state: &mut State) -> Result<(), Failure> {
    let Some(settling) = world.options.settling.filter(|_| state.step == 0) else {
        return Ok(());
    };
    let barriers = barriers(world, state);
    let surroundings = Surroundings {
        barriers: &barriers,
        friction: &world.friction,
    };
    let found = search(world, settling, state, surroundings)?;

    let options = OptionMemory {
        sticking: sticking::remembered(world, &found.friction, &found.tangents),
        plasticity: PlasticityMemory {
            flowed: found.flowed,
        },
        gas: world.gas_at(state, &found.iterate.at.x, state.time),
        ..OptionMemory::default()
    };
    let memory = StepMemory {
        multipliers: found.multipliers,
        turned: found.turned,
        options,
        ..StepMemory::default()
    };
    let q_dot = std::mem::take(&mut state.q_dot);
    *state = State {
        time: state.time,
        memory,
        parameters: state.parameters.clone(),
        ..State::of(&world.model.coordinates, found.iterate.at, q_dot)
    };
    Ok(())
}

/// Brings the start of a run to equilibrium under the loads at its time, with the tolerances
/// `settling`, by a solver of its own. What could still move without any force is not a failure here:
/// inertia determines its place.
///
/// # Errors
/// [`Failure`] of the search, if damped motion finds no equilibrium either.
fn search(
    world: &World,
    settling: Settings,
    state: &State,
    surroundings: Surroundings,
) -> Result<Minimum, Failure> {
    let mut solver = Solver::new(settling, &world.model);
    let span = Span {
        end: state.time,
        h: world.h,
    };
    let mut attempt = |strategy| {
        let mut stage = Statics.stage(Departure {
            tolerance: settling.tolerance,
            ..world.departure(state, &[], span)
        });
        equilibrium(
            world,
            surroundings,
            &mut solver,
            &mut stage,
            state,
            strategy,
        )
    };

    // The failure of the usual search tells more than that of damped motion.
    attempt(Strategy::USUAL).or_else(|failure| attempt(Strategy::JUMPING).map_err(|_| failure))
}
