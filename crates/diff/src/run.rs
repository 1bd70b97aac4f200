//! A trajectory at whose steps forces balance to rounding.
//!
//! A step of the program ends where forces balance within its tolerance. A gradient is a
//! statement about the exact solution, so that each step is polished afterwards: Newton steps
//! with the full derivative take the balance to rounding, see `ipcsim::time::linear::polish`.
//!
//! For `N` steps a reverse pass needs all states. If they do not fit into the memory, states at
//! the starts of about `sqrt(N)` segments are kept, and each segment is computed again when it is
//! needed. This costs a second run and memory for about `2 sqrt(N)` states. The solver begins
//! each segment without memory, so that the second run is the same to the bit.

use crate::error::Error;
use crate::objective::{Objective, Readings};
use crate::passed::{Note, Passed};
use crate::problem::Problem;
use ipcsim::solve::Solver;
use ipcsim::time::linear::{Refused, StageMatrix, polish};
use ipcsim::time::{State, StepReport, World, settle, step};
use std::borrow::Cow;

/// Bytes of a state for each node and vertex: two vectors of each, of this step and of the one before.
const BYTES_OF_PLACE: usize = 64;

/// A trajectory at whose steps forces balance to rounding.
///
/// States of all steps are kept if they fit into the memory of the problem. Else states at the start of
/// each segment are kept, and those within a segment are computed again, to the bit.
#[derive(Debug)]
pub struct Run {
    /// Number of steps.
    pub steps: usize,
    /// Number of steps of a segment, from whose start a solver begins without memory.
    segment: usize,
    /// States of all steps, `[steps + 1]`, or at the start of each segment.
    kept: Vec<State>,
    /// True if states of all steps are kept.
    pub keeps_all: bool,
    /// The start before bodies settled, and what they settled with.
    settled: Option<(State, Note)>,
    /// The last state.
    end: State,
    /// What each step was solved with, `[steps]`.
    pub(crate) notes: Vec<Note>,
    /// Readings of each objective.
    pub(crate) readings: Vec<Readings>,
    /// Events at which something was held fixed.
    pub events: Events,
    /// Largest error of coordinates that is left by rounding (m; of angles rad).
    pub left: f64,
}

/// Events at which a gradient holds something fixed.
///
/// They do not refuse a gradient: its value leaves the change of reach and stiffness out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Steps after which reach or stiffness of contacts changed.
    pub adapted: usize,
}

impl Run {
    /// Runs the scene of a problem, and takes the readings of objectives.
    ///
    /// Readings are taken while the run goes on, so that values of the objectives need no states.
    ///
    /// # Errors
    /// [`Error::Step`] if a step fails, [`Error::Refused`] if one has no derivative, [`Error::Memory`] if
    /// not even the states of one segment fit.
    pub fn new(problem: &Problem, objectives: &[Objective]) -> Result<Self, Error> {
        // The decision is made before the run: memory does not depend on what happens in it.
        let (world, state) = problem.reference();
        // Memory for all states, or for those of one segment.
        let segment = segment_of(problem.steps);
        let bytes = BYTES_OF_PLACE * (state.q.len() + state.x.len());
        let whole = bytes.saturating_mul(problem.steps + 1);
        let parts = bytes.saturating_mul(problem.steps.div_ceil(segment) + segment + 1);
        let keeps_all = whole <= problem.memory;
        if !keeps_all && parts > problem.memory {
            return Err(Error::Memory {
                bytes: parts,
                given: problem.memory,
            });
        }
        Self::of(world, state, problem.steps, keeps_all, None, objectives)
    }

    /// Runs the scene of a problem with other values, where reach and stiffness of contacts follow this
    /// run. Its states are not kept.
    ///
    /// It serves differences between runs. `values` has one number for each parameter.
    ///
    /// # Errors
    /// As [`Run::new`], and [`Error::OtherMesh`].
    pub fn follow(
        &self,
        problem: &Problem,
        values: &[f64],
        objectives: &[Objective],
    ) -> Result<Self, Error> {
        // Other values, and the derived numbers of the reference.
        let setup = problem.with(values)?;
        let (world, state) = (&setup.world, &setup.state);
        Self::of(world, state, self.steps, false, Some(self), objectives)
    }

    /// Runs a world from a state, where reach and stiffness of contacts follow the record of another run.
    ///
    /// Without a record, reach and stiffness follow from the run itself.
    fn of(
        world: &World,
        first: &State,
        steps: usize,
        keeps_all: bool,
        record: Option<&Self>,
        objectives: &[Objective],
    ) -> Result<Self, Error> {
        let (first, settled) = settled(world, first)?;
        let mut run = Self {
            steps,
            segment: segment_of(steps),
            kept: vec![first.clone()],
            keeps_all,
            settled,
            end: first,
            notes: Vec::with_capacity(steps),
            readings: vec![Readings::default(); objectives.len()],
            events: Events::default(),
            left: 0.0,
        };
        let mut stepper = Stepper::new(world);
        for number in 0..steps {
            // A segment begins as it does where it is computed again.
            if number % run.segment == 0 {
                stepper = Stepper::new(world);
            }
            let end = stepper.step(&run.end, record.map(|record| &record.notes[number]))?;
            let Stepped { state, note, left } = end;
            run.left = run.left.max(left);

            // Events, and readings of the objectives.
            let before = &run.end.memory.options.stiffening;
            run.events.adapted += usize::from(note.stiffening != *before);
            let passed = Passed {
                number: number + 1,
                steps,
                start: &run.end,
                end: &state,
                note: &note,
            };
            for (readings, objective) in run.readings.iter_mut().zip(objectives) {
                readings.push(objective.read_at(world, &passed)?);
            }

            // The state, if it is kept.
            if keeps_all || (number + 1) % run.segment == 0 && number + 1 < steps {
                run.kept.push(state.clone());
            }
            run.notes.push(note);
            run.end = state;
        }
        Ok(run)
    }

    /// The last state.
    pub fn end(&self) -> &State {
        &self.end
    }

    /// Values of the objectives that the run was made with.
    ///
    /// One for each objective. The list must be the one that the run was made with, in its order.
    pub fn values(&self, objectives: &[Objective]) -> Vec<f64> {
        let both = objectives.iter().zip(&self.readings);
        both.map(|(objective, readings)| objective.value(readings))
            .collect()
    }

    /// Calls a function with the states of all steps in their order, the start first.
    ///
    /// Dropped states are computed again segment by segment, so that memory stays bounded.
    ///
    /// # Errors
    /// [`Error`] of states that are computed again.
    pub fn each_state(&self, problem: &Problem, mut each: impl FnMut(&State)) -> Result<(), Error> {
        each(&self.kept[0]);
        for first in self.segments() {
            for state in self.states_from(problem, first)?.iter().skip(1) {
                each(state);
            }
        }
        Ok(())
    }

    /// Readings of the objectives that the run was made with, summed over their terms, `[objectives][steps]`.
    pub fn series(&self, objectives: &[Objective]) -> Vec<Vec<f64>> {
        let both = objectives.iter().zip(&self.readings);
        both.map(|(objective, readings)| objective.series(readings))
            .collect()
    }

    /// First steps of all segments, by their number from 0.
    pub(crate) fn segments(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let segment = if self.keeps_all {
            self.steps.max(1)
        } else {
            self.segment
        };
        (0..self.steps.div_ceil(segment)).map(move |k| k * segment)
    }

    /// States from the start of a segment to its end, computed again if they are not kept.
    ///
    /// The result has one more state than the segment has steps: the first one is the start of
    /// the segment.
    ///
    /// # Errors
    /// [`Error::Other`] if they are not the same to the bit.
    pub(crate) fn states_from(
        &self,
        problem: &Problem,
        first: usize,
    ) -> Result<Cow<'_, [State]>, Error> {
        if self.keeps_all {
            return Ok(Cow::Borrowed(&self.kept));
        }

        // The steps of the segment from its start.
        let (world, _) = problem.reference();
        let number = first / self.segment;
        let last = (first + self.segment).min(self.steps);
        let mut states = vec![self.kept[number].clone()];
        let mut stepper = Stepper::new(world);
        for step in first..last {
            let end = stepper.step(&states[step - first], None)?;
            states.push(end.state);
        }

        // They end where the next segment begins.
        let known = self.kept.get(number + 1).unwrap_or(&self.end);
        if states.last().is_some_and(|own| own.hash() != known.hash()) {
            return Err(Error::NotRepeated { step: last });
        }
        Ok(Cow::Owned(states))
    }

    /// The search for equilibrium at the start as a step of the number 0; `None` if the scene asks for none.
    pub(crate) fn settling(&self) -> Option<Passed<'_>> {
        let (start, note) = self.settled.as_ref()?;
        Some(Passed {
            number: 0,
            steps: self.steps,
            start,
            end: &self.kept[0],
            note,
        })
    }

    /// A step with its states, by its number from 0 and the states of its segment.
    pub(crate) fn passed<'a>(
        &'a self,
        states: &'a [State],
        first: usize,
        number: usize,
    ) -> Passed<'a> {
        Passed {
            number: number + 1,
            steps: self.steps,
            start: &states[number - first],
            end: &states[number + 1 - first],
            note: &self.notes[number],
        }
    }
}

/// The start of a run where forces balance to rounding, if the scene asks for it; with the start before and what
/// bodies settled with.
///
/// # Errors
/// [`Error::Step`] if there is no equilibrium, [`Error::Refused`] if it has no derivative.
fn settled(world: &World, first: &State) -> Result<(State, Option<(State, Note)>), Error> {
    let mut state = first.clone();
    if world.options.settling.is_none() {
        return Ok((state, None));
    }
    settle(world, &mut state).map_err(|failure| Error::Step { step: 0, failure })?;

    // Its exact end, as of a step.
    let adapted = first.memory.options.stiffening.adapted.clone();
    let polished = polish(world, first, state, &adapted, &mut None)?;
    let note = Note {
        adapted,
        slips: polished.slips,
        stiffening: polished.state.memory.options.stiffening.clone(),
    };
    Ok((polished.state, Some((first.clone(), note))))
}

/// Number of steps of a segment: states at the starts of segments and within one need least memory.
///
/// With `K` steps in a segment, `N / K + K` states are in memory at once, which is least for
/// `K = sqrt(N)`.
fn segment_of(steps: usize) -> usize {
    (steps.isqrt() + 1).min(steps.max(1))
}

/// A solver with the memory of the steps before.
///
/// The matrix of the last polish gives its pattern to the next one.
struct Stepper<'a> {
    world: &'a World,
    solver: Solver,
    matrix: Option<StageMatrix>,
}

/// The end of a step.
struct Stepped {
    state: State,
    note: Note,
    /// Error of coordinates that is left by rounding.
    left: f64,
}

impl<'a> Stepper<'a> {
    /// A solver without memory.
    fn new(world: &'a World) -> Self {
        Self {
            world,
            solver: world.solver(),
            matrix: None,
        }
    }

    /// The next state, with the barriers of the same step of another run if there is one.
    ///
    /// # Errors
    /// [`Error::Step`] if the step fails, [`Error::Refused`] if it was solved by a fallback, in
    /// substeps, or with other barriers than the record has.
    fn step(&mut self, start: &State, record: Option<&Note>) -> Result<Stepped, Error> {
        let number = start.step + 1;
        let mut state = start.clone();
        if let Some(record) = record {
            let stiffening = &mut state.memory.options.stiffening;
            stiffening.adapted.clone_from(&record.adapted);
        }

        // The step.
        let done = step(self.world, &mut self.solver, &mut state);
        let done = done.map_err(|failure| Error::Step {
            step: number,
            failure,
        })?;
        refuse_report(number, &done.report)?;
        let adapted = done.report.adapted;
        if record.is_some_and(|record| adapted != record.adapted) {
            return Err(Error::Refused(Refused::Step {
                step: number,
                reason: "contacts of a step with another value have another reach",
            }));
        }

        // Its exact end.
        let polished = polish(self.world, start, state, &adapted, &mut self.matrix)?;
        let mut state = polished.state;

        // Barriers of the next step.
        if let Some(record) = record {
            let stiffening = &mut state.memory.options.stiffening;
            stiffening.clone_from(&record.stiffening);
        }

        let note = Note {
            adapted,
            slips: polished.slips,
            stiffening: state.memory.options.stiffening.clone(),
        };
        Ok(Stepped {
            state,
            note,
            left: polished.left,
        })
    }
}

/// Refuses a step that was solved in another manner than its equation says.
///
/// The equation of a step is one balance of forces from its start to its end. Substeps,
/// fallbacks, broken joints and woken bodies change the equation within the step.
fn refuse_report(step: usize, report: &StepReport) -> Result<(), Refused> {
    let refused = [
        (
            report.recovery.is_some(),
            "it failed at first, and a fallback solved it",
        ),
        (report.substeps.is_some(), "it has substeps"),
        (!report.broke.is_empty(), "a joint broke in it"),
        (!report.woken.is_empty(), "bodies woke in it"),
    ];
    for (is, reason) in refused {
        if is {
            return Err(Refused::Step { step, reason });
        }
    }
    Ok(())
}
