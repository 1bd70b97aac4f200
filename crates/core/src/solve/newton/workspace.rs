//! The parts that Newton's method works with.
//!
//! A [`Solver`](super::solver::Solver) holds these parts and the values that they write: the
//! direction and two trials. Functions of the method take both as arguments, so that every
//! signature shows the inputs and the outputs.

use super::constraints::multiplier_update::MultiplierUpdate;
use super::filter::Filter;
use super::force_balance::ForceBalance;
use super::friction::anderson::Anderson;
use super::friction::friction_coupling::CoupledForces;
use super::spiral::Spiral;
use super::strategy::Strategy;
use super::systems::Systems;
use crate::solve::failure::Failure;
use crate::solve::interrupt::Interrupt;
use crate::solve::log::Log;
use ipcsim_contact::Friction;

/// Filter and matrices, and the notes taken while they work. The stages of algorithm 1 are methods
/// of this type, a file each.
pub(super) struct Newton {
    /// Collision detection along directions.
    pub(super) filter: Filter,
    /// Masses of bodies, by which forces are compared.
    pub(super) balance: ForceBalance,
    /// Newton systems that are kept for their patterns.
    pub(super) systems: Systems,
    /// Memory of the search for forces of joints.
    pub(super) closing: MultiplierUpdate,
    /// Forces with the friction that a direction leads to.
    pub(super) coupled: CoupledForces,
    /// Directions whose friction leads.
    pub(super) anderson: Anderson,
    /// True if friction and gradient belong to the state where the next solve begins.
    pub(super) knows_forces: bool,
    /// Friction before it was renewed the last time, a buffer between calls.
    pub(super) older: Friction,
    /// Variant of the method for the present solve.
    pub(super) strategy: Strategy,
    /// Directions of the present solve that lead to smaller and smaller gaps.
    pub(super) spiral: Spiral,
    /// Question whether to stop, if the caller has one.
    pub(super) interrupt: Option<Interrupt>,
    /// Timings and other notes since the last step.
    pub(super) log: Log,
}

impl Newton {
    /// Begins a solve by a variant of the method.
    pub(super) fn begin(&mut self, strategy: Strategy) {
        self.strategy = strategy;
        self.spiral = Spiral::default();
    }

    /// Stops the solve if the caller wants that.
    ///
    /// # Errors
    /// [`Failure::Interrupted`].
    pub(super) fn go_on(&self) -> Result<(), Failure> {
        match &self.interrupt {
            Some(interrupt) if interrupt.stops() => Err(Failure::Interrupted),
            _ => Ok(()),
        }
    }
}
