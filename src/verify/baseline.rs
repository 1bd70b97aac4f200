//! Baselines: written from a run, and compared with one.
//!
//! A baseline holds some states of a run and the tolerances for each quantity. It is small enough
//! to keep with the program, and shows whether a later version computes something else.

use super::super::CommandError;
use ipcsim::math::number::counted;
use ipcsim::scene::Scene;
use ipcsim_store::baseline::{Baseline, FORMAT, sampled};
use ipcsim_store::file::write_whole;
use ipcsim_store::folder::SCENE;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::{StoredRun, read_json};
use std::path::Path;

/// Finding of a comparison: what agrees, or the first difference, in words.
pub(super) type Compared = Result<String, String>;

/// Writes the baseline `file` of a run, with a remark; returns what was written, in words.
///
/// # Errors
/// If the run cannot be read or the file cannot be written.
pub(super) fn write(
    run: &StoredRun,
    file: &Path,
    note: Option<String>,
) -> Result<String, CommandError> {
    let mut baseline = Baseline::new(&run.report()?, &run.mesh, &run.energies, note);
    let entries = sampled(run.moments.len());
    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();

    for entry in 0..run.moments.len() {
        trajectory.next(&mut x)?;
        if entries.contains(&entry) {
            let sample = baseline.sample(&run.mesh, &run.energies, entry, &x);
            baseline.states.push(sample);
        }
    }

    // The file is written at once, or not at all.
    let text = baseline
        .text()
        .map_err(|error| StoredError::malformed(file, error.to_string()))?;
    write_whole(file, |out| out.write_all(text.as_bytes()))?;
    Ok(format!(
        "baseline of {} to step {} written to {}",
        counted(baseline.states.len(), "state"),
        run.last_step(),
        file.display()
    ))
}

/// Compares a run with the baseline `file`.
///
/// A run of fewer steps than the baseline is compared at the states that its scene reaches.
///
/// # Errors
/// If the run or the baseline cannot be read.
pub(super) fn compare(run: &StoredRun, file: &Path) -> Result<Compared, CommandError> {
    let baseline = read(file)?;
    if let Some(mismatch) = baseline.mismatch(&run.report()?, &run.mesh, &run.energies) {
        return Ok(Err(mismatch));
    }

    // A run of fewer steps is compared with the states that it reaches.
    let scene: Scene = read_json(&run.dir.join(SCENE))?;
    let asked = scene.time.steps as u64;
    let due: Vec<_> = baseline
        .states
        .iter()
        .filter(|expected| expected.step <= asked)
        .collect();

    // States of the baseline, each with the state of the run after the same step.
    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();
    let mut entry = 0;
    let mut last = 0;
    for expected in &due {
        let step = expected.step;
        while entry < run.moments.len() && run.moments[entry].step as u64 <= step {
            trajectory.next(&mut x)?;
            entry += 1;
        }

        if entry == 0 || run.moments[entry - 1].step as u64 != step {
            let message =
                format!("step {step}: the run has no such state, but the baseline has one");
            return Ok(Err(message));
        }

        let found = baseline.sample(&run.mesh, &run.energies, entry - 1, &x);
        if let Some(difference) = baseline.difference(expected, &found) {
            return Ok(Err(difference));
        }
        last = step;
    }
    Ok(Ok(format!(
        "at {} of its {} states, to step {last}, within the tolerances that it states",
        due.len(),
        baseline.states.len()
    )))
}

/// Reads a baseline.
///
/// # Errors
/// If the file cannot be read, is no baseline, or has another format.
fn read(file: &Path) -> Result<Baseline, StoredError> {
    let text = ipcsim::files::read_text(file)
        .map_err(|error| StoredError::malformed(file, format!("cannot be read: {error}")))?;
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| {
        let message = format!("is neither the folder of a run nor a baseline: {error}");
        StoredError::malformed(file, message)
    })?;

    if baseline.format == FORMAT {
        Ok(baseline)
    } else {
        let message = format!(
            "has format {} of baselines; this program reads {FORMAT}",
            baseline.format
        );
        Err(StoredError::malformed(file, message))
    }
}
