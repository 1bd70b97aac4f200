//! Stress of the triangles, as pictures show it.

use super::Simulation;
use crate::fields::{Known, Snapshot, Subject};

impl Simulation {
    /// Von Mises stress of the Cauchy stress in each triangle, that across the plane included (Pa),
    /// `[triangles]`.
    pub fn stress(&self) -> Vec<f64> {
        // Stress asks for no material by its number.
        let materials = vec![None; self.world.bodies.len()];
        let Self { scene, world, .. } = self;
        let known = Known::positions(&self.state.x, self.state.conditions());
        let subject = Subject::new(world, scene.plane, scene.thickness, materials);
        Snapshot::new(&subject, known).von_mises()
    }
}
