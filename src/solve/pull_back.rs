//! Second derivatives by coordinates from those by positions: `H_q = J^T H_x J`, element by element.

use crate::body::{Configuration, Coordinates};
use crate::energy::Energy;
use crate::math::Mat2;
use std::ops::Range;

/// Pulls the blocks of elements back through the Jacobian at one configuration.
pub(super) struct PullBack<'a> {
    coordinates: &'a Coordinates,
    at: &'a Configuration,
    /// The nodes of the element at hand, each once.
    nodes: Vec<usize>,
    /// For each of its vertices where its nodes begin in `nodes`, and its Jacobians.
    vertices: Vec<(usize, Range<usize>)>,
    jacobians: Vec<Mat2>,
    /// The lower triangle of the element's blocks by nodes, in full rows.
    blocks: Vec<Mat2>,
}

impl<'a> PullBack<'a> {
    pub(super) fn new(coordinates: &'a Coordinates, at: &'a Configuration) -> Self {
        let (nodes, vertices) = (Vec::new(), Vec::new());
        Self {
            coordinates,
            at,
            nodes,
            vertices,
            jacobians: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Calls `add` with pairs of nodes and blocks for these `elements` of `energy`, whose `blocks` by vertices are given. Of two
    /// mutually transposed blocks only one comes.
    pub(super) fn elements(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
        for (stencil, own) in elements
            .map(|k| energy.stencil(k))
            .zip(blocks.chunks_exact(energy.blocks_each()))
        {
            if stencil.iter().all(|&i| self.coordinates.is_free(i)) {
                self.free_element(stencil, own, add);
            } else {
                self.element(stencil, own, add);
            }
        }
    }

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

    fn element(
        &mut self,
        stencil: &[usize],
        blocks: &[Mat2],
        add: &mut dyn FnMut([usize; 2], &Mat2),
    ) {
        self.prepare(stencil);
        let size = self.nodes.len();
        let mut blocks = blocks.iter();
        for (i, (first_i, of_i)) in self.vertices.iter().enumerate() {
            for (j, (first_j, of_j)) in self.vertices[..=i].iter().enumerate() {
                let Some(block) = blocks.next() else { return };
                for (a, left) in self.jacobians[of_i.clone()].iter().enumerate() {
                    let left = left.tr_mul(block);
                    for (b, right) in self.jacobians[of_j.clone()].iter().enumerate() {
                        let (row, column, piece) = (first_i + a, first_j + b, left * right);
                        if row > column || i == j && row == column {
                            self.blocks[row * size + column] += piece;
                        } else if row == column {
                            // Two vertices that move with one node: their block and its transpose fall together.
                            self.blocks[row * size + column] += piece + piece.transpose();
                        } else if i != j {
                            self.blocks[column * size + row] += piece.transpose();
                        }
                    }
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

    /// Lists the nodes and Jacobians of the stencil's vertices.
    fn prepare(&mut self, stencil: &[usize]) {
        self.nodes.clear();
        self.vertices.clear();
        self.jacobians.clear();
        for &i in stencil {
            let nodes = self.coordinates.nodes_of(i);
            let known = self.nodes.iter().position(|&node| node == nodes.start);
            let first = known.unwrap_or(self.nodes.len());
            if known.is_none() {
                self.nodes.extend(nodes.clone());
            }
            let start = self.jacobians.len();
            self.jacobians
                .extend(nodes.map(|node| self.coordinates.jacobian(self.at, i, node)));
            self.vertices.push((first, start..self.jacobians.len()));
        }
        self.blocks.clear();
        self.blocks
            .resize(self.nodes.len() * self.nodes.len(), Mat2::zeros());
    }
}
