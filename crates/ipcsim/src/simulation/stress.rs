//! Stress and plastic strain of the triangles, as pictures show them.
//!
//! Any [field](crate::fields) is taken at points of a snapshot:
//!
//! ```
//! use ipcsim::fields::{Known, Snapshot, Subject, by_key};
//! use ipcsim::material::Plane;
//! use ipcsim::prelude::*;
//!
//! let scene = Scene::new(Time::new(0.01, 100))
//!     .with_material("rubber", Material::neo_hookean(1000.0, 1e5, 0.4))
//!     .with_body(Body::deformable("ball", Disk::new(0.1, 12), "rubber").at([0.0, 0.5]));
//! let mut simulation = Simulation::new(scene)?;
//! simulation.run(10)?;
//!
//! // A ball that falls freely has no stress.
//! let subject = Subject::new(simulation.world(), Plane::Strain, 1.0, vec![Some(0)]);
//! let known = Known::positions(&simulation.state().x, simulation.state().conditions());
//! let snapshot = Snapshot::new(&subject, known);
//! let stress = by_key("von_mises").and_then(|field| field.at_points(&snapshot));
//! assert!(stress.is_some_and(|stress| stress.iter().all(|stress| *stress < 1e-3)));
//! # Ok::<(), ipcsim::Error>(())
//! ```

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

    /// Cauchy stress across the plane in each triangle (Pa), `[triangles]`: around the axis of bodies of
    /// revolution.
    pub fn hoop_stress(&self) -> Vec<f64> {
        self.in_triangles(|snapshot| {
            let triangles = &snapshot.stress().triangles;
            triangles.iter().map(|stress| stress.zz).collect()
        })
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
