//! Energy of barriers by the two bodies that they are between.

use super::{Contacts, Surface};
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

/// Energies of barriers (J), by the numbers of two bodies, the smaller one first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairEnergies(BTreeMap<[usize; 2], f64>);

impl PairEnergies {
    /// Energies of `contacts` at the positions `x` (m, `[vertices]`), at which they were found.
    pub fn of(contacts: &Contacts, surface: &Surface, x: &[Vec2]) -> Self {
        let mut energies = Self::default();
        for contact in contacts.forces(surface, x) {
            let [a, b] = contact.bodies;
            *energies.0.entry([a.min(b), a.max(b)]).or_default() += contact.energy;
        }
        energies
    }

    /// Change of the energy of each pair from these to those `after` (J).
    pub fn changes(&self, after: &Self) -> Vec<([usize; 2], f64)> {
        let of = |energies: &Self, pair: &[usize; 2]| energies.0.get(pair).copied().unwrap_or(0.0);
        let mut pairs: Vec<[usize; 2]> = self.0.keys().chain(after.0.keys()).copied().collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
            .into_iter()
            .map(|pair| (pair, of(after, &pair) - of(self, &pair)))
            .collect()
    }

    /// Sum of the sizes of the energies of each body (J), `[bodies]`, for a number of bodies.
    pub fn sizes(&self, bodies: usize) -> Vec<f64> {
        let mut sizes = vec![0.0; bodies];
        for ([a, b], energy) in &self.0 {
            sizes[*a] += energy.abs();
            sizes[*b] += energy.abs();
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_those_of_all_pairs_at_either_end() {
        let before = PairEnergies([([0, 1], 2.0), ([1, 2], 3.0)].into());
        let after = PairEnergies([([1, 2], 1.0), ([0, 3], 4.0)].into());
        let changes = before.changes(&after);
        assert_eq!(changes, [([0, 1], -2.0), ([0, 3], 4.0), ([1, 2], -2.0)]);
        assert_eq!(before.sizes(4), [2.0, 5.0, 3.0, 0.0]);
    }
}
