//! Memory of stiffening: barriers stay as stiff as they have become.

use super::remembered::Remembered;
use ipcsim_contact::Doubled;
use ipcsim_contact::tuning::MOST_DOUBLINGS;
use serde::{Deserialize, Serialize};

/// Stiffness of barriers that steps have doubled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StiffeningMemory {
    /// Pairs of bodies whose barrier is stiffer than at first, sorted by pair.
    pub doubled: Vec<Doubled>,
}

impl Remembered for StiffeningMemory {
    fn fits(&self, _nodes: usize) -> bool {
        let few = |pair: &Doubled| pair.times <= MOST_DOUBLINGS;
        self.doubled.iter().all(few)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        for Doubled { bodies, times } in &self.doubled {
            words.extend([bodies[0] as u64, bodies[1] as u64, u64::from(*times)]);
        }
    }
}
