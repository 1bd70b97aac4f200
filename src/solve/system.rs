//! The Newton system of a potential: which nodes are unknown, in which order, and the assembled matrix.

use super::model::Model;
use super::numbering::{FULL_BELOW, NONE, Numbering, unknown_pair};
use super::scatter::{self, Scatter};
use super::timings::{Phase, Timings};
use crate::body::Coordinates;
use crate::energy::Energy;
use crate::math::{Mat2, Vec2};
use crate::sparse::{BlockMatrix, Cholesky, LinearSolver, Memory};

/// How often a matrix that is not positive definite, by rounding, is tried again with a larger diagonal.
const MAX_SHIFTS: i32 = 8;

/// First damping `c` in `H + c M`, where the matrix is to become positive definite.
const FIRST_DAMPING: f64 = 0.01;
/// Largest damping that is tried.
const MOST_DAMPING: f64 = 1e16;
/// Factor between two dampings.
const DAMPING_GROWTH: f64 = 10.0;

/// The Newton matrix and its factorisation. The pattern is made for the fixed components and the contacts of one moment,
/// and serves as long as later ones fit in.
pub(super) struct System {
    /// Components that are eliminated, `[nodes]`.
    fixed: Vec<[bool; 2]>,
    /// Row of each node in the matrix, or [`NONE`] where both components are fixed.
    row: Vec<usize>,
    /// The assembled matrix.
    pub(super) matrix: BlockMatrix,
    /// Places of the blocks of energies that never change.
    pub(super) scatters: Vec<Scatter>,
    cholesky: Cholesky,
    right_side: Vec<f64>,
    /// Buffer for blocks that differ from state to state, or that go through a Jacobian.
    pub(super) blocks: Vec<Mat2>,
}

/// The matrix is not positive definite even after its diagonal was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indefinite {
    /// The node at which factorisation stopped.
    pub(super) node: usize,
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

    /// Adds a block between two nodes, unless one of them is fixed. The pattern holds all others: [`System::fits`].
    pub(super) fn add(&mut self, pair: [usize; 2], block: &Mat2) {
        if let Some([a, b]) = unknown_pair(&self.row, pair) {
            let stored = self.matrix.add(a, b, block);
            debug_assert!(stored, "the pattern was made for other contacts");
        }
    }

    /// Adds so many times the mass of each component.
    pub(super) fn add_mass(&mut self, mass: &[Vec2], times: f64) {
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

/// The nodes of two vertices, in pairs.
fn node_pairs(coordinates: &Coordinates, [i, j]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    let others = coordinates.nodes_of(j);
    coordinates
        .nodes_of(i)
        .flat_map(move |a| others.clone().map(move |b| [a, b]))
}
