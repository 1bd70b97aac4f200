//! Memory of barriers: they keep the stiffness and the activation distance that steps have given them.

use super::remembered::Remembered;
use ipcsim_contact::AdaptedPair;
use ipcsim_contact::tuning::MOST_DOUBLINGS;
use serde::{Deserialize, Serialize};

/// Barriers that steps have adapted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StiffeningMemory {
    /// Pairs of bodies whose barrier differs from the one at the start, sorted by pair.
    pub adapted: Vec<AdaptedPair>,
}

impl Remembered for StiffeningMemory {
    fn fits(&self, _nodes: usize) -> bool {
        let is_sound = |pair: &AdaptedPair| {
            let reach = pair.reach.unwrap_or(1.0);
            pair.times <= MOST_DOUBLINGS && reach > 0.0 && reach.is_finite()
        };
        self.adapted.iter().all(is_sound)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        for pair in &self.adapted {
            let AdaptedPair {
                bodies,
                times,
                reach,
            } = pair;
            words.extend([bodies[0] as u64, bodies[1] as u64, u64::from(*times)]);
            words.extend(reach.map(f64::to_bits));
        }
    }
}
