//! Memory of all options: the one place where they are registered.
//!
//! An option that is not in use has the default. Files of runs and hashes of states have the memories
//! in the order of this list, so a new one is the last.

use super::adaptive_memory::AdaptiveMemory;
use super::energy_memory::EnergyMemory;
use super::gas_memory::GasMemory;
use super::path_memory::PathMemory;
use super::plasticity_memory::PlasticityMemory;
use super::remembered::Remembered;
use super::sleep_memory::SleepMemory;
use super::sticking_memory::StickingMemory;
use super::stiffening_memory::StiffeningMemory;
use serde::{Deserialize, Serialize};

/// Registers the memories of options: a field each, asked in the order of the list.
macro_rules! memories {
    ($($(#[$doc:meta])* $option:ident: $memory:ty,)*) => {
        /// Memory of the options of a step, a field each.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct OptionMemory {
            $($(#[$doc])* pub $option: $memory,)*
        }

        impl Remembered for OptionMemory {
            fn fits(&self, nodes: usize) -> bool {
                $(self.$option.fits(nodes))&&*
            }

            fn add_words(&self, words: &mut Vec<u64>) {
                $(self.$option.add_words(words);)*
            }

            fn after_change(&mut self) {
                $(self.$option.after_change();)*
            }
        }
    };
}

memories! {
    /// Barriers that have become stiffer.
    stiffening: StiffeningMemory,
    /// Contacts that stick by anchors.
    sticking: StickingMemory,
    /// Length of substeps.
    adaptive: AdaptiveMemory,
    /// Direction of a path of equilibria.
    arc_length: PathMemory,
    /// Energy that is owed to velocities.
    energy_correction: EnergyMemory,
    /// Plastic flow of materials.
    plasticity: PlasticityMemory,
    /// Quiet and sleeping bodies.
    sleep: SleepMemory,
    /// Gas in chambers.
    gas: GasMemory,
}
