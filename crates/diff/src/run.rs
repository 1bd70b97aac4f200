//! A trajectory at whose steps forces balance to rounding.

use crate::error::Error;
use crate::problem::Problem;
use ipcsim::contact::AdaptedPair;
use ipcsim::time::linear::{Refused, polish};
use ipcsim::time::{State, StepReport, World, step};

/// A trajectory at whose steps forces balance to rounding.
#[derive(Debug)]
pub struct Run {
    /// States, the first one at the start, `[steps + 1]`.
    pub states: Vec<State>,
    /// Pairs whose barriers were adapted in each step, `[steps]`.
    pub adapted: Vec<Vec<AdaptedPair>>,
    /// Rows of joints whose force was at a bound at the end of each step, `[steps]`.
    pub slips: Vec<Vec<i8>>,
    /// Events at which something was held fixed.
    pub events: Events,
    /// Largest error of coordinates that is left by rounding (m; of angles rad).
    pub left: f64,
}

/// Events at which a gradient holds something fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Steps after which reach or stiffness of contacts changed.
    pub adapted: usize,
}

impl Run {
    /// Runs the scene of a problem.
    ///
    /// # Errors
    /// [`Error::Step`] if a step fails, [`Error::Refused`] if one has no derivative.
    pub fn new(problem: &Problem) -> Result<Self, Error> {
        let (world, state) = problem.reference();
        Self::of(world, state.clone(), problem.steps, None)
    }

    /// Runs a world from a state, where reach and stiffness of contacts follow the record of another run.
    pub(crate) fn of(
        world: &World,
        first: State,
        steps: usize,
        record: Option<&Self>,
    ) -> Result<Self, Error> {
        let mut run = Self {
            states: vec![first],
            adapted: Vec::new(),
            slips: Vec::new(),
            events: Events::default(),
            left: 0.0,
        };
        let mut solver = world.solver();
        for number in 0..steps {
            let start = &run.states[number];
            let mut state = start.clone();
            if let Some(record) = record {
                let stiffening = &mut state.memory.options.stiffening;
                stiffening.adapted.clone_from(&record.adapted[number]);
            }
            let done = step(world, &mut solver, &mut state);
            let done = done.map_err(|failure| Error::Step {
                step: number + 1,
                failure,
            })?;
            refuse_report(number + 1, &done.report)?;
            let adapted = done.report.adapted;
            if let Some(record) = record
                && adapted != record.adapted[number]
            {
                return Err(Error::Refused(Refused::Step {
                    step: number + 1,
                    reason: "contacts of a step with another value have another reach",
                }));
            }
            let polished = polish(world, start, state, &adapted)?;
            let mut state = polished.state;
            run.left = run.left.max(polished.left);

            // Barriers of the next step.
            let stiffening = &mut state.memory.options.stiffening;
            if let Some(record) = record {
                let of_record = &record.states[number + 1].memory.options.stiffening;
                stiffening.clone_from(of_record);
            } else if stiffening.adapted != start.memory.options.stiffening.adapted {
                run.events.adapted += 1;
            }
            run.slips.push(polished.slips);
            run.adapted.push(adapted);
            run.states.push(state);
        }
        Ok(run)
    }

    /// The last state.
    pub fn end(&self) -> &State {
        &self.states[self.states.len() - 1]
    }
}

/// Refuses a step that was solved in another manner than its equation says.
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
