//! Hessians by coordinates from Hessians by positions, `H_q = J^T H_x J`, element by element.
//!
//! The stencil of an element may have vertices of one rigid body and of a free mesh. Each vertex
//! depends on one or more nodes, so its blocks spread over all pairs of their nodes. The element's
//! nodes are listed once, its blocks are summed in a small dense matrix, and only the lower
//! triangle is passed on. Elements of free vertices skip all that: their Jacobian is the identity.
//! Elements between the same two rigid bodies, which mostly come one after another, are summed before
//! they are passed on (see [`RigidPair`]), from products of vectors where their Hessians are such sums.
//!
//! The curvature of `x(q)` is not part of the result; the assembly of the matrix adds it.

use super::evaluation::Evaluation;
use super::places::Run;
use super::rigid_pair::{RigidPair, RigidVertex};
use super::system::System;
use crate::body::{Configuration, Coordinates};
use ipcsim_energy::Energy;
use ipcsim_math::{Mat2, Vec2};
use std::ops::Range;

/// Pull-back of the blocks of elements through the Jacobian at one configuration, with buffers for
/// one element.
pub(super) struct PullBack<'a> {
    /// Map from coordinates to positions.
    coordinates: &'a Coordinates,
    /// Configuration of the Jacobian.
    at: &'a Configuration,
    /// Nodes of the current element, body by body; a free vertex counts as a body.
    runs: Vec<Run>,
    /// Number of nodes of all of them.
    nodes: usize,
    /// Vertices of the current element, in the order of its stencil.
    vertices: Vec<StencilVertex>,
    /// Jacobians `dx_i/dq_a` of all vertices of the current element, one after another.
    jacobians: Vec<Mat2>,
    /// Lower triangle of the element's blocks by nodes, in full rows, `[nodes, nodes]`.
    blocks: Vec<Mat2>,
    /// Vertices of the current element, if they are of two rigid bodies.
    rigid: Vec<RigidVertex>,
    /// Sum of the last elements, if they are between two rigid bodies.
    pair: Option<RigidPair>,
}

/// Vertex of the current element.
struct StencilVertex {
    /// Index of its first node within the element.
    first_node: usize,
    /// How it depends on its nodes.
    dependence: Dependence,
}

impl StencilVertex {
    /// Its arm, if it is part of a rigid body.
    #[inline]
    fn arm(&self) -> Option<Vec2> {
        match self.dependence {
            Dependence::Arm(arm) => Some(arm),
            Dependence::Itself | Dependence::Jacobians(_) => None,
        }
    }
}

/// Derivatives of a vertex by its nodes.
enum Dependence {
    /// It is free: the identity.
    Itself,
    /// It is part of a rigid body: the identity, and this arm by the angle (m).
    Arm(Vec2),
    /// Jacobians in this range, one for each node.
    Jacobians(Range<usize>),
}

impl<'a> PullBack<'a> {
    /// Pull-back through the Jacobian at a configuration; buffers are empty.
    pub(super) fn new(coordinates: &'a Coordinates, at: &'a Configuration) -> Self {
        Self {
            coordinates,
            at,
            runs: Vec::new(),
            nodes: 0,
            vertices: Vec::new(),
            jacobians: Vec::new(),
            blocks: Vec::new(),
            rigid: Vec::new(),
            pair: None,
        }
    }

    /// Adds the Hessians of some `elements` of `energy` to a system. `blocks` is a buffer.
    pub(super) fn elements(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        values: Evaluation,
        system: &mut System,
        blocks: &mut Vec<Mat2>,
    ) {
        // Blocks are found for many elements at once: those between the ones that are sums of products.
        let mut start = elements.start;
        for k in elements.clone() {
            if self.product_element(energy, k, values, system) {
                self.block_elements(energy, start..k, values, system, blocks);
                start = k + 1;
            }
        }
        self.block_elements(energy, start..elements.end, values, system, blocks);
        self.pass_pair_on(system);
    }

    /// Adds elements by their blocks. Only one of two mutually transposed blocks is added.
    fn block_elements(
        &mut self,
        energy: &dyn Energy,
        elements: Range<usize>,
        values: Evaluation,
        system: &mut System,
        blocks: &mut Vec<Mat2>,
    ) {
        if elements.is_empty() {
            return;
        }

        values.fill(energy, elements.clone(), blocks);
        let blocks = blocks.chunks_exact(energy.blocks_each());
        for (k, own) in elements.zip(blocks) {
            let stencil = energy.stencil(k);

            // Free vertices are nodes; rigid pairs are summed before they are added.
            if stencil.iter().all(|&i| self.coordinates.is_free(i)) {
                self.free_element(stencil, own, system);
            } else if let Some(centers) = self.find_rigid(stencil) {
                let (pair, vertices) = self.pair_of(centers, system);
                pair.add(vertices, own);
            } else {
                self.element(stencil, own, system);
            }
        }
    }

    /// Adds an element to the sum of those between the same two rigid bodies as products of vectors;
    /// false if it is not between such bodies, or no such sum.
    fn product_element(
        &mut self,
        energy: &dyn Energy,
        k: usize,
        values: Evaluation,
        system: &mut System,
    ) -> bool {
        let Some(centers) = self.find_rigid(energy.stencil(k)) else {
            return false;
        };
        let Evaluation {
            x,
            scale,
            curvature,
        } = values;
        let (pair, vertices) = self.pair_of(centers, system);
        energy.products(k, x, curvature, &mut |weight, first, second| {
            pair.add_product(vertices, weight * scale, [first, second]);
        })
    }

    /// The sum of elements between two rigid bodies with these first nodes, and the vertices that were
    /// found last. The sum of other bodies is passed on.
    fn pair_of(
        &mut self,
        centers: [usize; 2],
        system: &mut System,
    ) -> (&mut RigidPair, &[RigidVertex]) {
        if self
            .pair
            .as_ref()
            .is_none_or(|pair| pair.centers != centers)
        {
            self.pass_pair_on(system);
        }
        let pair = self.pair.get_or_insert_with(|| RigidPair::new(centers));
        (pair, &self.rigid)
    }

    /// Lists the vertices of a stencil of two rigid bodies in `rigid`, and returns the first nodes of these;
    /// `None` if the vertices are not of two rigid bodies.
    #[inline]
    fn find_rigid(&mut self, stencil: &[usize]) -> Option<[usize; 2]> {
        let Self {
            coordinates,
            at,
            rigid,
            ..
        } = self;

        rigid.clear();
        let (first, arm) = coordinates.arm(at, *stencil.first()?)?;
        rigid.push(RigidVertex { body: 0, arm });

        let mut second = first;
        for &i in &stencil[1..] {
            let (node, arm) = coordinates.arm(at, i)?;
            if node != first && second == first {
                second = node;
            }
            if node != first && node != second {
                return None;
            }

            let body = usize::from(node != first);
            rigid.push(RigidVertex { body, arm });
        }

        (second != first).then_some([first, second])
    }

    /// Passes the sum of the last elements between two rigid bodies on.
    fn pass_pair_on(&mut self, system: &mut System) {
        if let Some(pair) = self.pair.take() {
            system.add_rigid_pair(&pair);
        }
    }

    /// Adds the blocks of an element of free vertices as they are.
    fn free_element(&self, stencil: &[usize], blocks: &[Mat2], system: &mut System) {
        let mut blocks = blocks.iter();
        for (k, &i) in stencil.iter().enumerate() {
            for (&j, block) in stencil[..=k].iter().zip(&mut blocks) {
                let pair = [i, j].map(|i| self.coordinates.nodes_of(i).start);
                system.add(pair, block);
            }
        }
    }

    /// Adds the blocks of an element that has a vertex which is not free.
    pub(super) fn element(&mut self, stencil: &[usize], blocks: &[Mat2], system: &mut System) {
        self.prepare(stencil);
        let mut blocks = blocks.iter();
        for i in 0..self.vertices.len() {
            for j in 0..=i {
                if let Some(block) = blocks.next() {
                    self.pull_back(i, j, block);
                }
            }
        }
        system.add_between(&self.runs, self.nodes, &self.blocks);
    }

    /// Adds `J_i^T B J_j` for the block `B` of the element's vertices `i` and `j <= i`. Empty blocks
    /// are left out: joints have vertices without weight.
    #[inline]
    fn pull_back(&mut self, i: usize, j: usize, block: &Mat2) {
        if *block == Mat2::zeros() {
            return;
        }
        let arms = [i, j].map(|k| self.vertices[k].arm());
        if let [Some(left), Some(right)] = arms {
            return self.pull_back_arms(i, j, block, [left, right]);
        }

        match &self.vertices[i].dependence {
            Dependence::Itself => self.pull_back_column(i, 0, j, block),
            Dependence::Arm(arm) => {
                let by_angle = block.tr_mul(arm);
                self.pull_back_column(i, 0, j, block);
                let block = Mat2::from_rows(&[by_angle.transpose(), Vec2::zeros().transpose()]);
                self.pull_back_column(i, 1, j, &block);
            }
            Dependence::Jacobians(range) => {
                for (a, k) in range.clone().enumerate() {
                    let left = self.jacobians[k].tr_mul(block);
                    self.pull_back_column(i, a, j, &left);
                }
            }
        }
    }

    /// [`pull_back`](Self::pull_back) between vertices of rigid bodies with these arms, whose
    /// Jacobians are mostly zeros and ones.
    #[inline]
    fn pull_back_arms(&mut self, i: usize, j: usize, block: &Mat2, arms: [Vec2; 2]) {
        let size = self.nodes;
        let [row, column] = [i, j].map(|k| self.vertices[k].first_node);

        // By the first angle, by the second one, and by both.
        let by_row = block.tr_mul(&arms[0]);
        let by_column = block * arms[1];
        let by_both = by_row.dot(&arms[1]);

        let mut add = |row: usize, column: usize, piece: [f64; 4]| {
            let [m11, m21, m12, m22] = piece;
            self.blocks[row * size + column] += Mat2::new(m11, m12, m21, m22);
        };
        if row > column || i == j {
            add(row, column, [block.m11, block.m21, block.m12, block.m22]);
            if i != j {
                add(row, column + 1, [by_column.x, by_column.y, 0.0, 0.0]);
            }
            add(row + 1, column, [by_row.x, 0.0, by_row.y, 0.0]);
            add(row + 1, column + 1, [by_both, 0.0, 0.0, 0.0]);
        } else if row < column {
            add(column, row, [block.m11, block.m12, block.m21, block.m22]);
            add(column + 1, row, [by_column.x, 0.0, by_column.y, 0.0]);
            add(column, row + 1, [by_row.x, by_row.y, 0.0, 0.0]);
            add(column + 1, row + 1, [by_both, 0.0, 0.0, 0.0]);
        } else {
            // Two vertices of one body: their block and its transpose have one place.
            let sum = block + block.transpose();
            add(row, row, [sum.m11, sum.m21, sum.m12, sum.m22]);
            add(row + 1, row, [by_column.x, 0.0, by_column.y, 0.0]);
            add(row + 1, row, [by_row.x, 0.0, by_row.y, 0.0]);
            add(row + 1, row + 1, [by_both + by_both, 0.0, 0.0, 0.0]);
        }
    }

    /// Adds `left J_j` for the node `a` of the vertex `i`, where `left` is `J_ia^T B`.
    #[inline]
    fn pull_back_column(&mut self, i: usize, a: usize, j: usize, left: &Mat2) {
        let row = self.vertices[i].first_node + a;
        let StencilVertex {
            first_node,
            ref dependence,
        } = self.vertices[j];
        let is_same = i == j;

        match dependence {
            Dependence::Itself => self.put(row, first_node, is_same, left),
            Dependence::Arm(arm) => {
                let by_angle = Mat2::from_columns(&[left * arm, Vec2::zeros()]);
                self.put(row, first_node, is_same, left);
                self.put(row, first_node + 1, is_same, &by_angle);
            }
            Dependence::Jacobians(range) => {
                for (b, k) in range.clone().enumerate() {
                    let piece = left * self.jacobians[k];
                    self.put(row, first_node + b, is_same, &piece);
                }
            }
        }
    }

    /// Adds a piece of the block between two vertices, at a row and a column of the element's nodes.
    ///
    /// Pieces above the diagonal are transposed into the lower triangle. If the vertices are the
    /// same, those are there already.
    #[inline]
    fn put(&mut self, row: usize, column: usize, is_same: bool, piece: &Mat2) {
        let size = self.nodes;
        if row > column || is_same && row == column {
            self.blocks[row * size + column] += piece;
        } else if row == column {
            // Two vertices with one node: their block and its transpose have one place.
            self.blocks[row * size + column] += piece + piece.transpose();
        } else if !is_same {
            self.blocks[column * size + row] += piece.transpose();
        }
    }

    /// Lists the nodes and the dependence of the stencil's vertices, and clears the element's
    /// blocks.
    fn prepare(&mut self, stencil: &[usize]) {
        self.runs.clear();
        self.nodes = 0;
        self.vertices.clear();
        self.jacobians.clear();

        for &i in stencil {
            let nodes = self.coordinates.nodes_of(i);

            // Vertices of one body share its nodes.
            let known = self.runs.iter().find(|run| run.nodes == nodes);
            let first_node = known.map_or(self.nodes, |run| run.first);
            if first_node == self.nodes {
                self.nodes += nodes.len();
                self.runs.push(Run {
                    nodes: nodes.clone(),
                    first: first_node,
                });
            }

            let dependence = if self.coordinates.is_free(i) {
                Dependence::Itself
            } else if let Some((_, arm)) = self.coordinates.arm(self.at, i) {
                Dependence::Arm(arm)
            } else {
                let start = self.jacobians.len();
                let of_nodes = nodes.map(|node| self.coordinates.jacobian(self.at, i, node));
                self.jacobians.extend(of_nodes);
                Dependence::Jacobians(start..self.jacobians.len())
            };
            self.vertices.push(StencilVertex {
                first_node,
                dependence,
            });
        }

        self.blocks.clear();
        self.blocks.resize(self.nodes * self.nodes, Mat2::zeros());
    }
}

#[cfg(test)]
mod tests {
    use crate::body::Configuration;
    use crate::solve::stage::Stage;
    use crate::solve::system::System;
    use crate::solve::test_problems::{Small, barriers, number, potential, statics};
    use crate::solve::timings::Timings;
    use ipcsim_contact::Contacts;
    use ipcsim_energy::Curvature;
    use ipcsim_math::Vec2;
    use ipcsim_sparse::LinearSolver;

    #[test]
    fn springs_between_rigid_bodies_and_points_have_the_matrix_of_their_forces_by_differences() {
        // Springs between two rigid bodies, within one of them, and to a point.
        let mut small = Small::default();
        let arms = [[-0.5, 0.1], [0.6, 0.2]];
        let a = small.rigid([[0.0, 0.0], [0.0; 2]], &arms, [1.0, 0.4]);
        let b = small.rigid([[1.5, 0.5], [0.0; 2]], &arms, [2.0, 0.7]);
        let point = small.point([0.2, 1.5], 1.0);
        for ends in [
            [a, b],
            [b + 1, a + 1],
            [a, a + 1],
            [point, b],
            [a + 1, point],
        ] {
            small.spring(ends, 20.0);
        }
        let (model, rest) = small.model();
        let field = |seed: usize| -> Vec<Vec2> {
            (0..rest.q.len())
                .map(|k| Vec2::new(number(seed + 2 * k), number(seed + 2 * k + 1)))
                .collect()
        };
        let moved = rest.q.iter().zip(field(0)).map(|(q, by)| q + by * 0.1);
        let at = Configuration::of(&model.coordinates, moved.collect());

        // Inertia makes the exact matrix positive definite.
        let stage = Stage {
            inertia: 40.0,
            elasticity: 1.7,
            ..statics(&rest, &[])
        };
        let barriers = barriers();
        let potential = potential(&model, &stage, &barriers);
        let none = Contacts::default();
        let mut gradient = crate::solve::potential::Gradient {
            x: vec![Vec2::zeros(); at.x.len()],
            q: vec![Vec2::zeros(); at.q.len()],
        };
        potential.gradient(&none, &at, &mut gradient);
        let pairs = model.energies[0].blocks();
        let (linear, mut timings) = (LinearSolver::default(), Timings::default());
        let fixed = vec![[false; 2]; at.q.len()];
        let mut system = System::new(&model, &fixed, &pairs, linear, &mut timings).unwrap();
        system.assemble(&potential, &none, &at, Curvature::Exact, &gradient.x);
        assert!(system.try_factorise(&mut timings));

        // The direction of a force changes the slope by the opposite of that force.
        for seed in [100, 200, 300] {
            let force = field(seed);
            let mut p = vec![Vec2::zeros(); force.len()];
            system.direction(&force, &mut p);
            let [after, before] = [1e-4, -1e-4].map(|step| {
                let q = at.q.iter().zip(&p).map(|(q, p)| q + p * step);
                let there = Configuration::of(&model.coordinates, q.collect());
                potential.slope(&none, &there)
            });
            for ((after, before), force) in after.iter().zip(&before).zip(&force) {
                let change = (after - before) / 2e-4;
                assert!((change + force).norm() < 1e-7, "{change} {force}");
            }
        }
    }
}
