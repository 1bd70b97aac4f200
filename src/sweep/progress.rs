//! Progress of a sweep on standard error: a bar on a terminal, a line for each tenth elsewhere.

use crate::tell;
use crate::terminal::bar_style;
use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::time::Instant;

/// Number of lines that a whole sweep prints where there is no terminal.
const LINES: usize = 10;

/// How far a sweep is: numbers of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepTally {
    /// Runs that earlier calls have done.
    pub before: usize,
    /// Runs that were missing when this call began.
    pub missing: usize,
    /// Runs that this call has done.
    pub done: usize,
    /// Runs that this call has done, but that have not completed.
    pub failed: usize,
}

/// Display of the progress of a sweep.
pub(super) struct Progress {
    /// Time at which the sweep began.
    started: Instant,
    /// Bar on a terminal.
    bar: Option<ProgressBar>,
    /// Number of lines that are due and printed, where there is no terminal.
    shown: usize,
    /// True if nothing is shown.
    quiet: bool,
}

impl Progress {
    /// Display of a sweep that begins now.
    pub(super) fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            bar.set_style(bar_style("run {pos}/{len}"));
            bar
        });
        Self {
            started: Instant::now(),
            bar,
            shown: 0,
            quiet,
        }
    }

    /// Displays how far the sweep is.
    pub(super) fn show(&mut self, tally: &SweepTally) {
        let SweepTally {
            before,
            missing,
            done,
            failed,
        } = *tally;
        if self.quiet || done == 0 {
            return;
        }
        let due = done * LINES / missing.max(1);
        if self.bar.is_none() && due == self.shown {
            return;
        }
        self.shown = due;

        // The rate so far gives the time that is left.
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = elapsed / done as f64 * (missing - done) as f64;
        let mut message = format!("{} left", in_words(left));
        if failed > 0 {
            message = format!("{failed} failed  {message}");
        }
        let [position, all] = [before + done, before + missing];
        match &self.bar {
            Some(bar) => {
                bar.set_message(message);
                bar.set_length(all as u64);
                bar.set_position(position as u64);
            }
            None => tell(&format!("run {position}/{all}  {message}")),
        }
    }
}

impl Drop for Progress {
    /// Removes the bar from the terminal.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time (s) with one or two units, such as `2 h 5 min`.
pub(super) fn in_words(seconds: f64) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and a time is not negative"
    )]
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86400 => format!("{} h {} min", whole / 3600, whole / 60 % 60),
        _ => format!("{} days {} h", whole / 86400, whole / 3600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn times_have_the_units_that_one_would_use() {
        let cases = [
            (0.2, "0 s"),
            (59.6, "1 min 0 s"),
            (3599.0, "59 min 59 s"),
            (7500.0, "2 h 5 min"),
            (200_000.0, "2 days 7 h"),
        ];
        for (seconds, words) in cases {
            assert_eq!(in_words(seconds), words);
        }
    }
}
