//! Scenes that go on from the state of a simulation.

use super::Simulation;
use ipcsim_scene::schema::{Change, Start, StartState};
use ipcsim_scene::{Memory, Scene};

impl Simulation {
    /// The scene of a run that goes on from the present state, bit for bit: its `start` has this state
    /// with all that a step remembers, and its `changes` what was set for the next step.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("ball", Circle::new(0.1), "steel"));
    /// let mut simulation = Simulation::new(scene)?;
    /// simulation.run(50)?;
    ///
    /// let mut later = Simulation::new(simulation.scene_from_here())?;
    /// simulation.run(50)?;
    /// later.run(50)?;
    /// assert_eq!(later.state().hash(), simulation.state().hash());
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    pub fn scene_from_here(&self) -> Scene {
        let memory = Memory {
            nodes: Some(self.world.model.coordinates.nodes()),
            step: self.state.memory.clone(),
            parameters: self.state.parameters.clone(),
            solver: self.solver.memory(),
        };
        let state = StartState::of(&self.world, &self.state).with_memory(&memory);
        let step = state.step;
        let mut scene = self.scene.clone();
        scene.start = Start::State(Box::new(state));
        scene.time.steps = scene.time.steps.max(step);

        // Earlier changes are part of the memory.
        scene.changes.retain(|change| change.after >= step);
        if self.journal.latest_step == step {
            let latest = self.journal.latest.iter().cloned();
            scene
                .changes
                .extend(latest.map(|parameter| Change::new(step, parameter)));
        }
        scene
    }

    /// All changes of parameters so far, those of the scene and those that were set by [`Simulation::set`]
    /// since a state was last put in by hand.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.scene.changes.iter().chain(&self.journal.changes)
    }
}
