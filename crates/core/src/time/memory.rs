//! Memory of a step besides places and velocities, for the next step.
//!
//! Nine clients have a place here. An integrator of several steps reads past states; joints begin
//! with the forces that closed them last; barriers stay as stiff as they have become; contacts hold
//! on to their anchors; substeps begin with the length of the last ones; paths of equilibria go on
//! in their direction; energy stays owed that bounds did not let a step restore; materials keep the
//! shape to which they have flowed; bodies fall asleep after some quiet steps. A field that is added
//! must be part of [`StepMemory::fits`] and of the hash of the state.

use ipcsim_contact::tuning::MOST_DOUBLINGS;
use ipcsim_contact::{Anchor, Doubled};
use ipcsim_energy::material::Flow;
use ipcsim_math::Vec2;
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
    /// Pairs of bodies whose barrier is stiffer than at first, sorted by pair.
    pub doubled: Vec<Doubled>,
    /// Elastic slip of sticking contacts, sorted by vertices; empty unless contacts have anchors.
    pub anchors: Vec<Anchor>,
    /// Length of the next substep (s), as the errors of the last ones suggest it; `None` where
    /// steps have one length, and before the first step.
    pub pace: Option<f64>,
    /// Change of the load time (s) in the last increment along a path of equilibria; `None` without
    /// arc length, and before the first.
    pub gained: Option<f64>,
    /// Energy (J) that the integrator has taken and velocities have not been given back yet; `None`
    /// unless the scene keeps its energy, and before the first step.
    pub owed: Option<f64>,
    /// Plastic flow of all points that may flow, energy by energy, `[points]`; empty before the
    /// first step, and if there are none.
    pub flowed: Vec<Flow>,
    /// How long each body has been quiet, `[bodies]`; empty unless bodies may sleep, before the first
    /// step, and where something that acts on bodies has changed.
    pub rest: Vec<Rest>,
}

/// How long a body has been quiet, and whether it slept in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Number of steps in a row at whose end the body was slow, at most as many as it needs to sleep.
    pub quiet: u32,
    /// True if the last step left the body where it was.
    pub asleep: bool,
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

    /// True if the last step left this body where it was.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.rest.get(body).is_some_and(|rest| rest.asleep)
    }

    /// Number of bodies that the last step left where they were.
    pub fn sleeping_count(&self) -> usize {
        self.rest.iter().filter(|rest| rest.asleep).count()
    }

    /// True if the memory can be of a world with this number of nodes: sizes fit, and all numbers
    /// are finite.
    pub fn fits(&self, nodes: usize) -> bool {
        let few = |pair: &Doubled| pair.times <= MOST_DOUBLINGS;
        self.history.iter().all(|past| past.fits(nodes))
            && are_finite(&self.multipliers)
            && are_finite(&self.turned)
            && self.doubled.iter().all(few)
            && self.anchors.iter().all(|anchor| anchor.slip.is_finite())
            && self.pace.is_none_or(|h| h.is_finite() && h > 0.0)
            && self.gained.is_none_or(f64::is_finite)
            && self.rest.len() <= nodes
            && self.owed.is_none_or(f64::is_finite)
            && self
                .flowed
                .iter()
                .all(|flow| Flow::of_numbers(flow.numbers()).is_some())
    }
}

impl Rest {
    /// Both numbers as one word, for the hash of the state.
    pub(super) fn word(self) -> u64 {
        u64::from(self.quiet) << 1 | u64::from(self.asleep)
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
            let mut memory = StepMemory {
                pace: Some(1.0),
                ..StepMemory::default()
            };
            for step in 1..=6 {
                memory = memory.followed_by(past(f64::from(step)), depth);
                let lengths: Vec<f64> = memory.history.iter().map(|past| past.h).collect();
                let ago = 0..step.min(i32::try_from(depth).unwrap());
                let expected: Vec<f64> = ago.map(|ago| f64::from(step - ago)).collect();
                assert_eq!(lengths, expected, "{depth} {step}");
            }
            // The step writes all else anew.
            assert_eq!(memory.pace, None);
            assert!(memory.fits(1) && memory.fits(2) == (depth == 0));
        }
    }
}
