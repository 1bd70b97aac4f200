//! What the page says of a run in words: how it ended, and what the page lacks.

use super::grid::Grid;
use super::samples::Wanted;
use super::source::Recorded;
use ipcsim::math::number::counted;
use ipcsim_store::force_table;
use ipcsim_store::report::{RunReport, RunStatus};

/// How a run ended, in a word.
pub(super) fn status(report: &RunReport) -> &'static str {
    match report.status {
        _ if report.is_unfinished() => "unfinished",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Interrupted => "interrupted",
    }
}

/// Why a run has not completed, in a sentence.
pub(super) fn reason(report: &RunReport) -> Option<String> {
    if report.is_unfinished() {
        return Some(format!(
            "The run is still running or was killed; it is shown up to step {}.",
            report.steps
        ));
    }
    let reason = report.reason.as_ref()?;
    Some(format!("Step {}: {}", reason.step, reason.message))
}

/// True if nothing of the scene rubs: normal forces are then all forces of contacts.
pub(super) fn is_frictionless(run: &Recorded) -> bool {
    run.setup.world.friction.is_frictionless()
}

/// Sentences about what the page lacks.
pub(super) fn notes(run: &Recorded, wanted: &Wanted, grid: &Grid) -> Vec<String> {
    let mut notes = Vec::new();
    if run.report.is_unfinished() {
        notes.push(format!(
            "the run has not ended; the page has {} up to step {}",
            counted(run.moments.len(), "state"),
            run.moments.last().map_or(0, |moment| moment.step)
        ));
    }

    // Rounding of the grid's spacing is not worth a note.
    if let Some(asked) = wanted
        .precision
        .filter(|asked| *asked < 0.999 * grid.error())
    {
        notes.push(format!(
            "positions are to {:.1e} m instead of {asked:.1e} m, since the page has at most 2^24 \
             places along the {:.1e} m that the run takes up",
            grid.error(),
            grid.cells * grid.spacing
        ));
    }

    if !wanted.forces {
        notes.push("contacts and forces are left out by --no-forces".to_owned());
        return notes;
    }

    // Which of the forces are not stored.
    if run.contacts.is_none() && !is_frictionless(run) {
        notes.push(
            "the run has no file of contacts, so normal forces are computed again from positions \
             and friction is left out; run the scene with --set output.contacts=npy"
                .to_owned(),
        );
    }

    if run.forces.is_none() {
        notes.push(
            "the run has no forces.csv, so there are no arrows at supports and no chart of \
             forces; run the scene with output.force_rows above 0"
                .to_owned(),
        );
    } else if let Some(stride) = run.report.thinned.get(force_table::FORCES) {
        notes.push(format!(
            "forces.csv has only the steps that are multiples of {stride}; run the scene with a larger \
             output.force_rows"
        ));
    }
    notes
}
