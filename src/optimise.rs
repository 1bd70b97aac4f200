//! `ipcsim optimise`: values of a scene's numbers for which numbers of its run are small, large, or as given.
//!
//! The folder has the journal of the search, from which the same command continues, the points that the search
//! has accepted as a table, and the result.

use super::error::shown;
use super::gradient::{Comparison, comparisons};
use super::{CommandError, Outcome, say};
use ipcsim::scene::{SHAPES, Source};
use ipcsim_diff::{
    Derived, Entry, Error, Found, Method, Omitted, Plan, Problem, Run, Search, check, gradient,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Exit codes, at the end of the help.
pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0  success
  1  a run failed, or with --check a derivative differs
  2  bad input or usage, or something has no derivative";

/// Names of the files in the folder.
const JOURNAL: &str = "journal.jsonl";
const POINTS: &str = "points.csv";
const RESULT: &str = "result.json";
const PLAN: &str = "plan.json";

/// Find the numbers of a scene for which numbers of its run are least, largest, or as given.
///
/// The plan is a JSON file with the path of a scene, the numbers that change, and what is sought. The folder
/// of the results has the journal of the search (journal.jsonl), the points that it has accepted (points.csv) and the
/// result (result.json). A search that was stopped continues when the same command is given again.
#[derive(Debug, clap::Args)]
pub(super) struct OptimiseArgs {
    /// Plan (JSON).
    plan: PathBuf,
    /// Folder for the results [default: output/<name of the plan>].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare the gradient at the start with central differences, and search nothing.
    #[arg(long)]
    check: bool,
    /// Print an object for programs.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs `ipcsim optimise`.
///
/// # Errors
/// If the plan or its scene cannot be used, or something has no derivative.
pub(super) fn run(args: &OptimiseArgs) -> Result<Outcome, CommandError> {
    let refused = |source: Error| match source {
        Error::Scene(source) => CommandError::scene(&args.plan)(source),
        other => CommandError::Shape {
            file: PathBuf::from(shown(&args.plan)),
            message: other.to_string(),
        },
    };
    let text = fs::read_to_string(&args.plan).map_err(|error| unreadable(&args.plan, &error));
    let text = text.map_err(refused)?;
    let plan = Plan::parse(&text).map_err(refused)?;
    let beside = args.plan.parent().unwrap_or(Path::new("."));
    let source = Source::read(&beside.join(&plan.scene), &plan.overrides(), SHAPES);
    let source = source.map_err(CommandError::scene(&plan.scene))?;
    if args.check {
        return checked(&plan, &source).map_err(refused);
    }

    let out = args.out.clone().unwrap_or_else(|| {
        let name = args.plan.file_stem().unwrap_or_default();
        Path::new("output").join(name)
    });
    let (found, first) = searched(args, &plan, &source, &out).map_err(refused)?;
    report(args, &plan, &found, first, &out).map_err(refused)?;
    Ok(Outcome::Done)
}

/// Error of a file that cannot be read or written.
fn unreadable(file: &Path, error: &std::io::Error) -> Error {
    Error::Stopped(format!("{}: {error}", shown(file).display()))
}

/// Compares the gradient at the start of a search with differences.
fn checked(plan: &Plan, source: &Source) -> Result<Outcome, Error> {
    let keys: Vec<String> = plan.change.iter().map(|own| own.key.clone()).collect();
    let at_scene = Problem::new(source, &keys, None)?;
    let variables = plan.variables(&at_scene)?;
    let mut source = source.clone();
    let starts = keys.iter().zip(&variables);
    source
        .overrides
        .extend(starts.map(|(key, variable)| format!("{key}={}", Value::from(variable.start))));
    let problem = Problem::new(&source, &keys, None)?;
    let objectives: Vec<_> = plan
        .objectives(&problem)?
        .into_iter()
        .map(|own| own.1)
        .collect();

    // The gradient, and differences.
    let run = Run::new(&problem, &objectives)?;
    let found = gradient(&problem, &run, &objectives, Omitted::default())?;
    let checked = check(&problem, &run, &objectives)?;
    let mut text = String::new();
    let mut is_confirmed = true;
    for (k, objective) in objectives.iter().enumerate() {
        _ = writeln!(text, "{objective} = {:.12e}", found[k].value);
        for comparison in comparisons(&problem, &found[k], Some(&checked[k])) {
            is_confirmed &= Comparison::is_confirmed(&comparison);
            _ = writeln!(text, "  {comparison}");
        }
    }
    say(text.trim_end()).map_err(|error| Error::Stopped(error.to_string()))?;
    Ok(if is_confirmed {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

/// Runs the search into a folder; returns its end and the value at its start.
fn searched(
    args: &OptimiseArgs,
    plan: &Plan,
    source: &Source,
    out: &Path,
) -> Result<(Found, f64), Error> {
    fs::create_dir_all(out).map_err(|error| unreadable(out, &error))?;
    let known = known(plan, source, out)?;

    // Files of the folder.
    let path = out.join(JOURNAL);
    let journal = OpenOptions::new().create(true).append(true).open(&path);
    let mut journal = journal.map_err(|error| unreadable(&path, &error))?;
    let points = out.join(POINTS);
    let mut table = File::create(&points).map_err(|error| unreadable(&points, &error))?;
    let keys: Vec<&str> = plan.change.iter().map(|own| &*own.key).collect();
    writeln!(table, "gradient,value,{}", keys.join(","))
        .map_err(|error| unreadable(&points, &error))?;

    // What the search computes, and what it accepts.
    let mut first = f64::NAN;
    let mut count = 0;
    let mut write = |entry: &Entry| {
        let line = serde_json::to_string(entry).unwrap_or_default();
        let written = writeln!(journal, "{line}").and_then(|()| journal.flush());
        written.map_err(|error| unreadable(&path, &error))
    };
    let mut each = |x: &[f64], derived: &Derived| {
        count += 1;
        if count == 1 {
            first = derived.value;
        }
        let values: Vec<String> = x.iter().map(|x| Value::from(*x).to_string()).collect();
        let value = Value::from(derived.value);
        writeln!(table, "{count},{value},{}", values.join(","))
            .map_err(|error| unreadable(&points, &error))?;
        if !args.quiet && !args.json {
            let pairs = keys.iter().zip(x);
            let pairs: Vec<String> = pairs.map(|(key, x)| format!("{key} {x:.6}")).collect();
            let line = format!("{count}: {:.9e} at {}", derived.value, pairs.join(", "));
            say(&line).map_err(|error| Error::Stopped(error.to_string()))?;
        }
        Ok(())
    };
    let found = Search::new(plan, source, known, &mut write, &mut each).run()?;
    Ok((found, first))
}

/// Entries of the journal in a folder, if there is one of the same plan and scene.
fn known(plan: &Plan, source: &Source, out: &Path) -> Result<Vec<Entry>, Error> {
    let own = json!({
        "plan": plan,
        "scene": serde_json::from_str::<Value>(&source.text).unwrap_or_default(),
    });
    let path = out.join(PLAN);
    let journal = out.join(JOURNAL);
    let is_same = fs::read_to_string(&path)
        .is_ok_and(|text| serde_json::from_str::<Value>(&text).is_ok_and(|known| known == own));
    if !is_same {
        if journal.exists() {
            return Err(Error::Plan(format!(
                "{} has the journal of another plan or scene; give another folder with --out, or remove it",
                shown(out).display()
            )));
        }
        fs::write(&path, format!("{own:#}\n")).map_err(|error| unreadable(&path, &error))?;
        return Ok(Vec::new());
    }
    let Ok(text) = fs::read_to_string(&journal) else {
        return Ok(Vec::new());
    };

    // The last line may have been cut off; what follows it is written anew.
    let entries = text.lines().map(serde_json::from_str::<Entry>);
    let entries: Vec<Entry> = entries.map_while(Result::ok).collect();
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap_or_default() + "\n")
        .collect();
    fs::write(&journal, lines.concat()).map_err(|error| unreadable(&journal, &error))?;
    Ok(entries)
}

/// Writes and prints the result.
fn report(
    args: &OptimiseArgs,
    plan: &Plan,
    found: &Found,
    first: f64,
    out: &Path,
) -> Result<(), Error> {
    let pairs = plan.change.iter().zip(&found.x);
    let set: serde_json::Map<String, Value> = pairs
        .map(|(own, x)| (own.key.clone(), Value::from(*x)))
        .collect();
    let method = match plan.method() {
        Method::GaussNewton => "gauss_newton",
        Method::QuasiNewton => "quasi_newton",
    };
    let result = json!({
        "set": set,
        "value": found.derived.value,
        "first_value": first,
        "gradients": found.gradients,
        "values": found.values,
        "ended": found.ended,
        "method": method,
    });
    let path = out.join(RESULT);
    fs::write(&path, format!("{result:#}\n")).map_err(|error| unreadable(&path, &error))?;
    if args.quiet {
        return Ok(());
    }
    let text = if args.json {
        format!("{result:#}")
    } else {
        let sets = set
            .iter()
            .map(|(key, value)| format!(" --set {key}={value}"));
        let sets: Vec<String> = sets.collect();
        format!(
            "from {first:.9e} to {:.9e} in {} gradients and {} runs ({})\nto run it: ipcsim run {}{}\nwritten to {}",
            found.derived.value,
            found.gradients,
            found.values,
            ended(found),
            shown(&plan.scene).display(),
            sets.concat(),
            shown(out).display(),
        )
    };
    say(&text).map_err(|error| Error::Stopped(error.to_string()))
}

/// Words for the end of a search.
fn ended(found: &Found) -> &'static str {
    match found.ended {
        ipcsim_diff::Ended::Converged => "converged",
        ipcsim_diff::Ended::Limit => "the number of gradients was reached",
        ipcsim_diff::Ended::NoStep => "no shorter step is better",
    }
}
