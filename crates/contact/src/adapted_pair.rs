//! Barriers of pairs of bodies that steps have adapted.

use serde::{Deserialize, Serialize};

/// Changes of the barrier between two bodies, which steps have made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdaptedPair {
    /// Numbers of the two bodies, the smaller one first.
    pub bodies: [usize; 2],
    /// Number of doublings of the stiffness.
    pub times: u32,
    /// Activation distance (m); `None` for the one of the start.
    pub reach: Option<f64>,
}

impl AdaptedPair {
    /// A pair of bodies, in either order, whose barrier is as at the start.
    pub fn new(a: usize, b: usize) -> Self {
        Self {
            bodies: [a.min(b), a.max(b)],
            times: 0,
            reach: None,
        }
    }

    /// True if the barrier is as at the start.
    pub fn is_as_given(&self) -> bool {
        self.times == 0 && self.reach.is_none()
    }

    /// Entry of the bodies `a` and `b`, in either order, in a list that is sorted by pair.
    pub fn find(adapted: &[Self], [a, b]: [usize; 2]) -> Option<&Self> {
        let bodies = [a.min(b), a.max(b)];
        let found = adapted.binary_search_by_key(&bodies, |pair| pair.bodies);
        found.ok().map(|k| &adapted[k])
    }

    /// Number of doublings of the bodies `a` and `b`, in either order, in a list that is sorted by
    /// pair.
    pub fn times_in(adapted: &[Self], bodies: [usize; 2]) -> u32 {
        Self::find(adapted, bodies).map_or(0, |pair| pair.times)
    }
}
