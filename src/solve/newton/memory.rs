//! What a solver remembers from step to step, in as few numbers as determine it.
//!
//! Candidates and the order of unknowns are kept while they serve, so a step's rounding depends on when they were made. A
//! solver made from this memory has the same ones, and goes on with the same bits.

use super::{SYSTEMS_KEPT, Solver};
use crate::contact::Candidates;
use crate::math::Vec2;
use crate::solve::Model;
use crate::solve::system::System;
use serde::{Deserialize, Serialize};

/// What a [`Solver`] remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Where vertices were when candidates were found (m); empty if they have not been.
    pub reference: Vec<Vec2>,
    /// How far each vertex may move from there (m).
    pub margin: Vec<f64>,
    /// The matrix patterns that are kept, the last used one last.
    pub patterns: Vec<Pattern>,
}

/// The pattern of a Newton matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// Components of nodes that are eliminated.
    pub fixed: Vec<[bool; 2]>,
    /// Pairs of nodes that have a block.
    pub pairs: Vec<[usize; 2]>,
}

impl Memory {
    /// Whether these numbers can be of a world with so many vertices and nodes.
    fn fits(&self, vertices: usize, nodes: usize) -> bool {
        let pattern = |p: &Pattern| {
            p.fixed.len() == nodes
                && p.pairs
                    .iter()
                    .all(|pair| pair.iter().all(|&node| node < nodes))
        };
        let found = [0, vertices].contains(&self.reference.len())
            && self.margin.len() == self.reference.len();
        let finite = self
            .reference
            .iter()
            .all(|x| x.x.is_finite() && x.y.is_finite());
        let margins = self
            .margin
            .iter()
            .all(|margin| margin.is_finite() && *margin >= 0.0);
        found
            && finite
            && margins
            && self.patterns.len() <= SYSTEMS_KEPT
            && self.patterns.iter().all(pattern)
    }
}

impl Solver {
    /// What the solver remembers.
    pub fn memory(&self) -> Memory {
        let (reference, margin) = self.candidates.found_at();
        let pattern = |system: &System| {
            let (fixed, pairs) = system.pattern();
            Pattern {
                fixed: fixed.to_vec(),
                pairs,
            }
        };
        Memory {
            reference: reference.to_vec(),
            margin: margin.to_vec(),
            patterns: self.systems.iter().map(pattern).collect(),
        }
    }

    /// Makes the solver remember what another one did in the same world. `None` if the memory is of another world or does
    /// not fit into this machine's; then the solver is as before.
    #[must_use]
    pub fn recall(&mut self, model: &Model, memory: &Memory) -> Option<()> {
        let Model {
            coordinates,
            energies,
            surface,
            ..
        } = model;
        if !memory.fits(coordinates.vertices(), coordinates.nodes()) {
            return None;
        }
        let linear = self.settings.linear;
        let system = |p: &Pattern| {
            let pairs = p.pairs.iter().copied();
            System::of_nodes(
                coordinates,
                &p.fixed,
                (energies, pairs),
                linear,
                &mut self.timings,
            )
        };
        self.systems = memory.patterns.iter().map(system).collect::<Option<_>>()?;
        self.candidates = match &memory.reference[..] {
            [] => Candidates::default(),
            reference => Candidates::find(surface, reference, |i| memory.margin[i]),
        };
        Some(())
    }
}
