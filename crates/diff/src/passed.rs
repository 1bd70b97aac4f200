//! A step of a run, with what it was solved with.

use crate::error::Error;
use ipcsim::contact::AdaptedPair;
use ipcsim::time::linear::StepEquation;
use ipcsim::time::{State, StiffeningMemory, World};

/// What a step was solved with.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// Pairs whose barriers were adapted in the step.
    pub(crate) adapted: Vec<AdaptedPair>,
    /// Rows of joints whose force was at a bound at the end.
    pub(crate) slips: Vec<i8>,
    /// Barriers of the next step.
    pub(crate) stiffening: StiffeningMemory,
}

/// A step of a run.
#[derive(Clone, Copy, Debug)]
pub struct Passed<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Number of steps of the run.
    pub steps: usize,
    /// State at its start.
    pub start: &'a State,
    /// State at its end.
    pub end: &'a State,
    /// What it was solved with.
    pub(crate) note: &'a Note,
}

impl<'a> Passed<'a> {
    /// Equations of the step at its end, with the numbers of the world that was run.
    ///
    /// # Errors
    /// [`Error::Refused`] if something touches there.
    pub(crate) fn equation<'w>(&self, world: &'w World) -> Result<StepEquation<'w>, Error> {
        let Self {
            start, end, note, ..
        } = self;
        Ok(StepEquation::new(world, start, &note.adapted, end)?)
    }

    /// The step with other states.
    pub(crate) fn with<'b>(self, start: &'b State, end: &'b State) -> Passed<'b>
    where
        'a: 'b,
    {
        Passed {
            number: self.number,
            steps: self.steps,
            start,
            end,
            note: self.note,
        }
    }
}

/// A state of a world with the coordinates of another world's.
pub(crate) fn at_state(world: &World, state: &State) -> State {
    let coordinates = &world.model.coordinates;
    State {
        step: state.step,
        time: state.time,
        memory: state.memory.clone(),
        parameters: state.parameters.clone(),
        ..State::new(coordinates, state.q.clone(), state.q_dot.clone())
    }
}
