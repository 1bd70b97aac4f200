//! A sweep on a Slurm cluster: an array of jobs on a folder that all nodes see.
//!
//! Task `K` of `N` is `ipcsim sweep --share K/N`: which runs it computes follows from its number
//! alone, and it writes journals of its own. No task waits for another one, and none locks a file.
//! Slurm sends SIGTERM some time before the limit of a task; the program then stores where its runs
//! are, and the script puts the task back into the queue. A last job, which waits for the array,
//! writes the table.

use super::SweepArgs;
use crate::{CommandError, Outcome, say};
use ipcsim_store::error::failed;
use ipcsim_store::file::write_whole;
use ipcsim_store::study::{Study, StudyFolder};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tasks, time limits and options of a cluster.
#[derive(Debug, clap::Args)]
pub(super) struct ClusterArgs {
    /// Number of tasks of the array, with --engine slurm.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    tasks: u32,
    /// Time limit of a task as sbatch takes it, for example 01:00:00, with --engine slurm. A task
    /// that reaches it goes on from where it was when Slurm starts it again.
    #[arg(long, value_name = "TIME", default_value = "01:00:00")]
    time: String,
    /// Further option for sbatch, for example --sbatch=--partition=short. Can be repeated.
    #[arg(long, value_name = "OPTION")]
    sbatch: Vec<String>,
    /// Write the scripts of --engine slurm, and submit nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Time (s) before the limit at which a task gets SIGTERM. A step of a run must end within it.
const NOTICE: u32 = 60;

/// Writes the scripts of a sweep and submits them.
///
/// # Errors
/// If a file cannot be written, or if sbatch cannot be run or refuses.
pub(super) fn submit(
    args: &SweepArgs,
    study: &Study,
    folder: &StudyFolder,
) -> Result<Outcome, CommandError> {
    let place = absolute(folder.path()).join("slurm");
    fs::create_dir_all(&place).map_err(failed("create", &place))?;
    let array = place.join("array.sh");
    let table = place.join("table.sh");
    write(&array, &array_script(args, &place))?;
    write(&table, &table_script(args, &place))?;
    if args.cluster.dry_run {
        say(&format!("scripts are in {}", place.display()))?;
        return Ok(Outcome::Done);
    }

    let id = sbatch([array.as_os_str()])?;
    let after = format!("--dependency=afterany:{id}");
    let last = sbatch([after.as_ref(), table.as_os_str()])?;
    say(&format!(
        "{} runs in {} tasks: array {id}, then job {last}, which writes {}",
        study.count(),
        args.cluster.tasks,
        folder.table().display()
    ))?;
    say(&format!("output of the tasks is in {}", place.display()))?;
    Ok(Outcome::Done)
}

/// Writes a script.
///
/// # Errors
/// If the file cannot be written.
fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    Ok(write_whole(path, |file| file.write_all(text.as_bytes()))?)
}

/// Runs sbatch with these arguments, and returns the number of the job.
///
/// # Errors
/// [`CommandError::Sbatch`] if it cannot be run or refuses.
fn sbatch<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<String, CommandError> {
    let mut command = Command::new("sbatch");
    let output = command.arg("--parsable").args(arguments).output();
    let output = output.map_err(|error| CommandError::Sbatch(error.to_string()))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(CommandError::Sbatch(reason));
    }

    // The number, and on some clusters the name of the cluster after a semicolon.
    let text = String::from_utf8_lossy(&output.stdout);
    let id = text.trim().split(';').next().unwrap_or_default();
    Ok(id.to_owned())
}

/// End of the script of the array, after the command that computes in the background.
const WAIT: &str = r#"task=$!
trap 'kill -TERM $task' TERM
code=0
wait $task || code=$?
# A wait that the signal has ended is begun again.
if kill -0 $task 2>/dev/null; then
    code=0
    wait $task || code=$?
fi
if [ $code -eq 143 ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit $code
"#;

/// Script of the array.
fn array_script(args: &SweepArgs, place: &Path) -> String {
    let tasks = args.cluster.tasks;
    let threads = args.threads.unwrap_or(1);
    let only = if args.only { " --only" } else { "" };
    let head = head(args, "ipcsim-sweep", &place.join("task-%a.log"));
    let options = format!(
        "#SBATCH --array=0-{last}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --time={time}\n\
         #SBATCH --requeue\n\
         #SBATCH --signal=B:TERM@{NOTICE}\n",
        last = tasks - 1,
        time = args.cluster.time,
    );
    let command = format!(
        "\n# SIGTERM comes before the limit, or when the task must make room: the program stores where \
         its\n# runs are and ends with 143, and the task goes back into the queue.\n\
         {}{only} --threads {threads} --share \"$SLURM_ARRAY_TASK_ID/{tasks}\" --quiet &\n",
        sweep(args)
    );
    [&head, &options, &command, WAIT].concat()
}

/// Script of the job that writes the table.
fn table_script(args: &SweepArgs, place: &Path) -> String {
    let head = head(args, "ipcsim-table", &place.join("table.log"));
    format!("{head}\n{} --collect\n", sweep(args))
}

/// Beginning of a script: the shell, the name of the job, its output and the options of the user.
fn head(args: &SweepArgs, name: &str, log: &Path) -> String {
    let given = args.cluster.sbatch.iter();
    let options: Vec<String> = given.map(|option| format!("#SBATCH {option}\n")).collect();
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name={name}\n\
         #SBATCH --output={}\n\
         #SBATCH --open-mode=append\n{}",
        log.display(),
        options.concat()
    )
}

/// Command that every job of the sweep begins with.
fn sweep(args: &SweepArgs) -> String {
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| super::default_folder(&args.plan));
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("ipcsim"));
    format!(
        "{} sweep {} --out {}",
        word(&program),
        word(&absolute(&args.plan)),
        word(&absolute(&out))
    )
}

/// A path that does not depend on the folder of the process.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A path as a word of the shell.
fn word(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
