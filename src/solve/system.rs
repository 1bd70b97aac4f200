//! The Newton system of a potential: which vertices are unknown, in which order, and the assembled matrix.

use super::linear::{BlockMatrix, Cholesky, Gather, fill_reducing};
use super::potential::Potential;
use super::timings::{Phase, Timings};
use crate::contact::Contacts;
use crate::energy::Energy;
use crate::math::{Mat2, Vec2};

/// No node: the vertex is prescribed.
const NONE: usize = usize::MAX;

/// With at most this many nodes the matrix is stored full, so that its pattern never changes.
const FULL_BELOW: usize = 24;

/// How often a matrix that is not positive definite, by rounding, is tried again with a larger diagonal.
const MAX_SHIFTS: i32 = 8;

/// The pattern is made for the prescribed vertices and contacts of one moment; it serves as long as they fit in.
pub(super) struct System {
    prescribed: Vec<bool>,
    /// Row of each vertex in the matrix, or [`NONE`].
    node: Vec<usize>,
    matrix: BlockMatrix,
    gather: Gather,
    cholesky: Cholesky,
    right_side: Vec<f64>,
    contributions: Vec<Mat2>,
}

/// The matrix is not positive definite even after its diagonal was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indefinite {
    /// The vertex at which factorisation stopped.
    pub(super) vertex: usize,
}

impl System {
    /// Orders and analyses the system without the `prescribed` vertices. `places` are the vertex pairs of the energies that
    /// never change, in the order of their blocks; `pairs` are all pairs that may get a block, in any order, repeated or not.
    /// `None` if memory does not suffice.
    pub(super) fn new(prescribed: &[bool], places: &[[usize; 2]], pairs: &[[usize; 2]]) -> Option<Self> {
        let unknown: Vec<usize> = (0..prescribed.len()).filter(|&i| !prescribed[i]).collect();
        let mut node = vec![NONE; prescribed.len()];
        for (k, &i) in unknown.iter().enumerate() {
            node[i] = k;
        }
        let nodes = unknown.len();
        let mut pairs: Vec<[usize; 2]> = if nodes <= FULL_BELOW {
            (0..nodes).flat_map(|a| (0..a).map(move |b| [a, b])).collect()
        } else {
            pairs.iter().copied().filter_map(|pair| unknown_pair(&node, pair)).filter(|[a, b]| a != b).collect()
        };
        if nodes > FULL_BELOW {
            let position = fill_reducing(nodes, &pairs);
            for &i in &unknown {
                node[i] = position[node[i]];
            }
            for pair in &mut pairs {
                *pair = pair.map(|k| position[k]);
            }
        }
        let matrix = BlockMatrix::new(nodes, &mut pairs);
        let gather = Gather::new(&matrix, places.iter().map(|&pair| unknown_pair(&node, pair)))?;
        let cholesky = Cholesky::analyse(&matrix)?;
        Some(Self {
            prescribed: prescribed.to_vec(),
            node,
            gather,
            cholesky,
            right_side: vec![0.0; 2 * nodes],
            contributions: vec![Mat2::zeros(); places.len()],
            matrix,
        })
    }

    /// Whether these are the vertices that the system treats as prescribed.
    pub(super) fn is_for(&self, prescribed: &[bool]) -> bool {
        self.prescribed == prescribed
    }

    /// Whether the pattern holds for these prescribed vertices and energies.
    pub(super) fn fits(&self, prescribed: &[bool], changing: &[&dyn Energy]) -> bool {
        self.is_for(prescribed)
            && changing
                .iter()
                .flat_map(|energy| energy.blocks())
                .all(|pair| unknown_pair(&self.node, pair).is_none_or(|[a, b]| self.matrix.slot(a, b).is_some()))
    }

    /// Assembles the projected Hessian at `x`, without pins.
    pub(super) fn assemble(&mut self, potential: &Potential, contacts: &Contacts, x: &[Vec2]) {
        let mut rest = &mut self.contributions[..];
        for energy in potential.energies {
            let (own, others) = rest.split_at_mut(energy.block_count());
            energy.hessian(x, potential.scale(), own);
            rest = others;
        }
        self.gather.assemble(&self.contributions, &mut self.matrix);
        for (i, &mass) in potential.mass.iter().enumerate() {
            self.add(i, i, &Mat2::from_diagonal_element(mass));
        }
        let mut blocks = Vec::new();
        for energy in potential.changing(contacts) {
            blocks.resize(energy.block_count(), Mat2::zeros());
            energy.hessian(x, potential.scale(), &mut blocks);
            for ([a, b], block) in energy.blocks().into_iter().zip(&blocks) {
                self.add(a, b, block);
            }
        }
    }

    /// Adds a block between two vertices, unless one of them is prescribed. The pattern holds all others: [`System::fits`].
    pub(super) fn add(&mut self, a: usize, b: usize, block: &Mat2) {
        if let Some([a, b]) = unknown_pair(&self.node, [a, b]) {
            let stored = self.matrix.add(a, b, block);
            debug_assert!(stored, "the pattern was made for other contacts");
        }
    }

    /// Mean of the diagonal entries of an unknown vertex, or the largest such mean if that is 0 (kg).
    pub(super) fn stiffness(&self, vertex: usize) -> f64 {
        let own = 0.5 * self.matrix.diagonal(self.node[vertex]).trace();
        if own > 0.0 { own } else { self.largest_stiffness() }
    }

    /// The largest mean of the diagonal entries of a vertex (kg).
    pub(super) fn largest_stiffness(&self) -> f64 {
        (0..self.matrix.nodes()).map(|j| 0.5 * self.matrix.diagonal(j).trace()).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Factorises the assembled matrix. If rounding has made it indefinite its diagonal is raised, a little first.
    pub(super) fn factorise(&mut self, timings: &mut Timings) -> Result<(), Indefinite> {
        let mut shift = 1e-14 * self.largest_stiffness();
        for _ in 0..MAX_SHIFTS {
            let Err(failed) = timings.measure(Phase::Factorisation, || self.cholesky.factorise(&self.matrix)) else {
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

    fn indefinite(&self, row: usize) -> Indefinite {
        Indefinite { vertex: self.node.iter().position(|&j| j == row / 2).unwrap_or(0) }
    }

    /// Solves for the Newton direction `p = -H^-1 g`; prescribed vertices stay.
    pub(super) fn direction(&mut self, gradient: &[Vec2], p: &mut [Vec2]) {
        for (i, &j) in self.node.iter().enumerate().filter(|(_, j)| **j != NONE) {
            self.right_side[2 * j] = -gradient[i].x;
            self.right_side[2 * j + 1] = -gradient[i].y;
        }
        self.cholesky.solve(&mut self.right_side);
        for (i, &j) in self.node.iter().enumerate() {
            p[i] =
                if j == NONE { Vec2::zeros() } else { Vec2::new(self.right_side[2 * j], self.right_side[2 * j + 1]) };
        }
    }
}

fn unknown_pair(node: &[usize], [a, b]: [usize; 2]) -> Option<[usize; 2]> {
    (node[a] != NONE && node[b] != NONE).then_some([node[a], node[b]])
}
