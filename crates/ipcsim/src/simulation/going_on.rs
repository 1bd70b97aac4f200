//! Simulations that go on from a state of another scene.

use super::{Error, Simulation, Snapshot};
use ipcsim_core::solve::SolverMemory;
use ipcsim_core::time::{SavedState, World};
use ipcsim_scene::{Scene, build_elsewhere};

impl Simulation {
    /// Builds the world of a scene whose bodies are elsewhere than it says: `place` changes step, time,
    /// coordinates and velocities of the state at its start. Bodies may overlap at the start, and not
    /// where they are put.
    ///
    /// A program that adds a body to a scene that runs, or takes one out, goes on so with all others. No
    /// change of parameters leads to such a state, so it has no journal.
    ///
    /// ```
    /// use ipcsim::math::Vec2;
    /// use ipcsim::prelude::*;
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("a", Square::new(0.1, 1), "steel"))
    ///     .with_body(Body::rigid("b", Square::new(0.1, 1), "steel"));
    /// let apart = Simulation::going_on(scene.clone(), |world, state| {
    ///     state.q[world.bodies[1].nodes.start] = Vec2::new(1.0, 0.0);
    /// })?;
    /// assert_eq!(apart.body("b")?.centre().x, 1.0);
    ///
    /// // Both squares are at the origin in the scene, and may not stay there.
    /// assert!(Simulation::going_on(scene, |_, _| {}).is_err());
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Scene`] for other problems of the scene; [`Error::Refused`] if the state intersects,
    /// inverts or touches, or is none of the scene's.
    pub fn going_on(
        scene: Scene,
        place: impl FnOnce(&World, &mut SavedState),
    ) -> Result<Self, Error> {
        let mut simulation = Self::from(build_elsewhere(scene)?);
        let mut state = simulation.state.save();
        place(&simulation.world, &mut state);
        let solver: SolverMemory = simulation.solver.memory();

        // Refused if bodies overlap there.
        simulation.restore(&Snapshot { state, solver })?;
        Ok(simulation)
    }
}
