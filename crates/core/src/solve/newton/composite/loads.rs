//! Loads of friction from the normal forces of places.
//!
//! A friction contact has one load, `mu` times the resultant of its contact, while a contact along an edge has
//! several places. Its load follows their sum by a factor `load / sum`, found where the direction begins:
//!
//! - for contacts that press there, with the load that friction has. The factor is the coefficient of friction
//!   times the ratio of the resultant to the sum of sizes;
//! - for pairs that are about to meet, with barriers that reach farther. Only the factor is taken from them: the
//!   load itself is zero until the gap is below the activation distance.

use crate::solve::tangent_friction::TangentFriction;
use ipcsim_contact::LinearGaps;
use std::collections::BTreeMap;

/// How the load of each friction contact follows from the normal forces of places of its contact: by a factor,
/// which holds the coefficient of friction and what the exact resultant of the places differs by.
#[derive(Debug)]
pub(super) struct Loads {
    /// Places of each friction contact, one after another; a contact that rolls and slides has them twice.
    places: Vec<usize>,
    /// Number of the places of all friction contacts up to the end of each one.
    ends: Vec<usize>,
    /// Load over normal force (1; of rolling m).
    factors: Vec<f64>,
    /// Loads at the state where the direction begins (N; of rolling N m).
    lagged: Vec<f64>,
    /// True for friction contacts that press at the state; the others are of pairs that may meet.
    presses: Vec<bool>,
}

impl Loads {
    /// Loads of `friction`, where the `known` contacts (sorted) press already; the others have the loads of
    /// barriers that reach farther by `beyond` (m).
    pub(super) fn of(
        friction: &TangentFriction,
        known: &[[usize; 4]],
        gaps: &LinearGaps,
        beyond: f64,
    ) -> Self {
        let mut of_contact: BTreeMap<[usize; 4], Vec<usize>> = BTreeMap::new();
        for (place, contact) in gaps.contacts().iter().enumerate() {
            of_contact.entry(*contact).or_default().push(place);
        }

        let mut loads = Self {
            places: Vec::new(),
            ends: Vec::new(),
            factors: Vec::new(),
            lagged: friction.lagged_loads(),
            presses: Vec::new(),
        };

        // Places of each contact, and whether it presses.
        for contact in friction.contacts() {
            let own = of_contact.get(&contact);
            loads.places.extend(own.into_iter().flatten());
            loads.ends.push(loads.places.len());
            loads.presses.push(known.binary_search(&contact).is_ok());
        }

        // Factors by the barriers that the loads belong to.
        let now: Vec<f64> = gaps.forces().collect();
        let wide: Vec<f64> = gaps.wide_forces(beyond).collect();
        for k in 0..loads.lagged.len() {
            let forces = if loads.presses[k] { &now } else { &wide };

            let force = loads.sum(k, forces);
            let factor = if force > 0.0 {
                loads.lagged[k] / force
            } else {
                0.0
            };
            loads.factors.push(factor);
            if !loads.presses[k] {
                loads.lagged[k] = (factor * loads.sum(k, &now)).max(0.0);
            }
        }
        loads
    }

    /// Writes the loads (N; of rolling N m) where the places have these normal forces (N), in the order of the
    /// friction contacts. A contact whose places pull in sum, since edges overlap there, has none.
    pub(super) fn write(&self, forces: &[f64], out: &mut Vec<f64>) {
        let of = |k: usize| (self.factors[k] * self.sum(k, forces)).max(0.0);
        out.clear();
        out.extend((0..self.factors.len()).map(of));
    }

    /// Loads at the state where the direction begins.
    pub(super) fn lagged(&self) -> &[f64] {
        &self.lagged
    }

    /// Sum of the forces of the places of a friction contact (N).
    fn sum(&self, k: usize, forces: &[f64]) -> f64 {
        let start = k.checked_sub(1).map_or(0, |before| self.ends[before]);
        let places = &self.places[start..self.ends[k]];
        places.iter().map(|&place| forces[place]).sum()
    }
}
