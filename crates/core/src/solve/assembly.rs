//! Assembly of the Newton matrix `H`, the Hessian of the potential by coordinates.
//!
//! With the Jacobian `J = dx/dq`, the mass `M` and the factors of the
//! [`Stage`](super::stage::Stage),
//!
//! `H = m M + J^T (s_e K + s_c C) J + s_e K_q + s_c J_ref^T F J_ref + arcs`,
//!
//! where `K` is the Hessian of elasticity, loads that follow bodies, gas and joints, `C` of contacts,
//! `K_q` of energies of coordinates, and `F` of friction. Friction is a function of the tangents at
//! the reference of the stage, so the Jacobian there belongs to it. The last term comes from the
//! curvature of `x(q)`: vertices of rigid bodies move on arcs.
//!
//! Elements of free vertices need no Jacobian: their blocks go straight to places that were found
//! once (see [`scatter`](super::scatter)). All other blocks go through
//! [`PullBack`](super::pull_back::PullBack). Terms are added one after another in this order,
//! whatever the number of threads is.

use super::cell_inertia::CellInertia;
use super::evaluation::Evaluation;
use super::model::Model;
use super::potential::Potential;
use super::pull_back::PullBack;
use super::scatter;
use super::system::System;
use crate::body::Configuration;
use crate::tuning::CURVATURE_SHARE;
use ipcsim_contact::Contacts;
use ipcsim_energy::{Curvature, Energy};
use ipcsim_math::{Mat2, Vec2};
use smallvec::SmallVec;
use std::ops::Range;

impl System {
    /// Assembles the Hessian of a potential at `at`, where `contacts` are.
    ///
    /// `by_x` is the gradient with respect to positions, `[vertices]`, from which the curvature of
    /// arcs follows. Penalties on prescribed coordinates are not part of it.
    pub(super) fn assemble(
        &mut self,
        potential: &Potential,
        contacts: &Contacts,
        at: &Configuration,
        curvature: Curvature,
        by_x: &[Vec2],
    ) {
        let Model {
            coordinates, mass, ..
        } = potential.model;
        let stage = potential.stage;
        let mut blocks = std::mem::take(&mut self.blocks);

        // Blocks that are always there go straight to their places in the matrix.
        let elastic = Evaluation {
            x: &at.x,
            scale: stage.elasticity,
            curvature,
        };
        let energies: SmallVec<[&dyn Energy; 16]> = potential.elastic().collect();
        scatter::assemble(&self.scatters, &energies, elastic, &mut self.matrix);
        self.add_mass(mass, stage.inertia);
        if let Some(cell) = CellInertia::of(potential.model, stage) {
            cell.add_hessian(self);
        }
        let values = Evaluation {
            x: &at.q,
            scale: stage.elasticity,
            curvature,
        };
        self.add_own(potential, values, &mut blocks);

        // Elements of reduced bodies, contacts and joints, through the Jacobian at this state.
        let mut pull_back = PullBack::new(coordinates, at);
        self.add_reduced(potential, elastic, &mut pull_back, &mut blocks);
        for load in stage.following.energies() {
            self.add_all(load, elastic, &mut pull_back, &mut blocks);
        }
        for damping in stage.damping.energies() {
            self.add_all(damping, elastic, &mut pull_back, &mut blocks);
        }
        let touching = Evaluation {
            x: &at.x,
            scale: stage.contact,
            curvature,
        };
        for part in contacts.energies() {
            self.add_all(part, touching, &mut pull_back, &mut blocks);
        }
        self.add_joints(potential, at, touching, &mut pull_back, &mut blocks);
        self.add_gas(potential, at);

        self.add_friction(potential, at, &mut blocks);
        self.add_arcs(potential, at, curvature, by_x);
        self.blocks = blocks;
    }

    /// Adds the Hessians of energies of coordinates, which need no Jacobian.
    fn add_own(&mut self, potential: &Potential, values: Evaluation, blocks: &mut Vec<Mat2>) {
        let own = potential.model.own.iter().map(AsRef::as_ref);
        let damped: &dyn Energy = &potential.stage.damping.nodes;
        for energy in own.chain([damped]) {
            values.fill(energy, 0..energy.element_count(), blocks);
            for (pair, block) in energy.blocks().into_iter().zip(&*blocks) {
                self.add(pair, block);
            }
        }
    }

    /// Adds what couples all walls of a gas: the square of the derivative of its volume.
    fn add_gas(&mut self, potential: &Potential, at: &Configuration) {
        self.low_rank.clear();
        let stage = potential.stage;
        let chambers = &stage.following.chambers;
        if chambers.is_empty() {
            return;
        }
        let mut by_x = vec![Vec2::zeros(); at.x.len()];
        chambers.products_of_slopes(&at.x, |weight, slopes| {
            by_x.fill(Vec2::zeros());
            for &(vertex, slope) in slopes {
                by_x[vertex] += slope;
            }
            let root = (stage.elasticity * weight).sqrt();
            self.add_square(&potential.model.coordinates, at, &by_x, root);
        });
    }

    /// Adds the Hessian of friction to the matrix that was assembled last.
    pub(super) fn assemble_friction(&mut self, potential: &Potential, at: &Configuration) {
        let mut blocks = std::mem::take(&mut self.blocks);
        self.add_friction(potential, at, &mut blocks);
        self.blocks = blocks;
    }

    /// Adds the Hessian of friction, through the Jacobian where it is lagged.
    fn add_friction(&mut self, potential: &Potential, at: &Configuration, blocks: &mut Vec<Mat2>) {
        if potential.friction.is_empty() {
            return;
        }
        let tangents = potential.tangent_positions(at);
        self.add_friction_at(potential, &tangents, blocks);
    }

    /// Adds the Hessian of friction at positions on the tangents (m, `[vertices]`).
    pub(super) fn add_friction_at(
        &mut self,
        potential: &Potential,
        tangents: &[Vec2],
        blocks: &mut Vec<Mat2>,
    ) {
        let values = Evaluation::projected(tangents, potential.stage.contact);
        let mut pull_back = PullBack::new(&potential.model.coordinates, potential.tangent_at());
        for part in potential.friction.energies() {
            self.add_all(part, values, &mut pull_back, blocks);
        }
    }

    /// Adds the elements of energies of positions that belong to reduced bodies.
    fn add_reduced(
        &mut self,
        potential: &Potential,
        values: Evaluation,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        // Scatters are lent out, since adding a block borrows the system.
        let scatters = std::mem::take(&mut self.scatters);
        for (energy, scatter) in potential.elastic().zip(&scatters) {
            for run in scatter.reduced() {
                self.add_pulled_back(energy, run, values, pull_back, blocks);
            }
        }

        self.scatters = scatters;
    }

    /// Adds the Hessians of joints: squares of the derivatives of residuals by the few nodes of two
    /// bodies, and in the exact Hessian the curvature of residuals.
    fn add_joints(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        values: Evaluation,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        let Evaluation {
            x,
            scale,
            curvature,
        } = values;
        let constraints = &potential.constraints;
        let coordinates = &potential.model.coordinates;
        let values = self.matrix.values_mut();

        for row in constraints.linear(x) {
            let weights = row.stiffness * scale;
            self.constraints.derive(&row, coordinates, at);
            self.constraints.add_square(row.number, weights, values);
        }

        // Curvature of residuals may be negative: only the exact Hessian has it.
        if curvature == Curvature::Projected {
            return;
        }

        for (stencil, bent) in constraints.bent(x) {
            blocks.clear();
            for (k, row) in bent.iter().enumerate() {
                blocks.extend(row[..=k].iter().map(|block| block * scale));
            }
            pull_back.element(&stencil, blocks, self);
        }
    }

    /// Adds the curvature of the arcs on which vertices of rigid bodies move.
    ///
    /// Inertia and curvature of an angle are projected together: a negative curvature is cut where
    /// it takes away the share [`CURVATURE_SHARE`] of the inertia, so that their sum does not
    /// become negative.
    fn add_arcs(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        curvature: Curvature,
        by_x: &[Vec2],
    ) {
        let Model {
            coordinates, mass, ..
        } = potential.model;

        for (node, bend) in coordinates.curvatures(at, by_x) {
            let least = match curvature {
                Curvature::Exact => bend,
                Curvature::Projected => -mass[node].x * CURVATURE_SHARE * potential.stage.inertia,
            };
            self.add_diagonal(node, &Vec2::new(bend.max(least), 0.0));
        }
    }

    /// Adds the Hessians of all elements of an energy of positions, pulled back to coordinates.
    pub(super) fn add_all(
        &mut self,
        energy: &dyn Energy,
        values: Evaluation,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        let all = 0..energy.element_count();
        self.add_pulled_back(energy, all, values, pull_back, blocks);
    }

    /// Adds the Hessians of some elements of an energy of positions, pulled back to coordinates.
    /// `blocks` is a buffer.
    fn add_pulled_back(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        values: Evaluation,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        pull_back.elements(energy, elements, values, self, blocks);
    }
}
