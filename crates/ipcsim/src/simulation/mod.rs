//! A simulation as one value: world, solver and state.
//!
//! The parts of the library can be used one by one. This room puts them together for programs that
//! want to build a scene, step it and read results. A [`Simulation`] owns the world, which never
//! changes, the solver with its buffers, and the state, which each step replaces. Results are
//! views:
//!
//! - [`BodyView`] shows a body or obstacle by its name, with positions, velocities and masses;
//! - [`ContactForce`] is a normal and a friction force between two bodies, [`JointForce`] the force
//!   of a joint, [`Reaction`] that of a support;
//! - [`StepReport`] tells what a step took.
//!
//! Between steps a program may change the state ([`Simulation::set_state`]) or put back an earlier
//! one ([`Snapshot`], [`SavedSimulation`]), and set parameters ([`Simulation::set`]); the simulation keeps a journal of these
//! ([`Simulation::recorded`]).
//!
//! Views borrow the simulation, so that a step cannot change what they show. A step that fails
//! leaves the state before it, and says which pair, energy or vertex was at fault.

mod changing;
mod contacts;
mod error;
mod going_on;
mod interrupting;
mod joints;
mod loads;
mod placing;
mod proving;
mod reactions;
mod saved;
mod snapshot;
mod stress;
mod view;

pub use changing::Journal;
pub use contacts::ContactForce;
pub use error::Error;
pub use ipcsim_core::forces::{Coarse, Grains, SupportKind};
pub use joints::JointForce;
pub use loads::LoadForce;
pub use reactions::Reaction;
pub use saved::SavedSimulation;
pub use snapshot::Snapshot;
pub use view::BodyView;

use ipcsim_core::forces::Sums;
use ipcsim_core::measures::{Measure, Measures, begin_again, step_measured};
use ipcsim_core::quantities::Until;
use ipcsim_core::solve::{Failure, Solver};
use ipcsim_core::time::{self, ChamberState, State, StepReport, World};
use ipcsim_energy::Energy;
use ipcsim_scene::{Scene, Setup};
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
    /// Scene with all derived values filled in, and a body for each copy.
    scene: Scene,
    /// Bodies, energies and settings, which do not change in a run.
    world: World,
    /// Buffers of Newton's method, and contacts of the last step.
    solver: Solver,
    /// Coordinates, positions and velocities at the end of the last step.
    state: State,
    /// True once the start has been brought to equilibrium, or is not to be.
    has_settled: bool,
    /// Condition at which a run ends before its last step.
    until: Option<Until>,
    /// Measures of the scene.
    measures: Measures,
    /// What a program has set between steps.
    journal: Journal,
}

impl Simulation {
    /// Builds the world of a scene, at time 0.
    ///
    /// Warnings about implausible values are not looked for; `scene::preflight` finds them.
    ///
    /// # Errors
    /// [`Error::Scene`] with all problems of the scene, overlaps at the start included.
    pub fn new(scene: Scene) -> Result<Self, Error> {
        Ok(scene.build()?.into())
    }

    /// Account of the state as it is: its energies and contacts, without a step.
    ///
    /// It finds the contacts that [`Simulation::contacts`] then shows. The program `ipcsim run`
    /// begins with it: a simulation has the bits of a run if it does so too, before its first step.
    ///
    /// # Errors
    /// [`Error::Step`] if something touches, which no state of a scene or a step does.
    pub fn begin(&mut self) -> Result<StepReport, Error> {
        self.settle()?;
        let found = begin_again(&self.world, &mut self.solver, &self.state, &self.measures);
        Ok(found.map_err(|failure| self.failed(failure))?.report)
    }

    /// Computes one step, from time `t` to `t + h`.
    ///
    /// # Errors
    /// [`Error::Step`] if the step fails even after all fallbacks. The state is then that before
    /// the step.
    pub fn step(&mut self) -> Result<StepReport, Error> {
        // A failed step leaves the state as it was.
        self.settle()?;
        let result = step_measured(
            &self.world,
            &mut self.solver,
            &mut self.state,
            &self.measures,
            self.until.as_ref(),
        );
        Ok(result.map_err(|failure| self.failed(failure))?.report)
    }

    /// Brings the start to equilibrium, once, if the scene asks for that.
    ///
    /// # Errors
    /// [`Error::Step`] if there is none.
    fn settle(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.has_settled, true) {
            let settled = time::settle(&self.world, &mut self.state);
            settled.map_err(|failure| self.failed(failure))?;
        }
        Ok(())
    }

    /// Error of the step after the present state.
    fn failed(&self, failure: Failure) -> Error {
        let step = self.state.step + 1;
        Error::Step {
            step,
            time: step as f64 * self.world.h,
            failure,
        }
    }

    /// Computes `steps` steps, and returns no reports.
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
    ///
    /// The energy acts from the next step on. The solver is made anew and forgets the friction of
    /// the last step, which [`Simulation::contacts`] no longer shows.
    pub fn add_energy(&mut self, energy: impl Energy + 'static) {
        if let Some(sleep) = &mut self.world.options.sleep {
            sleep.link(&energy, &self.world.model.surface.body);
            self.state.memory.after_change();
        }
        self.world.model.energies.push(Box::new(energy));

        // Buffers and the pattern of the Newton system belong to the old energies.
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
    /// The search goes through all names. Programs with many bodies use [`Simulation::bodies`].
    ///
    /// # Errors
    /// [`Error::NoSuchBody`] with all names that exist.
    pub fn body(&self, name: &str) -> Result<BodyView<'_>, Error> {
        self.bodies()
            .find(|body| body.name() == name)
            .ok_or_else(|| Error::NoSuchBody {
                name: name.to_owned(),
                known: self.bodies().map(|body| body.name().to_owned()).collect(),
            })
    }

    /// All bodies in the order of the scene, then obstacles, each with its part of the state.
    pub fn bodies(&self) -> impl Iterator<Item = BodyView<'_>> {
        self.world.bodies.iter().map(|body| BodyView {
            body,
            world: &self.world,
            state: &self.state,
        })
    }

    /// Forces of contact and friction at the end of the last step, pair by pair.
    ///
    /// Contacts are those that the solver found. Pairs beyond the reach of the barrier have no
    /// entry, unless friction from the start of the step acts on them. Nothing is computed without
    /// a call.
    pub fn contacts(&self) -> impl Iterator<Item = ContactForce<'_>> {
        contacts::forces(&self.world, &self.state, self.solver.last())
    }

    /// Bodies as grains with their contacts at the end of the last step: their mean stresses, and
    /// continuous fields of stress, density and velocity ([`Grains::coarse`]). Nothing is computed
    /// without a call.
    pub fn grains(&self) -> Grains {
        let thickness = self.measures.thickness;
        Grains::of(&self.world, &self.state, self.solver.last(), thickness)
    }

    /// Forces and moments of all supports at the end of the last step: of every obstacle, every
    /// scripted body, every selection of prescribed vertices and the fixed coordinates of every
    /// rigid body; none before the first step. Nothing is computed without a call.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    ///
    /// // A block of 7.8 kg that is fixed in all coordinates.
    /// let mut block = Body::rigid("block", Square::new(0.1, 1), "steel");
    /// block.fixed = vec![Axis::X, Axis::Y, Axis::Angle];
    /// let scene = Scene::new(Time::new(0.01, 1))
    ///     .with_material("steel", Material::rigid(780.0))
    ///     .with_body(block);
    /// let mut simulation = Simulation::new(scene)?;
    /// simulation.step()?;
    ///
    /// let reaction = simulation.reactions().next().expect("one support");
    /// assert_eq!(reaction.body, "block");
    /// assert!((reaction.force.y - 7.8 * 9.81).abs() < 1e-9);
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    pub fn reactions(&self) -> impl Iterator<Item = Reaction<'_>> {
        reactions::forces(&self.world, &self.state, self.solver.last())
    }

    /// Forces of the joints at the end of the last step, in the order of the scene.
    pub fn joints(&self) -> impl Iterator<Item = JointForce<'_>> {
        joints::forces(&self.world, &self.state)
    }

    /// Resultants and moments of all loads of the scene at the end of the last step, in its order;
    /// none before the first step. Nothing is computed without a call.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    ///
    /// // A wheel of steel that a motor turns, more and more.
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_gravity([0.0; 2])
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("wheel", Circle::new(0.1), "steel"))
    ///     .with_load(Load::torque("wheel", "5*t").named("motor"));
    /// let mut simulation = Simulation::new(scene)?;
    /// simulation.run(100)?;
    ///
    /// let motor = simulation.loads().next().expect("one load");
    /// assert_eq!(motor.name, "motor");
    /// assert!((motor.moment - 5.0).abs() < 1e-12);
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    pub fn loads(&self) -> impl Iterator<Item = LoadForce<'_>> {
        loads::forces(&self.world, &self.state, self.solver.last())
    }

    /// Names of all chambers in the order of the scene, with pressure, volume and amount of their gas.
    pub fn chambers(&self) -> impl Iterator<Item = (&str, ChamberState)> {
        let gas = &self.world.loading.gas;
        let names = gas.chambers.iter().map(|chamber| chamber.name.as_str());
        names.zip(gas.states(&self.state))
    }

    /// Sums of all forces at the end of the last step: per pair of bodies, joint, support and load, as the
    /// rows of `forces.csv` have them.
    pub fn sums(&self) -> Sums {
        Sums::of(&self.world, &self.state, self.solver.last())
    }

    /// Measures of the scene, in its order: the readings of a step are in its [`StepReport`].
    pub fn measures(&self) -> &[Measure] {
        &self.measures.list
    }

    /// The scene with all derived values filled in, and a body for each copy.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Bodies, energies and settings, which do not change from step to step.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Coordinates, positions and velocities at the end of the last step.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl From<Setup> for Simulation {
    /// A simulation at the state of the setup.
    fn from(setup: Setup) -> Self {
        Self {
            solver: setup.solver(),
            scene: setup.scene,
            world: setup.world,
            state: setup.state,
            has_settled: false,
            until: setup.until,
            measures: setup.measures,
            journal: Journal::default(),
        }
    }
}

impl fmt::Debug for Simulation {
    /// Sizes and the step in place of the many arrays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("bodies", &self.world.bodies.len())
            .field("vertices", &self.state.x.len())
            .field("step", &self.state.step)
            .finish_non_exhaustive()
    }
}
