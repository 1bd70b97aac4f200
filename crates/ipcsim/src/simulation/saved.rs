//! Whole simulations as values: what a program has to store in order to go on elsewhere.
//!
//! A [`Snapshot`] is a state of a scene, which many simulations can take; their parameters stay their own.
//! A [`SavedSimulation`] also has the parameters that the program has set and the journal of them, so that
//! the simulation made of it is the same as the one that was saved.

use super::changing::Journal;
use super::{Error, Simulation, Snapshot};
use ipcsim_core::time::StepReport;

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
}
