//! Whole simulations as values: what a program has to store in order to go on elsewhere.
//!
//! A [`Snapshot`] is a state of a scene, which many simulations can take; their parameters stay their own.
//! A [`SavedSimulation`] also has the parameters that the program has set and the journal of them, so that
//! the simulation made of it is the same as the one that was saved.

use super::changing::Journal;
use super::{Error, Simulation, Snapshot};
use ipcsim_core::time::StepReport;
use ipcsim_scene::schema::Change;

/// Everything of a simulation but its scene: state, memory of the solver, parameters that were set.
///
/// It fits a new simulation of the same scene, and its two parts can be stored by serde: the journal has
/// the keys of a scene, so that it needs a format with names, such as JSON. Energies that the program has
/// added ([`Simulation::add_energy`]) are not in it.
///
/// ```
/// use ipcsim::math::Vec2;
/// use ipcsim::prelude::*;
///
/// let mut scene = Scene::new(Time::new(0.1, 10))
///     .with_material("steel", Material::rigid(100.0))
///     .with_body(Body::rigid("block", Square::new(1.0, 1), "steel"));
/// let mut simulation = Simulation::new(scene.clone())?;
/// simulation.run(3)?;
/// simulation.set_force("block", Vec2::new(50.0, 0.0))?;
///
/// let mut again = Simulation::new(scene)?;
/// again.load(&simulation.save())?;
/// simulation.run(5)?;
/// again.run(5)?;
/// assert_eq!(again.state().hash(), simulation.state().hash());
/// # Ok::<(), ipcsim::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SavedSimulation {
    /// State and memory of the solver.
    pub snapshot: Snapshot,
    /// What the program has set.
    pub journal: Journal,
}

impl Simulation {
    /// Everything but the scene, copied.
    pub fn save(&self) -> SavedSimulation {
        SavedSimulation {
            snapshot: self.snapshot(),
            journal: self.journal.clone(),
        }
    }

    /// Becomes the simulation that was saved, and returns the account of its state. Steps then have the
    /// bits that they would have had.
    ///
    /// Contact forces are those of a state without a last step: there is no friction and no
    /// reaction until the next step.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is of another scene, or if its state intersects or inverts.
    pub fn load(&mut self, saved: &SavedSimulation) -> Result<StepReport, Error> {
        let SavedSimulation { snapshot, journal } = saved;
        self.state.parameters = snapshot.state.parameters.clone();
        let report = self.restore(snapshot)?;

        // What is set for the next step acts in addition to the parameters of the state.
        self.world.changes.truncate(self.scene.changes.len());
        if journal.latest_step == self.state.step {
            for parameter in &journal.latest {
                self.set(parameter.clone())?;
            }
        }
        self.journal = journal.clone();
        self.has_settled = true;
        Ok(report)
    }

    /// Steps back to a state of the past of this simulation, and returns its account. The snapshot is
    /// one that was taken right after its step; the journal forgets what was set since then.
    ///
    /// ```
    /// use ipcsim::math::Vec2;
    /// use ipcsim::prelude::*;
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("block", Square::new(0.1, 1), "steel"));
    /// let mut simulation = Simulation::new(scene)?;
    /// simulation.run(3)?;
    /// let past = simulation.snapshot();
    /// let hash = simulation.state().hash();
    /// simulation.set_force("block", Vec2::new(500.0, 0.0))?;
    /// simulation.run(5)?;
    ///
    /// simulation.rewind(&past)?;
    /// assert_eq!(simulation.state().hash(), hash);
    /// assert!(simulation.recorded()?.changes.is_empty());
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] if it is of another scene, or if its state intersects or inverts. Then
    /// nothing has changed.
    pub fn rewind(&mut self, past: &Snapshot) -> Result<StepReport, Error> {
        let mut journal = self.journal.clone();
        let step = past.state.step;
        let set_before = |change: &Change| change.after < step;
        journal.changes.retain(set_before);
        if journal.latest_step >= step {
            journal.latest.clear();
        }

        // Parameters come from the past too; a refusal puts them back.
        let parameters = self.state.parameters.clone();
        self.state.parameters = past.state.parameters.clone();
        match self.restore(past) {
            Ok(report) => {
                self.world.changes.truncate(self.scene.changes.len());
                self.journal = journal;
                Ok(report)
            }
            Err(error) => {
                self.state.parameters = parameters;
                Err(error)
            }
        }
    }
}
