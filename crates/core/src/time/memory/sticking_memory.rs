//! Memory of sticking: contacts hold on to their anchors.

use super::remembered::Remembered;
use ipcsim_contact::Anchor;
use serde::{Deserialize, Serialize};

/// Anchors of contacts that stick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StickingMemory {
    /// Elastic slip of sticking contacts, sorted by vertices; empty unless contacts have anchors.
    pub anchors: Vec<Anchor>,
}

impl Remembered for StickingMemory {
    fn fits(&self, _nodes: usize) -> bool {
        self.anchors.iter().all(|anchor| anchor.slip.is_finite())
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        for Anchor {
            vertices,
            other,
            slip,
        } in &self.anchors
        {
            words.extend(vertices.map(|vertex| vertex as u64));
            words.extend([*other as u64, slip.to_bits()]);
        }
    }
}
