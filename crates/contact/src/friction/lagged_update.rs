//! Friction that is brought up to date within a solve.
//!
//! Newer friction has the normal forces and tangents of a later state. It keeps the relative forces
//! that Newton's method expects of common contacts, and it may take only a share of the change,
//! which keeps forces from oscillating.

use super::{Against, Friction, Group, Lag, Place};
use crate::tuning::LAGGED_NEARBY;
use crate::{Contacts, Surface};
use ipcsim_math::Vec2;

impl Friction {
    /// Becomes the friction of `contacts` at `x` (m, `[vertices]`) as [`Friction::lagged`] gives it,
    /// with the forces that it has expected so far of the contacts that both have. Friction so far is
    /// in `older` then.
    pub fn renew(
        &mut self,
        surface: &Surface,
        contacts: &Contacts,
        x: &[Vec2],
        lag: Lag,
        older: &mut Self,
    ) {
        std::mem::swap(self, older);
        self.lag(surface, contacts, x, lag);
        self.pairs.expect_as(&older.pairs);
        self.triples.expect_as(&older.triples);
        self.quadruples.expect_as(&older.quadruples);
    }

    /// Keeps a `share` (1) of each load, and takes the rest of the load in `older` friction, which
    /// is 0 for contacts that it does not have.
    pub fn mix(&mut self, older: &Self, share: f64) {
        self.pairs.mix(&older.pairs, share);
        self.triples.mix(&older.triples, share);
        self.quadruples.mix(&older.quadruples, share);
    }
}

impl Friction {
    /// Number of contacts whose force at the positions `y` (see [`super::FrictionContact`]) exceeds
    /// `factor` times their load in `newer` friction, which is 0 for contacts that it does not
    /// have.
    ///
    /// `allowance` is a force (N) that may be above that, from a vertex of each side.
    pub fn exceeding(
        &self,
        newer: &Self,
        y: &[Vec2],
        factor: f64,
        allowance: impl Fn([usize; 2]) -> f64,
    ) -> usize {
        let bound = Bound {
            y,
            factor,
            allowance: &allowance,
        };
        self.pairs.exceeding(&newer.pairs, bound)
            + self.triples.exceeding(&newer.triples, bound)
            + self.quadruples.exceeding(&newer.quadruples, bound)
    }
}

/// Bound of friction forces by loads.
#[derive(Clone, Copy)]
struct Bound<'a> {
    /// Positions that friction is a function of (m), `[vertices]`.
    y: &'a [Vec2],
    /// Factor of the loads.
    factor: f64,
    /// Force (N) that may be above them, from a vertex of each side.
    allowance: &'a dyn Fn([usize; 2]) -> f64,
}

impl<const N: usize> Group<N> {
    /// Number of contacts whose force exceeds their load in a newer group.
    fn exceeding(&self, newer: &Self, bound: Bound) -> usize {
        let mut next = 0;
        let mut count = 0;
        for ((stencil, contact), place) in self.sum.iter().zip(&self.places) {
            let found = newer.find(place, next);
            next = found.map_or(next, |k| k + 1);

            let load = found.map_or(0.0, |k| newer.sum.elements[k].load);
            let at = stencil.map(|i| bound.y[i]);
            let force = contact.slope(&at).abs();
            let full = load * contact.law.most(contact.slide(&at).abs());

            // A force on each of two vertices is a torque with their distance as its arm.
            let [point, _, other, _] = place.vertices;
            let mut allowance = (bound.allowance)([point, other]);
            if let Against::Rolling = place.against {
                allowance /= contact.weights[0].norm();
            }
            count += usize::from(force > bound.factor * full + allowance);
        }
        count
    }

    /// Takes over the relative forces that an older group expects of the same contacts.
    fn expect_as(&mut self, older: &Self) {
        let mut next = 0;
        for (contact, place) in self.sum.elements.iter_mut().zip(&self.places) {
            if let Some(k) = older.find(place, next) {
                contact.dual = older.sum.elements[k].dual;
                next = k + 1;
            }
        }
    }

    /// Mixes the loads with the loads of an older group.
    fn mix(&mut self, older: &Self, share: f64) {
        let mut next = 0;
        for (contact, place) in self.sum.elements.iter_mut().zip(&self.places) {
            contact.load *= share;
            if let Some(k) = older.find(place, next) {
                contact.load += (1.0 - share) * older.sum.elements[k].load;
                next = k + 1;
            }
        }
    }

    /// Number of the potential at this place, near the number `expected`; `None` if it is not
    /// there.
    fn find(&self, place: &Place, expected: usize) -> Option<usize> {
        let first = expected.saturating_sub(LAGGED_NEARBY);
        let end = (expected + LAGGED_NEARBY).min(self.places.len());
        let mut numbers = (expected..end).chain(first..expected.min(end));
        numbers.find(|&k| self.places[k].is(place))
    }
}

impl Place {
    /// True if both are the same contact and resist the same kind of motion.
    fn is(&self, other: &Self) -> bool {
        let rolls = |place: &Self| matches!(place.against, Against::Rolling);
        self.vertices == other.vertices && rolls(self) == rolls(other)
    }
}
