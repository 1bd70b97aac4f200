//! Assembly of the Newton matrix.

use super::model::Model;
use super::potential::Potential;
use super::pull_back::PullBack;
use super::scatter;
use super::system::System;
use crate::body::Configuration;
use crate::contact::Contacts;
use crate::energy::{Curvature, Energy};
use crate::math::{Mat2, Vec2};
use std::ops::Range;

/// Share of an angle's inertia that a negative curvature may take away.
const CURVATURE_SHARE: f64 = 0.9;

impl System {
    /// Assembles the Hessian of a potential at `at`, where `contacts` are; prescribed coordinates add their own part later.
    /// `by_x` is the gradient with respect to positions, from which the curvature of arcs follows.
    pub(super) fn assemble(
        &mut self,
        potential: &Potential,
        contacts: &Contacts,
        at: &Configuration,
        curvature: Curvature,
        by_x: &[Vec2],
    ) {
        let Model {
            coordinates,
            mass,
            energies,
            own,
            ..
        } = potential.model;
        let stage = potential.stage;
        let mut blocks = std::mem::take(&mut self.blocks);

        // Blocks that are always there go straight to their places in the matrix.
        scatter::assemble(
            &self.scatters,
            energies,
            &at.x,
            stage.elasticity,
            &mut self.matrix,
        );
        self.add_mass(mass, stage.inertia);

        // Energies of coordinates need no Jacobian.
        for energy in own {
            let all = 0..energy.element_count();
            let values = Evaluation::projected(&at.q, stage.elasticity);
            fill(energy.as_ref(), all, values, &mut blocks);
            for (pair, block) in energy.blocks().into_iter().zip(&blocks) {
                self.add(pair, block);
            }
        }

        // Elements of reduced bodies and contacts go through the Jacobian at this state.
        let mut pull_back = PullBack::new(coordinates, at);
        self.add_reduced(potential, at, &mut pull_back, &mut blocks);
        for part in contacts.energies() {
            let values = Evaluation {
                x: &at.x,
                scale: stage.contact,
                curvature,
            };
            let all = 0..part.element_count();
            self.add_pulled_back(part, all, values, &mut pull_back, &mut blocks);
        }

        let joined = potential.constraints.energy();
        let all = 0..joined.element_count();
        let values = Evaluation::projected(&at.x, stage.elasticity);
        self.add_pulled_back(joined, all, values, &mut pull_back, &mut blocks);

        // Friction is a function of the tangents at the reference, and has the Jacobian there.
        let tangents = potential.tangent_positions(at);
        let mut pull_back = PullBack::new(coordinates, &stage.reference);
        for part in potential.friction.energies() {
            let all = 0..part.element_count();
            let values = Evaluation::projected(&tangents, stage.contact);
            self.add_pulled_back(part, all, values, &mut pull_back, &mut blocks);
        }
        self.blocks = blocks;

        self.add_arcs(potential, at, curvature, by_x);
    }

    /// Adds the elements of energies of positions that belong to reduced bodies.
    fn add_reduced(
        &mut self,
        potential: &Potential,
        at: &Configuration,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        let scatters = std::mem::take(&mut self.scatters);
        for (energy, scatter) in potential.model.energies.iter().zip(&scatters) {
            for run in scatter.reduced() {
                let values = Evaluation::projected(&at.x, potential.stage.elasticity);
                self.add_pulled_back(energy.as_ref(), run, values, pull_back, blocks);
            }
        }
        self.scatters = scatters;
    }

    /// Adds the curvature of the arcs on which vertices of rigid bodies move. An angle's inertia and curvature are
    /// projected together: their sum must not be negative.
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
            self.add([node; 2], &Mat2::new(bend.max(least), 0.0, 0.0, 0.0));
        }
    }

    /// Adds the Hessians of some elements of an energy of positions, pulled back to coordinates.
    fn add_pulled_back(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        values: Evaluation,
        pull_back: &mut PullBack,
        blocks: &mut Vec<Mat2>,
    ) {
        fill(energy, elements.clone(), values, blocks);
        pull_back.elements(energy, elements, blocks, &mut |pair, block| {
            self.add(pair, block);
        });
    }
}

/// Where, times what, and how Hessians are evaluated.
#[derive(Clone, Copy)]
struct Evaluation<'a> {
    x: &'a [Vec2],
    scale: f64,
    curvature: Curvature,
}

impl<'a> Evaluation<'a> {
    fn projected(x: &'a [Vec2], scale: f64) -> Self {
        let curvature = Curvature::Projected;
        Self {
            x,
            scale,
            curvature,
        }
    }
}

/// Writes the blocks of the Hessians of an energy's elements.
fn fill(energy: &dyn Energy, elements: Range<usize>, values: Evaluation, blocks: &mut Vec<Mat2>) {
    let Evaluation {
        x,
        scale,
        curvature,
    } = values;
    blocks.resize(elements.len() * energy.blocks_each(), Mat2::zeros());
    energy.hessian(elements, x, scale, curvature, blocks);
}
