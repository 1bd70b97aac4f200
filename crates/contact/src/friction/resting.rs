//! Friction between bodies that a step leaves where they are.
//!
//! A step computes no contacts between such bodies, and its friction lacks them. The forces that
//! hold them are still needed: their anchors go on to the next step, and readers list their forces.

use super::{Friction, Group};
use crate::Surface;

impl Friction {
    /// Adds what `all` has between pairs of bodies for which `rest` is true.
    ///
    /// Pairs come after the present ones, in their order.
    pub fn add_resting(
        &mut self,
        all: &Self,
        surface: &Surface,
        rest: impl Fn(usize, usize) -> bool,
    ) {
        self.pairs.add_resting(&all.pairs, surface, &rest);
        self.triples.add_resting(&all.triples, surface, &rest);
        self.quadruples.add_resting(&all.quadruples, surface, &rest);
    }
}

impl<const N: usize> Group<N> {
    /// Adds the contacts of `all` between pairs of bodies for which `rest` is true.
    fn add_resting(&mut self, all: &Self, surface: &Surface, rest: impl Fn(usize, usize) -> bool) {
        for ((stencil, contact), place) in all.sum.iter().zip(&all.places) {
            let [point, _, other, _] = place.vertices;
            if rest(surface.body[point], surface.body[other]) {
                self.sum.push(*stencil, *contact);
                self.places.push(*place);
            }
        }
    }
}
