//! `run --resume`: finds the run in a folder and the checkpoint to resume from.
//!
//! 1. The folder must have a scene. Options are in the report or, if that is lost, in a checkpoint.
//! 2. The checkpoint is the last one, or that of `--from`. It must be undamaged and of this run,
//!    and the journal must hold every step up to it. A run that has completed keeps its last two.
//! 3. Later checkpoints are removed, since their steps are computed again.
//!
//! If the checkpoint is refused, the error names the newest older one that is valid, with the
//! command to type. Nothing is resumed from an older checkpoint without being asked.

use super::super::{CommandError, tell};
use super::job::Job;
use ipcsim::scene::{Setup, build, read};
use ipcsim::solve::Solver;
use ipcsim::time::{Record, State};
use ipcsim_store::checkpoint::{self, Checkpoint, CheckpointError, identity};
use ipcsim_store::existing_run::resume_command;
use ipcsim_store::folder::{JOURNAL, RunFolder, SCENE};
use ipcsim_store::journal::{Entry, JournalReader};
use ipcsim_store::place::Layout;
use ipcsim_store::report::{RunOptions, RunStatus};
use ipcsim_store::run_files::read_report;
use std::path::Path;

/// Run that was found in a folder, and whether there is anything left to do.
pub(super) enum Resumption {
    /// The run is complete; number of its steps.
    Completed(usize),
    /// The run can be resumed.
    Job(Box<Job>),
}

/// What the command line asks of a run that goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// Step of the checkpoint to go back to; `None` for the last one.
    pub(super) from: Option<usize>,
    /// Number of steps, instead of the scene's.
    pub(super) steps: Option<usize>,
    /// True if nothing but errors is printed.
    pub(super) quiet: bool,
}

/// Finds the run in the folder `dir`, at its last checkpoint or at the one that is wished for.
/// Later checkpoints are removed.
///
/// # Errors
/// If there is no run, or if it cannot be resumed from there.
pub(super) fn find(dir: &Path, wish: Wish) -> Result<Resumption, CommandError> {
    let path = dir.join(SCENE);
    if !path.exists() {
        return Err(CommandError::NothingToResume {
            dir: dir.to_path_buf(),
        });
    }
    let folder = RunFolder::reopen(dir)?;
    let Known {
        options,
        completed,
        ended,
    } = known(&folder, wish.quiet)?;

    // Scene and options are those that the run began with, apart from the number of steps.
    let mut scene = read(&path, &[]).map_err(CommandError::scene(&path))?;
    let steps = wish.steps.unwrap_or(scene.time.steps);
    scene.time.steps = steps;
    if wish.from.is_none_or(|from| from == steps) && completed == Some(steps) {
        return Ok(Resumption::Completed(steps));
    }
    // A run that its condition has ended goes on only if more steps are asked for.
    if let (Some(done), None, None) = (ended, wish.steps, wish.from) {
        return Ok(Resumption::Completed(done));
    }

    let setup = build(scene).map_err(CommandError::scene(&path))?;
    let identity = identity(&setup.scene, &options);
    let saved = checkpoint::steps(&folder)?;
    let start = choose(&folder, &setup, identity, wish.from)?;
    let chosen = start
        .as_ref()
        .map_or(0, |start| start.checkpoint.state.step);
    too_far(&folder, wish, chosen, steps)?;
    if let Some(done) = completed.filter(|&done| wish.from.is_none() && chosen < done) {
        return Err(CommandError::NoCheckpoint {
            dir: dir.to_path_buf(),
            step: done,
            steps: saved,
        });
    }

    // What comes after the chosen checkpoint is computed again.
    for step in saved {
        if step > chosen {
            checkpoint::remove(&folder, step)?;
        }
    }

    let (checkpoint, state, solver) = match start {
        Some(start) => (Some(start.checkpoint), start.state, start.solver),
        None => (None, setup.state.clone(), setup.solver()),
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

/// What a folder says of its run besides the scene.
struct Known {
    /// Options that the run began with.
    options: RunOptions,
    /// Number of steps, if all of them are done.
    completed: Option<usize>,
    /// Number of steps, if a condition has ended the run after them.
    ended: Option<usize>,
}

/// Reads the report of a run. Where it is missing or damaged, a checkpoint holds the options too.
///
/// # Errors
/// If there is neither a report nor a checkpoint that can be read.
fn known(folder: &RunFolder, quiet: bool) -> Result<Known, CommandError> {
    let error = match read_report(folder.path()) {
        Ok(report) => {
            let is_completed = report.status == RunStatus::Completed;
            return Ok(Known {
                options: report.options,
                completed: is_completed.then_some(report.steps),
                ended: report.ended.map(|_| report.steps),
            });
        }
        Err(error) => error,
    };

    // The latest checkpoint may have been damaged with the report.
    for step in checkpoint::steps(folder)?.into_iter().rev() {
        if let Ok(checkpoint) = Checkpoint::open(folder, step) {
            if !quiet {
                tell(&format!(
                    "note: {error}; the report is made again from the checkpoint of step {step} and the \
                     journal"
                ));
            }
            return Ok(Known {
                options: checkpoint.options,
                completed: None,
                ended: None,
            });
        }
    }
    Err(CommandError::Lost {
        source: error,
        dir: folder.path().to_path_buf(),
    })
}

/// Refuses a number of `steps` that the chosen checkpoint is beyond.
///
/// # Errors
/// [`CommandError::TooFar`].
fn too_far(
    folder: &RunFolder,
    wish: Wish,
    chosen: usize,
    steps: usize,
) -> Result<(), CommandError> {
    if wish.steps.is_none() || chosen < steps {
        return Ok(());
    }
    Err(CommandError::TooFar {
        dir: folder.path().to_path_buf(),
        done: chosen,
        steps,
    })
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
    // The last step of a run is computed again: its files may need more than a checkpoint holds.
    let mut steps = checkpoint::steps(folder)?;
    if from.is_none() {
        steps.retain(|&step| step != setup.scene.time.steps);
    }
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

/// Command that resumes the run in a folder, which may have been moved or removed since it began.
pub(super) fn command_now(folder: &RunFolder) -> String {
    if let Some(place) = folder.moved_to() {
        return resume_command(&place);
    }
    let command = command(folder);
    if folder.path().is_dir() {
        command
    } else {
        format!(
            "{command}, with its present path: {} was moved or removed",
            folder.path().display()
        )
    }
}

/// Command that resumes the run in a folder.
pub(super) fn command(folder: &RunFolder) -> String {
    resume_command(folder.path())
}
