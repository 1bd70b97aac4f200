//! What `ipcsim run` prints at its end: a few lines for people, or the report for programs.

use super::super::{CommandError, say, tell};
use ipcsim::math::number::counted;
use ipcsim_store::existing_run::command_on;
use ipcsim_store::measured::significant;
use ipcsim_store::report::{RunReport, RunStatus};
use ipcsim_store::segments::SEGMENTS;
use serde_json::{Value, json};
use std::path::Path;

/// Report of a run for programs: that of `run.json`, with the folder of its files.
///
/// # Errors
/// [`CommandError::Json`] if the report has no form as JSON.
pub(super) fn object(report: &RunReport, folder: &Path) -> Result<Value, CommandError> {
    let mut value =
        serde_json::to_value(report).map_err(|error| CommandError::Json(error.to_string()))?;
    value["folder"] = json!(folder.display().to_string());
    Ok(value)
}

/// Prints the outcome of a run in a few lines: counts, the extremes that show how close the run
/// came to an intersection or an inversion, and the folder.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn lines(report: &RunReport, folder: &Path) -> Result<(), CommandError> {
    let whole = report.timings.get("whole").copied().unwrap_or_default();
    let word = match report.status {
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Interrupted => "interrupted",
    };

    say(&format!(
        "{word}: {}, {}, {} in {whole:.2} s",
        counted(report.steps, "step"),
        counted(report.newton_iterations, "Newton iteration"),
        counted(report.frames, "frame")
    ))?;
    if let Some(sentence) = &report.ended {
        say(sentence)?;
    }
    say(&format!(
        "smallest gap {}, smallest area ratio {}",
        report
            .min_gap
            .map_or_else(|| "none".to_owned(), |gap| format!("{gap:.3e} m")),
        or_none(report.min_j)
    ))?;

    measures(report)?;

    if !report.recoveries.is_empty() {
        say(&format!(
            "{} needed a second attempt or more: see \"recoveries\" in run.json",
            counted(report.recoveries.len(), "step")
        ))?;
    }

    if let Some(substeps) = &report.substeps {
        say(&format!(
            "{} of {:.1e} to {:.1e} s, {} rejected: see \"divided\" in run.json",
            counted(substeps.accepted, "substep"),
            substeps.shortest,
            substeps.longest,
            substeps.rejected
        ))?;
    }
    for notice in &report.notices {
        say(notice)?;
    }
    say(&format!("state hash {}", report.hash))?;

    // Segments may take much of the disk.
    if report.options.certify {
        let mut bytes = 0;
        for file in SEGMENTS {
            bytes += std::fs::metadata(folder.join(file)).map_or(0, |data| data.len());
        }
        say(&format!(
            "{} segments of motion in {:.0} kB, which ipcsim verify proves",
            report.segments,
            bytes as f64 / 1e3
        ))?;
    }
    say(&format!("written to {}", folder.display()))?;
    say(&format!(
        "to play it: {}",
        command_on("ipcsim view", folder)
    ))
}

/// Prints the results of measures, and the largest stress at the end.
///
/// # Errors
/// If standard output cannot be written.
fn measures(report: &RunReport) -> Result<(), CommandError> {
    for measured in &report.measures {
        say(&measured.sentence())?;
    }
    let Some(stress) = &report.stress else {
        return Ok(());
    };
    let [x, y] = stress.place.map(significant);
    let von_mises = significant(stress.von_mises);
    say(&format!(
        "largest von Mises stress {von_mises} Pa in \"{}\" at ({x}, {y}) m, at the end",
        stress.body
    ))
}

/// Says which tables of a quiet run have not all steps: nobody would look for that elsewhere.
pub(super) fn thinned(report: &RunReport, folder: &Path) {
    for (name, stride) in &report.thinned {
        tell(&format!(
            "note: {} has only the steps that are multiples of {stride}; see \"notices\" in run.json",
            folder.join(name).display()
        ));
    }
}

/// Number with four significant digits, or "none".
fn or_none(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.3e}"))
}
