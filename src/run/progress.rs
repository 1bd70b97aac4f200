//! Progress of a run on standard error: a bar on a terminal, ten lines elsewhere, a line for each
//! step with `--verbose` and for each direction with a second one, nothing with `--quiet`.

use super::super::tell;
use super::super::terminal::bar_style;
use indicatif::ProgressBar;
use ipcsim::math::number::{counted, short};
use ipcsim::solve::Descent;
use ipcsim::time::Record;
use std::io::IsTerminal;

/// How much of its progress a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// Nothing.
    Nothing,
    /// A bar on a terminal, ten lines elsewhere.
    Progress,
    /// A line for each step.
    EachStep,
    /// A line for each step, and before it one for each direction of Newton's method.
    EachDirection,
}

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
    /// A line for each step.
    Each,
    /// No display, for `--quiet`.
    Nothing,
}

/// Numbers beside the bar. What a step did follows, as far as the terminal is wide.
const TEMPLATE: &str = "step {pos}/{len}, {eta} left";

/// Number of lines that a whole run prints where there is no terminal.
const LINES: usize = 10;

impl ProgressDisplay {
    /// Display for a run of `steps` steps that begins after step `done`.
    pub(super) fn new(done: usize, steps: usize, show: Show) -> Self {
        let medium = if show == Show::Nothing {
            Medium::Nothing
        } else if [Show::EachStep, Show::EachDirection].contains(&show) {
            Medium::Each
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(steps as u64);
            bar.set_style(bar_style(TEMPLATE));
            Medium::Bar(bar)
        } else {
            // Lines of the steps before a checkpoint were printed by an earlier process.
            Medium::Lines {
                shown: done * LINES / steps.max(1),
            }
        };

        Self { steps, medium }
    }

    /// Displays a completed step, with its Newton iterations, contacts and smallest gap, and the motions
    /// along its directions if they were noted.
    pub(super) fn step(&mut self, record: &Record, descents: Option<&[Descent]>) {
        for (descent, number) in descents.unwrap_or_default().iter().zip(1..) {
            tell(&format!("  direction {number}: {}", words(descent)));
        }
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
            Medium::Each => tell(&format!(
                "step {}/{}  t = {} s  {}",
                record.step,
                self.steps,
                short(record.time),
                summary(record)
            )),
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
        "{:<14} {:<13} gap {gap}",
        counted(record.newton_iterations, "iteration"),
        counted(record.contacts, "contact")
    )
}

/// Potential before and after a direction, the share of it that was taken, its speed, and the contacts.
fn words(descent: &Descent) -> String {
    let Descent {
        before,
        after,
        share,
        speed,
        contacts,
        gap,
    } = descent;
    let touching = if *contacts == 0 {
        String::new()
    } else {
        format!(", {}, gap {gap:.2e} m", counted(*contacts, "contact"))
    };
    format!(
        "potential {before:.6e} -> {after:.6e} J s2, share {share:.3}, speed {speed:.2e} m/s{touching}"
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
