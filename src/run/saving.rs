//! Schedule of checkpoints: every N steps, or by the clock.
//!
//! By the clock a checkpoint is due after two seconds, or after a longer time if checkpoints are
//! expensive: writing them takes at most a fiftieth of the run.

use std::time::{Duration, Instant};

/// Schedule of the checkpoints of a run.
pub(super) struct Saving {
    /// Number of steps from one checkpoint to the next; `None` for the clock.
    every: Option<usize>,
    /// Step of the last checkpoint.
    pub(super) step: usize,
    /// End of the last checkpoint, or start of this process's part of the run.
    last: Instant,
    /// Time that the last checkpoint took.
    cost: Duration,
}

/// Time between checkpoints, unless steps are counted. A shorter one costs time, and a longer one
/// loses more steps when a run is killed.
const INTERVAL: Duration = Duration::from_secs(2);
/// Least ratio of the time between checkpoints to the time that one takes.
///
/// Unit 1, usually 50. A smaller one makes runs on slow disks slower, by about its inverse. A
/// larger one loses more steps when a run is killed.
const SHARE: u32 = 50;

impl Saving {
    /// Schedule of a checkpoint every `every` steps, or by the clock without it. The last
    /// checkpoint is that of `step`.
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

    /// Notes that the checkpoint of `step`, begun at `started`, is written, and how long that took.
    pub(super) fn done(&mut self, step: usize, started: Instant) {
        self.step = step;
        self.last = Instant::now();
        self.cost = started.elapsed();
    }
}
