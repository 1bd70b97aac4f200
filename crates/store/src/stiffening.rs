//! Part of `run.json` about barriers that steps have adapted.
//!
//! A pair of bodies whose gap falls below the corridor gets a stiffer barrier for the next steps, and
//! its first one again after it has parted. A body that can slide from one onto another has the
//! smaller activation distance of both. The changes are stored, so that forces can be computed again
//! from stored positions alone.

use ipcsim::contact::AdaptedPair;
use ipcsim::contact::tuning::LEAST_GAP;
use ipcsim::time::StepReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Barriers that steps of a run have adapted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stiffening {
    /// Smallest and largest gap that barriers keep, relative to `d_hat` of the pair (1).
    pub corridor: [f64; 2],
    /// Sum of the energies that barriers gained by becoming stiffer (J).
    pub energy: f64,
    /// Largest of these energies at the end of a step (J).
    pub largest: f64,
    /// Changes in the order of steps.
    pub changes: Vec<Change>,
    /// Barriers after the last change, sorted by pair.
    #[serde(skip)]
    now: Vec<AdaptedPair>,
}

/// A change of a pair's barrier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// First step with the new barrier.
    pub step: usize,
    /// Numbers of the two bodies in the scene, obstacles after all bodies, from 0.
    pub bodies: [usize; 2],
    /// Number of times that the stiffness is doubled, 0 after the pair has parted.
    pub doublings: u32,
    /// Activation distance (m), where it differs from the one at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d_hat: Option<f64>,
}

impl Default for Stiffening {
    /// No change yet.
    fn default() -> Self {
        Self {
            corridor: [LEAST_GAP, 1.0],
            energy: 0.0,
            largest: 0.0,
            changes: Vec::new(),
            now: Vec::new(),
        }
    }
}

impl Stiffening {
    /// Adds the changes that a step began with, and the energy of those at its end.
    pub(super) fn count(&mut self, done: &StepReport) {
        let gained = done.record.stiffening;
        self.energy += gained;
        self.largest = self.largest.max(gained);

        // Pairs whose barrier is as at the start again, then pairs with another one.
        let next = &done.adapted;
        let now = &self.now;
        let ended = now
            .iter()
            .filter(|pair| AdaptedPair::find(next, pair.bodies).is_none());
        let ended = ended.map(|pair| AdaptedPair::new(pair.bodies[0], pair.bodies[1]));
        let is_new = |pair: &&AdaptedPair| AdaptedPair::find(now, pair.bodies) != Some(*pair);
        let changed = next.iter().filter(is_new).copied();
        let changes = ended.chain(changed).map(|pair| Change {
            step: done.record.step,
            bodies: pair.bodies,
            doublings: pair.times,
            d_hat: pair.reach,
        });
        self.changes.extend(changes);
        self.now.clone_from(next);
    }

    /// Barriers with which a step was solved, where they differ from those at the start, sorted by
    /// pair.
    pub fn at(&self, step: usize) -> Vec<AdaptedPair> {
        let mut now = BTreeMap::new();
        for change in self.changes.iter().take_while(|change| change.step <= step) {
            let pair = AdaptedPair {
                bodies: change.bodies,
                times: change.doublings,
                reach: change.d_hat,
            };
            now.insert(change.bodies, pair);
        }
        let adapted = now.into_values();
        adapted.filter(|pair| !pair.is_as_given()).collect()
    }
}
