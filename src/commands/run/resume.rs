//! `run --resume`: finds the run in a folder and the checkpoint to resume from.
//!
//! 1. The folder must have a scene and a report that says the run has not completed.
//! 2. The checkpoint is the last one, or that of `--from`. It must be undamaged and of this run,
//!    and the journal must hold every step up to it.
//! 3. Later checkpoints are removed, since their steps are computed again.
//!
//! If the checkpoint is refused, the error names the newest older one that is valid, with the
//! command to type. Nothing is resumed from an older checkpoint without being asked.

use super::super::CommandError;
use super::job::Job;
use super::recorder::remove_journal;
use crate::scene::{Setup, build, read};
use crate::solve::Solver;
use crate::store::checkpoint::{self, Checkpoint, CheckpointError, identity};
use crate::store::folder::{JOURNAL, RunFolder, SCENE};
use crate::store::journal::{Entry, JournalReader};
use crate::store::place::Layout;
use crate::store::report::RunStatus;
use crate::store::stored_run::read_report;
use crate::time::{Record, State};
use std::path::Path;

/// Run that was found in a folder, and whether there is anything left to do.
pub(super) enum Resumption {
    /// The run is complete; number of its steps.
    Completed(usize),
    /// The run can be resumed.
    Job(Box<Job>),
}

/// Finds the run in the folder `dir`, at its last checkpoint or at that of step `from`. Later
/// checkpoints are removed.
///
/// # Errors
/// If there is no run, or if it cannot be resumed from there.
pub(super) fn find(dir: &Path, from: Option<usize>) -> Result<Resumption, CommandError> {
    let path = dir.join(SCENE);
    if !path.exists() {
        return Err(CommandError::NothingToResume {
            dir: dir.to_path_buf(),
        });
    }

    let report = read_report(dir)?;
    let folder = RunFolder::reopen(dir)?;
    if report.status == RunStatus::Completed {
        // The process may have been killed before it removed the journal.
        remove_journal(&folder)?;
        return Ok(Resumption::Completed(report.steps));
    }

    // Scene and options are those that the run began with.
    let options = report.options;
    let setup = read(&path, &[])
        .and_then(build)
        .map_err(CommandError::scene(&path))?;
    let identity = identity(&setup.scene, &options);
    let start = choose(&folder, &setup, identity, from)?;

    // What comes after the chosen checkpoint is computed again.
    let chosen = start
        .as_ref()
        .map_or(0, |start| start.checkpoint.state.step);
    for step in checkpoint::steps(&folder)? {
        if step > chosen {
            checkpoint::remove(&folder, step)?;
        }
    }

    let (checkpoint, state, solver) = match start {
        Some(start) => (Some(start.checkpoint), start.state, start.solver),
        None => (None, setup.state.clone(), setup.world.solver()),
    };
    Ok(Resumption::Job(Box::new(Job {
        setup,
        state,
        solver,
        folder,
        options,
        identity,
        checkpoint,
    })))
}

/// Checkpoint with the state and the solver that are restored from it.
struct Start {
    /// Checkpoint as read from its file.
    checkpoint: Checkpoint,
    /// State after the step of the checkpoint.
    state: State,
    /// Solver with the memory that it had after that step.
    solver: Solver,
}

/// Chooses the checkpoint to resume from: that of step `from`, or the last one. Returns `None` for
/// the beginning of the run.
///
/// # Errors
/// If the run has no checkpoint of that step, or if the checkpoint is refused.
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

    let source = match open(folder, setup, identity, step) {
        Ok(start) => return Ok(Some(start)),
        Err(source) => source,
    };

    // The checkpoint is refused. The message offers the newest older one that is valid.
    let command = command(folder);
    let mut offer = format!("no other checkpoint is valid; start again with: {command} --from 0");
    for &older in steps.iter().rev().filter(|&&older| older < step) {
        if open(folder, setup, identity, older).is_ok() {
            offer = format!(
                "the checkpoint of step {older} is valid, resume from it with: {command} --from \
                 {older}"
            );
            break;
        }
    }
    Err(CommandError::Refused { source, offer })
}

/// Reads the checkpoint of `step` and restores state and solver.
///
/// # Errors
/// If the checkpoint is damaged or belongs to another run, or if it does not fit the journal or the
/// scene.
fn open(
    folder: &RunFolder,
    setup: &Setup,
    identity: u32,
    step: usize,
) -> Result<Start, CheckpointError> {
    let checkpoint = Checkpoint::read(folder, step, identity)?;
    let path = || checkpoint::path(folder, step);
    let world = &setup.world;

    // The journal must contain every step up to the checkpoint.
    let layout = Layout::of(&world.model.coordinates, &setup.state.q);
    let potentials = Record::columns(world).len();
    let (end, records) = checkpoint.journal;
    if !reaches(&folder.path().join(JOURNAL), end, records, |entry| {
        entry.fits(&layout, potentials, world.bodies.len())
    }) {
        return Err(CheckpointError::Journal { path: path(), step });
    }

    // State and memory must fit the scene.
    let mut solver = world.solver();
    let recalled = solver.recall(&world.model, &checkpoint.memory);
    let state = checkpoint
        .state
        .restore(&world.model.coordinates)
        .filter(|_| recalled.is_some());
    let state = state.ok_or_else(|| CheckpointError::World { path: path() })?;
    Ok(Start {
        checkpoint,
        state,
        solver,
    })
}

/// True if the first `records` records of the journal are valid, satisfy `is_own`, and end at byte
/// `end`. False if the journal cannot be read.
fn reaches(journal: &Path, end: u64, records: usize, is_own: impl Fn(&Entry) -> bool) -> bool {
    let Ok(mut reader) = JournalReader::open(journal) else {
        return false;
    };
    let mut valid = 0;
    for entry in reader.by_ref().take(records) {
        if !entry.is_ok_and(|entry| is_own(&entry)) {
            return false;
        }
        valid += 1;
    }
    valid == records && reader.end() == end
}

/// Command that resumes the run in a folder, with the path quoted for a shell where that is needed.
pub(super) fn command(folder: &RunFolder) -> String {
    let path = folder.path().display().to_string();
    let is_plain = path
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-+=:,@".contains(c));
    let word = if is_plain {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    };
    format!("ipcsim run --resume {word}")
}
