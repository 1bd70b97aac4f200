//! `ipcsim verify`: proves that a stored run has no intersection, from its files alone.
//!
//! 1. Every stored state is tested by [`states`].
//! 2. If the run has stored its step segments, [`segments`] proves the motion between the states.
//! 3. The direct way [`between`] the states is measured: no body passes another one on it.
//! 4. With `--write-baseline` some states become a [`baseline`]; with `--against` the run is
//!    compared with a baseline or with [another run](compare).
//!
//! The first violation or difference ends the command with exit code 1. Nothing of the solver is
//! used: a fault of the simulation cannot hide itself here.

mod axis;
mod baseline;
mod between;
mod compare;
mod curves;
mod joints;
mod ledger;
mod place;
mod segments;
mod states;

use super::batch::{FormatArgs, each, only_one, say_json};
use super::{CommandError, Outcome, say};
use baseline::Compared;
use ipcsim::math::number::counted;
use ipcsim_store::stored_run::StoredRun;
use segments::Verdict;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Verify a stored run: no intersections, no inverted triangles, finite energies.
///
/// Every stored state is tested with exact predicates. The direct path between the states is
/// measured: how deep it cuts corners that bodies have slid round, and that no body passes another
/// one on it. If the run has stored the motion between its states (ipcsim run --certify), that is
/// proved too. The run can also be compared with another run, or with a baseline: a small file with
/// some states of an earlier run. Only files are read; nothing is simulated.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Folders of the runs.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Compare with the run in a folder, or with a baseline file, which states its own tolerances.
    ///
    /// Two runs agree if they have the same mesh and states of the same steps, and if positions and
    /// energies differ by no more than --tol-x and --tol-energy.
    #[arg(long, value_name = "DIR|FILE")]
    against: Option<PathBuf>,
    /// Largest allowed difference of a coordinate from the other run, in metres.
    #[arg(
        long,
        value_name = "METRES",
        default_value_t = 0.0,
        requires = "against",
        value_parser = tolerance
    )]
    tol_x: f64,
    /// Largest allowed difference of an energy from the other run, relative to the largest energy
    /// in the same column of energies.csv.
    #[arg(
        long,
        value_name = "REL",
        default_value_t = 0.0,
        requires = "against",
        value_parser = tolerance
    )]
    tol_energy: f64,
    /// Write a baseline to FILE: positions, energies, gaps and iterations of some states, for
    /// comparison with later runs by --against.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Store a remark in the baseline, for example why it has few steps.
    #[arg(long, value_name = "TEXT", requires = "write_baseline")]
    note: Option<String>,
    /// Lines, or an object with the folder, true or false for "verified", the sentences that say which
    /// properties are proved, and the violation.
    #[command(flatten)]
    format: FormatArgs,
}

/// Line that says by which means the states are proved.
const STATES: &str = "states: edges, interiors and triangles decided by exact predicates, circles \
                      and half-planes by computed distances";
/// Line about the axis of bodies of revolution.
const AXIS: &str = "axis: bodies of revolution keep their side of x = 0 in all states, and on the paths \
                    between them; radii are compared with 0 exactly";
/// Line that says what is not proved of a run without segments.
const STATES_ONLY: &str = "only the stored states are proved, not the motion between them; to \
                           prove that too, run the scene with --certify";

/// Line that says what is not proved of a run that has not ended.
const SO_FAR: &str = "the run is under way or was killed: these are the states so far, and the motion \
                      between them can be proved when it has ended";

/// Line that says that files may have been changed.
const UNCOMPARED: &str = "run.json has no checksums of mesh.json, energies.csv and trajectory.npy, so \
                          these may have been changed since the run";

/// Reads a tolerance from the command line.
///
/// # Errors
/// If the text is not a number, or if the number is negative or NaN.
fn tolerance(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value >= 0.0 {
        Ok(value)
    } else {
        Err("must be 0 or larger".to_owned())
    }
}

/// Result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// The run is proved: sentences that say what of it, by which means, and on which assumptions.
    Proved(Vec<String>),
    /// First violation: its step, pair and coordinates.
    Violated(String),
}

/// Verifies the run in the folder `dir`, as `ipcsim verify` does, and prints nothing.
///
/// # Errors
/// If a file of the run cannot be read.
pub fn verify(dir: &Path) -> Result<Verification, CommandError> {
    prove(&StoredRun::open(dir)?)
}

/// Proves the states of a run, and the motion between them if the run has stored it.
///
/// # Errors
/// If a file of the run cannot be read.
fn prove(run: &StoredRun) -> Result<Verification, CommandError> {
    let missing = run.compare_others()?;

    // States first, since segments join them.
    if let Some(violation) = states::first_violation(run)? {
        return Ok(Verification::Violated(violation));
    }
    let events = run.events()?;
    let joints = match joints::in_states(run, &events)? {
        Ok(joints) => joints,
        Err(violation) => return Ok(Verification::Violated(violation)),
    };
    let mut is_certified = false;
    let certificate = match segments::certify(run, &events)? {
        Verdict::Violated(violation) => return Ok(Verification::Violated(violation)),
        Verdict::Certified(certificate) => {
            is_certified = true;
            certificate.lines()
        }
        Verdict::None if run.is_unfinished() => vec![SO_FAR.to_owned()],
        Verdict::None => vec![STATES_ONLY.to_owned()],
    };

    let between = between::measure(run, &events)?;
    if let Some(violation) = between.violation(&run.mesh).filter(|_| !is_certified) {
        return Ok(Verification::Violated(violation));
    }
    let ledger = match ledger::check(&run.energies) {
        Err(violation) => return Ok(Verification::Violated(violation)),
        Ok(closes) => closes,
    };

    let mut proof = vec![
        format!(
            "verified: {} to step {}, no intersection, no inverted triangle, energies \
             finite",
            counted(run.moments.len(), "state"),
            run.last_step()
        ),
        STATES.to_owned(),
    ];
    proof.extend(run.mesh.axisymmetric.then(|| AXIS.to_owned()));
    proof.extend(curves::line(run)?);
    proof.extend(joints.line());
    proof.extend(certificate);
    proof.extend(between.line(&run.mesh));
    proof.extend(guard(run, &missing));
    proof.extend(ledger);
    Ok(Verification::Proved(proof))
}

/// Sentence about files that are `missing` in the folder, or have no checksums; `None` if all files are
/// there and as they were written.
fn guard(run: &StoredRun, missing: &[String]) -> Option<String> {
    if !run.files.is_guarded() {
        let is_told = !run.is_compared() && !run.is_unfinished();
        return is_told.then(|| UNCOMPARED.to_owned());
    }
    let (first, others) = missing.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        count => format!(" and {}", counted(count, "other file")),
    };
    Some(format!(
        "files: not in the folder any more: {first}{others}"
    ))
}

/// Runs `ipcsim verify`, for one run after the other.
///
/// # Errors
/// If a file of the only run, or the run or baseline to compare with, cannot be read.
pub(super) fn run(args: &VerifyArgs) -> Result<Outcome, CommandError> {
    let single = [("--write-baseline", args.write_baseline.is_some())];
    only_one(&args.dirs, "runs", &single)?;
    each(&args.dirs, |dir| {
        let (proof, violation) = verified(dir, args)?;
        report(dir, args, &proof, violation.as_deref())?;
        Ok(match violation {
            Some(_) => Outcome::Failed,
            None => Outcome::Done,
        })
    })
}

/// Sentences about what is proved of the run in `dir`, and the first violation or difference, if any.
///
/// # Errors
/// If a file of the run, or the run or baseline to compare with, cannot be read.
fn verified(dir: &Path, args: &VerifyArgs) -> Result<(Vec<String>, Option<String>), CommandError> {
    let run = StoredRun::open(dir)?;
    let mut proof = match prove(&run)? {
        Verification::Violated(violation) => return Ok((Vec::new(), Some(violation))),
        Verification::Proved(proof) => proof,
    };

    // Baseline and comparison, if the user asks for them.
    if let Some(file) = &args.write_baseline {
        proof.push(baseline::write(&run, file, args.note.clone())?);
    }
    let Some(other) = &args.against else {
        return Ok((proof, None));
    };
    match compare(&run, other, args)? {
        Ok(agrees) => {
            proof.push(format!("agrees with {} {agrees}", other.display()));
            Ok((proof, None))
        }
        Err(difference) => {
            let violation = format!("differs from {}: {difference}", other.display());
            Ok((proof, Some(violation)))
        }
    }
}

/// Prints what is proved of the run in `dir`. In text, sentences about the whole run begin with its
/// folder, and what belongs to the proof is indented.
///
/// # Errors
/// If standard output cannot be written.
fn report(
    dir: &Path,
    args: &VerifyArgs,
    proof: &[String],
    violation: Option<&str>,
) -> Result<(), CommandError> {
    let name = dir.display();
    if args.format.is_json() {
        let object = json!({
            "run": name.to_string(),
            "verified": violation.is_none(),
            "proof": proof,
            "violation": violation,
        });
        return say_json(&object, args.dirs.len() == 1);
    }

    let whole = ["verified: ", "baseline of ", "agrees with "];
    for line in proof {
        if whole.iter().any(|start| line.starts_with(start)) {
            say(&format!("{name}: {line}"))?;
        } else {
            say(&format!("  {line}"))?;
        }
    }
    violation.map_or(Ok(()), |violation| say(&format!("{name}: {violation}")))
}

/// Compares the run with another one or with a baseline.
///
/// # Errors
/// If the other run or the baseline cannot be read.
fn compare(run: &StoredRun, other: &Path, args: &VerifyArgs) -> Result<Compared, CommandError> {
    if other.is_file() {
        return baseline::compare(run, other);
    }
    let difference = compare::first_difference(run, &StoredRun::open(other)?, args)?;
    let agrees = format!(
        "(positions to {:e} m, energies to {:e})",
        args.tol_x, args.tol_energy
    );
    Ok(difference.map_or(Ok(agrees), Err))
}
