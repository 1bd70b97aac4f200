//! Function that Newton's method minimises: the potential of a stage with penalties on prescribed
//! coordinates that are not at their targets yet.
//!
//! Penalties and forces of joints change between minimisations, hence the potential is borrowed for
//! writing.

use super::iterate::Iterate;
use crate::body::Configuration;
use crate::solve::dirichlet::{Dirichlet, Target};
use crate::solve::potential::{Gradient, Potential};
use ipcsim_contact::Contacts;

/// Potential of a stage, and the coordinates that must reach a target.
pub(super) struct Problem<'p, 'm> {
    /// Potential of the stage, with lagged friction and the forces of joints.
    pub(super) potential: &'p mut Potential<'m>,
    /// Prescribed coordinates, eliminated where they are met and pulled by a penalty elsewhere.
    pub(super) pins: Dirichlet,
}

impl<'p, 'm> Problem<'p, 'm> {
    /// The problem of bringing `at` to the `targets` and to the minimum.
    pub(super) fn new(
        potential: &'p mut Potential<'m>,
        targets: &[Target],
        at: &Configuration,
    ) -> Self {
        let pins = Dirichlet::new(targets, &at.q);
        Self { potential, pins }
    }

    /// True if the minimum of the potential at a state is the end of the solve: prescribed
    /// coordinates are at their targets, and joints are closed.
    pub(super) fn is_complete(&self, at: &Configuration) -> bool {
        self.pins.all_met() && self.potential.constraints.are_closed(&at.x)
    }

    /// Potential and penalties (J s^2) at a state.
    pub(super) fn value(&self, iterate: &Iterate) -> f64 {
        let Iterate { at, contacts } = iterate;
        self.potential.value(contacts, at) + self.pins.value(&at.q)
    }

    /// Writes the derivatives of potential and penalties at a state; the derivatives with respect
    /// to positions hold no penalty.
    pub(super) fn gradient(&self, contacts: &Contacts, at: &Configuration, out: &mut Gradient) {
        self.potential.gradient(contacts, at, out);
        self.pins.add_gradient(&at.q, &mut out.q);
    }
}
