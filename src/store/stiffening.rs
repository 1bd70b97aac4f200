//! Part of `run.json` about barriers that became stiffer.
//!
//! A pair of bodies whose gap falls below the corridor gets a stiffer barrier for the next steps, and
//! its first one again after it has parted. The changes are stored, so that forces can be computed
//! again from stored positions alone.

use crate::contact::Doubled;
use crate::contact::tuning::LEAST_GAP;
use crate::time::StepReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Barriers that became stiffer in a run.
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
    /// Doublings after the last change, by the numbers of the bodies.
    #[serde(skip)]
    now: BTreeMap<[usize; 2], u32>,
}

/// A change of a pair's stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// First step with the new stiffness.
    pub step: usize,
    /// Numbers of the two bodies in the scene, obstacles after all bodies, from 0.
    pub bodies: [usize; 2],
    /// Number of times that the stiffness is doubled, 0 after the pair has parted.
    pub doublings: u32,
}

impl Default for Stiffening {
    /// No change yet.
    fn default() -> Self {
        Self {
            corridor: [LEAST_GAP, 1.0],
            energy: 0.0,
            largest: 0.0,
            changes: Vec::new(),
            now: BTreeMap::new(),
        }
    }
}

impl Stiffening {
    /// Adds the changes that a step began with, and the energy of those at its end.
    pub(super) fn count(&mut self, done: &StepReport) {
        let step = done.record.step;
        let gained = done.record.stiffening;
        self.energy += gained;
        self.largest = self.largest.max(gained);
        if done.doubled.is_empty() && self.now.is_empty() {
            return;
        }

        let next: BTreeMap<[usize; 2], u32> = by_pair(&done.doubled);
        let parted = self.now.keys().filter(|bodies| !next.contains_key(*bodies));
        let parted = parted.map(|&bodies| (bodies, 0));
        let changed = next
            .iter()
            .filter(|(bodies, times)| self.now.get(*bodies) != Some(times))
            .map(|(&bodies, &times)| (bodies, times));
        self.changes
            .extend(parted.chain(changed).map(|(bodies, doublings)| Change {
                step,
                bodies,
                doublings,
            }));
        self.now = next;
    }

    /// Doublings with which a step was solved, sorted by pair.
    pub fn at(&self, step: usize) -> Vec<Doubled> {
        let mut now = BTreeMap::new();
        for change in self.changes.iter().take_while(|change| change.step <= step) {
            now.insert(change.bodies, change.doublings);
        }
        let doubled = now
            .into_iter()
            .map(|(bodies, times)| Doubled { bodies, times });
        doubled.filter(|pair| pair.times > 0).collect()
    }
}

/// Doublings by the numbers of the bodies.
fn by_pair(doubled: &[Doubled]) -> BTreeMap<[usize; 2], u32> {
    doubled
        .iter()
        .map(|pair| (pair.bodies, pair.times))
        .collect()
}
