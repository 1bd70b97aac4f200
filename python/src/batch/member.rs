//! A simulation of a batch: how it began, and why it stopped.

use crate::errors;
use crate::origin::Origin;
use ipcsim::math::Vec2;
use ipcsim::scene::SceneError;
use ipcsim::simulation::{Error, Simulation, Snapshot};
use ipcsim::time::StepReport;
use pyo3::prelude::*;

/// A simulation of a batch.
pub(super) struct Member {
    /// Simulation itself.
    pub(super) simulation: Simulation,
    /// State at its start.
    start: Snapshot,
    /// Account of the last step, or of the start; `None` if the start could not be counted.
    pub(super) report: Option<StepReport>,
    /// Error of the step that has failed.
    pub(super) failure: Option<Error>,
    /// Force on each body that acts now (N); empty before the first one was set.
    forces: Vec<[f64; 2]>,
}

impl Member {
    /// A simulation at the start of a scene.
    ///
    /// # Errors
    /// If the scene cannot be simulated.
    pub(super) fn new(origin: &Origin) -> Result<Self, SceneError> {
        let mut simulation: Simulation = origin.setup()?.into();
        simulation.forget();
        let begun = simulation.begin();
        let (report, failure) = match begun {
            Ok(report) => (Some(report), None),
            Err(error) => (None, Some(error)),
        };
        Ok(Self {
            start: simulation.snapshot(),
            simulation,
            report,
            failure,
            forces: Vec::new(),
        })
    }

    /// Takes `count` steps under these forces on bodies, up to the first that fails.
    pub(super) fn run(&mut self, count: usize, forces: Option<&[f64]>) {
        for _ in 0..count {
            if self.failure.is_none() {
                self.step(forces);
            }
        }
    }

    /// Takes a step under these forces on bodies, `[bodies][2]` (N). A failure is kept.
    fn step(&mut self, forces: Option<&[f64]>) {
        let pushed = forces.map_or(Ok(()), |forces| self.push(forces));
        match pushed.and_then(|()| self.simulation.step()) {
            Ok(report) => self.report = Some(report),
            Err(error) => self.failure = Some(error),
        }
    }

    /// Sets the forces on bodies that have changed.
    ///
    /// # Errors
    /// If a force cannot act.
    fn push(&mut self, forces: &[f64]) -> Result<(), Error> {
        self.forces.resize(forces.len() / 2, [0.0; 2]);
        for (index, force) in forces.chunks_exact(2).enumerate() {
            let force = [force[0], force[1]];
            if self.forces[index].map(f64::to_bits) == force.map(f64::to_bits) {
                continue;
            }

            let body = self.simulation.bodies().nth(index);
            if let Some(name) = body.map(|body| body.name().to_owned()) {
                self.simulation.set_force(&name, Vec2::from(force))?;
                self.forces[index] = force;
            }
        }
        Ok(())
    }

    /// Puts back the start.
    pub(super) fn restart(&mut self) {
        let start = self.start.clone();
        if let Err(error) = self.restore(&start) {
            self.failure = Some(error);
        }
    }

    /// Puts back a state, after which the simulation has not failed.
    ///
    /// # Errors
    /// If the state is of another scene, or cannot be.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.report = Some(self.simulation.restore(snapshot)?);
        self.failure = None;
        Ok(())
    }

    /// Exception of the step that has failed.
    pub(super) fn raised(&self, py: Python) -> Option<PyErr> {
        let world = self.simulation.world();
        let step = self.simulation.steps();
        match self.failure.as_ref()? {
            Error::Step { failure, .. } => Some(errors::step(py, failure, step, world)),
            other => Some(errors::state(py, &other.to_string())),
        }
    }
}
