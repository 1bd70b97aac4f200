//! The solver: Newton's method with its memory from step to step.
//!
//! A step calls it in this order: [`Solver::iterate_at`] finds the contacts at the start of a
//! stage, [`Solver::start`] moves the state closer to the end, [`Solver::minimise`] brings it
//! there, [`Solver::finish`] takes contacts and friction back. All large buffers belong to the
//! solver, so that a step hardly allocates.

use super::constraints::multiplier_update::MultiplierUpdate;
use super::direction::Direction;
use super::filter::Filter;
use super::force_balance::ForceBalance;
use super::friction::anderson::Anderson;
use super::friction::friction_coupling::CoupledForces;
use super::iterate::{Iterate, Trial};
use super::problem::Problem;
use super::settings::Settings;
use super::strategy::Strategy;
use super::systems::Systems;
use super::workspace::Newton;
use crate::body::Configuration;
use crate::solve::dirichlet::Target;
use crate::solve::failure::Failure;
use crate::solve::interrupt::Interrupt;
use crate::solve::log::{Log, Watch};
use crate::solve::model::Model;
use crate::solve::potential::Potential;
use crate::solve::stage::Stage;
use crate::solve::system::System;
use crate::solve::tangent_friction::TangentFriction;
use ipcsim_contact::{Barriers, Contacts, Friction};
use ipcsim_math::Vec2;
use ipcsim_sparse::BlockMatrix;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Contacts and friction at the end of a step, for the next step and for reports.
#[derive(Clone, Debug, Default)]
pub struct Touching {
    /// Contacts at the end of the step.
    pub contacts: Contacts,
    /// Friction that acted in the step.
    pub friction: TangentFriction,
    /// Positions that friction is a function of (m), see [`ipcsim_contact::FrictionContact`]; empty
    /// before the first step.
    pub tangents: Vec<Vec2>,
    /// Last stage of the step, from which the forces of supports follow; `None` before the first
    /// step, and after a step that failed.
    pub stage: Option<Stage>,
    /// Data of the caller for a next step that is like this one; it has no meaning for the solver.
    pub kept: Option<Arc<dyn Any + Send + Sync>>,
}

/// Minimises the potentials of one model.
///
/// Candidates and matrix patterns are kept from call to call, since finding them anew would take
/// longer than a step; see [`SolverMemory`](super::memory::SolverMemory).
pub struct Solver {
    /// Tolerance, limit of iterations, and the factorisation.
    pub(super) settings: Settings,
    /// Optional notes that each new log takes.
    watch: Watch,
    /// Workspace of the method: filter, systems, strategy, log.
    pub(super) newton: Newton,
    /// Contacts and friction that the last step ended with; the memory of the contacts serves the
    /// next one.
    last: Touching,
    /// Direction of the present iteration, a buffer without meaning between calls.
    pub(super) direction: Direction,
    /// State that the line search tries, a buffer.
    pub(super) trial: Trial,
    /// Best of the trials at the start of a stage, a buffer.
    spare: Trial,
}

impl Solver {
    /// A solver for potentials of a model.
    pub fn new(settings: Settings, model: &Model) -> Self {
        let newton = Newton {
            filter: Filter::new(model),
            balance: ForceBalance::new(model),
            systems: Systems::new(model, settings.linear),
            closing: MultiplierUpdate::default(),
            coupled: CoupledForces::default(),
            anderson: Anderson::default(),
            knows_forces: false,
            older: Friction::default(),
            strategy: Strategy::USUAL,
            interrupt: None,
            log: Log::default(),
        };

        Self {
            settings,
            watch: Watch::default(),
            newton,
            last: Touching::default(),
            direction: Direction::zero(&model.coordinates),
            trial: Trial::zero(model),
            spare: Trial::zero(model),
        }
    }

    /// Sets tolerances and limits, until they are set again.
    pub(crate) fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The solver, which takes these notes from now on; earlier ones are dropped.
    #[must_use]
    pub fn watching(mut self, watch: Watch) -> Self {
        self.watch(watch);
        self
    }

    /// Takes these notes from now on; earlier ones are dropped.
    pub fn watch(&mut self, watch: Watch) {
        self.watch = watch;
        self.newton.log = Log::new(watch);
    }

    /// Finds the contacts of a configuration, and returns both as a state to start from.
    ///
    /// Pairs that come near on a motion to `ahead` (positions, m) are found with them.
    ///
    /// # Errors
    /// [`Failure::Touching`], with the touching pair.
    pub fn iterate_at(
        &mut self,
        model: &Model,
        barriers: &Barriers,
        at: Configuration,
        ahead: &[Vec2],
    ) -> Result<Iterate, Failure> {
        let mut contacts = std::mem::take(&mut self.last.contacts);
        self.last.stage = None;
        self.last.kept = None;
        let Newton { filter, log, .. } = &mut self.newton;
        filter.find_contacts(model, barriers, &at.x, ahead, &mut contacts, log)?;
        Ok(Iterate { at, contacts })
    }

    /// Moves the state at the start of a stage to a better guess of its end: where it is, or where
    /// velocity and loads take it, whichever has the lower potential.
    ///
    /// Prescribed coordinates are taken to their targets if the path is free.
    ///
    /// # Errors
    /// [`Failure::Spinning`] if a body turns so often on that path that it cannot be searched for
    /// collisions; [`Failure::Touching`] if things touch at the targets.
    pub fn start(
        &mut self,
        potential: &mut Potential,
        targets: &[Target],
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        let Self {
            settings,
            newton,
            direction,
            trial,
            spare,
            ..
        } = self;

        let mut problem = Problem::new(potential, targets, &iterate.at);
        newton.start(&mut problem, *settings, direction, [trial, spare], iterate)
    }

    /// Moves the state at the start of an increment to where the stage expects its end, as far as the path is
    /// free: prescribed coordinates towards their targets, and all others along with them.
    ///
    /// # Errors
    /// [`Failure::Touching`] if things touch at the end.
    pub fn go_on_as_before(
        &mut self,
        potential: &mut Potential,
        targets: &[Target],
        iterate: &mut Iterate,
    ) -> Result<(), Failure> {
        let Self {
            newton,
            direction,
            trial,
            ..
        } = self;
        let mut problem = Problem::new(potential, targets, &iterate.at);
        newton.go_on_as_before(&mut problem, direction, trial, iterate)
    }

    /// Takes contacts and friction at the end of a step, whose memory serves the next step.
    pub fn finish(&mut self, last: Touching) {
        self.last = last;

        // Three buffers change places; none should grow in the middle of the next step.
        let Self { trial, spare, .. } = self;
        let spare = &mut spare.iterate.contacts;
        spare.reserve_like(&trial.iterate.contacts);
        spare.reserve_like(&self.last.contacts);
    }

    /// Keeps something for the caller until the next step is solved.
    pub fn keep(&mut self, kept: Arc<dyn Any + Send + Sync>) {
        self.last.kept = Some(kept);
    }

    /// Lets contacts and friction of the last step hold until a later time (s), where nothing moves.
    pub fn pass_until(&mut self, end: f64) {
        if let Some(stage) = &mut self.last.stage {
            stage.end = end;
        }
    }

    /// Asks `interrupt` before each Newton direction from now on; nothing if `None`.
    pub fn interrupt_by(&mut self, interrupt: Option<Interrupt>) {
        self.newton.interrupt = interrupt;
    }

    /// Contacts and friction that the last step ended with; empty before the first step.
    pub fn last(&self) -> &Touching {
        &self.last
    }

    /// Mass of each body (kg), `[bodies]`; 0 for obstacles.
    pub fn masses(&self) -> &[f64] {
        &self.newton.balance.mass
    }

    /// Tolerances and limits of the method.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Takes the notes since the last call, and begins a new log.
    pub fn take_log(&mut self) -> Log {
        std::mem::replace(&mut self.newton.log, Log::new(self.watch))
    }

    /// Matrix of the last Newton system, in the solver's own order of unknowns; `None` before the
    /// first solve.
    pub fn newton_matrix(&self) -> Option<&BlockMatrix> {
        self.newton.systems.kept.last().map(System::matrix)
    }

    /// Number of entries in the factor of the system that was solved last, without the zeros above
    /// its diagonal; 0 before the first solve.
    pub fn factor_entries(&self) -> usize {
        self.newton.systems.factor_entries()
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("settings", &self.settings)
            .field("factor_entries", &self.factor_entries())
            .field("contacts", &self.last.contacts.len())
            .finish_non_exhaustive()
    }
}
