//! A simulation as one value: world, solver and state.

mod contacts;
mod error;
mod joints;
mod view;

pub use contacts::ContactForce;
pub use error::Error;
pub use joints::JointForce;
pub use view::BodyView;

use crate::energy::Energy;
use crate::scene::{Scene, Setup};
use crate::solve::Solver;
use crate::time::{self, State, StepReport, World};
use std::fmt;

/// A scene under way: the world, which does not change, the solver, and the state, which each step
/// replaces.
///
/// ```
/// use ipcsim::prelude::*;
///
/// let scene = Scene::new(Time::new(0.01, 100))
///     .with_material("steel", Material::rigid(7800.0))
///     .with_body(Body::rigid("ball", Circle::new(0.1), "steel").at([0.0, 0.5]));
/// let mut simulation = Simulation::new(scene)?;
/// simulation.run(10)?;
/// // Implicit Euler falls h^2 g n (n + 1) / 2 in n steps.
/// let fallen = 0.5 - simulation.body("ball")?.centre().y;
/// assert!((fallen - 9.81e-4 * 55.0).abs() < 1e-9);
/// # Ok::<(), ipcsim::Error>(())
/// ```
pub struct Simulation {
    scene: Scene,
    world: World,
    solver: Solver,
    state: State,
}

impl Simulation {
    /// Builds the world of a scene, at time 0.
    ///
    /// # Errors
    /// [`Error::Scene`] with all problems of the scene.
    pub fn new(scene: Scene) -> Result<Self, Error> {
        Ok(scene.build()?.into())
    }

    /// Computes one step.
    ///
    /// # Errors
    /// [`Error::Step`] if the step fails even after all fallbacks. The state is then that before the
    /// step.
    pub fn step(&mut self) -> Result<StepReport, Error> {
        let step = self.state.step + 1;
        let output = time::step(&self.world, &mut self.solver, &mut self.state);
        output
            .map(|output| output.report)
            .map_err(|failure| Error::Step {
                step,
                time: step as f64 * self.world.h,
                failure,
            })
    }

    /// Computes `steps` steps.
    ///
    /// # Errors
    /// [`Error::Step`] of the first step that fails. The state is then that before this step.
    pub fn run(&mut self, steps: usize) -> Result<(), Error> {
        for _ in 0..steps {
            self.step()?;
        }
        Ok(())
    }

    /// Adds an energy of positions to those of the scene. The vertices of a body are
    /// `simulation.body(name)?.body().vertices`.
    pub fn add_energy(&mut self, energy: impl Energy + 'static) {
        self.world.model.energies.push(Box::new(energy));
        self.solver = self.world.solver();
    }

    /// Number of steps since the start.
    pub fn steps(&self) -> usize {
        self.state.step
    }

    /// Time since the start (s).
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The body or obstacle of this name. Copies have a number: `disk 1`.
    ///
    /// # Errors
    /// [`Error::NoSuchBody`].
    pub fn body(&self, name: &str) -> Result<BodyView<'_>, Error> {
        self.bodies()
            .find(|body| body.name() == name)
            .ok_or_else(|| Error::NoSuchBody {
                name: name.to_owned(),
                known: self.bodies().map(|body| body.name().to_owned()).collect(),
            })
    }

    /// All bodies in the order of the scene, then obstacles.
    pub fn bodies(&self) -> impl Iterator<Item = BodyView<'_>> {
        self.world.bodies.iter().map(|body| BodyView {
            body,
            world: &self.world,
            state: &self.state,
        })
    }

    /// Forces of contact and friction at the end of the last step.
    pub fn contacts(&self) -> impl Iterator<Item = ContactForce<'_>> {
        let last = self.solver.last();
        contacts::forces(&self.world, &self.state.x, &last.friction, &last.tangents)
    }

    /// Forces of the joints at the end of the last step, in the order of the scene.
    pub fn joints(&self) -> impl Iterator<Item = JointForce<'_>> {
        joints::forces(&self.world, &self.state)
    }

    /// The scene with all derived values filled in, and a body for each copy.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Bodies, energies and settings.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Coordinates, positions and velocities.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl From<Setup> for Simulation {
    fn from(setup: Setup) -> Self {
        Self {
            solver: setup.world.solver(),
            scene: setup.scene,
            world: setup.world,
            state: setup.state,
        }
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("bodies", &self.world.bodies.len())
            .field("vertices", &self.state.x.len())
            .field("step", &self.state.step)
            .finish_non_exhaustive()
    }
}
