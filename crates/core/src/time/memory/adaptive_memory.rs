//! Memory of adaptive steps: substeps begin with the length of the last ones.

use super::remembered::Remembered;
use serde::{Deserialize, Serialize};

/// Length of substeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdaptiveMemory {
    /// Length of the next substep (s), as the errors of the last ones suggest it; `None` where
    /// steps have one length, and before the first step.
    pub pace: Option<f64>,
}

impl Remembered for AdaptiveMemory {
    fn fits(&self, _nodes: usize) -> bool {
        self.pace.is_none_or(|h| h.is_finite() && h > 0.0)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        words.extend(self.pace.map(f64::to_bits));
    }
}
