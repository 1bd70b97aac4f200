//! The simulation's state.

use crate::math::Vec2;

/// Everything that changes from step to step.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub step: usize,
    /// Positions of all vertices (m).
    pub x: Vec<Vec2>,
    /// Their velocities (m/s).
    pub v: Vec<Vec2>,
}

impl State {
    /// A hash of the step number and of all bits of positions and velocities: FNV-1a over 64-bit words.
    pub fn hash(&self) -> u64 {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let numbers = self.x.iter().chain(&self.v).flat_map(|a| [a.x.to_bits(), a.y.to_bits()]);
        let words = std::iter::once(self.step as u64).chain(numbers);
        words.fold(OFFSET, |hash, word| (hash ^ word).wrapping_mul(PRIME).rotate_left(29))
    }
}
