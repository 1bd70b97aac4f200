//! The Hessian of a stage's potential at its minimum: for products, and factorised.
//!
//! Derivatives of a step are solutions of its linearised equation. Products with it need the exact
//! Hessian of all energies but friction, which has no potential ([`FrictionSlope`](super::FrictionSlope)
//! has its derivatives). Solutions have the factor of the same Hessian with friction of constant normal
//! forces, which is symmetric.

use super::failure::Failure;
use super::potential::{Gradient, Potential};
use super::system::System;
use super::timings::Timings;
use crate::body::Configuration;
use ipcsim_contact::Contacts;
use ipcsim_energy::Curvature;
use ipcsim_math::Vec2;
use ipcsim_sparse::LinearSolver;
use std::mem::take;

/// Hessian of a stage's potential at its minimum.
pub struct StageMatrix {
    /// Hessian without friction, of all nodes.
    whole: System,
    /// Hessian with friction of constant normal forces, without fixed components, factorised.
    free: System,
    /// Number of negative eigenvalues of the factorised matrix.
    negative: usize,
}

impl StageMatrix {
    /// Hessian of a potential at `at`, where `contacts` are, without the `fixed` components. Friction
    /// is left without forces that Newton's method expects.
    ///
    /// # Errors
    /// [`Failure::Indefinite`] if the matrix is singular, [`Failure::OutOfMemory`].
    pub fn of(
        potential: &mut Potential,
        contacts: &Contacts,
        at: &Configuration,
        fixed: &[[bool; 2]],
        linear: LinearSolver,
    ) -> Result<Self, Failure> {
        let model = potential.model;
        let nothing = vec![Vec2::zeros(); at.q.len()];
        potential.follow(at, &nothing);

        // Pairs of vertices that have a block.
        let mut pairs = Vec::new();
        for energy in &model.energies {
            pairs.extend(energy.blocks());
        }
        pairs.extend(potential.constraints.energy().blocks());
        for energy in potential.changing(contacts) {
            pairs.extend(energy.blocks());
        }

        let mut timings = Timings::default();
        let no_memory = || Failure::OutOfMemory {
            vertices: at.x.len(),
        };
        let none = vec![[false; 2]; at.q.len()];
        let whole = System::new(model, &none, &pairs, linear, &mut timings);
        let mut whole = whole.ok_or_else(no_memory)?;
        let free = System::new(model, fixed, &pairs, linear, &mut timings);
        let mut free = free.ok_or_else(no_memory)?;

        // With friction, and without.
        let mut gradient = Gradient {
            x: vec![Vec2::zeros(); at.x.len()],
            q: vec![Vec2::zeros(); at.q.len()],
        };
        potential.gradient(contacts, at, &mut gradient);
        free.assemble(potential, contacts, at, Curvature::Exact, &gradient.x);
        free.isolate_fixed();
        let friction = take(&mut potential.friction);
        whole.assemble(potential, contacts, at, Curvature::Exact, &gradient.x);
        potential.friction = friction;

        let negative = free
            .factorise_any(&mut timings)
            .map_err(|failed| Failure::Indefinite {
                vertex: model.coordinates.vertex_of(failed.node),
            })?;
        Ok(Self {
            whole,
            free,
            negative,
        })
    }

    /// Product of the Hessian without friction with displacements of nodes, `[nodes]`.
    pub fn times(&self, p: &[Vec2]) -> Vec<Vec2> {
        self.whole.times(p)
    }

    /// Displacements by forces on the free components, `[nodes]`, where normal forces of friction stay;
    /// fixed components stay, too.
    pub fn solve(&mut self, forces: &[Vec2]) -> Vec<Vec2> {
        let opposite: Vec<Vec2> = forces.iter().map(|force| -force).collect();
        let mut p = vec![Vec2::zeros(); forces.len()];
        let solved = self.free.direction_of_any(self.negative, &opposite, &mut p);
        if solved.is_err() {
            p.fill(Vec2::repeat(f64::NAN));
        }
        p
    }
}
