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
//! Journal and checkpoints make a resumed run bit-identical to an uninterrupted one. A completed
//! run has no more use for them, and they are removed.

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
use crate::scene::Source;
use crate::store::checkpoint::identity;
use crate::store::folder::RunFolder;
use crate::store::report::{RunOptions, RunReport, RunStatus};
use crate::store::segments::SEGMENTS;
use job::Job;
pub use report::reason;
use resume::Resumption;
use simulate::simulate;
use std::path::{Path, PathBuf};
use stop::{Cause, Stop};
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
    /// Folder for the results; a run in it is replaced [default: output/<name of the scene file>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of steps, instead of the scene's.
    #[arg(long, value_name = "N")]
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
    /// Write into the folder even if it holds other files, which are left alone.
    ///
    /// Without this option a folder with files that no run has written is refused.
    #[arg(long)]
    force: bool,
    /// Resume the run in DIR after it was stopped, failed or was killed. The result is
    /// bit-identical to an uninterrupted run. Scene and options are read from DIR.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "scene", "out", "steps", "set", "no_frames", "record_ccd", "certify", "force",
            "checkpoint_every"
        ]
    )]
    resume: Option<PathBuf>,
    /// Resume from the checkpoint of this step instead of the last one; 0 starts from the
    /// beginning.
    #[arg(
        long,
        value_name = "STEP",
        requires = "resume",
        conflicts_with = "scene"
    )]
    from: Option<usize>,
    /// Write a checkpoint, from which the run can be resumed, every N steps [default: about every
    /// two seconds].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: Option<u32>,
    /// Stop the run at the end of the step in which this time is reached. The run can be resumed.
    ///
    /// The time counts from the start of the simulation; a resumed run may take as long again.
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
    let Some(Ended {
        folder,
        report,
        cause,
    }) = ended
    else {
        return Ok(Outcome::Done);
    };

    if !args.quiet {
        summarise(&report, &folder);
    }
    // A failure is an error; a signal or a time limit is not.
    match (&report.reason, cause) {
        (Some(reason), None) => tell(&format!("error: step {}: {}", reason.step, reason.message)),
        (Some(reason), Some(_)) if !args.quiet => tell(&reason.message),
        _ => {}
    }
    Ok(match (report.status, cause) {
        (RunStatus::Failed, _) => Outcome::Failed,
        (_, Some(Cause::Signal(signal))) => Outcome::Signal(stop::exit_code(signal)),
        _ => Outcome::Done,
    })
}

/// A run that has ended, by itself or by a cause from outside.
struct Ended {
    /// Folder with the results.
    folder: PathBuf,
    /// Report, as it stands in `run.json`.
    report: RunReport,
    /// Cause that stopped the run before its last step; `None` if it completed or failed.
    cause: Option<Cause>,
}

/// Simulates the scene or the run to resume. `None` if that run has completed already.
///
/// # Errors
/// If the scene or the run cannot be used, or if a file cannot be written.
fn begin(args: &RunArgs) -> Result<Option<Ended>, CommandError> {
    let job = match (&args.resume, &args.scene) {
        (Some(dir), _) => match resume::find(dir, args.from)? {
            Resumption::Completed(steps) => {
                if !args.quiet {
                    say(&format!(
                        "{}: all {steps} steps are done, there is nothing to resume",
                        dir.display()
                    ));
                }
                return Ok(None);
            }
            Resumption::Job(job) => *job,
        },
        (None, Some(scene)) => fresh(scene, args)?,
        // The command line asks for one of them.
        (None, None) => return Ok(None),
    };

    let stop = Stop::watch(args.max_wall)?;
    let folder = job.folder.path().to_path_buf();
    let (report, cause) = simulate(job, &stop, args.quiet)?;
    Ok(Some(Ended {
        folder,
        report,
        cause,
    }))
}

/// Run of the scene `path` from its beginning, with an empty folder for its results.
///
/// # Errors
/// If the scene has an error, or if the folder cannot be used.
fn fresh(path: &Path, args: &RunArgs) -> Result<Job, CommandError> {
    let in_scene = || CommandError::scene(path);
    let source = Source::read(path, &args.set).map_err(in_scene())?;
    let mut scene = source.scene().map_err(in_scene())?;
    if let Some(steps) = args.steps {
        scene.time.steps = steps;
    }
    let setup = preflight::ready(path, &source, scene, args.quiet)?;

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
    };

    // Without --out, the folder has the name of the scene file.
    let out = args.out.clone().unwrap_or_else(|| {
        let stem = path.file_stem().unwrap_or_else(|| "scene".as_ref());
        PathBuf::from("output").join(stem)
    });
    let folder = RunFolder::create(
        &out,
        &[&files()[..], &plot::FILES, &[view::FILE]].concat(),
        args.force,
    )?;
    Ok(Job {
        state: setup.state.clone(),
        solver: setup.world.solver(),
        identity: identity(&setup.scene, &options),
        setup,
        folder,
        options,
        checkpoint: None,
    })
}

/// Prints the outcome of a run in a few lines: counts, the extremes that show how close the run
/// came to an intersection or an inversion, and the folder.
fn summarise(report: &RunReport, folder: &Path) {
    let whole = report.timings.get("whole").copied().unwrap_or_default();
    let word = match report.status {
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Interrupted => "interrupted",
    };
    say(&format!(
        "{word}: {} steps, {} Newton iterations, {} frames in {whole:.2} s",
        report.steps, report.newton_iterations, report.frames
    ));
    say(&format!(
        "smallest gap {} m, smallest area ratio {}",
        or_none(report.min_gap),
        or_none(report.min_j)
    ));

    if !report.recoveries.is_empty() {
        say(&format!(
            "{} steps needed a second attempt or more: see \"recoveries\" in run.json",
            report.recoveries.len()
        ));
    }
    for notice in &report.notices {
        say(notice);
    }
    say(&format!("state hash {}", report.hash));

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
        ));
    }
    say(&format!("written to {}", folder.display()));
}

/// Number with four significant digits, or "none".
fn or_none(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.3e}"))
}
