//! The potential of a stage with the coordinates that are prescribed: what Newton's method minimises.

use super::iterate::Iterate;
use crate::body::Configuration;
use crate::contact::Contacts;
use crate::solve::pins::{Pins, Target};
use crate::solve::potential::{Gradient, Potential};

/// Potential of a stage, and the coordinates that must reach a target.
pub(super) struct Problem<'p, 'm> {
    /// Potential of the stage.
    pub(super) potential: &'p mut Potential<'m>,
    /// Prescribed coordinates, eliminated where they are met and pulled by a penalty elsewhere.
    pub(super) pins: Pins,
}

impl<'p, 'm> Problem<'p, 'm> {
    /// The problem of bringing `at` to the `targets` and to the minimum.
    pub(super) fn new(
        potential: &'p mut Potential<'m>,
        targets: &[Target],
        at: &Configuration,
    ) -> Self {
        let pins = Pins::new(targets, &at.q);
        Self { potential, pins }
    }

    /// Potential and penalties (J s^2) at a state.
    pub(super) fn value(&self, iterate: &Iterate) -> f64 {
        let Iterate { at, contacts } = iterate;
        self.potential.value(contacts, at) + self.pins.value(&at.q)
    }

    /// Writes the derivatives of potential and penalties.
    pub(super) fn gradient(&self, contacts: &Contacts, at: &Configuration, out: &mut Gradient) {
        self.potential.gradient(contacts, at, out);
        self.pins.add_gradient(&at.q, &mut out.q);
    }
}
