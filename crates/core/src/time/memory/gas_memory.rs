//! Memory of chambers: the gas in them.

use super::remembered::Remembered;
use serde::{Deserialize, Serialize};

/// Gas at the end of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GasMemory {
    /// Amount in each chamber (m^3 at the standard atmosphere); empty without chambers, and before the
    /// first step.
    pub amounts: Vec<f64>,
}

impl Remembered for GasMemory {
    fn fits(&self, _nodes: usize) -> bool {
        let mut amounts = self.amounts.iter();
        amounts.all(|amount| amount.is_finite() && *amount >= 0.0)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        words.extend(self.amounts.iter().map(|amount| amount.to_bits()));
    }
}
