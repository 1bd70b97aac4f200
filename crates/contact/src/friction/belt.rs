//! Work of belts: energy that friction takes from a surface that moves along its own outline.

use super::{Friction, Group};
use ipcsim_math::Vec2;

impl Friction {
    /// Work (J) of belts at the positions `y` (see [`super::FrictionContact`]): the friction force
    /// times the displacement of belts in the time in which bodies slide. Friction does the work of
    /// its whole slip on bodies and belts together, and this is the part of the belts.
    pub fn belt_work(&self, y: &[Vec2]) -> f64 {
        self.pairs.belt_work(y) + self.triples.belt_work(y) + self.quadruples.belt_work(y)
    }
}

impl<const N: usize> Group<N> {
    /// Work of belts at `y` (J).
    fn belt_work(&self, y: &[Vec2]) -> f64 {
        let mut work = 0.0;
        for (stencil, contact) in self.sum.iter() {
            if contact.belts != 0.0 {
                work += contact.belts * contact.slope(&stencil.map(|i| y[i]));
            }
        }
        work
    }
}
