//! Baselines: written from a run, and compared with one.

use super::super::CommandError;
use super::stored::Stored;
use crate::files::read_text;
use crate::scene::Scene;
use crate::store::baseline::{Baseline, FORMAT, sampled};
use crate::store::folder::{RUN, SCENE, write_whole};
use std::path::Path;

/// Writes the baseline `file` of the run in `dir`.
pub(super) fn write(
    dir: &Path,
    mut stored: Stored,
    file: &Path,
    note: Option<String>,
) -> Result<String, CommandError> {
    let report = CommandError::read_report(&dir.join(RUN))?;
    let mut baseline = Baseline::new(&report, &stored.mesh, &stored.energies, note);
    let entries = sampled(stored.trajectory.entries());
    let mut x = Vec::new();
    for entry in 0..stored.trajectory.entries() {
        stored.trajectory.next(&mut x)?;
        if entries.contains(&entry) {
            baseline
                .states
                .push(baseline.sample(&stored.mesh, &stored.energies, entry, &x));
        }
    }
    let text = baseline
        .text()
        .map_err(|error| malformed(file, error.to_string()))?;
    write_whole(file, |out| out.write_all(text.as_bytes()))?;
    let last = stored.steps.last().copied().unwrap_or_default();
    Ok(format!(
        "baseline of {} states to step {last} written to {}",
        baseline.states.len(),
        file.display()
    ))
}

/// Compares the run in `dir` with the baseline `file`: what agrees, or the first difference.
pub(super) fn compare(
    dir: &Path,
    mut stored: Stored,
    file: &Path,
) -> Result<Result<String, String>, CommandError> {
    let text =
        read_text(file).map_err(|error| malformed(file, format!("cannot be read: {error}")))?;
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| {
        malformed(
            file,
            format!("is neither the folder of a run nor a baseline: {error}"),
        )
    })?;
    if baseline.format != FORMAT {
        return Err(malformed(
            file,
            format!(
                "has format {} of baselines; this program reads {FORMAT}",
                baseline.format
            ),
        ));
    }
    let report = CommandError::read_report(&dir.join(RUN))?;
    if let Some(mismatch) = baseline.mismatch(&report, &stored.mesh, &stored.energies) {
        return Ok(Err(mismatch));
    }
    let (mut x, mut entry, mut last) = (Vec::new(), 0, 0);
    let asked = steps_asked(dir)?;
    let due: Vec<_> = baseline
        .states
        .iter()
        .filter(|expected| expected.step <= asked)
        .collect();
    for expected in &due {
        while entry < stored.steps.len() && stored.steps[entry] <= expected.step {
            stored.trajectory.next(&mut x)?;
            entry += 1;
        }
        if entry == 0 || stored.steps[entry - 1] != expected.step {
            return Ok(Err(format!(
                "step {}: it has no such state, but the baseline has",
                expected.step
            )));
        }
        let found = baseline.sample(&stored.mesh, &stored.energies, entry - 1, &x);
        if let Some(difference) = baseline.difference(expected, &found) {
            return Ok(Err(difference));
        }
        last = expected.step;
    }
    let (count, all) = (due.len(), baseline.states.len());
    Ok(Ok(format!(
        "at {count} of its {all} states, to step {last}, within the tolerances that it states"
    )))
}

/// The number of steps that the run was asked for.
fn steps_asked(dir: &Path) -> Result<u64, CommandError> {
    let path = dir.join(SCENE);
    let text =
        read_text(&path).map_err(|error| malformed(&path, format!("cannot be read: {error}")))?;
    let scene: Scene =
        serde_json::from_str(&text).map_err(|error| malformed(&path, error.to_string()))?;
    Ok(scene.time.steps as u64)
}

fn malformed(path: &Path, message: String) -> CommandError {
    CommandError::Malformed {
        path: path.to_path_buf(),
        message,
    }
}
