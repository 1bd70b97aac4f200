//! The incremental potential of a stage, `E(q)`: inertia, loads without inertia, and the scaled
//! energies (Li et al. 2020, equation 3).
//!
//! `E(q) = m/2 |q - q_tilde|_M^2 - f . (q - q_ref) + s_e (elasticity(x) + own(q) + following(x) +
//! damping(x)) + s_c (barrier(x) + friction(y) + joints(x))`
//!
//! Here `x(q)` are the positions of all vertices, and `y(q)` are positions on the tangents of their
//! paths, on which friction slides (see [`TangentFriction`]). Symbols are explained at [`Stage`].
//!
//! Values, gradients and names of energies that are not finite are computed here; the Hessian is
//! assembled where the matrix is. All sums run in a fixed order, so a potential has the same bits
//! on any number of threads.
//!
//! Inertia is an energy of `q`. As an energy of vertices it would damp the spin of a rigid body.

use super::cell_inertia::CellInertia;
use super::model::Model;
use super::stage::Stage;
use super::tangent_friction::TangentFriction;
use crate::body::Configuration;
use crate::constraint::Constraints;
use ipcsim_contact::{Barriers, Candidates, ContactPair, Contacts, Friction, FrictionTable};
use ipcsim_energy::Energy;
use ipcsim_math::{Vec2, parallel};
use std::borrow::Cow;

/// The incremental potential `E(q)` of a [`Stage`], whose minimiser is the end of the stage (Li et
/// al. 2020, equation 3).
///
/// Energies are functions of the positions `x(q)`. Inertia and the energies of a body's own
/// coordinates are functions of `q`. Where all vertices are free, `x = q`.
#[derive(Debug)]
pub struct Potential<'a> {
    /// Bodies and the energies between them.
    pub model: &'a Model,
    /// Inertia, factors of the energies, and the configuration from which friction counts sliding.
    pub stage: &'a Stage,
    /// Barrier functions of contacts, with their stiffness.
    pub barriers: &'a Barriers,
    /// Lagged friction, with the forces that Newton's method expects of it.
    pub friction: TangentFriction,
    /// Coefficients by which friction follows the normal forces within a solve; `None` if it stays
    /// as it is.
    pub following: Option<&'a FrictionTable>,
    /// Joints, with the forces that close them as far as they are known.
    pub constraints: Constraints,
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
    /// Inertia `m/2 |q - q_tilde|_M^2` (J s^2), less the work `f . (q - q_ref)` of forces that it
    /// does not carry. Work counts from the reference: from the origin it would hide other energies
    /// in rounding.
    fn inertia(&self, q: &[Vec2]) -> f64 {
        let Stage {
            predicted, inertia, ..
        } = self.stage;
        let mass = &self.model.mass;
        let product = |i: usize, d: Vec2| mass[i].component_mul(&d).dot(&d);
        let squared = match CellInertia::of(self.model, self.stage) {
            None => parallel::sum(q.len(), |i| product(i, q[i] - predicted.q[i])),
            Some(cell) => {
                let ahead = cell.ahead(q);
                parallel::sum(q.len(), |i| product(i, ahead[i]))
            }
        };
        let kinetic = 0.5 * squared;

        inertia * kinetic - self.work(q)
    }

    /// Work `f . (q - q_ref)` (J s^2) of forces that inertia does not carry.
    fn work(&self, q: &[Vec2]) -> f64 {
        let Stage {
            pull, reference, ..
        } = self.stage;
        parallel::sum(pull.len(), |i| pull[i].dot(&(q[i] - reference.q[i])))
    }

    /// A lower bound of the potential (J s^2) on the segment of all `q + t p` with `t` in `[0, 1]`:
    /// its least inertia, less the work of forces that inertia does not carry, which is largest at
    /// an end. No other energy is negative except for loads that follow bodies, with which no bound
    /// exists.
    pub(super) fn lower_bound(&self, q: &[Vec2], p: &[Vec2]) -> f64 {
        let Stage {
            predicted,
            inertia,
            following,
            ..
        } = self.stage;
        if !following.has_no_loads() {
            return f64::NEG_INFINITY;
        }

        let cell = CellInertia::of(self.model, self.stage);
        let ahead = cell.as_ref().map(|cell| cell.ahead(q));
        let moved = cell.as_ref().map(|cell| cell.relative(p));
        let missing = |i: usize| {
            ahead
                .as_ref()
                .map_or_else(|| predicted.q[i] - q[i], |ahead| -ahead[i])
        };
        let all = p;
        let p = moved.as_deref().unwrap_or(p);
        let product = |a: Vec2, i: usize| self.model.mass[i].component_mul(&a);

        // The point of the segment that is nearest to q_tilde in the metric of the mass.
        let along = parallel::sum(q.len(), |i| product(p[i], i).dot(&p[i]));
        let toward = parallel::sum(q.len(), |i| product(p[i], i).dot(&missing(i)));
        let t = if along > 0.0 {
            (toward / along).clamp(0.0, 1.0)
        } else {
            0.0
        };

        let squared = parallel::sum(q.len(), |i| {
            let d = missing(i) - p[i] * t;
            product(d, i).dot(&d)
        });
        let work = parallel::sum(self.stage.pull.len(), |i| self.stage.pull[i].dot(&all[i]));
        inertia * (0.5 * squared) - self.work(q) - work.max(0.0)
    }

    /// Lagged friction potential (J) at a configuration; 0 without friction.
    pub fn friction_energy(&self, at: &Configuration) -> f64 {
        if self.friction.is_empty() {
            return 0.0;
        }
        let y = self.tangent_positions(at);
        let parts = self.friction.energies();
        parts.iter().map(|part| part.value(&y)).sum()
    }

    /// Gives friction the normal forces of `contacts` at `at`, and returns true if it does not stay as
    /// it is. Friction so far is in `older` then.
    pub(super) fn renew_friction(
        &mut self,
        contacts: &Contacts,
        at: &Configuration,
        older: &mut Friction,
    ) -> bool {
        let Some(table) = self.following else {
            return false;
        };
        if contacts.is_empty() && self.friction.is_empty() {
            return false;
        }
        self.friction
            .renew(self.model, self.stage, table, (contacts, at), older);
        true
    }

    /// Writes the gradient of friction at the tangent positions `y` (m) with respect to the
    /// coordinates (N s^2), `[nodes]`. `by_x` is a buffer, `[vertices]`.
    pub(crate) fn friction_gradient(&self, y: &[Vec2], by_x: &mut [Vec2], by_q: &mut [Vec2]) {
        by_x.fill(Vec2::zeros());
        self.add_touching(self.friction.energies(), y, by_x);
        self.pull_back_friction(by_x, by_q);
    }

    /// Writes the gradient of friction with respect to the coordinates (N s^2), `[nodes]`, that is
    /// expected after the motion `p` of the coordinates, see [`Friction::add_led_gradient`]. `moved` and `by_x` are buffers, `[vertices]`.
    pub(super) fn led_gradient(
        &self,
        p: &[Vec2],
        [moved, by_x]: [&mut [Vec2]; 2],
        by_q: &mut [Vec2],
    ) {
        let coordinates = &self.model.coordinates;
        coordinates.displacements(self.tangent_at(), p, moved);
        by_x.fill(Vec2::zeros());
        let factor = self.stage.contact;
        self.friction.add_led_gradient(moved, factor, by_x);
        self.pull_back_friction(by_x, by_q);
    }

    /// Writes the gradient `by_x` of friction with respect to the coordinates.
    fn pull_back_friction(&self, by_x: &[Vec2], by_q: &mut [Vec2]) {
        by_q.fill(Vec2::zeros());
        let coordinates = &self.model.coordinates;
        coordinates.pull_back(self.tangent_at(), by_x, by_q);
    }

    /// Updates the forces that friction expects after the step `p` from `at` (primal-dual method,
    /// see [`FrictionContact`](ipcsim_contact::FrictionContact)).
    pub(super) fn follow(&mut self, at: &Configuration, p: &[Vec2]) {
        if self.friction.is_empty() {
            return;
        }

        let y = self.tangent_positions(at);
        if self.model.coordinates.all_free() {
            self.friction.predict(&y, p);
        } else {
            let mut moved = vec![Vec2::zeros(); y.len()];
            self.model
                .coordinates
                .displacements(self.tangent_at(), p, &mut moved);
            self.friction.predict(&y, &moved);
        }
    }

    /// Configuration at whose tangents friction is a function.
    pub fn tangent_at(&self) -> &Configuration {
        self.friction.tangent_at(self.stage)
    }

    /// Positions `y` (m), `[vertices]`, on the tangents of the vertices' paths; friction is
    /// a function of them: `y = x_0 + J_0 (q - q_0)` for the configuration of [`Potential::tangent_at`],
    /// which is `x` itself where all vertices are free.
    pub fn tangent_positions<'a>(&self, at: &'a Configuration) -> Cow<'a, [Vec2]> {
        self.friction.positions(self.model, self.stage, at)
    }

    /// Potential (J s^2) at `at`, where `contacts` are.
    pub fn value(&self, contacts: &Contacts, at: &Configuration) -> f64 {
        let own = &self.model.own;
        let elastic: f64 = self.elastic().map(|energy| energy.value(&at.x)).sum();
        let own: f64 = own.iter().map(|energy| energy.value(&at.q)).sum();
        let parts = contacts.energies();
        let barrier: f64 = parts.iter().map(|part| part.value(&at.x)).sum();
        let touching = barrier + self.friction_energy(at);
        let joined = self.constraints.energy().value(&at.x);

        let ratio = self.stage.contact_ratio();
        let mut energy = elastic + own + ratio * touching + ratio * joined;
        if !self.stage.following.is_empty() {
            energy += self.stage.following.value(&at.x);
        }
        if !self.stage.damping.is_empty() {
            energy += self.stage.damping.value(&at.x, &at.q);
        }
        self.inertia(&at.q) + self.stage.elasticity * energy
    }

    /// Writes the derivatives of the potential at `at`, where `contacts` are.
    ///
    /// Where all vertices are free, those with respect to positions are not written: nothing asks
    /// for them.
    pub(super) fn gradient(&self, contacts: &Contacts, at: &Configuration, out: &mut Gradient) {
        let Model {
            coordinates,
            mass,
            own,
            ..
        } = self.model;
        let Stage {
            predicted,
            pull,
            inertia,
            following,
            damping,
            elasticity,
            ..
        } = self.stage;
        let Gradient { x: by_x, q: by_q } = out;

        // Inertia, and loads that it does not carry.
        let cell = CellInertia::of(self.model, self.stage);
        let ahead = cell.as_ref().map(|cell| cell.ahead(&at.q));
        for (i, g) in by_q.iter_mut().enumerate() {
            let own = ahead
                .as_ref()
                .map_or_else(|| at.q[i] - predicted.q[i], |ahead| ahead[i]);
            *g = own.component_mul(&mass[i]) * *inertia;
        }
        if let Some(cell) = cell {
            cell.add_to_periods(by_q);
        }
        for (g, force) in by_q.iter_mut().zip(pull) {
            *g -= force;
        }

        // Energies of positions; friction is a function of positions on tangents, and its gradient is
        // pulled back there.
        if coordinates.all_free() {
            self.add_elastic(self.elastic(), &at.x, by_q);
            following.add_gradient(&at.x, *elasticity, by_q);
            damping.add_gradient(&at.x, *elasticity, by_q);
            self.add_joined(&at.x, by_q);
            self.add_touching(contacts.energies(), &at.x, by_q);
            self.add_touching(self.friction.energies(), &at.x, by_q);
        } else {
            if !self.friction.is_empty() {
                by_x.fill(Vec2::zeros());
                self.add_touching(self.friction.energies(), &self.tangent_positions(at), by_x);
                coordinates.pull_back(self.tangent_at(), by_x, by_q);
            }
            by_x.fill(Vec2::zeros());
            self.add_elastic(self.elastic(), &at.x, by_x);
            following.add_gradient(&at.x, *elasticity, by_x);
            damping.add_gradient(&at.x, *elasticity, by_x);
            self.add_joined(&at.x, by_x);
            self.add_touching(contacts.energies(), &at.x, by_x);
            coordinates.pull_back(at, by_x, by_q);
        }

        let own = own.iter().map(AsRef::as_ref);
        self.add_elastic(own, &at.q, by_q);
        damping.nodes.add_gradient(&at.q, *elasticity, by_q);
        coordinates.fold(by_q);
    }

    /// Derivative of the potential with respect to the coordinates (N s^2), `[nodes]`, at `at`,
    /// where `contacts` are: `s_c` times the forces that are missing for balance.
    pub fn slope(&self, contacts: &Contacts, at: &Configuration) -> Vec<Vec2> {
        let mut gradient = Gradient {
            x: vec![Vec2::zeros(); at.x.len()],
            q: vec![Vec2::zeros(); at.q.len()],
        };
        self.gradient(contacts, at, &mut gradient);
        gradient.q
    }

    /// Elastic energies of the stage.
    pub(super) fn elastic(&self) -> impl Iterator<Item = &dyn Energy> + Clone {
        self.stage.materials.energies(self.model)
    }

    /// Adds the gradients of energies with the factor `s_e` of elasticity.
    fn add_elastic<'a>(
        &self,
        energies: impl Iterator<Item = &'a dyn Energy>,
        at: &[Vec2],
        out: &mut [Vec2],
    ) {
        for energy in energies {
            energy.add_gradient(at, self.stage.elasticity, out);
        }
    }

    /// Adds the gradients of joints at positions `x` (m).
    fn add_joined(&self, x: &[Vec2], out: &mut [Vec2]) {
        let joined = self.constraints.energy();
        joined.add_gradient(x, self.stage.contact, out);
    }

    /// Adds the gradients of energies with the factor `s_c` of contact.
    fn add_touching<const N: usize>(&self, parts: [&dyn Energy; N], at: &[Vec2], out: &mut [Vec2]) {
        for part in parts {
            part.add_gradient(at, self.stage.contact, out);
        }
    }

    /// True if no body deforms by an energy of positions and no joint connects bodies: all that couples them is contact.
    pub(super) fn is_loose(&self) -> bool {
        self.model.energies.is_empty() && self.constraints.is_empty()
    }

    /// Energies whose elements change from state to state, or belong to a stage: contacts,
    /// friction, loads that follow bodies, and damping.
    pub(super) fn changing<'a>(&'a self, contacts: &'a Contacts) -> [&'a dyn Energy; 23] {
        let [a, b, c, d, e, f] = contacts.energies();
        let [g, h, i] = self.friction.energies();
        let [j, k, l, m, n, o, p, q, r, s, t] = self.stage.following.energies();
        let [u, v, w] = self.stage.damping.energies();
        [
            a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w,
        ]
    }

    /// Name of the first energy that is not finite at `at`; "inertia" if all energies are finite.
    ///
    /// # Errors
    /// The touching pair, if something touches there.
    pub(super) fn not_finite(
        &self,
        candidates: &Candidates,
        at: &Configuration,
    ) -> Result<&'static str, ContactPair> {
        let Model { own, surface, .. } = self.model;
        let contacts = Contacts::find(surface, self.barriers, candidates, &at.x)?;
        let tangents = self.tangent_positions(at);

        // All energies, each with its variables.
        let elastic = self.elastic().map(|energy| (energy, &at.x[..]));
        let own = own.iter().map(|energy| (energy.as_ref(), &at.q[..]));
        let barrier = contacts
            .energies()
            .into_iter()
            .map(|part| (part, &at.x[..]));
        let friction = self
            .friction
            .energies()
            .into_iter()
            .map(|part| (part, &tangents[..]));
        let joined = std::iter::once((self.constraints.energy(), &at.x[..]));
        let loads = self.stage.following.energies().into_iter();
        let damping = self.stage.damping.energies().into_iter();
        let mut all = elastic
            .chain(own)
            .chain(loads.chain(damping).map(|energy| (energy, &at.x[..])))
            .chain(barrier)
            .chain(friction)
            .chain(joined);

        let first = all.find(|(energy, x)| !energy.value(x).is_finite());
        Ok(first.map_or("inertia", |(energy, _)| energy.name()))
    }
}
