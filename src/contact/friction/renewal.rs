//! Friction that is brought up to date within a solve.
//!
//! Newer friction has the normal forces and tangents of a later state. It keeps what Newton's
//! method expects of the contacts that both have, and it may take only a share of the change, which
//! keeps forces from oscillating.

use super::{Friction, Group, Lag};
use crate::contact::{Contacts, Surface};
use crate::math::Vec2;

/// Places before and after the expected one at which a contact is looked for in older friction.
///
/// Contacts come in the same order in both, so that few places pass between two that both have. A
/// contact that is not found counts as new.
const NEAR: usize = 16;

impl Friction {
    /// Friction of `contacts` at `x` (m, `[vertices]`) as [`Friction::lagged`] gives it, with the
    /// forces that this friction expects of the contacts that both have.
    #[must_use]
    pub fn renewed(&self, surface: &Surface, contacts: &Contacts, x: &[Vec2], lag: Lag) -> Self {
        let mut renewed = Self::lagged(surface, contacts, x, lag);
        renewed.pairs.expect_as(&self.pairs);
        renewed.triples.expect_as(&self.triples);
        renewed.quadruples.expect_as(&self.quadruples);
        renewed
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
    /// `factor` times their load in `newer` friction, which is 0 for contacts that it does not have.
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
        let contacts = self.sum.iter().zip(&self.vertices);
        for ((stencil, contact), vertices) in contacts {
            let found = newer.find(vertices, next);
            next = found.map_or(next, |k| k + 1);

            let load = found.map_or(0.0, |k| newer.sum.elements[k].load);
            let force = contact.slope(&stencil.map(|i| bound.y[i])).abs();
            let [point, other, _] = *vertices;
            let most = bound.factor * load + (bound.allowance)([point, other]);
            count += usize::from(force > most);
        }
        count
    }

    /// Takes over the relative forces that an older group expects of the same contacts.
    fn expect_as(&mut self, older: &Self) {
        let mut next = 0;
        for (contact, vertices) in self.sum.elements.iter_mut().zip(&self.vertices) {
            if let Some(k) = older.find(vertices, next) {
                contact.dual = older.sum.elements[k].dual;
                next = k + 1;
            }
        }
    }

    /// Mixes the loads with those of an older group.
    fn mix(&mut self, older: &Self, share: f64) {
        let mut next = 0;
        for (contact, vertices) in self.sum.elements.iter_mut().zip(&self.vertices) {
            contact.load *= share;
            if let Some(k) = older.find(vertices, next) {
                contact.load += (1.0 - share) * older.sum.elements[k].load;
                next = k + 1;
            }
        }
    }

    /// Number of the contact with these vertices, near the number `expected`; `None` if it is not
    /// there.
    fn find(&self, vertices: &[usize; 3], expected: usize) -> Option<usize> {
        let first = expected.saturating_sub(NEAR);
        let end = (expected + NEAR).min(self.vertices.len());
        let mut numbers = (expected..end).chain(first..expected.min(end));
        numbers.find(|&k| self.vertices[k] == *vertices)
    }
}
