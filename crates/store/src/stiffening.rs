//! Part of `run.json` about barriers that became stiffer.
//!
//! A pair of bodies whose gap falls below the corridor gets a stiffer barrier for the next steps,
//! and its first one again after it has parted. The changes are stored, so that forces can be
//! computed again from stored positions alone.

use ipcsim::contact::Doubled;
use ipcsim::contact::tuning::LEAST_GAP;
use ipcsim::time::StepReport;
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
    /// Doublings after the last change, sorted by pair.
    #[serde(skip)]
    now: Vec<Doubled>,
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

        // Pairs that have parted, then those with other doublings.
        let next = &done.doubled;
        let now = &self.now;
        let parted = now
            .iter()
            .filter(|pair| Doubled::times_in(next, pair.bodies) == 0);
        let parted = parted.map(|&pair| Doubled { times: 0, ..pair });
        let is_new = |pair: &&Doubled| Doubled::times_in(now, pair.bodies) != pair.times;
        let changed = next.iter().filter(is_new).copied();
        let changes = parted.chain(changed).map(|pair| Change {
            step: done.record.step,
            bodies: pair.bodies,
            doublings: pair.times,
        });
        self.changes.extend(changes);
        self.now.clone_from(next);
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
