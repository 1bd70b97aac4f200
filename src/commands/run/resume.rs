//! `run --resume`: finding out where a run is, and from what it can go on.

use super::super::CommandError;
use super::job::Job;
use super::recorder::Recorder;
use crate::scene::{Setup, build, read};
use crate::solve::Solver;
use crate::store::checkpoint::{self, Checkpoint, CheckpointError, identity};
use crate::store::folder::{JOURNAL, RUN, RunFolder, SCENE};
use crate::store::journal::{Entry, JournalReader};
use crate::store::report::{RunReport, RunStatus};
use crate::store::segments::Layout;
use crate::time::{Record, State};
use std::path::Path;

/// What is in a folder.
pub(super) enum Found {
    /// A run that has done all its steps, so many.
    Completed(usize),
    /// A run to go on with.
    Job(Box<Job>),
}

/// Finds the run in the folder `dir`, at its last checkpoint or at that of step `from`.
pub(super) fn find(dir: &Path, from: Option<usize>) -> Result<Found, CommandError> {
    let path = dir.join(SCENE);
    if !path.exists() {
        return Err(CommandError::NothingToResume {
            dir: dir.to_path_buf(),
        });
    }
    let report = CommandError::read_report(&dir.join(RUN))?;
    let folder = RunFolder::reopen(dir)?;
    if report.status == RunStatus::Completed {
        // It may have been killed while it cleared up.
        Recorder::remove_journal(&folder)?;
        return Ok(Found::Completed(report.steps));
    }
    let RunReport { options, .. } = report;
    let setup = read(&path, &[])
        .and_then(build)
        .map_err(CommandError::scene(&path))?;
    let identity = identity(&(&setup.scene, &options));
    let found = choose(&folder, &setup, identity, from)?;
    let chosen = found
        .as_ref()
        .map_or(0, |(checkpoint, ..)| checkpoint.state.step);
    for step in checkpoint::steps(&folder)?
        .into_iter()
        .filter(|&step| step > chosen)
    {
        checkpoint::remove(&folder, step)?;
    }
    let (checkpoint, state, solver) = match found {
        Some((checkpoint, state, solver)) => (Some(checkpoint), state, solver),
        None => (None, setup.state.clone(), setup.world.solver()),
    };
    Ok(Found::Job(Box::new(Job {
        setup,
        state,
        solver,
        folder,
        options,
        identity,
        checkpoint,
    })))
}

/// A checkpoint, and the state and solver that it stands for.
type Start = (Checkpoint, State, Solver);

/// The checkpoint to go on from, or `None` for the beginning.
fn choose(
    folder: &RunFolder,
    setup: &Setup,
    identity: u32,
    from: Option<usize>,
) -> Result<Option<Start>, CommandError> {
    let steps = checkpoint::steps(folder)?;
    let step = match (from, steps.last()) {
        (Some(0), _) | (None, None) => return Ok(None),
        (Some(step), _) if !steps.contains(&step) => {
            return Err(CommandError::NoCheckpoint {
                dir: folder.path().to_path_buf(),
                step,
                steps,
            });
        }
        (Some(step), _) | (None, Some(&step)) => step,
    };
    open(folder, setup, identity, step).map(Some).map_err(|source| {
        let good = steps.iter().rev().find(|&&other| other < step && open(folder, setup, identity, other).is_ok());
        let command = command(folder);
        let offer = match good {
            Some(older) => {
                format!("the checkpoint of step {older} is good, go on from it with: {command} --from {older}")
            }
            None => format!("there is no other good one; start again with: {command} --from 0"),
        };
        CommandError::Refused { source, offer }
    })
}

/// Reads the checkpoint of `step`, if the run can go on from it.
fn open(
    folder: &RunFolder,
    setup: &Setup,
    identity: u32,
    step: usize,
) -> Result<Start, CheckpointError> {
    let checkpoint = Checkpoint::read(folder, step, identity)?;
    let path = || checkpoint::path(folder, step);
    let world = &setup.world;
    let (layout, potentials) = (
        Layout::of(&world.model.coordinates, &setup.state.q),
        Record::columns(world).len(),
    );
    if !reaches(&folder.path().join(JOURNAL), checkpoint.journal, |entry| {
        entry.fits(&layout, potentials)
    }) {
        return Err(CheckpointError::Journal { path: path(), step });
    }
    let mut solver = world.solver();
    let recalled = solver.recall(&world.model, &checkpoint.memory);
    let state = checkpoint
        .state
        .restore(&world.model.coordinates)
        .filter(|_| recalled.is_some());
    let state = state.ok_or_else(|| CheckpointError::World { path: path() })?;
    Ok((checkpoint, state, solver))
}

/// Whether so many records of the journal are good and of this run, and end at byte `end`.
fn reaches(journal: &Path, (end, records): (u64, usize), is_own: impl Fn(&Entry) -> bool) -> bool {
    let Ok(mut reader) = JournalReader::open(journal) else {
        return false;
    };
    let good = reader
        .by_ref()
        .take(records)
        .take_while(|entry| entry.as_ref().is_ok_and(&is_own))
        .count();
    good == records && reader.end() == end
}

/// What to type to go on with the run in a folder.
pub(super) fn command(folder: &RunFolder) -> String {
    let path = folder.path().display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@".contains(c);
    let word = if path.chars().all(plain) {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    };
    format!("ipcsim run --resume {word}")
}
