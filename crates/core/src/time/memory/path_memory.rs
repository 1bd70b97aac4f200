//! Memory of arc length: paths of equilibria go on in their direction.

use super::remembered::Remembered;
use serde::{Deserialize, Serialize};

/// Last increment along a path of equilibria.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathMemory {
    /// Change of the load time (s) in the last increment; `None` without arc length, and before the
    /// first.
    pub gained: Option<f64>,
}

impl Remembered for PathMemory {
    fn fits(&self, _nodes: usize) -> bool {
        self.gained.is_none_or(f64::is_finite)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        words.extend(self.gained.map(f64::to_bits));
    }
}
