//! Memory of sleep: bodies fall asleep after some quiet steps.

use super::remembered::Remembered;
use serde::{Deserialize, Serialize};

/// Quiet and sleeping bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SleepMemory {
    /// How long each body has been quiet, `[bodies]`; empty unless bodies may sleep, before the first
    /// step, and where something that acts on bodies has changed.
    pub rest: Vec<Rest>,
}

/// How long a body has been quiet, and whether it slept in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Number of steps in a row at whose end the body was slow, at most as many as it needs to sleep.
    pub quiet: u32,
    /// True if the last step left the body where it was.
    pub asleep: bool,
}

impl SleepMemory {
    /// True if the last step left this body where it was.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.rest.get(body).is_some_and(|rest| rest.asleep)
    }

    /// Number of bodies that the last step left where they were.
    pub fn sleeping_count(&self) -> usize {
        self.rest.iter().filter(|rest| rest.asleep).count()
    }
}

impl Remembered for SleepMemory {
    fn fits(&self, nodes: usize) -> bool {
        self.rest.len() <= nodes
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        words.extend(self.rest.iter().copied().map(Rest::word));
    }

    fn after_change(&mut self) {
        self.rest.clear();
    }
}

impl Rest {
    /// Both numbers as one word, for the hash of the state.
    fn word(self) -> u64 {
        u64::from(self.quiet) << 1 | u64::from(self.asleep)
    }
}
