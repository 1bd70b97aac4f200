//! A simulation of a batch: how it began, and why it stopped.

use super::controls::Control;
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
    /// Numbers of each control that hold now; none where these are unknown.
    controls: Vec<Vec<f64>>,
    /// True if the scene has the numbers with which controls begin.
    pub(super) is_first: bool,
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
            controls: Vec::new(),
            is_first: true,
        })
    }

    /// Takes `count` steps under these forces on bodies and with these controls, up to the first that fails.
    pub(super) fn run(
        &mut self,
        count: usize,
        forces: Option<&[f64]>,
        controls: &[(&Control, &[f64])],
    ) {
        for _ in 0..count {
            if self.failure.is_none() {
                self.step(forces, controls);
            }
        }
    }

    /// Takes a step under these forces on bodies, `[bodies][2]` (N), and with these controls. A failure is
    /// kept.
    fn step(&mut self, forces: Option<&[f64]>, controls: &[(&Control, &[f64])]) {
        let pushed = forces.map_or(Ok(()), |forces| self.push(forces));
        let set = pushed.and_then(|()| self.control(controls));
        match set.and_then(|()| self.simulation.step()) {
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

    /// Sets the parameters whose numbers have changed.
    ///
    /// # Errors
    /// If a parameter cannot have a number.
    fn control(&mut self, controls: &[(&Control, &[f64])]) -> Result<(), Error> {
        for (control, _) in &controls[self.controls.len()..] {
            let start = control.start().to_vec();
            self.controls
                .push(if self.is_first { start } else { Vec::new() });
        }
        for (index, (control, numbers)) in controls.iter().enumerate() {
            let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
            let own = &self.controls[index];
            if own.len() == numbers.len() && own.iter().zip(*numbers).all(same) {
                continue;
            }
            if let Some(parameter) = control.parameter(numbers).map_err(Error::Refused)? {
                self.simulation.set(parameter)?;
            }
            self.controls[index] = numbers.to_vec();
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
