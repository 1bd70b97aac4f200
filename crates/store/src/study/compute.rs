//! One run of a study, in memory.

use super::row::{Numbers, OF_SCENE, Outcome, Pause, Row, Tally};
use super::source::Study;
use crate::measured::Tallies;
use crate::mesh_file::MeshFile;
use crate::report::Reason;
use ipcsim::quantities::{Moment, of_scene};
use ipcsim::simulation::{Error, Simulation};
use ipcsim::time::{Record, StepReport};
use std::time::Instant;

/// End of the work on a run.
#[derive(Clone, Debug)]
pub enum Ended {
    /// The run is done.
    Done(Row),
    /// The run was stopped on the way.
    Paused(Box<Pause>),
}

/// Computes a run, from its start or from where it was stopped. It is paused at the end of the step
/// in which `stop` becomes true.
///
/// The row is a function of the study and the number alone, but for the time that it took. A pause
/// changes no bit of it.
pub fn compute(study: &Study, run: u64, pause: Option<&Pause>, stop: &dyn Fn() -> bool) -> Ended {
    let started = Instant::now();
    let before = pause.map_or(0.0, |pause| pause.seconds);
    let row = |outcome: Outcome, numbers: Option<Numbers>| {
        Ended::Done(Row {
            run,
            outcome,
            numbers,
            seconds: before + started.elapsed().as_secs_f64(),
        })
    };

    let mut simulation: Simulation = match study.setup(run) {
        Ok(setup) => setup.into(),
        Err(error) => return row(Outcome::refused(&error), None),
    };
    let mut tally = pause.map_or_else(Tally::default, |pause| pause.tally);
    let mut tallies = pause.map_or_else(Tallies::default, |pause| pause.tallies.clone());
    let begun = begun(&mut simulation, pause, &mut tally, &mut tallies);

    let mut last = match begun {
        Ok(report) => report.record,
        // A scene whose start touches something has no numbers.
        Err(error) => return row(failed(&simulation, error), None),
    };
    let steps = simulation.scene().time.steps;
    while simulation.steps() < steps {
        match simulation.step() {
            Ok(report) => {
                tally.count(&report.record);
                tallies.add(&report);
                last = report.record;
                if report.over {
                    break;
                }
            }
            Err(error) => {
                let outcome = failed(&simulation, error);
                let numbers = numbers(study, &simulation, tally, &last);
                return row(outcome, Some(with(numbers, study, &simulation, &tallies)));
            }
        }
        if stop() && simulation.steps() < steps {
            return Ended::Paused(Box::new(Pause {
                run,
                tally,
                tallies,
                snapshot: simulation.snapshot(),
                seconds: before + started.elapsed().as_secs_f64(),
            }));
        }
    }
    let numbers = numbers(study, &simulation, tally, &last);
    row(
        Outcome::Completed,
        Some(with(numbers, study, &simulation, &tallies)),
    )
}

/// Begins a simulation, or puts it where it was paused.
///
/// # Errors
/// Those of [`Simulation::begin`] and [`Simulation::restore`].
fn begun(
    simulation: &mut Simulation,
    pause: Option<&Pause>,
    tally: &mut Tally,
    tallies: &mut Tallies,
) -> Result<StepReport, Error> {
    if let Some(pause) = pause {
        return simulation.restore(&pause.snapshot);
    }
    let report = simulation.begin()?;
    tally.count(&report.record);
    tallies.add(&report);
    Ok(report)
}

/// Outcome of a simulation with an error.
fn failed(simulation: &Simulation, error: Error) -> Outcome {
    match error {
        Error::Step { failure, .. } => {
            let mesh = MeshFile::of(simulation.world());
            let plain = Reason::of(&failure, simulation.steps(), &mesh);
            Outcome::Failed(plain.with_joints(simulation.world(), simulation.state()))
        }
        other => Outcome::Refused(other.to_string()),
    }
}

/// Numbers of the present state, whose energies are in the record `last`.
fn numbers(study: &Study, simulation: &Simulation, tally: Tally, last: &Record) -> Numbers {
    let scene = OF_SCENE.map(|name| of_scene(name)?.in_record(last));
    let end = Moment::of(simulation.world(), simulation.state());
    Numbers::of(&end, scene, tally, &study.plan.bodies)
}

/// Numbers with the measures of the study.
fn with(numbers: Numbers, study: &Study, simulation: &Simulation, tallies: &Tallies) -> Numbers {
    numbers.measured(&study.measures, &tallies.results(simulation.measures()))
}
