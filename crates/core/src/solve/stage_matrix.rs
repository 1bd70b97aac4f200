//! The Hessian of a stage's potential at its minimum: for products, and factorised.
//!
//! Derivatives of a step are solutions of its linearised equation. Products with it need the exact
//! Hessian of all energies but friction, which has no potential ([`FrictionSlope`](super::FrictionSlope)
//! has its derivatives). Solutions have the factor of the same Hessian with friction of constant normal
//! forces, which is symmetric, with a stiffness of motions that joints hold.

use super::failure::Failure;
use super::potential::{Gradient, Potential};
use super::system::System;
use super::timings::Timings;
use crate::body::Configuration;
use crate::tuning::PATTERN_REACH;
use ipcsim_contact::{Candidates, Contacts};
use ipcsim_energy::Curvature;
use ipcsim_math::Vec2;
use ipcsim_sparse::{BlockMatrix, LinearSolver};
use std::mem::take;

/// Hessian of a stage's potential at its minimum.
pub struct StageMatrix {
    /// Hessian with friction of constant normal forces, where fixed components are uncoupled, and its
    /// factor.
    system: System,
    /// Hessian without friction, of all nodes.
    whole: BlockMatrix,
    /// Number of negative eigenvalues of the factorised matrix.
    negative: usize,
}

impl StageMatrix {
    /// Hessian of a potential at `at`, where `contacts` are, without the `fixed` components. Friction
    /// is left without forces that Newton's method expects. An earlier matrix of the same model gives its
    /// pattern and its memory, if this one fits in.
    ///
    /// # Errors
    /// [`Failure::Indefinite`] if the matrix is singular, [`Failure::OutOfMemory`].
    pub fn of(
        potential: &mut Potential,
        contacts: &Contacts,
        at: &Configuration,
        fixed: &[[bool; 2]],
        analysed: Analysed,
    ) -> Result<Self, Failure> {
        let model = potential.model;
        let Analysed {
            candidates,
            linear,
            earlier,
            stiffened,
        } = analysed;
        let nothing = vec![Vec2::zeros(); at.q.len()];
        potential.follow(at, &nothing);

        // A pattern that has a place for every block.
        let changing = potential.changing(contacts);
        let none = vec![[false; 2]; at.q.len()];
        let earlier = earlier.and_then(|mut earlier| {
            let fits = earlier
                .system
                .fits(&model.coordinates, &none, &changing, &[]);
            fits.then_some(earlier)
        });
        let (mut system, mut whole) = if let Some(earlier) = earlier {
            (earlier.system, earlier.whole)
        } else {
            let pairs = pairs_of(potential, contacts, candidates, at);
            let system = System::new(model, &none, &pairs, linear, &mut Timings::default());
            let vertices = at.x.len();
            let system = system.ok_or(Failure::OutOfMemory { vertices })?;
            let whole = system.matrix().clone();
            (system, whole)
        };

        // Without friction, and with it.
        let mut gradient = Gradient {
            x: vec![Vec2::zeros(); at.x.len()],
            q: vec![Vec2::zeros(); at.q.len()],
        };

        // Curvatures of paths need forces; free vertices have straight paths.
        if !model.coordinates.all_free() {
            potential.gradient(contacts, at, &mut gradient);
        }
        let friction = take(&mut potential.friction);
        system.assemble(potential, contacts, at, Curvature::Exact, &gradient.x);
        whole.copy_values(system.matrix());
        potential.friction = friction;
        system.assemble_friction(potential, at);
        for motion in stiffened {
            motion.add_to(&mut system);
        }
        system.isolate(fixed);

        let negative = system
            .factorise_any(&mut Timings::default())
            .map_err(|failed| Failure::Indefinite {
                vertex: model.coordinates.vertex_of(failed.node),
            })?;
        Ok(Self {
            system,
            whole,
            negative,
        })
    }

    /// Product of the Hessian without friction with displacements of nodes, `[nodes]`.
    pub fn times(&self, p: &[Vec2]) -> Vec<Vec2> {
        self.system.product(&self.whole, p)
    }

    /// Displacements by forces, `[nodes]`, where normal forces of friction stay, and some motions have a stiffness.
    /// Forces on fixed components are zero, and so are their displacements.
    pub fn solve(&mut self, forces: &[Vec2]) -> Vec<Vec2> {
        let opposite: Vec<Vec2> = forces.iter().map(|force| -force).collect();
        let mut p = vec![Vec2::zeros(); forces.len()];
        let solved = self
            .system
            .direction_of_any(self.negative, &opposite, &mut p);
        if solved.is_err() {
            p.fill(Vec2::repeat(f64::NAN));
        }
        p
    }
}

/// What a matrix is analysed with.
pub struct Analysed<'a> {
    /// Pairs that are near. Most have a place in the pattern.
    pub candidates: &'a Candidates,
    /// Implementation of the factorisation.
    pub linear: LinearSolver,
    /// A matrix of another state of the same model.
    pub earlier: Option<StageMatrix>,
    /// Motions with a stiffness in the factor.
    pub stiffened: &'a [Stiffened<'a>],
}

/// A motion with a stiffness in the factor: joints hold bodies that nothing else holds, whose Hessian is singular.
pub struct Stiffened<'a> {
    /// The motion's derivative by nodes, which have a block in common.
    pub by: &'a [(usize, Vec2)],
    /// Stiffness (kg).
    pub stiffness: f64,
}

impl Stiffened<'_> {
    /// Adds the stiffness to the matrix of a system.
    fn add_to(&self, system: &mut System) {
        for (k, (row, of_row)) in self.by.iter().enumerate() {
            for (l, (column, of_column)) in self.by[..=k].iter().enumerate() {
                // A node with itself has a block for both orders.
                let mut block = of_row * of_column.transpose() * self.stiffness;
                if row == column && l != k {
                    block += block.transpose();
                }

                system.add([*row, *column], &block);
            }
        }
    }
}

/// Pairs of vertices with a place in a pattern: of all energies and joints, and of pairs that are near
/// without being in contact.
fn pairs_of(
    potential: &Potential,
    contacts: &Contacts,
    candidates: &Candidates,
    at: &Configuration,
) -> Vec<[usize; 2]> {
    let model = potential.model;
    let mut pairs = Vec::new();
    for energy in &model.energies {
        pairs.extend(energy.blocks());
    }
    pairs.extend(potential.constraints.energy().blocks());
    for energy in potential.changing(contacts) {
        pairs.extend(energy.blocks());
    }
    pairs.extend(candidates.blocks_within(&model.surface, &at.x, PATTERN_REACH));
    pairs
}
