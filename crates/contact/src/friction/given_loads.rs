//! Friction with normal forces that someone else finds, and of contacts that are about to begin.
//!
//! Loads of friction follow from the barriers where it is lagged, to first order along a motion. A solver that
//! knows normal forces better, such as the exact barriers of an inner problem, gives loads itself; then only
//! tangents, slip and anchors are lagged. It may also ask for friction of pairs that do not press yet, whose
//! contacts were found with barriers that reach farther.

use super::{Friction, Group, Lag, each_frame};
use crate::{Contacts, LinearGaps, Surface};
use ipcsim_math::Vec2;
use std::collections::HashSet;

impl Friction {
    /// Vertices of the contact of each potential: both ends of an edge or twice a point, then both ends of the
    /// other side. A contact that resists rolling has two potentials.
    pub fn contacts(&self) -> impl Iterator<Item = [usize; 4]> + '_ {
        let places = self.pairs.places.iter().chain(&self.triples.places);
        let places = places.chain(&self.quadruples.places);
        places.map(|place| place.vertices)
    }

    /// Lagged load of each potential (N; of rolling N m), in the order of [`Friction::contacts`].
    pub fn lagged_loads(&self) -> Vec<f64> {
        let loads = [
            self.pairs.growths.loads(),
            self.triples.growths.loads(),
            self.quadruples.growths.loads(),
        ];
        loads.concat()
    }

    /// Gives each potential a load (N; of rolling N m), in the order of [`Friction::contacts`]. Lagged loads stay
    /// as they are, so that they may be given back.
    pub fn give_loads(&mut self, loads: &[f64]) {
        let (pairs, rest) = loads.split_at(self.pairs.places.len());
        let (triples, quadruples) = rest.split_at(self.triples.places.len());
        self.pairs.give_loads(pairs);
        self.triples.give_loads(triples);
        self.quadruples.give_loads(quadruples);
    }

    /// Adds the friction of all `contacts` that are among the places `near`, and that it does not have
    /// already, as [`Friction::lagged`] gives it. The contacts were found at the positions `x` (m,
    /// `[vertices]`).
    pub fn add_others(
        &mut self,
        surface: &Surface,
        (contacts, near): (&Contacts, &LinearGaps),
        x: &[Vec2],
        lag: Lag,
    ) {
        let known: HashSet<[usize; 4]> = self.contacts().collect();
        let mut others: HashSet<[usize; 4]> = near.contacts().iter().copied().collect();
        others.retain(|contact| !known.contains(contact));
        if others.is_empty() {
            return;
        }
        let mut anchor = 0;
        each_frame(contacts, x, |frame| {
            if others.contains(&frame.vertices) {
                self.add(surface, lag, x, &mut anchor, frame);
            }
        });
    }
}

impl<const N: usize> Group<N> {
    /// Gives each potential a load.
    fn give_loads(&mut self, loads: &[f64]) {
        for (contact, load) in self.sum.elements.iter_mut().zip(loads) {
            contact.load = *load;
        }
    }
}
