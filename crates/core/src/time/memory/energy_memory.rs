//! Memory of the energy correction: energy stays owed that bounds did not let a step restore.

use super::remembered::Remembered;
use serde::{Deserialize, Serialize};

/// Energy that steps have not restored yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyMemory {
    /// Energy (J) that the integrator has taken and velocities have not been given back yet; `None`
    /// unless the scene keeps its energy, and before the first step.
    pub owed: Option<f64>,
}

impl Remembered for EnergyMemory {
    fn fits(&self, _nodes: usize) -> bool {
        self.owed.is_none_or(f64::is_finite)
    }

    fn add_words(&self, words: &mut Vec<u64>) {
        words.extend(self.owed.map(f64::to_bits));
    }
}
