//! The simulation's state.

use crate::body::{Configuration, Coordinates};
use crate::math::Vec2;

/// Everything that changes from step to step. The coordinates `q` and their velocities are the truth; positions and
/// velocities of vertices follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps done.
    pub step: usize,
    /// Coordinates of all nodes (m; of angles rad).
    pub q: Vec<Vec2>,
    /// Their velocities (m/s; rad/s).
    pub q_dot: Vec<Vec2>,
    /// Positions of all vertices (m).
    pub x: Vec<Vec2>,
    /// Their velocities (m/s).
    pub v: Vec<Vec2>,
}

impl State {
    /// The state after `step` steps with these coordinates and velocities.
    pub fn new(coordinates: &Coordinates, step: usize, q: Vec<Vec2>, q_dot: Vec<Vec2>) -> Self {
        let mut at = Configuration {
            q,
            x: vec![Vec2::zeros(); coordinates.vertices()],
        };
        coordinates.positions(&at.q, &mut at.x);
        let mut v = at.x.clone();
        coordinates.displacements(&at, &q_dot, &mut v);
        Self {
            step,
            q: at.q,
            q_dot,
            x: at.x,
            v,
        }
    }

    /// A hash of the step number and of all bits of coordinates and their velocities: FNV-1a over 64-bit words.
    pub fn hash(&self) -> u64 {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let numbers = self
            .q
            .iter()
            .chain(&self.q_dot)
            .flat_map(|a| [a.x.to_bits(), a.y.to_bits()]);
        let words = std::iter::once(self.step as u64).chain(numbers);
        words.fold(OFFSET, |hash, word| {
            (hash ^ word).wrapping_mul(PRIME).rotate_left(29)
        })
    }
}
