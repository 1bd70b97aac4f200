//! The Newton system of a potential: which nodes are unknown, in which order, and the assembled matrix.

use super::model::Model;
use super::potential::Potential;
use super::pull_back::PullBack;
use super::scatter::{self, Scatter};
use super::timings::{Phase, Timings};
use crate::body::{Configuration, Coordinates};
use crate::contact::Contacts;
use crate::energy::{Curvature, Energy};
use crate::math::{Mat2, Vec2, parallel};
use crate::sparse::{BlockMatrix, Cholesky, LinearSolver, Memory, fill_reducing};
use std::ops::Range;

/// No row: the node is fixed.
const NONE: usize = usize::MAX;

/// With at most this many nodes the matrix is stored full, so that its pattern never changes.
const FULL_BELOW: usize = 24;

/// Share of an angle's inertia that a negative curvature may take away.
const CURVATURE_SHARE: f64 = 0.9;

/// How often a matrix that is not positive definite, by rounding, is tried again with a larger diagonal.
const MAX_SHIFTS: i32 = 8;

/// Multiples of the mass that are put on top of a matrix that shall become positive definite: from one to the other, each so
/// many times the last.
const FIRST_DAMPING: f64 = 0.01;
const MOST_DAMPING: f64 = 1e16;
const DAMPING_GROWTH: f64 = 10.0;

/// The pattern is made for the fixed components and contacts of one moment; it serves as long as they fit in.
pub(super) struct System {
    fixed: Vec<[bool; 2]>,
    /// Row of each node in the matrix, or [`NONE`] where both components are fixed.
    row: Vec<usize>,
    matrix: BlockMatrix,
    /// Where the energies that never change have their blocks.
    scatters: Vec<Scatter>,
    cholesky: Cholesky,
    right_side: Vec<f64>,
    /// Blocks of one energy that differs from state to state, or that goes through a Jacobian.
    blocks: Vec<Mat2>,
}

/// The matrix is not positive definite even after its diagonal was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indefinite {
    /// The node at which factorisation stopped.
    pub(super) node: usize,
}

/// Rows of unknown nodes, and the pairs of rows that may get a block.
struct Numbering {
    row: Vec<usize>,
    nodes: usize,
    pairs: Vec<[usize; 2]>,
}

impl Numbering {
    /// The order of unknowns, on which rounding depends, is a function of which pairs there are, not of how they are listed.
    fn new(fixed: &[[bool; 2]], pairs: impl Iterator<Item = [usize; 2]>) -> Self {
        let unknown: Vec<usize> = (0..fixed.len())
            .filter(|&i| fixed[i] != [true; 2])
            .collect();
        let mut row = vec![NONE; fixed.len()];
        for (k, &i) in unknown.iter().enumerate() {
            row[i] = k;
        }
        let nodes = unknown.len();
        let mut pairs: Vec<[usize; 2]> = if nodes <= FULL_BELOW {
            (0..nodes)
                .flat_map(|a| (0..a).map(move |b| [a, b]))
                .collect()
        } else {
            let unknown = pairs
                .filter_map(|pair| unknown_pair(&row, pair))
                .filter(|[a, b]| a != b);
            unknown.map(|[a, b]| [a.min(b), a.max(b)]).collect()
        };
        if nodes > FULL_BELOW {
            parallel::sort(&mut pairs);
            pairs.dedup();
            let position = fill_reducing(nodes, &pairs);
            for &i in &unknown {
                row[i] = position[row[i]];
            }
            for pair in &mut pairs {
                *pair = pair.map(|k| position[k]);
            }
        }
        Self { row, nodes, pairs }
    }
}

impl System {
    /// Orders and analyses the system of a model without the `fixed` components. `pairs` are all pairs of vertices that may
    /// get a block, in any order, repeated or not. `None` if memory does not suffice.
    pub(super) fn new(
        model: &Model,
        fixed: &[[bool; 2]],
        pairs: &[[usize; 2]],
        linear: LinearSolver,
        timings: &mut Timings,
    ) -> Option<Self> {
        let coordinates = &model.coordinates;
        let pairs = pairs
            .iter()
            .flat_map(|&pair| node_pairs(coordinates, pair))
            .chain(coordinates.coupled());
        Self::of_nodes(model, fixed, pairs, linear, timings)
    }

    /// System of a model whose pairs of coupled nodes are known.
    pub(super) fn of_nodes(
        model: &Model,
        fixed: &[[bool; 2]],
        pairs: impl Iterator<Item = [usize; 2]>,
        linear: LinearSolver,
        timings: &mut Timings,
    ) -> Option<Self> {
        let numbering = timings.measure(Phase::Ordering, || Numbering::new(fixed, pairs));
        timings.measure(Phase::Symbolic, || {
            Self::analyse(model, fixed, numbering, linear)
        })
    }

    /// Makes the patterns of the matrix and of its factor.
    fn analyse(
        model: &Model,
        fixed: &[[bool; 2]],
        numbering: Numbering,
        linear: LinearSolver,
    ) -> Option<Self> {
        let Model {
            coordinates,
            energies,
            ..
        } = model;
        let Numbering {
            row,
            nodes,
            mut pairs,
        } = numbering;
        let matrix = BlockMatrix::new(nodes, &mut pairs);
        let slot = |[i, j]: [usize; 2]| {
            let free = coordinates.is_free(i) && coordinates.is_free(j);
            let [a, b] = unknown_pair(&row, [i, j].map(|i| coordinates.nodes_of(i).start))
                .filter(|_| free)?;
            Some((matrix.slot(a, b)?, a < b))
        };
        let part = scatter::part_size(&matrix);
        let free = |i: usize| coordinates.is_free(i);
        let scatters = energies
            .iter()
            .map(|energy| Scatter::new(energy.as_ref(), part, free, slot));
        let scatters = scatters.collect::<Option<_>>()?;
        let cholesky = Cholesky::analyse(&matrix, linear)?;
        Some(Self {
            fixed: fixed.to_vec(),
            row,
            scatters,
            cholesky,
            right_side: vec![0.0; 2 * nodes],
            blocks: Vec::new(),
            matrix,
        })
    }

    /// Matrix that was assembled last.
    pub(super) fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// Entries of the factor, without the zeros above its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        self.cholesky.factor_entries()
    }

    /// The components that it treats as fixed, and the pairs of different nodes that have a block.
    pub(super) fn pattern(&self) -> (&[[bool; 2]], Vec<[usize; 2]>) {
        let mut node = vec![NONE; self.matrix.nodes()];
        for (i, &row) in self.row.iter().enumerate().filter(|(_, row)| **row != NONE) {
            node[row] = i;
        }
        let node = &node;
        let below = |j: usize| {
            self.matrix.column(j).1[1..]
                .iter()
                .map(move |&row| [node[j], node[row]])
        };
        (&self.fixed, (0..node.len()).flat_map(below).collect())
    }

    /// Gives the memory of the factor away, which only the system in use needs.
    pub(super) fn take_memory(&mut self) -> Memory {
        self.cholesky.take_memory()
    }

    /// Takes the memory of the factor that another system had.
    pub(super) fn give_memory(&mut self, memory: Memory) {
        self.cholesky.give_memory(memory);
    }

    /// Whether these are the components that the system treats as fixed.
    pub(super) fn is_for(&self, fixed: &[[bool; 2]]) -> bool {
        self.fixed == fixed
    }

    /// Whether the pattern holds for these fixed components and energies.
    pub(super) fn fits(
        &self,
        coordinates: &Coordinates,
        fixed: &[[bool; 2]],
        changing: &[&dyn Energy],
    ) -> bool {
        if !self.is_for(fixed) {
            return false;
        }
        let mut fits = true;
        // Neighbouring contacts are mostly of the same bodies.
        let mut last = [NONE; 2];
        let mut check = |i: usize, j: usize| {
            let (of_i, of_j) = (coordinates.nodes_of(i), coordinates.nodes_of(j));
            if fits && last != [of_i.start, of_j.start] {
                last = [of_i.start, of_j.start];
                fits = of_i
                    .into_iter()
                    .all(|a| of_j.clone().all(|b| self.has_place([a, b])));
            }
        };
        if self.matrix.nodes() > FULL_BELOW {
            for stencil in changing
                .iter()
                .flat_map(|energy| (0..energy.element_count()).map(|k| energy.stencil(k)))
            {
                stencil
                    .iter()
                    .enumerate()
                    .for_each(|(k, &i)| stencil[..k].iter().for_each(|&j| check(i, j)));
            }
        }
        fits
    }

    fn has_place(&self, pair: [usize; 2]) -> bool {
        unknown_pair(&self.row, pair).is_none_or(|[a, b]| self.matrix.slot(a, b).is_some())
    }

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

        // Elements of reduced bodies go through the Jacobian at this state.
        let mut pull_back = PullBack::new(coordinates, at);
        let scatters = std::mem::take(&mut self.scatters);
        for (energy, scatter) in energies.iter().zip(&scatters) {
            for run in scatter.reduced() {
                let values = Evaluation::projected(&at.x, stage.elasticity);
                self.add_pulled_back(energy.as_ref(), run, values, &mut pull_back, &mut blocks);
            }
        }
        self.scatters = scatters;

        // So do contacts.
        for part in contacts.parts() {
            let all = 0..part.element_count();
            let values = Evaluation {
                x: &at.x,
                scale: stage.contact,
                curvature,
            };
            self.add_pulled_back(part, all, values, &mut pull_back, &mut blocks);
        }

        // Friction is a function of the tangents at the reference, and has the Jacobian there.
        let tangents = potential.tangent_positions(at);
        let mut pull_back = PullBack::new(coordinates, &stage.reference);
        for part in potential.friction.parts() {
            let all = 0..part.element_count();
            let values = Evaluation::projected(&tangents, stage.contact);
            self.add_pulled_back(part, all, values, &mut pull_back, &mut blocks);
        }
        self.blocks = blocks;

        // An angle's inertia and curvature are projected together: their sum must not be negative.
        for (node, bend) in coordinates.curvatures(at, by_x) {
            let least = match curvature {
                Curvature::Exact => bend,
                Curvature::Projected => -mass[node].x * CURVATURE_SHARE * stage.inertia,
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

    /// Adds a block between two nodes, unless one of them is fixed. The pattern holds all others: [`System::fits`].
    pub(super) fn add(&mut self, pair: [usize; 2], block: &Mat2) {
        if let Some([a, b]) = unknown_pair(&self.row, pair) {
            let stored = self.matrix.add(a, b, block);
            debug_assert!(stored, "the pattern was made for other contacts");
        }
    }

    /// Adds so many times the mass of each component.
    fn add_mass(&mut self, mass: &[Vec2], times: f64) {
        for (&row, mass) in self.row.iter().zip(mass).filter(|(row, _)| **row != NONE) {
            self.matrix.add_diagonal(row, &(mass * times));
        }
    }

    /// Uncouples the components that are fixed in nodes whose other component is not.
    pub(super) fn isolate_fixed(&mut self) {
        let unknown = || (0..self.fixed.len()).filter(|&node| self.row[node] != NONE);
        if unknown().all(|node| self.fixed[node] == [false; 2]) {
            return;
        }
        let mut fixed = vec![false; 2 * self.matrix.nodes()];
        for node in unknown() {
            for axis in 0..2 {
                fixed[2 * self.row[node] + axis] = self.fixed[node][axis];
            }
        }
        self.matrix.isolate(&fixed);
    }

    /// The largest mean of the diagonal entries of a node (kg).
    pub(super) fn largest_stiffness(&self) -> f64 {
        (0..self.matrix.nodes())
            .map(|j| 0.5 * self.matrix.diagonal(j).trace())
            .fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Factorises the assembled matrix, if it is positive definite.
    pub(super) fn try_factorise(&mut self, timings: &mut Timings) -> bool {
        timings
            .measure(Phase::Factorisation, || {
                self.cholesky.factorise(&self.matrix)
            })
            .is_ok()
    }

    /// Factorises the assembled matrix. If rounding has made it indefinite its diagonal is raised, a little first.
    pub(super) fn factorise(&mut self, timings: &mut Timings) -> Result<(), Indefinite> {
        let mut shift = 1e-14 * self.largest_stiffness();
        for _ in 0..MAX_SHIFTS {
            let Err(failed) = timings.measure(Phase::Factorisation, || {
                self.cholesky.factorise(&self.matrix)
            }) else {
                return Ok(());
            };
            if shift <= 0.0 || !shift.is_finite() {
                return Err(self.indefinite(failed.row));
            }
            self.matrix.shift_diagonal(shift);
            shift *= 10.0;
        }
        Err(self.indefinite(0))
    }

    /// Factorises the assembled matrix with the smallest multiple of the mass on top, of a sequence, that makes it positive
    /// definite; returns the multiple.
    pub(super) fn factorise_damped(
        &mut self,
        mass: &[Vec2],
        timings: &mut Timings,
    ) -> Result<f64, Indefinite> {
        let (mut damping, mut more) = (FIRST_DAMPING, FIRST_DAMPING);
        while damping < MOST_DAMPING {
            self.add_mass(mass, more);
            if self.try_factorise(timings) {
                return Ok(damping);
            }
            more = (DAMPING_GROWTH - 1.0) * damping;
            damping *= DAMPING_GROWTH;
        }
        Err(self.indefinite(0))
    }

    /// The negative gradient, each node's part scaled by the inverse of its block of the assembled matrix; fixed
    /// components stay.
    pub(super) fn scaled_gradient(&self, gradient: &[Vec2], p: &mut [Vec2]) {
        for (i, &j) in self.row.iter().enumerate() {
            p[i] = Vec2::zeros();
            if j != NONE {
                let free = Vec2::from(self.fixed[i].map(|fixed| if fixed { 0.0 } else { 1.0 }));
                let block = self.matrix.diagonal(j);
                let inverse = block
                    .try_inverse()
                    .unwrap_or(Mat2::identity() / block.trace().max(f64::MIN_POSITIVE));
                p[i] = -(inverse * gradient[i].component_mul(&free)).component_mul(&free);
            }
        }
    }

    fn indefinite(&self, row: usize) -> Indefinite {
        Indefinite {
            node: self.row.iter().position(|&j| j == row / 2).unwrap_or(0),
        }
    }

    /// Solves for the Newton direction `p = -H^-1 g`; fixed components stay.
    pub(super) fn direction(&mut self, gradient: &[Vec2], p: &mut [Vec2]) {
        for (i, &j) in self.row.iter().enumerate().filter(|(_, j)| **j != NONE) {
            let [x_is_fixed, y_is_fixed] = self.fixed[i];
            self.right_side[2 * j] = if x_is_fixed { 0.0 } else { -gradient[i].x };
            self.right_side[2 * j + 1] = if y_is_fixed { 0.0 } else { -gradient[i].y };
        }
        self.cholesky.solve(&mut self.right_side);
        for (i, &j) in self.row.iter().enumerate() {
            p[i] = if j == NONE {
                Vec2::zeros()
            } else {
                Vec2::new(self.right_side[2 * j], self.right_side[2 * j + 1])
            };
        }
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

/// The nodes of two vertices, in pairs.
fn node_pairs(coordinates: &Coordinates, [i, j]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    let others = coordinates.nodes_of(j);
    coordinates
        .nodes_of(i)
        .flat_map(move |a| others.clone().map(move |b| [a, b]))
}

fn unknown_pair(row: &[usize], [a, b]: [usize; 2]) -> Option<[usize; 2]> {
    (row[a] != NONE && row[b] != NONE).then_some([row[a], row[b]])
}
