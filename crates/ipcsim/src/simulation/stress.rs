//! Stress and plastic strain of the triangles, as pictures show them.

use super::Simulation;
use ipcsim_core::fields::{Known, Snapshot, Subject};

impl Simulation {
    /// Von Mises stress of the Cauchy stress in each triangle, that across the plane included (Pa),
    /// `[triangles]`.
    #[allow(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is of one lifetime"
    )]
    pub fn stress(&self) -> Vec<f64> {
        self.in_triangles(|snapshot| snapshot.von_mises())
    }

    /// Equivalent plastic strain of each triangle (1), `[triangles]`; 0 where the material cannot
    /// flow, NaN for triangles without stress.
    pub fn plastic_strain(&self) -> Vec<f64> {
        self.in_triangles(|snapshot| {
            let strain = snapshot.plastic_strain();
            strain.map_or_else(
                || vec![0.0; self.world.triangles.len()],
                |strain| strain.triangles.iter().map(|even| even.xx).collect(),
            )
        })
    }

    /// What `values` makes of the state, `[triangles]`.
    fn in_triangles(&self, values: impl Fn(&Snapshot) -> Vec<f64>) -> Vec<f64> {
        // Neither asks for a material by its number.
        let materials = vec![None; self.world.bodies.len()];
        let Self { scene, world, .. } = self;
        let known = Known::positions(&self.state.x, self.state.conditions());
        let subject = Subject::new(world, scene.plane, scene.thickness, materials);
        values(&Snapshot::new(&subject, known))
    }
}
