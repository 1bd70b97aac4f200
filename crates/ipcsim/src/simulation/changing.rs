//! Parameters that a program sets between steps, and the journal that it keeps of them.
//!
//! What is set holds from the next step on, beside what the scene says. Parameters that the program
//! derives from the scene, such as the reach and stiffness of contact, stay as they are: they are made
//! for the forces of the scene.
//!
//! Every change is written down as an entry of a scene. A scene with these entries runs by the program
//! to the same bits: it can be resumed, verified and drawn like any other run.

use super::{Error, Simulation};
use ipcsim_math::Vec2;
use ipcsim_scene::schema::{BodyForce, Change, Parameter, Scene};
use ipcsim_scene::{check_parameter, numbered, refusal};
use serde::{Deserialize, Serialize};

/// What a program has set since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journal {
    /// Entries in the order in which they were set; none once a state was set.
    pub(super) changes: Vec<Change>,
    /// Number of the step after which a state was set, to which no change leads.
    pub(super) broken_after: Option<usize>,
    /// Number of the step after which something was set last.
    pub(super) latest_step: usize,
    /// What was set after it, for the step that follows.
    pub(super) latest: Vec<Parameter>,
}

impl Simulation {
    /// Sets a parameter from the next step on, until another setting of the same replaces it.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    /// use ipcsim::scene::schema::{FrictionPair, HalfPlane, Parameter};
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("block", Square::new(0.1, 1), "steel").at([0.0, 0.051]))
    ///     .with_obstacle(Obstacle::new("floor", HalfPlane::new([0.0, 1.0], [0.0, 0.0])));
    /// let mut simulation = Simulation::new(scene)?;
    /// simulation.run(10)?;
    /// simulation.set(Parameter::Friction(FrictionPair::new("block", "floor", 0.3)))?;
    /// simulation.run(10)?;
    ///
    /// // The journal makes a scene of it, whose run has the same bits.
    /// let mut again = Simulation::new(simulation.recorded()?)?;
    /// again.run(20)?;
    /// assert_eq!(again.state().hash(), simulation.state().hash());
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] with the reason if what it sets does not exist, cannot be set, or is not
    /// finite. Then nothing has changed.
    pub fn set(&mut self, parameter: Parameter) -> Result<(), Error> {
        let problems = check_parameter(&parameter, &self.scene);
        if let Some(problem) = problems.first() {
            return Err(Error::Refused(problem.to_string()));
        }
        if let Some(reason) = refusal(&parameter, &self.world) {
            return Err(Error::Refused(reason));
        }
        let change = numbered(&parameter, &self.world)
            .ok_or_else(|| Error::Refused("the scene has nothing of this name".to_owned()))?;

        // What was set before earlier steps is part of the state, and needed no more.
        let step = self.state.step;
        let of_scene = self.scene.changes.len();
        let changes = &mut self.world.changes;
        let mut number = 0;
        changes.retain(|&(after, _)| {
            number += 1;
            number <= of_scene || after >= step
        });
        changes.push((step, change));
        if self.journal.latest_step != step {
            self.journal.latest_step = step;
            self.journal.latest.clear();
        }
        self.journal.latest.push(parameter.clone());
        if self.journal.broken_after.is_none() {
            self.journal.changes.push(Change::new(step, parameter));
        }
        Ok(())
    }

    /// Sets the force (N) that acts on a body from the next step on, in place of the one that was
    /// set before. It acts as a uniform acceleration `a = F / m` does, without a torque.
    ///
    /// ```
    /// use ipcsim::math::Vec2;
    /// use ipcsim::prelude::*;
    ///
    /// let mut scene = Scene::new(Time::new(0.1, 10))
    ///     .with_material("steel", Material::rigid(100.0))
    ///     .with_body(Body::rigid("block", Square::new(1.0, 1), "steel"));
    /// scene.gravity = [0.0, 0.0];
    /// let mut simulation = Simulation::new(scene)?;
    ///
    /// // 50 N push 100 kg for 0.1 s.
    /// simulation.set_force("block", Vec2::new(50.0, 0.0))?;
    /// simulation.step()?;
    /// assert!((simulation.body("block")?.velocity().x - 0.05).abs() < 1e-12);
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchBody`] if nothing has this name; [`Error::Refused`] if the force is not
    /// finite, or if it cannot move the body: an obstacle, or a body with a reduced basis.
    pub fn set_force(&mut self, body: &str, force: Vec2) -> Result<(), Error> {
        self.body(body)?;
        let body = body.to_owned();
        let force = force.into();
        self.set(Parameter::Force(BodyForce { body, force }))
    }

    /// Sets gravity (m/s^2) from the next step on.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is not finite.
    pub fn set_gravity(&mut self, gravity: Vec2) -> Result<(), Error> {
        self.set(Parameter::Gravity(gravity.into()))
    }

    /// Gravity (m/s^2) of the next step.
    pub fn gravity(&self) -> Vec2 {
        let mut next = self.state.parameters.clone();
        for change in self.world.changes_after(self.state.step) {
            next.set(change);
        }
        next.gravity(self.world.loading.gravity)
    }

    /// The scene with all that a program has set so far as its `changes`, up to the present step: a run
    /// of it ends in this state, to the bit.
    ///
    /// # Errors
    /// [`Error::Refused`] after a state was set, to which no change leads, and after [`Self::forget`].
    pub fn recorded(&self) -> Result<Scene, Error> {
        if let Some(step) = self.journal.broken_after {
            return Err(Error::Refused(format!(
                "there is no journal from step {step} on: a state was set there, to which no change of \
                 a parameter leads; set none in a simulation that is to be recorded"
            )));
        }
        let mut scene = self.scene.clone();
        scene.changes.extend(self.journal.changes.iter().cloned());
        scene.time.steps = self.state.step;
        Ok(scene)
    }

    /// What was set for the next step is set for the one after `step`, the step of a state that is put
    /// back. What was set for earlier steps has acted: it is part of the parameters, which stay.
    pub(super) fn retarget(&mut self, step: usize) {
        let of_scene = self.scene.changes.len();
        let now = self.state.step;
        let mut own = self.world.changes.split_off(of_scene);
        own.retain(|&(after, _)| after == now);
        if self.journal.latest_step == now {
            self.journal.latest_step = step;
        } else {
            self.journal.latest.clear();
        }
        self.world
            .changes
            .extend(own.into_iter().map(|(_, change)| (step, change)));
    }

    /// Keeps no journal from now on, for a program that sets parameters in millions of steps.
    pub fn forget(&mut self) {
        self.set_by_hand();
    }

    /// Notes that a state was set, at the present step.
    pub(super) fn set_by_hand(&mut self) {
        self.journal.changes.clear();
        self.journal.broken_after.get_or_insert(self.state.step);
    }
}
