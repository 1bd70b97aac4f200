//! Memory of a solver from step to step, in as few numbers as determine it.
//!
//! Candidates and the order of unknowns are kept while they serve, so rounding depends on when they
//! were made. A solver that recalls this memory makes the same ones again, and continues with the
//! same bits. A run that is resumed thus ends exactly like one that never stopped.
//!
//! The memory of candidates is where they were found and how far vertices may move; the memory of a
//! matrix pattern is the list of its blocks. Lists, orders and factors follow from these.

use super::active_candidates::ActiveCandidates;
use super::solver::Solver;
use super::workspace::Newton;
use crate::solve::model::Model;
use crate::solve::pattern::Pattern;
use crate::solve::system::System;
use crate::solve::timings::Timings;
use crate::tuning::SYSTEMS_KEPT;
use ipcsim_contact::{Candidates, FoundAt};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Numbers from which a [`Solver`] makes its candidates and matrix patterns again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverMemory {
    /// Positions of the vertices when candidates were found (m), `[vertices]`; empty if they have
    /// not been.
    pub reference: Vec<Vec2>,
    /// Distance that each vertex may move from there along each axis (m), `[vertices]`.
    pub margin: Vec<f64>,
    /// Matrix patterns that are kept, the last used one last.
    pub patterns: Vec<Pattern>,
}

/// Memory of a solver at one moment, shared with the solver as long as it keeps that: a program
/// that may have to go back takes one before each step, and copies nothing.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// Positions and margins of candidates, as [`SolverMemory`] has them.
    found_at: Arc<FoundAt>,
    /// Patterns that are kept, the last used one last.
    patterns: Vec<Arc<Pattern>>,
}

impl Remembered {
    /// The numbers themselves.
    pub fn memory(&self) -> SolverMemory {
        let Self { found_at, patterns } = self;
        SolverMemory {
            reference: found_at.reference.clone(),
            margin: found_at.margin.clone(),
            patterns: patterns.iter().map(|one| (**one).clone()).collect(),
        }
    }
}

impl SolverMemory {
    /// True if these numbers can be of a model with this number of vertices and nodes: sizes fit,
    /// and all numbers are finite.
    fn fits(&self, vertices: usize, nodes: usize) -> bool {
        let Self {
            reference,
            margin,
            patterns,
        } = self;

        let counted = [0, vertices].contains(&reference.len()) && margin.len() == reference.len();
        let finite = reference.iter().all(|x| x.x.is_finite() && x.y.is_finite());
        let margins = margin.iter().all(|m| m.is_finite() && *m >= 0.0);
        let patterned = patterns.len() <= SYSTEMS_KEPT && patterns.iter().all(|p| p.fits(nodes));
        counted && finite && margins && patterned
    }
}

impl Solver {
    /// Memory of the solver, from which another one continues with the same bits.
    pub fn memory(&self) -> SolverMemory {
        self.remembered().memory()
    }

    /// What [`memory`](Self::memory) is now, without a copy.
    pub fn remembered(&self) -> Remembered {
        let Newton {
            filter, systems, ..
        } = &self.newton;
        Remembered {
            found_at: Arc::clone(filter.nearby.wide.found_at()),
            patterns: systems.kept.iter().map(System::pattern).collect(),
        }
    }

    /// Gives the solver the memory of another one with the same model.
    ///
    /// `None` if the memory is of another model, or does not fit into the memory of the machine;
    /// then the solver is as before.
    #[must_use]
    pub fn recall(&mut self, model: &Model, memory: &SolverMemory) -> Option<()> {
        let coordinates = &model.coordinates;
        if !memory.fits(coordinates.vertices(), coordinates.nodes()) {
            return None;
        }

        // Patterns first: only they can fail.
        let linear = self.newton.systems.linear;
        let mut timings = Timings::default();
        let kept = memory.patterns.iter().map(|pattern| {
            let pairs = pattern.pairs.iter().copied();
            System::of_nodes(model, &pattern.fixed, pairs, linear, &mut timings)
        });
        self.newton.systems.kept = kept.collect::<Option<_>>()?;

        // Candidates where they were found then.
        self.newton.filter.nearby = match &memory.reference[..] {
            [] => ActiveCandidates::default(),
            reference => {
                let margin = |i: usize| memory.margin[i];
                ActiveCandidates::of(Candidates::find(&model.surface, reference, margin))
            }
        };
        Some(())
    }
}
