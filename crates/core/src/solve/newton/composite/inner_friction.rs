//! Friction of an inner problem: how far contacts have slid, and loads that follow the normal forces of places.

use super::loads::Loads;
use super::rows::{Rows, scaled};
use crate::body::Configuration;
use crate::solve::potential::Potential;
use crate::solve::system::System;
use crate::solve::tangent_friction::TangentFriction;
use ipcsim_contact::LinearSlips;
use ipcsim_math::Vec2;

/// Friction of an inner problem.
#[derive(Debug)]
pub(super) struct InnerFriction {
    /// Slips of all contacts.
    slips: LinearSlips,
    /// Derivatives of slips by nodes.
    rows: Rows<1>,
    /// How loads follow from the normal forces of places.
    loads: Loads,
    /// True if they do.
    follows: bool,
    /// Loads that contacts have (N; of rolling N m).
    given: Vec<f64>,
    /// Loads at the end of the last round (N; of rolling N m).
    last: Vec<f64>,
    /// Normal forces of places (N), a buffer.
    forces: Vec<f64>,
    /// Changes of slips (m; of rolling rad), a buffer.
    changes: Vec<[f64; 1]>,
}

impl InnerFriction {
    /// The friction of a potential at a state, with the loads that it has.
    pub(super) fn new(
        potential: &Potential,
        at: &Configuration,
        loads: Loads,
        system: &System,
        follows: bool,
    ) -> Self {
        let positions = potential.tangent_positions(at);
        let slips = potential.friction.linear_slips(&positions);
        let contacts = slips.slopes().iter().map(|s| (s.vertices, [s.weights]));
        let through = (&potential.model.coordinates, potential.tangent_at());
        let rows = Rows::new(contacts, through, system);
        Self {
            given: loads.lagged().to_vec(),
            follows: follows && !slips.is_empty(),
            slips,
            rows,
            loads,
            last: Vec::new(),
            forces: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// True if loads follow the normal forces.
    pub(super) fn follows(&self) -> bool {
        self.follows
    }

    /// Loads that contacts have (N; of rolling N m).
    pub(super) fn given(&self) -> &[f64] {
        &self.given
    }

    /// Gives contacts loads (N; of rolling N m).
    pub(super) fn give(&mut self, loads: &[f64]) {
        self.given.clear();
        self.given.extend_from_slice(loads);
        self.slips.give_loads(loads);
    }

    /// Gives contacts the loads that belong to the normal forces of places (N).
    pub(super) fn follow(&mut self, forces: impl Iterator<Item = f64>) {
        self.forces.clear();
        self.forces.extend(forces);
        self.loads.write(&self.forces, &mut self.given);
        self.slips.give_loads(&self.given);
    }

    /// Gives contacts the loads of a round that ends with the normal `forces` of places (N), if loads follow them.
    /// Returns the change since the round before, relative to the size of all loads; infinite in the first round.
    pub(super) fn renew(&mut self, forces: impl Iterator<Item = f64>) -> f64 {
        self.forces.clear();
        self.forces.extend(forces);
        let mut loads = Vec::with_capacity(self.slips.len());
        self.loads.write(&self.forces, &mut loads);
        if self.follows {
            self.give(&loads);
        }

        // The change, compared with the loads themselves.
        let size: f64 = loads.iter().map(|load| load * load).sum();
        let changes = loads.iter().zip(&self.last);
        let change: f64 = changes.map(|(a, b)| (a - b) * (a - b)).sum();
        let is_first = self.last.is_empty() && !loads.is_empty();
        self.last = loads;
        if is_first {
            f64::INFINITY
        } else {
            (change / size.max(f64::MIN_POSITIVE)).sqrt()
        }
    }

    /// Expects no force of any contact, as where nothing is known of it yet.
    pub(super) fn forget_forces(&mut self) {
        self.slips.forget_forces();
    }

    /// Notes loads, forces and stiffness as those with which steps are solved for.
    pub(super) fn begin(&mut self) {
        self.slips.begin();
    }

    /// Adds `scale` times the gradient (N) to a gradient by coordinates, `[nodes]`.
    pub(super) fn add_gradient(&self, scale: f64, out: &mut [Vec2]) {
        let by_slips = self.slips.gradients().map(|by| [by]);
        self.rows.add_gradient(scaled(by_slips, scale), out);
    }

    /// Adds `scale` times the gradient (N) that is expected after a step `p` (`[nodes]`) with the loads that
    /// contacts have now, see [`LinearSlips::led_gradients`].
    pub(super) fn add_led_gradient(&mut self, p: &[Vec2], scale: f64, out: &mut [Vec2]) {
        self.rows.changes(p, &mut self.changes);
        let by_slips = self.slips.led_gradients(self.changes.as_flattened());
        self.rows
            .add_gradient(scaled(by_slips.map(|by| [by]), scale), out);
    }

    /// Adds `scale` times the Hessian (N/m) to the matrix of a system.
    pub(super) fn add_hessian(&self, scale: f64, system: &mut System) {
        let by_slips = self.slips.curvatures().map(|by| [by]);
        let values = system.matrix_mut().values_mut();
        self.rows
            .add_products([[0, 0]], scaled(by_slips, scale), values);
    }

    /// Notes a step `d` (`[nodes]`) as the direction that contacts may slide on by.
    pub(super) fn set_out(&mut self, d: &[Vec2]) {
        self.rows.changes(d, &mut self.changes);
        self.slips.set_out(self.changes.as_flattened());
    }

    /// Energy (J) after a share of the step.
    pub(super) fn value_after(&self, share: f64) -> f64 {
        self.slips.value_after(share)
    }

    /// Takes a share of the step, with the forces that are expected after the whole of it.
    pub(super) fn advance(&mut self, share: f64) {
        self.slips.advance(share);
    }

    /// Hands loads and expected forces back, or the loads of the beginning if no direction was found.
    pub(super) fn hand_back(&self, friction: &mut TangentFriction, is_found: bool) {
        if is_found {
            friction.take_slips(&self.slips);
        } else {
            friction.give_loads(self.loads.lagged());
        }
    }
}
