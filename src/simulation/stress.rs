//! Stress of the triangles, as pictures show it.

use super::Simulation;
use crate::fields::{Known, Snapshot, Subject};
use crate::math::PlaneTensor;

impl Simulation {
    /// Von Mises stress of the Cauchy stress in each triangle, that across the plane included (Pa),
    /// `[triangles]`.
    pub fn stress(&self) -> Vec<f64> {
        // Stress asks for no material by its number.
        let materials = vec![None; self.world.bodies.len()];
        let Self { scene, world, .. } = self;
        let subject = Subject::new(world, scene.plane, scene.thickness, materials);

        let snapshot = Snapshot::new(&subject, Known::positions(&self.state.x));
        let stresses = &snapshot.stress().triangles;
        stresses.iter().map(PlaneTensor::von_mises).collect()
    }
}
