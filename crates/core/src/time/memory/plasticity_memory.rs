//! Memory of plastic flow: materials keep the shape to which they have flowed.
//!
//! The law of a material finds its flow ([`Flow`]), and a step only hands it on: a stage has the flow
//! of its start, and the end of the stage that to which its positions lead.

use super::remembered::Remembered;
use ipcsim_energy::material::Flow;
use serde::{Deserialize, Serialize};

/// Flow of materials that may flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlasticityMemory {
    /// Plastic flow of all points that may flow, energy by energy, `[points]`; empty before the
    /// first step, and if there are none.
    pub flowed: Vec<Flow>,
}

impl Remembered for PlasticityMemory {
    fn fits(&self, _nodes: usize) -> bool {
        let mut flowed = self.flowed.iter();
        flowed.all(|flow| Flow::of_numbers(flow.numbers()).is_some())
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        let numbers = self.flowed.iter().flat_map(Flow::numbers);
        words.extend(numbers.map(f64::to_bits));
    }
}
