//! How far a run is: a bar on a terminal, a line now and then elsewhere, nothing if quiet.

use super::super::tell;
use crate::time::Record;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// Shows progress on standard error.
pub(super) struct Progress {
    steps: usize,
    display: Display,
}

enum Display {
    Bar(ProgressBar),
    Lines { shown: usize },
    Nothing,
}

/// Lines that a whole run prints.
const LINES: usize = 10;

impl Progress {
    /// Progress of a run of `steps` steps, `done` of which are done.
    pub(super) fn new(done: usize, steps: usize, quiet: bool) -> Self {
        let display = if quiet {
            Display::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(steps as u64);
            let template = "{bar:30.cyan/blue} step {pos}/{len}  {msg}  {eta} left";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            Display::Bar(bar)
        } else {
            Display::Lines {
                shown: done * LINES / steps.max(1),
            }
        };
        Self { steps, display }
    }

    /// A step is done.
    pub(super) fn step(&mut self, record: &Record) {
        let message = || {
            let gap = record
                .min_gap
                .map_or("none".to_owned(), |gap| format!("{gap:.2e} m"));
            format!(
                "{:3} iterations  {:4} contacts  gap {gap}",
                record.newton_iterations, record.contacts
            )
        };
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_message(message());
                bar.set_position(record.step as u64);
            }
            Display::Lines { shown } => {
                let due = record.step * LINES / self.steps.max(1);
                if due > *shown {
                    *shown = due;
                    tell(&format!(
                        "step {}/{}  {}",
                        record.step,
                        self.steps,
                        message()
                    ));
                }
            }
            Display::Nothing => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}
