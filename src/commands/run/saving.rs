//! When checkpoints are due.

use std::time::{Duration, Instant};

/// Knows when checkpoints are due.
pub(super) struct Saving {
    every: Option<usize>,
    /// The step of the last one.
    pub(super) step: usize,
    last: Instant,
    /// How long it took.
    cost: Duration,
}

/// Time between checkpoints, unless steps are counted.
const INTERVAL: Duration = Duration::from_secs(2);
/// Least ratio of computing to writing checkpoints.
const SHARE: u32 = 50;

impl Saving {
    /// Checkpoints every so many steps, or as time goes by; the last one was of `step`.
    pub(super) fn new(every: Option<usize>, step: usize) -> Self {
        Self {
            every,
            step,
            last: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// Whether one is due after `step`.
    pub(super) fn due(&self, step: usize) -> bool {
        match self.every {
            Some(every) => step.is_multiple_of(every),
            None => self.last.elapsed() >= INTERVAL.max(self.cost * SHARE),
        }
    }

    /// The checkpoint of `step`, which was begun at `started`, is written.
    pub(super) fn done(&mut self, step: usize, started: Instant) {
        (self.step, self.last, self.cost) = (step, Instant::now(), started.elapsed());
    }
}
