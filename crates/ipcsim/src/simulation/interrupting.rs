//! Steps that can be stopped on the way.

use super::{Error, Simulation};
use ipcsim_core::solve::{Failure, Interrupt};
use ipcsim_core::time::StepReport;

impl Simulation {
    /// Computes one step as [`Simulation::step`] does, unless `interrupt` stops it on the way. It
    /// is asked before each Newton direction.
    ///
    /// After an interruption everything is as before the step: later steps have the bits that they
    /// would have had without it. Contacts are those of a state without a last step.
    ///
    /// ```
    /// use ipcsim::prelude::*;
    /// use ipcsim::solve::{Failure, Interrupt};
    ///
    /// let scene = Scene::new(Time::new(0.01, 100))
    ///     .with_material("steel", Material::rigid(7800.0))
    ///     .with_body(Body::rigid("ball", Circle::new(0.1), "steel").at([0.0, 0.5]));
    /// let mut simulation = Simulation::new(scene)?;
    ///
    /// // A program asks a clock, or a flag that another thread sets.
    /// let at_once = Interrupt::new(|| true);
    /// let stopped = simulation.step_unless(&at_once);
    /// assert!(matches!(stopped, Err(Error::Step { failure: Failure::Interrupted, .. })));
    /// assert_eq!(simulation.steps(), 0);
    /// # Ok::<(), ipcsim::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Step`] with [`Failure::Interrupted`], or if the step fails even after all
    /// fallbacks. The state is then that before the step.
    pub fn step_unless(&mut self, interrupt: &Interrupt) -> Result<StepReport, Error> {
        // What the solver keeps decides how numbers are rounded.
        let before = self.solver.remembered();
        self.solver.interrupt_by(Some(interrupt.clone()));
        let done = self.step();
        self.solver.interrupt_by(None);

        if let Err(Error::Step {
            failure: Failure::Interrupted,
            ..
        }) = &done
        {
            let mut solver = self.world.solver();
            if solver.recall(&self.world.model, &before.memory()).is_some() {
                self.solver = solver;
            }
        }
        done
    }
}
