//! `ipcsim verify`.

mod against;
mod baseline;
mod segments;
mod states;
mod stored;

use super::{CommandError, Outcome, say};
use segments::Verdict;
use std::path::{Path, PathBuf};
use stored::Stored;

/// Verify a run: no intersection, no inverted triangle, finite energies; compare it with another one or with a baseline.
///
/// Every stored state is tested with exact predicates, and so are the ways between them if the run has stored its segments
/// (ipcsim run --certify). Needs only the folder.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Folder of the run.
    dir: PathBuf,
    /// Folder of a run that every position and energy must agree with, or a baseline, which states what may differ.
    #[arg(long, value_name = "DIR|FILE")]
    against: Option<PathBuf>,
    /// Largest difference of a coordinate from another run's in metres.
    #[arg(long, value_name = "METRES", default_value_t = 0.0, requires = "against", value_parser = tolerance)]
    tol_x: f64,
    /// Largest difference of an energy from another run's, relative to the largest energy of the same column.
    #[arg(long, value_name = "REL", default_value_t = 0.0, requires = "against", value_parser = tolerance)]
    tol_energy: f64,
    /// Write a baseline: positions, energies, gaps and iterations of some states, for later runs to be compared with.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// A remark for the baseline, such as why it has no more steps.
    #[arg(long, value_name = "TEXT", requires = "write_baseline")]
    note: Option<String>,
}

/// What the proof of states rests on.
const STATES: &str = "states: edges, insides and triangles decided by exact predicates, circles and half-planes by computed distances";
/// What is not proved of a run without segments.
const STATES_ONLY: &str = "this speaks of the stored states, not of the ways between them; for those run the scene with --certify";

fn tolerance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value >= 0.0 {
        Ok(value)
    } else {
        Err("must not be negative".to_owned())
    }
}

pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, CommandError> {
    let own = args.dir.display();
    let told = |violation: &str| {
        say(&format!("{own}: {violation}"));
        Ok(Outcome::Failed)
    };
    let stored = Stored::open(&args.dir)?;
    let (entries, last) = (
        stored.trajectory.entries(),
        stored.steps.last().copied().unwrap_or_default(),
    );
    if let Some(violation) = states::first_violation(stored)? {
        return told(&violation);
    }
    let certificate = match segments::certify(&args.dir, Stored::open(&args.dir)?)? {
        Verdict::Violated(violation) => return told(&violation),
        Verdict::Certified(certificate) => certificate.lines(),
        Verdict::None => vec![STATES_ONLY.to_owned()],
    };
    say(&format!(
        "{own}: verified: {entries} states to step {last}, no intersection, no inverted triangle, energies finite"
    ));
    std::iter::once(STATES)
        .chain(certificate.iter().map(String::as_str))
        .for_each(|line| say(&format!("  {line}")));
    if let Some(file) = &args.write_baseline {
        say(&format!(
            "{own}: {}",
            baseline::write(&args.dir, Stored::open(&args.dir)?, file, args.note.clone())?
        ));
    }
    match &args.against {
        None => Ok(Outcome::Done),
        Some(other) => match compare(args, other)? {
            Ok(agrees) => {
                say(&format!("{own}: agrees with {} {agrees}", other.display()));
                Ok(Outcome::Done)
            }
            Err(difference) => told(&format!("differs from {}: {difference}", other.display())),
        },
    }
}

/// How the run agrees with another or with a baseline, or how it differs.
fn compare(args: &VerifyArgs, other: &Path) -> Result<Result<String, String>, CommandError> {
    let stored = Stored::open(&args.dir)?;
    if other.is_file() {
        return baseline::compare(&args.dir, stored, other);
    }
    let difference = against::first_difference(stored, Stored::open(other)?, args)?;
    let agrees = format!(
        "(positions to {:e} m, energies to {:e})",
        args.tol_x, args.tol_energy
    );
    Ok(difference.map_or(Ok(agrees), Err))
}
