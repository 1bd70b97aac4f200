//! States that one can step back to.

use ipcsim::simulation::Snapshot;
use std::collections::VecDeque;

/// Number of states that are always kept.
const LEAST: usize = 301;
/// Largest number of states.
const MOST: usize = 1200;
/// Memory (bytes) beyond which only the least number is kept, by the number of vertices.
const ROOM: usize = 48 << 20;
/// Memory of a vertex in a state (bytes), roughly: coordinates, velocities, memory, candidates, patterns.
const EACH: usize = 400;

/// The last states, each as it was right after its step.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// The states, ascending.
    states: VecDeque<Snapshot>,
}

impl History {
    /// Adds the state after a step.
    pub(crate) fn add(&mut self, snapshot: Snapshot) {
        let vertices = snapshot.state.q.len();
        let room = (ROOM / (EACH * vertices.max(1))).clamp(LEAST, MOST);
        while self.states.len() >= room {
            self.states.pop_front();
        }
        self.states.push_back(snapshot);
    }

    /// The last state at or before a step, or else the first one. Those after it are forgotten.
    pub(crate) fn back_to(&mut self, step: usize) -> Option<&Snapshot> {
        while self.states.len() > 1
            && self
                .states
                .back()
                .is_some_and(|last| last.state.step > step)
        {
            self.states.pop_back();
        }
        self.states.back()
    }

    /// Step of the first state that is known.
    pub(crate) fn first(&self) -> usize {
        self.states.front().map_or(0, |first| first.state.step)
    }
}
