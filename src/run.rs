//! `ipcsim run`: simulates a scene, or resumes a run, and writes the results to a folder.
//!
//! How the parts fit:
//!
//! 1. [`fresh`] reads and checks a scene, or [`resume`] finds the run in a folder and chooses its
//!    checkpoint. Both give a [`Job`].
//! 2. [`simulate()`] takes the steps. A [`recorder`] notes each of them in a journal and shows it
//!    to [`writers`], one for each kind of file.
//! 3. Now and then ([`saving`]) a checkpoint is written. A signal or the time limit ([`stop`]) ends
//!    the run after a step, with a checkpoint.
//! 4. The report `run.json` is written last. Until then it says that the run is unfinished.
//!
//! Journal and checkpoints make a resumed run bit-identical to an uninterrupted one. A run that has
//! completed keeps them, so that it can continue.

mod args;
mod job;
mod progress;
mod query_log;
mod recorder;
mod report;
mod resume;
mod saving;
mod shown;
mod simulate;
pub(crate) mod stop;
mod summary;
mod thinning;
mod writers;

use super::batch::{each, only_one, say_json};
use super::preflight::Printed;
use super::{CommandError, Outcome, plot, preflight, render, say, tell, view};
pub(super) use args::RunArgs;
use ipcsim::math::parallel;
use ipcsim::scene::{SHAPES, STDIN, Scene, SceneError, Setup, Source, build};
use ipcsim_store::checkpoint::identity;
use ipcsim_store::existing_run::{self, Newcomer, resume_command};
use ipcsim_store::folder::RunFolder;
use ipcsim_store::report::{RunOptions, RunReport, RunStatus};
use ipcsim_store::run_files::{read_report, write_report};
use job::Job;
use progress::Show;
use resume::{Resumption, Wish};
pub(super) use simulate::Finished;
use simulate::simulate;
use std::path::{Path, PathBuf};
use stop::Cause;
pub(super) use stop::signal_of;
pub(super) use stop::{Stop, exit_code};
pub(super) use writers::{FrameWriter, files};

/// Runs `ipcsim run`: simulates one scene after the other, prints a summary of each, and says why a
/// run failed or stopped.
///
/// # Errors
/// If the scene or the run to resume cannot be used, or if a file cannot be written.
pub(super) fn run(args: &RunArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    parallel::with_threads(threads, || all(args)).map_err(CommandError::Threads)?
}

/// Simulates all scenes, or the run to resume.
///
/// # Errors
/// If the only one cannot be used, or if a file cannot be written.
fn all(args: &RunArgs) -> Result<Outcome, CommandError> {
    if let Some(dir) = &args.resume {
        let Some(mut job) = resumed(dir, args)? else {
            return Ok(Outcome::Done);
        };
        job.options.frames_later = args.pictures.is_given();
        return one(job, args);
    }

    let single = [
        ("--out", args.out.is_some()),
        ("--record-ccd", args.record_ccd.is_some()),
    ];
    only_one(&args.scene, "scenes", &single)?;

    // Two runs in one folder would replace each other.
    for (k, scene) in args.scene.iter().enumerate() {
        let mut before = args.scene[..k].iter();
        if let Some(other) = before.find(|other| default_folder(other) == default_folder(scene)) {
            return Err(CommandError::SameFolder {
                files: [other.clone(), scene.clone()],
                out: default_folder(scene),
            });
        }
    }
    each(&args.scene, |scene| one(fresh(scene, args)?, args))
}

/// Simulates a job, prints its summary, and says why the run failed or stopped.
///
/// # Errors
/// If a file cannot be written.
fn one(job: Job, args: &RunArgs) -> Result<Outcome, CommandError> {
    let stop = Stop::watch(args.max_wall)?;
    let folder = job.folder.path().to_path_buf();
    let show = match (args.quiet, args.verbose) {
        (true, _) => Show::Nothing,
        (false, 0) => Show::Progress,
        (false, 1) => Show::EachStep,
        (false, _) => Show::EachDirection,
    };

    let Finished {
        mut report, cause, ..
    } = simulate(job, &stop, show)?;
    draw_again(&mut report, &folder, args)?;

    // Results first, then what went wrong.
    if args.format.is_json() {
        say_json(&summary::object(&report, &folder)?, args.scene.len() < 2)?;
    } else if !args.quiet {
        summary::lines(&report, &folder)?;
    } else {
        summary::thinned(&report, &folder);
    }
    // A failure is an error; a signal or a time limit is not.
    match (&report.reason, cause) {
        (Some(reason), None) => tell(&format!("error: step {}: {}", reason.step, reason.message)),
        (Some(reason), Some(_)) if !args.quiet => tell(&reason.message),
        _ => {}
    }
    Ok(match (report.status, cause) {
        (RunStatus::Failed, _) => Outcome::Failed,
        (_, Some(Cause::Signal(signal))) => Outcome::Signal(exit_code(signal)),
        _ => Outcome::Done,
    })
}

/// Draws the pictures of a run that has ended, if the user asks for others than those that a run draws
/// by itself, or if bodies have left the view of these.
///
/// # Errors
/// If a picture cannot be drawn, or a file cannot be written.
fn draw_again(report: &mut RunReport, folder: &Path, args: &RunArgs) -> Result<(), CommandError> {
    let is_asked = args.pictures.is_given();
    if !report.options.frames || !is_asked && !render::is_left(folder)? {
        return Ok(());
    }
    let frames = render::pictures(folder, folder, &args.pictures, args.quiet)?;
    *report = RunReport {
        frames,
        ..read_report(folder)?
    };
    Ok(write_report(&RunFolder::reopen(folder)?, report)?)
}

/// Run in the folder `dir`, ready to go on. `None` if all steps are done, which is printed.
///
/// # Errors
/// If the run cannot be resumed.
fn resumed(dir: &Path, args: &RunArgs) -> Result<Option<Job>, CommandError> {
    let wish = Wish {
        from: args.from,
        steps: args.steps,
        quiet: args.quiet,
    };

    match resume::find(dir, wish)? {
        Resumption::Job(job) => Ok(Some(*job)),
        Resumption::Completed(_) if args.format.is_json() => {
            let report = read_report(dir)?;
            say_json(&summary::object(&report, dir)?, true)?;
            Ok(None)
        }
        Resumption::Completed(steps) => {
            if !args.quiet {
                let more = resume_command(dir);
                say(&format!(
                    "{}: all {steps} steps are done; continue with more: {more} --steps {}",
                    dir.display(),
                    2 * steps
                ))?;
            }
            Ok(None)
        }
    }
}

/// Run of the scene `path` from its beginning, with an empty folder for its results.
///
/// # Errors
/// If the scene has an error, or if the folder cannot be used.
fn fresh(path: &Path, args: &RunArgs) -> Result<Job, CommandError> {
    let source = Source::read(path, &args.set, SHAPES).map_err(CommandError::scene(path))?;
    let printed = Printed {
        warnings: !args.quiet,
        numbers: !args.quiet && !args.format.is_json(),
    };
    let edit = |scene: &mut Scene| scene.time.steps = args.steps.unwrap_or(scene.time.steps);
    let setup = preflight::ready(path, &source, edit, printed)?;

    // Options that the run keeps, for the day on which it is resumed.
    let record_ccd = args
        .record_ccd
        .as_deref()
        .map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
    let options = RunOptions {
        frames: !args.no_frames,
        frames_later: args.pictures.is_given(),
        checkpoint_every: args.checkpoint_every.map(|n| n as usize),
        record_ccd,
        certify: args.certify,
        scene: std::path::absolute(path)
            .ok()
            .filter(|_| path != Path::new(STDIN)),
    };

    // Without --out, the folder has the name of the scene file.
    let out = args.out.clone().unwrap_or_else(|| default_folder(path));
    if !args.force {
        let newcomer = Newcomer {
            scene: &setup.scene,
            file: options.scene.as_deref(),
        };
        existing_run::refuse(&out, newcomer)?;
    }
    let folder = RunFolder::create(&out, &written(), args.force)?;
    Ok(job(setup, folder, options))
}

/// Folder for the results of a scene file: `output` and the name of the file.
fn default_folder(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_else(|| "scene".as_ref());
    let is_stdin = path == Path::new(STDIN);
    PathBuf::from("output").join(if is_stdin { "stdin".as_ref() } else { stem })
}

/// Simulates a scene into the folder `out`, without frames, progress or a word; an unfinished run in
/// it is resumed where it was.
///
/// # Errors
/// If the scene has an error, or if a file cannot be written.
pub(super) fn into_folder(
    scene: Scene,
    out: &Path,
    stop: &Stop,
) -> Result<Finished, IntoFolderError> {
    let wish = Wish {
        from: None,
        steps: None,
        quiet: true,
    };

    let job = match resume::find(out, wish) {
        Ok(Resumption::Job(job)) => *job,
        // A folder without a run, or with one that cannot be resumed, is begun anew.
        _ => anew(scene, out)?,
    };
    Ok(simulate(job, stop, Show::Nothing)?)
}

/// Error of a run of many.
#[derive(Debug, thiserror::Error)]
pub(super) enum IntoFolderError {
    /// The scene of this run cannot be simulated; others may.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file cannot be written.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// A run from its beginning, without frames, with an empty folder for its results.
///
/// # Errors
/// If the scene has an error, or if the folder cannot be used.
fn anew(scene: Scene, out: &Path) -> Result<Job, IntoFolderError> {
    let setup = build(scene)?;
    let options = RunOptions {
        frames: false,
        frames_later: false,
        checkpoint_every: None,
        record_ccd: None,
        certify: false,
        scene: None,
    };
    let folder = RunFolder::create(out, &written(), true).map_err(CommandError::from)?;
    Ok(job(setup, folder, options))
}

/// Names of the files that a run or a command that reads it may write.
fn written() -> Vec<&'static str> {
    [&files()[..], &plot::FILES, &[view::FILE]].concat()
}

/// Job of a run from its beginning.
fn job(setup: Setup, folder: RunFolder, options: RunOptions) -> Job {
    Job {
        state: setup.state.clone(),
        solver: setup.solver(),
        identity: identity(&setup.scene, &options),
        setup,
        folder,
        options,
        checkpoint: None,
    }
}
