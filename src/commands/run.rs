//! `ipcsim run`.

mod chart;
mod frames;
mod job;
mod progress;
mod query_log;
mod recorder;
mod report;
mod resume;
mod saving;
mod simulate;
mod stop;

use super::{CommandError, Outcome, preflight, say, tell};
use crate::math::parallel;
use crate::scene::{Setup, Source};
use crate::store::checkpoint::identity;
use crate::store::folder::{RunFolder, SEGMENTS};
use crate::store::report::{RunOptions, RunReport, RunStatus};
pub(super) use frames::FrameWriter;
use job::Job;
use resume::Resumption;
use simulate::simulate;
use std::path::{Path, PathBuf};
use stop::{Cause, Stop};

/// Simulate a scene; write frames, trajectory, energies and a report.
#[derive(Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct RunArgs {
    /// The scene, a JSON file.
    #[arg(required_unless_present = "resume")]
    scene: Option<PathBuf>,
    /// Folder to write to; a run in it is replaced [default: output/<name of the scene file>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of steps, instead of the scene's.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Replace a value of the scene, for example time.step=0.005 or bodies.0.position=[0,1]; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Skip frames and animation.
    #[arg(long)]
    no_frames: bool,
    /// Threads to use; results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the continuous collision queries of the run that bounding boxes do not decide to FILE, for ipcsim ccd.
    #[arg(long, value_name = "FILE")]
    record_ccd: Option<PathBuf>,
    /// Store the ends of every step segment that the solver accepts, for ipcsim verify to prove them again: 16 bytes a vertex
    /// for each, and a step has as many as Newton iterations or so.
    #[arg(long)]
    certify: bool,
    /// Write into the folder even if it holds other files, which are left alone.
    #[arg(long)]
    force: bool,
    /// Go on with the run in DIR, which was ended, failed or was killed, to the bits of a run that was not: scene and options
    /// are those stored there.
    #[arg(
        long, value_name = "DIR",
        conflicts_with_all = ["scene", "out", "steps", "set", "no_frames", "record_ccd", "certify", "force", "checkpoint_every"]
    )]
    resume: Option<PathBuf>,
    /// Resume from the checkpoint of this step instead of the last one; 0 starts again.
    #[arg(
        long,
        value_name = "STEP",
        requires = "resume",
        conflicts_with = "scene"
    )]
    from: Option<usize>,
    /// Write a checkpoint every N steps [default: every two seconds or so].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    checkpoint_every: Option<u32>,
    /// End the run after this time, to be resumed.
    #[arg(long, value_name = "SECONDS", value_parser = stop::seconds)]
    max_wall: Option<f64>,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &RunArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    let ended =
        parallel::with_threads(threads, || begin(args)).map_err(CommandError::Threads)??;
    let Some((path, report, cause)) = ended else {
        return Ok(Outcome::Done);
    };
    if !args.quiet {
        summarise(&report, &path);
    }
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

/// A run that has ended: its folder, its report, and what has ended it before its last step.
type Ended = (PathBuf, RunReport, Option<Cause>);

/// Simulates, unless the run to resume has completed.
fn begin(args: &RunArgs) -> Result<Option<Ended>, CommandError> {
    let (job, stop) = match (&args.resume, &args.scene) {
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
            Resumption::Job(job) => (*job, Stop::watch(args.max_wall)?),
        },
        (None, Some(scene)) => fresh(scene, args)?,
        // The command line asks for one of them.
        (None, None) => return Ok(None),
    };
    let path = job.folder.path().to_path_buf();
    let (report, cause) = simulate(job, &stop, args.quiet)?;
    Ok(Some((path, report, cause)))
}

/// The run of a scene from its beginning.
fn fresh(path: &Path, args: &RunArgs) -> Result<(Job, Stop), CommandError> {
    let in_scene = || CommandError::scene(path);
    let source = Source::read(path, &args.set).map_err(in_scene())?;
    let mut scene = source.scene().map_err(in_scene())?;
    if let Some(steps) = args.steps {
        scene.time.steps = steps;
    }
    let setup = preflight::ready(path, &source, scene, args.quiet)?;
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
    let default =
        || PathBuf::from("output").join(path.file_stem().unwrap_or_else(|| "scene".as_ref()));
    let stop = Stop::watch(args.max_wall)?;
    let folder = RunFolder::create(&args.out.clone().unwrap_or_else(default), args.force)?;
    let identity = identity(&(&setup.scene, &options));
    let Setup { state, world, .. } = &setup;
    let (state, solver) = (state.clone(), world.solver());
    Ok((
        Job {
            setup,
            state,
            solver,
            folder,
            options,
            identity,
            checkpoint: None,
        },
        stop,
    ))
}

fn summarise(report: &RunReport, path: &Path) {
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
    let number =
        |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3e}"));
    say(&format!(
        "smallest gap {} m, smallest area ratio {}",
        number(report.min_gap),
        number(report.min_j)
    ));
    if !report.recoveries.is_empty() {
        say(&format!(
            "{} steps were solved at the second attempt or later: \"recoveries\" in run.json",
            report.recoveries.len()
        ));
    }
    say(&format!("state hash {}", report.hash));
    if report.options.certify {
        let size =
            std::fs::metadata(path.join(SEGMENTS)).map_or(0.0, |data| data.len() as f64 / 1e3);
        say(&format!(
            "{} step segments in {size:.0} kB, proved again by ipcsim verify",
            report.segments
        ));
    }
    say(&format!("written to {}", path.display()));
}
