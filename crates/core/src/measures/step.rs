//! A step with the readings of all measures, and the end of a run by a condition.

use super::Measures;
use super::look::End;
use crate::quantities::{Before, Moment, Until};
use crate::solve::{Failure, Solver};
use crate::time::{State, StepOutput, World, begin, step};
use ipcsim_math::Vec2;

/// Account of the start of a run, as [`begin`], with the readings of all measures.
///
/// # Errors
/// [`Failure`] if something touches.
pub fn begin_measured(
    world: &World,
    solver: &mut Solver,
    state: &State,
    measures: &Measures,
) -> Result<StepOutput, Failure> {
    let mut done = begin(world, solver, state)?;
    let record = &done.report.record;
    done.report.measures = measures.read(&End {
        world,
        state,
        last: solver.last(),
        moment: Moment::recorded(world, state, record),
        record,
        before: None,
    });
    Ok(done)
}

/// Account of a start, as [`begin_measured`], that leaves the solver what it remembers of steps before: a
/// run that goes on from the state of another one then has its bits.
///
/// # Errors
/// [`Failure`] if something touches.
pub fn begin_again(
    world: &World,
    solver: &mut Solver,
    state: &State,
    measures: &Measures,
) -> Result<StepOutput, Failure> {
    if state.step == 0 {
        return begin_measured(world, solver, state, measures);
    }
    let memory = solver.memory();
    let done = begin_measured(world, solver, state, measures)?;
    // The memory is of this model.
    let _ = solver.recall(&world.model, &memory);
    Ok(done)
}

/// Brings `state` to the end of the next time step, as [`step`]; reads all measures, and judges whether
/// the run is over.
///
/// # Errors
/// [`Failure`] of the step.
pub fn step_measured(
    world: &World,
    solver: &mut Solver,
    state: &mut State,
    measures: &Measures,
    until: Option<&Until>,
) -> Result<StepOutput, Failure> {
    if until.is_none() && measures.list.is_empty() {
        return step(world, solver, state);
    }
    let before = Before::of(state);
    let centres = measures.have_flow().then(|| centres(world, state));
    let mut done = step(world, solver, state)?;

    let record = &done.report.record;
    let moment = before.until(world, state, record);
    let readings = measures.read(&End {
        world,
        state,
        last: solver.last(),
        moment,
        record,
        before: centres.as_deref(),
    });

    // The condition sees what has just been read.
    if let Some(until) = until {
        let both = measures.list.iter().zip(&readings);
        let values: Vec<f64> = both
            .map(|(own, reading)| reading.map_or(own.undefined(), |reading| reading.value))
            .collect();
        done.report.over = until.is_over(&moment, &values);
    }
    done.report.measures = readings;
    Ok(done)
}

/// Centres of all bodies (m), `[bodies]`.
fn centres(world: &World, state: &State) -> Vec<Vec2> {
    let bodies = world.bodies.iter();
    bodies
        .map(|body| world.at_centre(body, &state.q, &state.x))
        .collect()
}
