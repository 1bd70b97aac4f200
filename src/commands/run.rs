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

mod job;
mod progress;
mod query_log;
mod recorder;
mod report;
mod resume;
mod saving;
mod shown;
mod simulate;
mod stop;
mod writers;

use super::{CommandError, Outcome, plot, preflight, say, tell, view};
use crate::math::parallel;
use crate::scene::{Scene, SceneError, Setup, Source, build};
use crate::store::checkpoint::identity;
use crate::store::folder::RunFolder;
use crate::store::occupant::{self, Newcomer, resume_command};
use crate::store::report::{RunOptions, RunReport, RunStatus};
use crate::store::segments::SEGMENTS;
use job::Job;
use resume::{Resumption, Wish};
pub(super) use simulate::Finished;
use simulate::simulate;
use std::path::{Path, PathBuf};
use stop::Cause;
pub(super) use stop::signal_of;
pub(super) use stop::{Stop, exit_code};
pub(super) use writers::{FrameWriter, files};

/// Simulate a scene; write frames, trajectory, energies and a report.
///
/// The folder of the results has pictures (frames/, animation.gif), positions (trajectory.npy,
/// mesh.json), energies (energies.csv, energies.png), forces (forces.csv; contacts.csv and
/// contacts.npy if the scene asks for them), fields for ParaView if the scene asks for them
/// (fields.pvd), timings (timings.csv), the scene (scene.json) and a report with the outcome
/// (run.json). A run that was stopped, failed or was killed can be resumed from its last
/// checkpoint.
#[derive(Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct RunArgs {
    /// Scene file (JSON).
    #[arg(required_unless_present = "resume")]
    scene: Option<PathBuf>,
    /// Folder for the results; an ended run of the same scene in it is replaced [default: output/<name of
    /// the scene file>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of steps, instead of the scene's. With --resume a run that has completed goes on to that
    /// step, to the bits of a longer run.
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    steps: Option<usize>,
    /// Replace a value of the scene, for example time.step=0.005 or bodies.0.position=[0,1]. Can be
    /// repeated.
    ///
    /// KEY is the path of the value: keys, and numbers of list entries from 0, joined by dots.
    /// VALUE is JSON, or text without quotes.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write no frames and no animation.
    #[arg(long)]
    no_frames: bool,
    /// Number of threads; the results do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write every continuous collision query that passes the bounding-box test to FILE, one JSON
    /// object per line, as input for ipcsim ccd.
    #[arg(long, value_name = "FILE")]
    record_ccd: Option<PathBuf>,
    /// Store the motion between the states as well, so that ipcsim verify can prove it free of
    /// intersections. A step has about as many segments of motion as Newton iterations; each takes
    /// 16 bytes per vertex.
    #[arg(long)]
    certify: bool,
    /// Start even if the folder holds an unfinished run or the run of another scene, which is removed, or
    /// other files, which are left alone.
    ///
    /// Without this option such folders are refused.
    #[arg(long)]
    force: bool,
    /// Continue the run in DIR after Ctrl-C, a crash or --max-wall, or with --steps after its end. The
    /// result is bit-identical to an uninterrupted run. Scene and options are read from DIR.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "scene", "out", "set", "no_frames", "record_ccd", "certify", "force",
            "checkpoint_every"
        ]
    )]
    resume: Option<PathBuf>,
    /// Resume from the checkpoint of this step instead of the last one; 0 starts from the
    /// beginning.
    #[arg(
        long,
        value_name = "STEP",
        value_parser = whole,
        allow_negative_numbers = true,
        requires = "resume",
        conflicts_with = "scene"
    )]
    from: Option<usize>,
    /// Write a checkpoint, from which the run can be resumed, every N steps [default: about every
    /// two seconds].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: Option<u32>,
    /// Stop the run when this time is reached. The run can be resumed.
    ///
    /// The time counts from the start of the simulation; a resumed run may take as long again. A step
    /// that is under way may take half a second longer; then it is given up and computed again later.
    #[arg(long, value_name = "SECONDS", value_parser = stop::seconds)]
    max_wall: Option<f64>,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs `ipcsim run`: simulates, prints a summary, and says why the run failed or stopped.
///
/// # Errors
/// If the scene or the run to resume cannot be used, or if a file cannot be written.
pub(super) fn run(args: &RunArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    let ended =
        parallel::with_threads(threads, || begin(args)).map_err(CommandError::Threads)??;
    let Some(Ended { folder, finished }) = ended else {
        return Ok(Outcome::Done);
    };
    let Finished { report, cause, .. } = finished;

    if !args.quiet {
        summarise(&report, &folder)?;
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

/// A run that has ended, and its folder.
struct Ended {
    /// Folder with the results.
    folder: PathBuf,
    /// Report, and the cause that stopped the run.
    finished: Finished,
}

/// Simulates the scene or the run to resume. `None` if that run has completed already.
///
/// # Errors
/// If the scene or the run cannot be used, or if a file cannot be written.
fn begin(args: &RunArgs) -> Result<Option<Ended>, CommandError> {
    let job = match (&args.resume, &args.scene) {
        (Some(dir), _) => match resumed(dir, args)? {
            Some(job) => job,
            None => return Ok(None),
        },
        (None, Some(scene)) => fresh(scene, args)?,
        // The command line asks for one of them.
        (None, None) => return Ok(None),
    };

    let stop = Stop::watch(args.max_wall)?;
    let folder = job.folder.path().to_path_buf();
    let finished = simulate(job, &stop, args.quiet)?;
    Ok(Some(Ended { folder, finished }))
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
    let source = Source::read(path, &args.set).map_err(CommandError::scene(path))?;
    let edit = |scene: &mut Scene| scene.time.steps = args.steps.unwrap_or(scene.time.steps);
    let setup = preflight::ready(path, &source, edit, args.quiet)?;

    // Options that the run keeps, for the day on which it is resumed.
    let record_ccd = args
        .record_ccd
        .as_deref()
        .map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
    let options = RunOptions {
        frames: !args.no_frames,
        checkpoint_every: args.checkpoint_every.map(|n| n as usize),
        record_ccd,
        certify: args.certify,
        scene: std::path::absolute(path).ok(),
    };

    // Without --out, the folder has the name of the scene file.
    let out = args.out.clone().unwrap_or_else(|| {
        let stem = path.file_stem().unwrap_or_else(|| "scene".as_ref());
        PathBuf::from("output").join(stem)
    });
    if !args.force {
        let newcomer = Newcomer {
            scene: &setup.scene,
            file: options.scene.as_deref(),
        };
        occupant::refuse(&out, newcomer)?;
    }
    let folder = RunFolder::create(&out, &written(), args.force)?;
    Ok(job(setup, folder, options))
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
    Ok(simulate(job, stop, true)?)
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
        solver: setup.world.solver(),
        identity: identity(&setup.scene, &options),
        setup,
        folder,
        options,
        checkpoint: None,
    }
}

/// Prints the outcome of a run in a few lines: counts, the extremes that show how close the run
/// came to an intersection or an inversion, and the folder.
///
/// # Errors
/// If standard output cannot be written.
fn summarise(report: &RunReport, folder: &Path) -> Result<(), CommandError> {
    let whole = report.timings.get("whole").copied().unwrap_or_default();
    let word = match report.status {
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Interrupted => "interrupted",
    };
    say(&format!(
        "{word}: {}, {}, {} in {whole:.2} s",
        counted(report.steps, "step"),
        counted(report.newton_iterations, "Newton iteration"),
        counted(report.frames, "frame")
    ))?;
    say(&format!(
        "smallest gap {}, smallest area ratio {}",
        report
            .min_gap
            .map_or_else(|| "none".to_owned(), |gap| format!("{gap:.3e} m")),
        or_none(report.min_j)
    ))?;

    if !report.recoveries.is_empty() {
        say(&format!(
            "{} needed a second attempt or more: see \"recoveries\" in run.json",
            counted(report.recoveries.len(), "step")
        ))?;
    }
    for notice in &report.notices {
        say(notice)?;
    }
    say(&format!("state hash {}", report.hash))?;

    // Segments may take much of the disk.
    if report.options.certify {
        let mut bytes = 0;
        for file in SEGMENTS {
            bytes += std::fs::metadata(folder.join(file)).map_or(0, |data| data.len());
        }
        say(&format!(
            "{} segments of motion in {:.0} kB, which ipcsim verify proves",
            report.segments,
            bytes as f64 / 1e3
        ))?;
    }
    say(&format!("written to {}", folder.display()))
}

/// Reads a number of steps from the command line.
///
/// # Errors
/// If the text is no whole number, or a negative one.
fn whole(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "expected a whole number, 0 or larger, in digits".to_owned())
}

/// Number of things, with the plural of their name where it is not 1.
pub(super) fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

/// Number with four significant digits, or "none".
fn or_none(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.3e}"))
}
