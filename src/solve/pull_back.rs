//! Hessians by coordinates from Hessians by positions, `H_q = J^T H_x J`, element by element.

use crate::body::{Configuration, Coordinates};
use crate::energy::Energy;
use crate::math::Mat2;
use std::ops::Range;

/// Pull-back of the blocks of elements through the Jacobian at one configuration.
pub(super) struct PullBack<'a> {
    coordinates: &'a Coordinates,
    at: &'a Configuration,
    /// Nodes of the current element, each once.
    nodes: Vec<usize>,
    vertices: Vec<StencilVertex>,
    jacobians: Vec<Mat2>,
    /// Lower triangle of the element's blocks by nodes, in full rows.
    blocks: Vec<Mat2>,
}

/// Vertex of the current element.
struct StencilVertex {
    /// Index of its first node among those of the element.
    first_node: usize,
    /// Its Jacobians, one for each node.
    jacobians: Range<usize>,
}

impl<'a> PullBack<'a> {
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
        let node = |i: usize| self.coordinates.nodes_of(i).start;
        let mut blocks = blocks.iter();
        for (k, &i) in stencil.iter().enumerate() {
            for (&j, block) in stencil[..=k].iter().zip(&mut blocks) {
                add([node(i), node(j)], block);
            }
        }
    }

    /// Adds the blocks of an element with a vertex that is not free.
    fn element(
        &mut self,
        stencil: &[usize],
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
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

        for row in 0..size {
            for column in 0..=row {
                add(
                    [self.nodes[row], self.nodes[column]],
                    &self.blocks[row * size + column],
                );
            }
        }
    }

    /// Pulls back the block of the element's vertices `i` and `j <= i`.
    fn pull_back(&mut self, i: usize, j: usize, block: &Mat2) {
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

    /// Lists the nodes and Jacobians of the stencil's vertices.
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
