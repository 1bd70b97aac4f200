//! `ipcsim validate`: compares the simulator with formulas and with independent computations.
//!
//! Cases are selected by name, beginning of a name, or pattern. They run on all threads, a table of
//! their quantities goes to standard output, and a page with a plot for each case to a file.
//!
//! A case passes if all of its quantities are within their tolerances. Known misses, with a reason
//! and a largest error, do not fail; a larger error does. The exit code is 1 if a case fails, so
//! that a script can stop there.

mod select;
mod table;

use super::batch::FormatArgs;
use super::completed::Names;
use super::{CommandError, Outcome, say, tell};
use ipcsim_store::error::failed;
use ipcsim_store::file::write_whole;
use ipcsim_validate::{Case, Report, Verdict, Weight, cases, report, run_all};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Compare the simulator with formulas and with independent computations.
///
/// Each case is an experiment whose result is known: at rest, with friction, of elasticity, impact,
/// joints and symmetries. Prints expected and measured values with their tolerances, and writes
/// them to a page (HTML) with a plot for each case. Known misses, which belong to the method, are
/// listed with their numbers and do not fail.
#[derive(Debug, clap::Args)]
pub(super) struct ValidateArgs {
    /// Names of cases, beginnings of names such as `friction`, or patterns with `*` [default: all].
    #[arg(value_name = "CASE", value_parser = Names(case_names), hide_possible_values = true)]
    cases: Vec<String>,
    /// Print the names and titles of the cases instead of running them.
    #[arg(long)]
    list: bool,
    /// Leave out cases that take longer than a second.
    #[arg(long)]
    quick: bool,
    /// File for the page, or a folder for `validate.html`.
    #[arg(
        long,
        short,
        alias = "output",
        value_name = "PATH",
        default_value = "output/validate.html"
    )]
    out: PathBuf,
    /// A table, or all results.
    #[command(flatten)]
    format: FormatArgs,
    /// Number of threads; the results do not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Examples and exit codes, at the end of the command's help text.
pub(super) const AFTER_HELP: &str = "\
Examples:
  ipcsim validate                      all cases, and output/validate.html
  ipcsim validate friction rest_gap    all cases of friction, and one more
  ipcsim validate --quick --json       the quick ones, for scripts

Exit codes:
  0  all cases pass, or miss what they are known to miss
  1  a case fails
  2  no case has that name, bad usage, or the page cannot be written";

/// Names of all cases.
fn case_names() -> Vec<&'static str> {
    cases::ALL.iter().map(|case| case.name).collect()
}

/// Cases that `names` select, all of them without a name; without those that take longer than a
/// second if they should be `quick`.
///
/// # Errors
/// If no case has a name that was asked for.
fn selected(names: &[String], quick: bool) -> Result<Vec<Case>, CommandError> {
    let mut selected = select::selected(cases::ALL, names)?;
    if quick {
        selected.retain(|case| case.weight == Weight::Quick);
    }
    Ok(selected)
}

/// Runs the cases that `ipcsim validate` would run, and returns their reports. Nothing is printed
/// or written.
///
/// # Errors
/// If no case has a name that was asked for, or if threads cannot be started.
pub fn validate(
    names: &[String],
    quick: bool,
    threads: Option<usize>,
) -> Result<Vec<Report>, CommandError> {
    run_all(&selected(names, quick)?, threads, |_| {}).map_err(CommandError::Threads)
}

/// Runs `ipcsim validate`.
///
/// # Errors
/// If no case has a name that was asked for, or if the page cannot be written.
pub(super) fn run(args: &ValidateArgs) -> Result<Outcome, CommandError> {
    let selected = selected(&args.cases, args.quick)?;
    if args.list {
        say(table::list(&selected).trim_end())?;
        return Ok(Outcome::Done);
    }

    let reports = measure(&selected, args)?;
    let file = page_file(&args.out);
    let folder = file.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
    write_whole(&file, |out| {
        out.write_all(report::page(&reports).as_bytes())
    })?;

    // Results to standard output, where the page is to standard error if a script reads the former.
    if args.format.is_json() {
        say(&json(&reports)?)?;
        tell(&format!("page: {}", file.display()));
    } else {
        say(&table::table(&reports))?;
        say(&format!("page: {}", file.display()))?;
    }
    let failed = reports.iter().any(|report| report.verdict == Verdict::Fail);
    Ok(if failed {
        Outcome::Failed
    } else {
        Outcome::Done
    })
}

/// Runs the selected cases, and tells the name of each that is done.
///
/// # Errors
/// If threads cannot be started.
///
/// Cases end in any order, and lines of progress go to standard error in that order. The reports
/// are in the order of the list.
fn measure(selected: &[Case], args: &ValidateArgs) -> Result<Vec<Report>, CommandError> {
    let done = AtomicUsize::new(0);
    let threads = args.threads.map(usize::from);

    let ran = run_all(selected, threads, |report| {
        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
        let verdict = report.verdict.words();
        tell(&format!(
            "{count}/{} {}: {verdict}",
            selected.len(),
            report.case.name
        ));
    });
    ran.map_err(CommandError::Threads)
}

/// File for the page: the path itself if its name ends in `.html`, else `validate.html` in it.
///
/// `results/a.html` stays as it is; `results` becomes `results/validate.html`.
fn page_file(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|end| end == "html") {
        path.to_path_buf()
    } else {
        path.join("validate.html")
    }
}

/// Reports as JSON. Values that are not numbers are `null`.
///
/// # Errors
/// Never: reports have only text keys.
pub fn json(reports: &[Report]) -> Result<String, CommandError> {
    serde_json::to_string_pretty(reports).map_err(|error| CommandError::Json(error.to_string()))
}
