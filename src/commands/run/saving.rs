//! When checkpoints are due.

use std::time::{Duration, Instant};

/// Schedule of checkpoints.
pub(super) struct Saving {
    every: Option<usize>,
    /// Step of the last checkpoint.
    pub(super) step: usize,
    last: Instant,
    /// Time that the last checkpoint took.
    cost: Duration,
}

/// Time between checkpoints, unless steps are counted.
const INTERVAL: Duration = Duration::from_secs(2);
/// Least ratio of the time between checkpoints to the time that one takes. A smaller one makes runs
/// on slow disks slower by more than its inverse.
const SHARE: u32 = 50;

impl Saving {
    /// Checkpoints every `every` steps, or by the clock without it; the last one was of `step`.
    pub(super) fn new(every: Option<usize>, step: usize) -> Self {
        Self {
            every,
            step,
            last: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// True if a checkpoint is due after `step`.
    pub(super) fn due(&self, step: usize) -> bool {
        match self.every {
            Some(every) => step.is_multiple_of(every),
            None => self.last.elapsed() >= INTERVAL.max(self.cost * SHARE),
        }
    }

    /// Notes that the checkpoint of `step`, begun at `started`, is written.
    pub(super) fn done(&mut self, step: usize, started: Instant) {
        self.step = step;
        self.last = Instant::now();
        self.cost = started.elapsed();
    }
}
