//! Baselines: written from a run, and compared with one.

use super::super::CommandError;
use crate::scene::Scene;
use crate::store::baseline::{Baseline, FORMAT, sampled};
use crate::store::file::write_whole;
use crate::store::folder::SCENE;
use crate::store::stored_run::{StoredError, StoredRun, read_json};
use std::path::Path;

/// What a comparison finds: what agrees, or the first difference, in words.
pub(super) type Compared = Result<String, String>;

/// Writes the baseline `file` of a run; returns what was written, in words.
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

    let text = baseline
        .text()
        .map_err(|error| StoredError::malformed(file, error.to_string()))?;
    write_whole(file, |out| out.write_all(text.as_bytes()))?;
    Ok(format!(
        "baseline of {} states to step {} written to {}",
        baseline.states.len(),
        run.last_step(),
        file.display()
    ))
}

/// Compares a run with the baseline `file`.
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
            let message = format!("step {step}: it has no such state, but the baseline has");
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

fn read(file: &Path) -> Result<Baseline, StoredError> {
    let text = crate::files::read_text(file)
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
