//! Runs of a sweep with folders of their own, as `ipcsim run --no-frames` writes them.
//!
//! A run that was stopped continues from its checkpoint. The row has the numbers that the folder
//! has: they are those of a run in memory, to the last bit.

use super::error::WorkError;
use crate::CommandError;
use crate::run::{Finished, IntoFolderError, Stop, into_folder};
use ipcsim::quantities::Moment;
use ipcsim_store::report::RunStatus;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::study::{Ended, Numbers, OF_SCENE, Outcome, Row, Study, StudyFolder, Tally};
use ipcsim_store::table::{ENERGIES, Table};
use std::path::Path;
use std::time::Instant;

/// Computes a run into its folder. `None` if a signal stopped it: its folder has a checkpoint.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn compute(
    study: &Study,
    folder: &StudyFolder,
    run: u64,
    stop: &Stop,
) -> Result<Option<Ended>, WorkError> {
    let started = Instant::now();
    let path = folder.run(run);
    let finished = study
        .scene(run)
        .map_err(IntoFolderError::from)
        .and_then(|scene| into_folder(scene, &path, stop));
    let finished = match finished {
        Ok(finished) => finished,
        Err(IntoFolderError::Command(error)) => return Err(error.into()),
        Err(IntoFolderError::Scene(error)) => {
            let outcome = Outcome::refused(&error);
            return Ok(Some(done(run, outcome, None, started)));
        }
    };
    if finished.cause.is_some() {
        return Ok(None);
    }

    let numbers = numbers(study, &path, &finished)?;
    let outcome = match (finished.report.status, finished.report.reason) {
        (RunStatus::Completed, _) | (_, None) => Outcome::Completed,
        (_, Some(reason)) => Outcome::Failed(reason),
    };
    Ok(Some(done(run, outcome, Some(numbers), started)))
}

/// A run that has ended.
fn done(run: u64, outcome: Outcome, numbers: Option<Numbers>, started: Instant) -> Ended {
    Ended::Done(Row {
        run,
        outcome,
        numbers,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Numbers of the last state of a run, with the energies that its folder has.
///
/// # Errors
/// If the table of energies cannot be read.
fn numbers(study: &Study, path: &Path, finished: &Finished) -> Result<Numbers, CommandError> {
    let Finished {
        report,
        world,
        state,
        ..
    } = finished;
    let energies = Table::read(&path.join(ENERGIES)).map_err(StoredError::from)?;
    let last = |name: &str| {
        let column = energies.columns.iter().position(|column| column == name);
        let row = energies.rows.last();
        row.zip(column).and_then(|(row, column)| row[column])
    };

    let tally = Tally {
        newton_iterations: report.newton_iterations,
        min_gap: report.min_gap,
        min_area_ratio: report.min_j,
    };
    let end = Moment::of(world, state);
    let scene = OF_SCENE.map(last);
    let numbers = Numbers::of(&end, scene, tally, &study.plan.bodies);
    Ok(numbers.measured(&study.measures, &report.measures))
}
