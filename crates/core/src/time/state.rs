//! The state of a simulation: everything that changes from step to step.
//!
//! Coordinates `q`, their velocities `q'` and the memory are the truth. Positions and velocities of
//! the vertices follow from them, `x = x(q)` and `v = J q'`, and are kept because everything else
//! reads them. Files store only the truth, and the hash covers exactly that.

use super::memory::{Past, StepMemory};
use super::parameters::Parameters;
use crate::body::{Configuration, Coordinates};
use ipcsim_energy::Conditions;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Everything that changes from step to step.
///
/// Coordinates `q`, their velocities and the memory are the truth; positions and velocities of
/// vertices follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of steps since the start.
    pub step: usize,
    /// Simulated time of the state (s).
    pub time: f64,
    /// Coordinates of all nodes (m; of angles rad), `[nodes]`.
    pub q: Vec<Vec2>,
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub q_dot: Vec<Vec2>,
    /// Positions of all vertices (m), `[vertices]`.
    pub x: Vec<Vec2>,
    /// Velocities of all vertices (m/s), `[vertices]`.
    pub v: Vec<Vec2>,
    /// Memory of the last steps that the next one needs.
    pub memory: StepMemory,
    /// Parameters that were set, where they differ from the world's.
    pub parameters: Parameters,
}

/// The part of a state that is stored: everything else follows from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedState {
    /// Number of steps since the start.
    pub step: usize,
    /// Simulated time of the state (s).
    pub time: f64,
    /// Coordinates of all nodes (m; of angles rad), `[nodes]`.
    pub q: Vec<Vec2>,
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub q_dot: Vec<Vec2>,
    /// Memory of the last steps that the next one needs.
    pub memory: StepMemory,
    /// Parameters that were set, where they differ from the world's.
    pub parameters: Parameters,
}

impl SavedState {
    /// The whole state; `None` if it belongs to other bodies than `coordinates`, or is not finite.
    pub fn restore(&self, coordinates: &Coordinates) -> Option<State> {
        let nodes = coordinates.nodes();
        let counts = [self.q.len(), self.q_dot.len()];
        let fits = self.memory.fits(nodes) && self.parameters.fits(coordinates);
        if counts != [nodes; 2] || !fits || !self.time.is_finite() {
            return None;
        }

        let state = State {
            step: self.step,
            time: self.time,
            memory: self.memory.clone(),
            parameters: self.parameters.clone(),
            ..State::new(coordinates, self.q.clone(), self.q_dot.clone())
        };
        let is_finite = [&state.q, &state.q_dot, &state.x, &state.v]
            .into_iter()
            .flatten()
            .all(|a| a.x.is_finite() && a.y.is_finite());
        is_finite.then_some(state)
    }
}

impl State {
    /// State at time 0 with these coordinates and velocities.
    pub fn new(coordinates: &Coordinates, q: Vec<Vec2>, q_dot: Vec<Vec2>) -> Self {
        Self::of(coordinates, Configuration::of(coordinates, q), q_dot)
    }

    /// State at time 0 with this configuration and these velocities of coordinates.
    pub(super) fn of(coordinates: &Coordinates, at: Configuration, q_dot: Vec<Vec2>) -> Self {
        // Velocities of vertices, `v = J q'`.
        let mut v = at.x.clone();
        coordinates.displacements(&at, &q_dot, &mut v);

        Self {
            step: 0,
            time: 0.0,
            q: at.q,
            q_dot,
            x: at.x,
            v,
            memory: StepMemory::default(),
            parameters: Parameters::default(),
        }
    }

    /// Part of the state from which all of it follows.
    pub fn save(&self) -> SavedState {
        SavedState {
            step: self.step,
            time: self.time,
            q: self.q.clone(),
            q_dot: self.q_dot.clone(),
            memory: self.memory.clone(),
            parameters: self.parameters.clone(),
        }
    }

    /// Memory after a step of length `h` (s) from this state, with at most `depth` past states;
    /// empty if `depth` is 0.
    pub(super) fn remembered(&self, h: f64, depth: usize) -> StepMemory {
        if depth == 0 {
            return StepMemory::default();
        }

        let past = Past {
            q: self.q.clone(),
            q_dot: self.q_dot.clone(),
            h,
        };
        self.memory.followed_by(past, depth)
    }

    /// Conditions of the materials in this state.
    pub fn conditions(&self) -> Conditions<'_> {
        Conditions {
            time: self.time,
            flowed: &self.memory.options.plasticity.flowed,
        }
    }

    /// Coordinates and positions of the state, copied.
    pub fn configuration(&self) -> Configuration {
        Configuration {
            q: self.q.clone(),
            x: self.x.clone(),
        }
    }

    /// Hash of coordinates, their velocities, of memory and set parameters if there are any, and of the
    /// step number.
    ///
    /// 64-bit words are mixed in by exclusive or and multiplication with the prime of FNV-1a, and
    /// the result is rotated by 29 bits so that high bits reach low ones.
    pub fn hash(&self) -> u64 {
        self.hash_with(self.hash_of_contents())
    }

    /// Hash of the state from the hash of its contents, which a step in which nothing moves leaves
    /// as it is.
    pub(in crate::time) fn hash_with(&self, contents: u64) -> u64 {
        mixed(contents, self.step as u64)
    }

    /// Hash of all but the step number: coordinates, velocities, memory and parameters, in this order.
    pub(in crate::time) fn hash_of_contents(&self) -> u64 {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

        let numbers = self.q.iter().chain(&self.q_dot);
        let bits = numbers.flat_map(|a| [a.x.to_bits(), a.y.to_bits()]);
        let memory = self.memory.words().into_iter();
        let memory = memory.chain(self.parameters.words());
        bits.chain(memory).fold(OFFSET, mixed)
    }
}

/// A hash with another word mixed in: the prime of FNV-1a spreads bits upwards, the rotation brings
/// them down again.
fn mixed(hash: u64, word: u64) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    (hash ^ word).wrapping_mul(PRIME).rotate_left(29)
}
