//! The incremental potential of a time step: inertia and `h^2` times all energies.

use super::pins::Pins;
use crate::contact::{Candidates, Contacts, Friction, Surface, Touch};
use crate::energy::Energy;
use crate::math::{Vec2, parallel};

/// `E(x) = 1/2 |x - x_tilde|_M^2 + h^2 (sum of energies + barrier + friction)`, whose minimiser is the end of the step.
#[derive(Clone, Copy)]
pub struct Potential<'a> {
    /// Mass of each vertex (kg); 0 for the origin of a half-plane.
    pub mass: &'a [f64],
    /// Where each vertex would go without any energy: `x_n + h v_n + h^2 g` (m).
    pub x_tilde: &'a [Vec2],
    /// Time step `h` (s).
    pub h: f64,
    /// Elasticity and other energies that do not change from step to step.
    pub energies: &'a [Box<dyn Energy>],
    /// What can touch.
    pub surface: &'a Surface,
    /// Friction, lagged at the step's start.
    pub friction: &'a Friction,
}

impl Potential<'_> {
    /// The factor of all energies, `h^2` (s^2).
    pub(super) fn scale(&self) -> f64 {
        self.h * self.h
    }

    fn inertia(&self, x: &[Vec2]) -> f64 {
        0.5 * parallel::sum(x.len(), |i| self.mass[i] * (x[i] - self.x_tilde[i]).norm_squared())
    }

    /// The potential at `x` (J s^2), infinite where something touches or is inverted.
    pub(super) fn value(&self, pins: &Pins, candidates: &Candidates, x: &[Vec2]) -> f64 {
        match Contacts::find(self.surface, candidates, x) {
            Ok(contacts) => self.value_with(pins, &contacts, x),
            Err(_) => f64::INFINITY,
        }
    }

    /// The potential at `x` (J s^2), whose contacts are known.
    pub(super) fn value_with(&self, pins: &Pins, contacts: &Contacts, x: &[Vec2]) -> f64 {
        let fixed: f64 = self.energies.iter().map(|energy| energy.value(x)).sum();
        let changing: f64 = self.changing(contacts).iter().map(|energy| energy.value(x)).sum();
        self.inertia(x) + self.scale() * (fixed + changing) + pins.value(x)
    }

    /// The derivative of the potential at `x` (kg m).
    pub(super) fn gradient(&self, pins: &Pins, contacts: &Contacts, x: &[Vec2], gradient: &mut [Vec2]) {
        for (i, g) in gradient.iter_mut().enumerate() {
            *g = (x[i] - self.x_tilde[i]) * self.mass[i];
        }
        for energy in self.energies {
            energy.add_gradient(x, self.scale(), gradient);
        }
        for energy in self.changing(contacts) {
            energy.add_gradient(x, self.scale(), gradient);
        }
        pins.add_gradient(x, gradient);
    }

    /// The energies whose elements differ from state to state.
    pub(super) fn changing<'a>(&'a self, contacts: &'a Contacts) -> [&'a dyn Energy; 6] {
        let ([a, b, c], [d, e, f]) = (contacts.parts(), self.friction.parts());
        [a, b, c, d, e, f]
    }

    /// The name of the first energy that is not finite at `x`, or the touching pair.
    pub(super) fn not_finite(&self, candidates: &Candidates, x: &[Vec2]) -> Result<&'static str, Touch> {
        let contacts = Contacts::find(self.surface, candidates, x)?;
        let fixed = self.energies.iter().map(AsRef::as_ref);
        let all = fixed.chain(self.changing(&contacts));
        let first = all.into_iter().find(|energy| !energy.value(x).is_finite());
        Ok(first.map_or("inertia", |energy| energy.name()))
    }
}
