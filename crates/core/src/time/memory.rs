//! Memory of a step besides places and velocities, for the next step.
//!
//! An integrator of several steps reads past states, and joints begin with the forces that closed them
//! last. Each option has its own memory, a file and a type here, registered in [`OptionMemory`]. A field
//! that is added to [`StepMemory`] must be part of [`StepMemory::fits`] and of [`StepMemory::words`],
//! the hash of the state.
//!
//! A memory names no state and no world: a state has it.

mod adaptive_memory;
mod energy_memory;
mod gas_memory;
mod option_memory;
mod path_memory;
mod plasticity_memory;
mod remembered;
mod sleep_memory;
mod sticking_memory;
mod stiffening_memory;

pub use adaptive_memory::AdaptiveMemory;
pub use energy_memory::EnergyMemory;
pub use gas_memory::GasMemory;
pub use option_memory::OptionMemory;
pub use path_memory::PathMemory;
pub use plasticity_memory::PlasticityMemory;
pub use sleep_memory::{Rest, SleepMemory};
pub use sticking_memory::StickingMemory;
pub use stiffening_memory::StiffeningMemory;

use ipcsim_math::Vec2;
use remembered::Remembered;
use serde::{Deserialize, Serialize};

/// All that a step remembers, besides the coordinates and velocities of a [`State`](super::State).
///
/// The memory is part of the state: a step that fails leaves it as it was, halves of a step hand it
/// on, and checkpoint, journal and hash hold all of its fields, since they store it as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepMemory {
    /// States before the present one, the latest first: as many as the integrator asks for.
    pub history: Vec<Past>,
    /// Forces (N) of the rows of joints, in the order of the model's, from which the next step
    /// begins; empty before the first step.
    pub multipliers: Vec<Vec2>,
    /// Angles (rad) of both bodies of each joint, over turns; empty if no joint counts turns.
    pub turned: Vec<Vec2>,
    /// For each joint, true if it has broken; empty if none has.
    pub broken: Vec<bool>,
    /// Memory of options; all of them have the default in a plain step.
    pub options: OptionMemory,
}

/// A past state, for integrators of several steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// Coordinates of all nodes (m; of angles rad), `[nodes]`.
    pub q: Vec<Vec2>,
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub q_dot: Vec<Vec2>,
    /// Length of the step that led away from this state (s).
    pub h: f64,
}

impl StepMemory {
    /// Memory after a step from a state that has `past`, keeping at most `depth` past states.
    pub(super) fn followed_by(&self, past: Past, depth: usize) -> Self {
        let mut history = Vec::with_capacity(depth);
        if depth > 0 {
            history.push(past);
            history.extend(self.history.iter().take(depth - 1).cloned());
        }

        // All that is not history begins anew: the step writes it.
        Self {
            history,
            ..Self::default()
        }
    }

    /// Forgets what no longer holds once something that acts on bodies has changed between two steps:
    /// bodies that sleep wake.
    pub fn after_change(&mut self) {
        self.options.after_change();
    }

    /// True if the memory can be of a world with this number of nodes: sizes fit, and all numbers
    /// are finite.
    pub fn fits(&self, nodes: usize) -> bool {
        self.history.iter().all(|past| past.fits(nodes))
            && are_finite(&self.multipliers)
            && are_finite(&self.turned)
            && self.options.fits(nodes)
    }

    /// Every bit as 64-bit words, for the hash of the state; empty for an empty memory.
    pub(super) fn words(&self) -> Vec<u64> {
        let Self {
            history,
            multipliers,
            turned,
            broken,
            options,
        } = self;

        let mut words = Vec::new();
        for Past { q, q_dot, h } in history {
            words.push(h.to_bits());
            for a in q.iter().chain(q_dot) {
                words.extend([a.x.to_bits(), a.y.to_bits()]);
            }
        }
        for pair in multipliers.iter().chain(turned) {
            words.extend([pair.x.to_bits(), pair.y.to_bits()]);
        }
        words.extend(broken.iter().map(|&is_broken| u64::from(is_broken)));
        options.add_words(&mut words);
        words
    }
}

impl Past {
    /// True if this can be a past state of this number of nodes.
    fn fits(&self, nodes: usize) -> bool {
        let fields = [&self.q, &self.q_dot];
        fields
            .iter()
            .all(|field| field.len() == nodes && are_finite(field))
            && self.h > 0.0
    }
}

/// True if all components of a vector field are finite.
fn are_finite(field: &[Vec2]) -> bool {
    field.iter().all(|a| a.x.is_finite() && a.y.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_keeps_the_latest_past_states_and_no_more() {
        let past = |h: f64| Past {
            q: vec![Vec2::new(h, 0.0)],
            q_dot: vec![Vec2::zeros()],
            h,
        };
        for depth in 0..4 {
            let mut memory = StepMemory::default();
            memory.options.adaptive.pace = Some(1.0);
            for step in 1..=6 {
                memory = memory.followed_by(past(f64::from(step)), depth);
                let lengths: Vec<f64> = memory.history.iter().map(|past| past.h).collect();
                let ago = 0..step.min(i32::try_from(depth).unwrap());
                let expected: Vec<f64> = ago.map(|ago| f64::from(step - ago)).collect();
                assert_eq!(lengths, expected, "{depth} {step}");
            }
            // The step writes all else anew.
            assert_eq!(memory.options, OptionMemory::default());
            assert!(memory.fits(1) && memory.fits(2) == (depth == 0));
        }
    }
}
