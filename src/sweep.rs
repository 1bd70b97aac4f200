//! `ipcsim sweep`: many runs of one scene, each with other values.
//!
//! 1. The plan is read into a [`Study`], with all files that it names.
//! 2. The folder is opened. Rows of earlier calls are in its journals, and are not computed again.
//! 3. [`local`] computes what is missing on the cores of this machine, or [`slurm`] submits tasks to a
//!    cluster, which are this command with `--share`.
//! 4. The table is written, and failures are summed up.
//!
//! A signal pauses the runs under way and stores where they are; the same command continues.

mod error;
mod folders;
mod local;
mod progress;
mod slurm;
mod summary;

use super::{CommandError, Outcome, run::exit_code, say};
use ipcsim_store::study::{Collected, Share, Sources, Study, StudyFolder};
use progress::Progress;
pub use progress::SweepTally;
use std::path::{Path, PathBuf};

/// Run a scene many times with other values; write a table with a row for each run.
///
/// The plan is a JSON file with the path of a scene and the keys that vary: by lists, ranges,
/// random numbers, Latin hypercubes or tables. The folder of the results has the table
/// (results.csv), a journal for each worker (journals/), and a folder for each run as ipcsim run
/// writes it (runs/), unless --only is given. A sweep that was stopped or killed continues when the
/// same command is given again.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate option")]
pub(super) struct SweepArgs {
    /// Plan (JSON).
    plan: PathBuf,
    /// Folder for the results [default: output/<name of the plan>].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep nothing of a run but its row in the table.
    #[arg(long)]
    only: bool,
    /// Number of runs at a time; the results do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Compute task K of N tasks, counted from 0: consecutive runs. Tasks may run on any machines
    /// that share the folder.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["engine", "collect"])]
    share: Option<Share>,
    /// Compute nothing: write the table of the runs that are done, and say which runs are missing.
    #[arg(long)]
    collect: bool,
    /// Print the number of runs and the values of the first ones, and compute nothing.
    #[arg(long, conflicts_with_all = ["share", "collect", "engine"])]
    list: bool,
    /// Machine that computes.
    #[arg(long, value_enum, default_value_t = Engine::Local)]
    engine: Engine,
    /// Tasks, time limits and options of a cluster.
    #[command(flatten)]
    cluster: slurm::ClusterArgs,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// Machine that computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// The cores of this machine.
    Local,
    /// An array of jobs on a Slurm cluster, which is submitted by sbatch.
    Slurm,
}

/// Exit codes of a sweep, at the end of its help text.
pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0         all runs are done and have completed; with --collect and --engine slurm: success
  1         all runs are done, and some have failed or were refused
  2         bad input or usage, or a file cannot be read or written
  130, 143  SIGINT or SIGTERM stopped the sweep; the same command continues";

/// Largest number of runs that `--list` prints.
const LISTED: u64 = 20;

/// Runs `ipcsim sweep`.
///
/// # Errors
/// If the plan or the folder cannot be used, or if a file cannot be written.
pub(super) fn run(args: &SweepArgs) -> Result<Outcome, CommandError> {
    let in_plan = |source| CommandError::Sweep {
        plan: args.plan.clone(),
        source,
    };
    let sources = Sources::read(&args.plan).map_err(in_plan)?;
    let study = Study::new(&sources).map_err(in_plan)?;
    if args.list {
        list(&study)?;
        return Ok(Outcome::Done);
    }

    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&args.plan));
    let folder = StudyFolder::open(&out, &study, &sources).map_err(in_plan)?;
    if args.engine == Engine::Slurm {
        return slurm::submit(args, &study, &folder);
    }

    let share = args.share.unwrap_or(Share::ALL);
    let mut stopped = None;
    if !args.collect {
        let work = local::Work {
            study: &study,
            folder: &folder,
            share,
            threads: args.threads.map(usize::from),
            only: args.only,
        };
        let mut progress = Progress::new(args.quiet);
        let done = local::compute(&work, &mut |tally| {
            progress.show(tally);
            true
        });
        stopped = done.map_err(|error| error.named(&args.plan))?;
    }

    // A task leaves the table to the one who has all of them.
    let collected = Collected::read(&folder, &share.range(study.count())).map_err(in_plan)?;
    if args.share.is_none() {
        collected.write(&study, &folder).map_err(in_plan)?;
    }
    if !args.quiet {
        summary::print(&study, &folder, &collected, share)?;
    }
    Ok(match stopped {
        Some(signal) => Outcome::Signal(exit_code(signal)),
        None if !args.collect && !collected.failures().is_empty() => Outcome::Failed,
        None => Outcome::Done,
    })
}

/// What a program asks of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweepJob<'a> {
    /// Texts of the plan and of the files that it names.
    pub sources: &'a Sources,
    /// Study made of them.
    pub study: &'a Study,
    /// Path of the plan, for messages.
    pub plan: &'a Path,
    /// Folder for the results.
    pub out: &'a Path,
    /// Number of runs at a time; one a core if `None`.
    pub threads: Option<usize>,
    /// True if only rows are kept.
    pub only: bool,
}

/// Computes all runs of a study that have no row in its folder, and writes the table, as `ipcsim sweep`
/// does. Returns the exit code for a signal that stopped it.
///
/// Meanwhile `listener` hears how far the sweep is, and stops it if it returns false.
///
/// # Errors
/// If the folder is of another plan, or a file cannot be read or written.
pub fn sweep(
    job: &SweepJob,
    listener: &mut dyn FnMut(&SweepTally) -> bool,
) -> Result<Option<u8>, CommandError> {
    let in_plan = |source| CommandError::Sweep {
        plan: job.plan.to_path_buf(),
        source,
    };
    let folder = StudyFolder::open(job.out, job.study, job.sources).map_err(in_plan)?;
    let work = local::Work {
        study: job.study,
        folder: &folder,
        share: Share::ALL,
        threads: job.threads,
        only: job.only,
    };
    let stopped = local::compute(&work, listener).map_err(|error| error.named(job.plan))?;

    let all = Share::ALL.range(job.study.count());
    let collected = Collected::read(&folder, &all).map_err(in_plan)?;
    collected.write(job.study, &folder).map_err(in_plan)?;
    Ok(stopped.map(exit_code))
}

/// Folder of a plan for which none is given: `output/`, then its name.
fn default_folder(plan: &Path) -> PathBuf {
    let stem = plan.file_stem().unwrap_or_else(|| "sweep".as_ref());
    PathBuf::from("output").join(stem)
}

/// Prints the number of runs, and the values of the first ones.
///
/// # Errors
/// If standard output cannot be written.
fn list(study: &Study) -> Result<(), CommandError> {
    let count = study.count();
    say(&format!("{count} runs"))?;
    for run in 0..count.min(LISTED) {
        let values = study.points.values(run);
        let columns = study.points.columns().iter().zip(values);
        let settings: Vec<String> = columns
            .map(|(column, value)| format!("{} = {value}", column.name))
            .collect();
        say(&format!("run {run}: {}", settings.join(", ")))?;
    }
    if count > LISTED {
        say(&format!("and {} more", count - LISTED))?;
    }
    Ok(())
}
