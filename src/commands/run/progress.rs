//! Progress of a run on standard error: a bar on a terminal, ten lines elsewhere, nothing with
//! `--quiet`.

use super::super::tell;
use crate::time::Record;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// Display of a run's progress on standard error. It removes its bar when it is dropped, so that
/// the summary of the run stands alone.
pub(super) struct ProgressDisplay {
    /// Number of steps of the whole run.
    steps: usize,
    /// Place where progress is displayed.
    medium: Medium,
}

/// Place where progress is displayed.
enum Medium {
    /// Bar on a terminal.
    Bar(ProgressBar),
    /// Lines of text, for example in a log file.
    Lines {
        /// Number of lines that are due and printed so far.
        shown: usize,
    },
    /// No display, for `--quiet`.
    Nothing,
}

/// Number of lines that a whole run prints where there is no terminal.
const LINES: usize = 10;

impl ProgressDisplay {
    /// Display for a run of `steps` steps that begins after step `done`. With `quiet` it shows
    /// nothing.
    pub(super) fn new(done: usize, steps: usize, quiet: bool) -> Self {
        let medium = if quiet {
            Medium::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(steps as u64);
            let template = "{bar:30.cyan/blue} step {pos}/{len}  {msg}  {eta} left";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            Medium::Bar(bar)
        } else {
            // Lines of the steps before a checkpoint were printed by an earlier process.
            Medium::Lines {
                shown: done * LINES / steps.max(1),
            }
        };
        Self { steps, medium }
    }

    /// Displays a completed step, with its Newton iterations, contacts and smallest gap.
    pub(super) fn step(&mut self, record: &Record) {
        match &mut self.medium {
            Medium::Bar(bar) => {
                bar.set_message(summary(record));
                bar.set_position(record.step as u64);
            }
            Medium::Lines { shown } => {
                // A line for each tenth of the run.
                let due = record.step * LINES / self.steps.max(1);
                if due > *shown {
                    *shown = due;
                    let text = summary(record);
                    tell(&format!("step {}/{}  {text}", record.step, self.steps));
                }
            }
            Medium::Nothing => {}
        }
    }
}

/// Newton iterations, contacts and smallest gap of a step, in columns of fixed width.
fn summary(record: &Record) -> String {
    let gap = match record.min_gap {
        Some(gap) => format!("{gap:.2e} m"),
        None => "none".to_owned(),
    };
    format!(
        "{:3} iterations  {:4} contacts  gap {gap}",
        record.newton_iterations, record.contacts
    )
}

impl Drop for ProgressDisplay {
    /// Removes the bar from the terminal.
    fn drop(&mut self) {
        if let Medium::Bar(bar) = &self.medium {
            bar.finish_and_clear();
        }
    }
}
