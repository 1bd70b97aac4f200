//! The incremental potential of a time step: inertia and `h^2` times all energies.

use super::pins::Pins;
use crate::body::{Configuration, Coordinates};
use crate::contact::barrier::Barrier;
use crate::contact::{Candidates, ContactPair, Contacts, Friction, Surface};
use crate::energy::Energy;
use crate::math::{Vec2, parallel};
use std::borrow::Cow;

/// `E(q) = 1/2 |q - q_tilde|_M^2 + h^2 (sum of energies + barrier + friction)`, whose minimiser is the end of the step.
///
/// Energies are functions of the positions `x(q)`; only inertia and the energies that a body's own coordinates have are
/// functions of `q`. Where all vertices are free `x = q`.
pub struct Potential<'a> {
    /// The map `x(q)`.
    pub coordinates: &'a Coordinates,
    /// Mass of each component of each node (kg; of an angle kg m^2); 0 for obstacles.
    pub mass: &'a [Vec2],
    /// Where each node would go without any energy: `q_n + h q_dot_n + h^2 a` (m).
    pub q_tilde: &'a [Vec2],
    /// What gravity and constant forces have to do with it, `a` (m/s^2).
    pub acceleration: &'a [Vec2],
    /// The positions at `q_tilde` (m), a guess of how far vertices go.
    pub x_tilde: &'a [Vec2],
    /// The step's start, from which friction counts sliding.
    pub start: &'a Configuration,
    /// Time step `h` (s).
    pub h: f64,
    /// Elasticity and other energies of `x` that do not change from step to step.
    pub energies: &'a [Box<dyn Energy>],
    /// Energies of `q`, the vertices of whose stencils are nodes.
    pub own: &'a [Box<dyn Energy>],
    /// What can touch.
    pub surface: &'a Surface,
    /// The barrier of contacts in this step.
    pub barrier: Barrier,
    /// Lagged friction, and the forces of it that Newton's method expects.
    pub friction: Friction,
}

/// Derivatives of the potential with respect to positions and to coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    /// With respect to positions, friction left out where vertices are not free (N s^2).
    pub(super) x: Vec<Vec2>,
    /// With respect to coordinates (N s^2).
    pub(super) q: Vec<Vec2>,
}

impl Potential<'_> {
    /// The factor of all energies, `h^2` (s^2).
    pub(super) fn scale(&self) -> f64 {
        self.h * self.h
    }

    fn inertia(&self, q: &[Vec2]) -> f64 {
        0.5 * parallel::sum(q.len(), |i| {
            let d = q[i] - self.q_tilde[i];
            self.mass[i].component_mul(&d).dot(&d)
        })
    }

    /// The least inertia (J s^2) of all `q + t p` with `t` in `[0, 1]`.
    pub(super) fn least_inertia(&self, q: &[Vec2], p: &[Vec2]) -> f64 {
        let missing = |i: usize| self.q_tilde[i] - q[i];
        let product = |a: Vec2, i: usize| self.mass[i].component_mul(&a);
        let along = parallel::sum(q.len(), |i| product(p[i], i).dot(&p[i]));
        let toward = parallel::sum(q.len(), |i| product(p[i], i).dot(&missing(i)));
        let t = if along > 0.0 {
            (toward / along).clamp(0.0, 1.0)
        } else {
            0.0
        };
        0.5 * parallel::sum(q.len(), |i| {
            let d = missing(i) - p[i] * t;
            product(d, i).dot(&d)
        })
    }

    /// The lagged friction potential (J).
    pub fn friction_energy(&self, at: &Configuration) -> f64 {
        if self.friction.is_empty() {
            return 0.0;
        }
        let y = self.tangent_positions(at);
        self.friction
            .parts()
            .iter()
            .map(|energy| energy.value(&y))
            .sum()
    }

    /// Tells friction where the direction `p` from `at` leads.
    pub(super) fn follow(&mut self, at: &Configuration, p: &[Vec2]) {
        if self.friction.is_empty() {
            return;
        }
        let y = self.tangent_positions(at);
        if self.coordinates.all_free() {
            self.friction.follow(&y, p);
        } else {
            let mut moved = vec![Vec2::zeros(); y.len()];
            self.coordinates.displacements(self.start, p, &mut moved);
            self.friction.follow(&y, &moved);
        }
    }

    /// Positions on the tangents of vertices' paths at the step's start, which friction is a function of.
    pub fn tangent_positions<'a>(&self, at: &'a Configuration) -> Cow<'a, [Vec2]> {
        if self.coordinates.all_free() {
            return Cow::Borrowed(&at.x);
        }
        let p: Vec<Vec2> =
            at.q.iter()
                .zip(&self.start.q)
                .map(|(q, start)| q - start)
                .collect();
        let mut y = self.start.x.clone();
        self.coordinates.displacements(self.start, &p, &mut y);
        y.iter_mut()
            .zip(&self.start.x)
            .for_each(|(y, start)| *y += start);
        Cow::Owned(y)
    }

    /// The potential at `at` (J s^2), whose contacts are known.
    pub(super) fn value_with(&self, pins: &Pins, contacts: &Contacts, at: &Configuration) -> f64 {
        let sum = |parts: [&dyn Energy; 3], x: &[Vec2]| {
            parts.iter().map(|energy| energy.value(x)).sum::<f64>()
        };
        let fixed: f64 = self.energies.iter().map(|energy| energy.value(&at.x)).sum();
        let own: f64 = self.own.iter().map(|energy| energy.value(&at.q)).sum();
        let changing = sum(contacts.parts(), &at.x) + self.friction_energy(at);
        self.inertia(&at.q) + self.scale() * (fixed + own + changing) + pins.value(&at.q)
    }

    /// The derivatives of the potential at `at`.
    pub(super) fn gradient(
        &self,
        pins: &Pins,
        contacts: &Contacts,
        at: &Configuration,
        gradient: &mut Gradient,
    ) {
        let Gradient { x: by_x, q: by_q } = gradient;
        for (i, g) in by_q.iter_mut().enumerate() {
            *g = (at.q[i] - self.q_tilde[i]).component_mul(&self.mass[i]);
        }
        let add =
            |energies: &mut dyn Iterator<Item = &dyn Energy>, at: &[Vec2], out: &mut [Vec2]| {
                energies.for_each(|energy| energy.add_gradient(at, self.scale(), out));
            };
        let fixed = &mut self.energies.iter().map(AsRef::as_ref);
        if self.coordinates.all_free() {
            add(fixed, &at.x, by_q);
            add(&mut contacts.parts().into_iter(), &at.x, by_q);
            add(&mut self.friction.parts().into_iter(), &at.x, by_q);
        } else {
            if !self.friction.is_empty() {
                by_x.fill(Vec2::zeros());
                add(
                    &mut self.friction.parts().into_iter(),
                    &self.tangent_positions(at),
                    by_x,
                );
                self.coordinates.pull_back(self.start, by_x, by_q);
            }
            by_x.fill(Vec2::zeros());
            add(fixed, &at.x, by_x);
            add(&mut contacts.parts().into_iter(), &at.x, by_x);
            self.coordinates.pull_back(at, by_x, by_q);
        }
        add(&mut self.own.iter().map(AsRef::as_ref), &at.q, by_q);
        pins.add_gradient(&at.q, by_q);
    }

    /// The energies whose elements differ from state to state.
    pub(super) fn changing<'a>(&'a self, contacts: &'a Contacts) -> [&'a dyn Energy; 6] {
        let ([a, b, c], [d, e, f]) = (contacts.parts(), self.friction.parts());
        [a, b, c, d, e, f]
    }

    /// The name of the first energy that is not finite at `at`, or the touching pair.
    pub(super) fn not_finite(
        &self,
        candidates: &Candidates,
        at: &Configuration,
    ) -> Result<&'static str, ContactPair> {
        let contacts = Contacts::find(self.surface, self.barrier, candidates, &at.x)?;
        let y = self.tangent_positions(at);
        let all = (self
            .energies
            .iter()
            .map(|energy| (energy.as_ref(), &at.x[..])))
        .chain(self.own.iter().map(|energy| (energy.as_ref(), &at.q[..])))
        .chain(
            contacts
                .parts()
                .into_iter()
                .map(|energy| (energy, &at.x[..])),
        )
        .chain(
            self.friction
                .parts()
                .into_iter()
                .map(|energy| (energy, &y[..])),
        );
        let first = all
            .into_iter()
            .find(|(energy, x)| !energy.value(x).is_finite());
        Ok(first.map_or("inertia", |(energy, _)| energy.name()))
    }
}
