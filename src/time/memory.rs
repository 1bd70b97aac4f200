//! What a step leaves to the next one beside places and velocities.

use crate::math::Vec2;
use serde::{Deserialize, Serialize};

/// All that a step remembers, beside the coordinates and velocities of a [`State`](super::State).
///
/// The memory is part of the state: a step that fails leaves it as it was, halves of a step hand it on, and checkpoint,
/// journal and hash hold all of its fields, since they store it as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepMemory {
    /// States before the present one, the latest first: as many as the integrator asks for.
    pub history: Vec<Past>,
}

/// A state that has passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// Coordinates of all nodes (m; of angles rad).
    pub q: Vec<Vec2>,
    /// Velocities of the coordinates (m/s; rad/s).
    pub q_dot: Vec<Vec2>,
    /// Length of the step that led away from this state (s).
    pub h: f64,
}

impl StepMemory {
    /// Memory after a step from a state that has `past`, of which `depth` are kept.
    pub(super) fn followed_by(&self, past: Past, depth: usize) -> Self {
        let mut history = Vec::with_capacity(depth);
        if depth > 0 {
            history.push(past);
            history.extend(self.history.iter().take(depth - 1).cloned());
        }
        Self { history }
    }

    /// True if the memory can be of a world with so many nodes: sizes fit, and all numbers are finite.
    pub fn fits(&self, nodes: usize) -> bool {
        let finite = |field: &[Vec2]| {
            field.len() == nodes && field.iter().all(|a| a.x.is_finite() && a.y.is_finite())
        };
        let fits = |past: &Past| finite(&past.q) && finite(&past.q_dot) && past.h > 0.0;
        self.history.iter().all(fits)
    }
}
