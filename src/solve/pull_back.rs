//! Hessians by coordinates from Hessians by positions, `H_q = J^T H_x J`, element by element.
//!
//! The stencil of an element may have vertices of one rigid body and of a free mesh. Each vertex
//! depends on one or more nodes, so its blocks spread over all pairs of their nodes. The element's
//! nodes are listed once, its blocks are summed in a small dense matrix, and only the lower
//! triangle is passed on. Elements of free vertices skip all that: their Jacobian is the identity.
//!
//! The curvature of `x(q)` is not part of the result; the assembly of the matrix adds it.

use crate::body::{Configuration, Coordinates};
use crate::energy::Energy;
use crate::math::Mat2;
use std::ops::Range;

/// Pull-back of the blocks of elements through the Jacobian at one configuration, with buffers for
/// one element.
pub(super) struct PullBack<'a> {
    /// Map from coordinates to positions.
    coordinates: &'a Coordinates,
    /// Configuration of the Jacobian.
    at: &'a Configuration,
    /// Nodes of the current element, each once.
    nodes: Vec<usize>,
    /// Vertices of the current element, in the order of its stencil.
    vertices: Vec<StencilVertex>,
    /// Jacobians `dx_i/dq_a` of all vertices of the current element, one after another.
    jacobians: Vec<Mat2>,
    /// Lower triangle of the element's blocks by nodes, in full rows, `[nodes, nodes]`.
    blocks: Vec<Mat2>,
}

/// Vertex of the current element.
struct StencilVertex {
    /// Index of its first node among those of the element.
    first_node: usize,
    /// Range of the vertex's Jacobians, one for each of its nodes.
    jacobians: Range<usize>,
}

impl<'a> PullBack<'a> {
    /// Pull-back through the Jacobian at a configuration; buffers are empty.
    pub(super) fn new(coordinates: &'a Coordinates, at: &'a Configuration) -> Self {
        Self {
            coordinates,
            at,
            nodes: Vec::new(),
            vertices: Vec::new(),
            jacobians: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Calls `add` with pairs of nodes and their blocks for some `elements` of `energy`. `blocks`
    /// are the elements' blocks by vertices. Only one of two mutually transposed blocks is added.
    pub(super) fn elements(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
        let blocks = blocks.chunks_exact(energy.blocks_each());
        for (k, own) in elements.zip(blocks) {
            let stencil = energy.stencil(k);
            if stencil.iter().all(|&i| self.coordinates.is_free(i)) {
                self.free_element(stencil, own, add);
            } else {
                self.element(stencil, own, add);
            }
        }
    }

    /// Adds the blocks of an element of free vertices as they are.
    fn free_element(
        &self,
        stencil: &[usize],
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
        let mut blocks = blocks.iter();
        for (k, &i) in stencil.iter().enumerate() {
            for (&j, block) in stencil[..=k].iter().zip(&mut blocks) {
                add([i, j].map(|i| self.coordinates.nodes_of(i).start), block);
            }
        }
    }

    /// Adds the blocks of an element that has a vertex which is not free.
    pub(super) fn element(
        &mut self,
        stencil: &[usize],
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
        // All blocks by vertices, into blocks by nodes.
        self.prepare(stencil);
        let size = self.nodes.len();
        let mut blocks = blocks.iter();
        for i in 0..self.vertices.len() {
            for j in 0..=i {
                if let Some(block) = blocks.next() {
                    self.pull_back(i, j, block);
                }
            }
        }

        // Lower triangle.
        for row in 0..size {
            for column in 0..=row {
                let block = &self.blocks[row * size + column];
                add([self.nodes[row], self.nodes[column]], block);
            }
        }
    }

    /// Adds `J_i^T B J_j` for the block `B` of the element's vertices `i` and `j <= i`.
    ///
    /// Blocks above the diagonal of nodes are transposed into the lower triangle. Empty blocks are
    /// left out: joints have vertices without weight.
    fn pull_back(&mut self, i: usize, j: usize, block: &Mat2) {
        if *block == Mat2::zeros() {
            return;
        }
        let size = self.nodes.len();
        let of_i = &self.vertices[i];
        let of_j = &self.vertices[j];
        for (a, left) in self.jacobians[of_i.jacobians.clone()].iter().enumerate() {
            let left = left.tr_mul(block);
            for (b, right) in self.jacobians[of_j.jacobians.clone()].iter().enumerate() {
                let row = of_i.first_node + a;
                let column = of_j.first_node + b;
                let piece = left * right;

                if row > column || i == j && row == column {
                    self.blocks[row * size + column] += piece;
                } else if row == column {
                    // Two vertices with one node: their block and its transpose have one place.
                    self.blocks[row * size + column] += piece + piece.transpose();
                } else if i != j {
                    self.blocks[column * size + row] += piece.transpose();
                }
            }
        }
    }

    /// Lists the nodes and Jacobians of the stencil's vertices, and clears the element's blocks.
    fn prepare(&mut self, stencil: &[usize]) {
        self.nodes.clear();
        self.vertices.clear();
        self.jacobians.clear();
        for &i in stencil {
            let nodes = self.coordinates.nodes_of(i);
            let known = self.nodes.iter().position(|&node| node == nodes.start);
            let first_node = known.unwrap_or(self.nodes.len());
            if known.is_none() {
                self.nodes.extend(nodes.clone());
            }

            let start = self.jacobians.len();
            for node in nodes {
                let jacobian = self.coordinates.jacobian(self.at, i, node);
                self.jacobians.push(jacobian);
            }
            self.vertices.push(StencilVertex {
                first_node,
                jacobians: start..self.jacobians.len(),
            });
        }

        self.blocks.clear();
        self.blocks
            .resize(self.nodes.len() * self.nodes.len(), Mat2::zeros());
    }
}
