//! Joints of a world that repeat each other at a state.

use super::state::State;
use super::world::World;
use crate::body::Configuration;
use crate::constraint::WarmStart;
use crate::solve::{RepeatedJoints, repeated_joints};

impl World {
    /// Sets of joints whose equations repeat each other at a state, first everywhere and then in this
    /// place only; see [`repeated_joints`].
    pub fn repeated_joints(&self, state: &State) -> Vec<RepeatedJoints> {
        let mut fixed = vec![[false; 2]; self.model.coordinates.nodes()];
        let until = self.targets(&state.parameters, state.time, state.time, &state.q);
        for target in until {
            for (fixed, prescribed) in fixed[target.node].iter_mut().zip(target.axes) {
                *fixed |= prescribed;
            }
        }
        let memory = WarmStart {
            turned: &state.memory.turned,
            broken: &state.memory.broken,
            start: &state.x,
            ..WarmStart::START
        };
        let at = Configuration {
            q: state.q.clone(),
            x: state.x.clone(),
        };
        repeated_joints(&self.model, &fixed, &memory, &at)
    }

    /// Sentence about joints that repeat each other, with their labels; at most `most` of them.
    pub fn tell_repeated(&self, set: &RepeatedJoints, most: usize) -> String {
        let labels = set.joints.iter().take(most);
        let mut labels: Vec<&str> = labels
            .map(|number| self.model.joints[*number].label.as_str())
            .collect();
        let others = set.joints.len() - labels.len();
        let last = if others > 0 {
            format!("{others} more joints")
        } else {
            labels.pop().unwrap_or_default().to_owned()
        };
        let place = match set.everywhere {
            Some(true) => " everywhere",
            Some(false) => " in this place only",
            None => "",
        };
        format!("{} and {last} repeat each other{place}", labels.join(", "))
    }
}
