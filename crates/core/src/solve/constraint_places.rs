//! Ties in the Newton matrix: derivatives of their residuals by nodes, and places of their blocks.
//!
//! A constraint couples the nodes of two bodies for as long as the world lasts, so its nodes and the places
//! of its blocks are looked up once for a pattern. An iteration finds the derivatives `J` and adds
//! `J^T W J` without a search, constraint by constraint. Forces that close joints at the same state take the
//! derivatives from here.

use super::numbering::unknown_pair;
use crate::body::{Configuration, Coordinates};
use crate::constraint::{Joint, Linear, Open, STENCIL};
use ipcsim_math::{Mat2, Vec2};
use ipcsim_sparse::BlockMatrix;

/// Derivatives and places of all constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintPlaces {
    /// First node and first place of each constraint, `[constraints + 1]`.
    starts: Vec<[usize; 2]>,
    /// Nodes of each constraint; nodes of a body are side by side.
    nodes: Vec<usize>,
    /// For each vertex of a constraint the number of its first node in the constraint,
    /// `[constraints]`.
    ranks: Vec<[usize; STENCIL]>,
    /// Derivatives `J dx/dq` of the residual of each constraint by its nodes, where the matrix was assembled
    /// last.
    blocks: Vec<Mat2>,
    /// Residuals that forces must close there, `[constraints]`.
    open: Vec<Open>,
    /// For each pair of a constraint's nodes, lower triangle row by row, twice the index of its block, plus
    /// one if the transposed block is stored there; [`NOWHERE`] if a node is fixed.
    places: Vec<usize>,
}

/// Code of a block without a place.
const NOWHERE: usize = usize::MAX;

impl ConstraintPlaces {
    /// Finds the places of the constraints of `joints` in a matrix with these rows of nodes.
    pub(super) fn new(
        joints: &[Joint],
        coordinates: &Coordinates,
        row: &[usize],
        matrix: &BlockMatrix,
    ) -> Self {
        let mut found = Self::default();
        found.starts.push([0; 2]);

        for constraint in joints.iter().flat_map(|joint| &joint.rows) {
            let first = found.nodes.len();

            // A node that two vertices share is listed once.
            let ranks = constraint.vertices().map(|vertex| {
                let nodes = coordinates.nodes_of(vertex);
                let mut own = found.nodes[first..].iter();
                let new = own.len();
                let known = own.position(|&node| node == nodes.start);
                known.unwrap_or_else(|| {
                    found.nodes.extend(nodes);
                    new
                })
            });
            found.ranks.push(ranks);

            // Only the lower triangle is stored; a transposed place is odd.
            for a in first..found.nodes.len() {
                for b in first..=a {
                    let pair = unknown_pair(row, [a, b].map(|k| found.nodes[k]));
                    let place = pair.and_then(|[a, b]| {
                        let slot = matrix.slot(a, b)?;
                        Some(2 * slot + usize::from(a < b))
                    });
                    found.places.push(place.unwrap_or(NOWHERE));
                }
            }

            found.starts.push([found.nodes.len(), found.places.len()]);
        }

        found.blocks = vec![Mat2::zeros(); found.nodes.len()];
        found.open = vec![Open::default(); found.ranks.len()];
        found
    }

    /// Finds the derivatives of a constraint by its nodes at a state, and notes its residual.
    pub(super) fn derive(
        &mut self,
        constraint: &Linear,
        coordinates: &Coordinates,
        at: &Configuration,
    ) {
        self.open[constraint.number] = constraint.open;
        let [first, _] = self.starts[constraint.number];
        let [end, _] = self.starts[constraint.number + 1];
        let own = &mut self.blocks[first..end];
        own.fill(Mat2::zeros());
        let by_vertices = constraint.vertices().iter().zip(constraint.by_vertices());
        for ((&vertex, by), &rank) in by_vertices.zip(&self.ranks[constraint.number]) {
            if by != Mat2::zeros() {
                coordinates.chain(at, vertex, &by, &mut own[rank..]);
            }
        }
    }

    /// Residual that forces must close of each constraint, as it was found last.
    pub(super) fn open(&self) -> &[Open] {
        &self.open
    }

    /// Nodes of a constraint, with the derivatives of its residual that were found last.
    pub(super) fn of(&self, constraint: usize) -> impl Iterator<Item = (usize, &Mat2)> + Clone {
        let [first, _] = self.starts[constraint];
        let [end, _] = self.starts[constraint + 1];
        let nodes = self.nodes[first..end].iter().copied();
        nodes.zip(&self.blocks[first..end])
    }

    /// Adds `J^T W J` of a constraint, by its number, to the values of the matrix: for the derivatives `J`
    /// that were found last, and the diagonal matrix `W` of these `weights`.
    pub(super) fn add_square(&self, constraint: usize, weights: Vec2, values: &mut [Mat2]) {
        if weights == Vec2::zeros() {
            return;
        }
        let [first, place] = self.starts[constraint];
        let [end, end_of_places] = self.starts[constraint + 1];
        let own = &self.blocks[first..end];
        let mut places = self.places[place..end_of_places].iter();

        for (k, by_row) in own.iter().enumerate() {
            let [[a, b], [c, d]] = by_row.data.0;
            let left = Mat2::new(a * weights.x, b * weights.y, c * weights.x, d * weights.y);
            for (by_column, &place) in own[..=k].iter().zip(&mut places) {
                // Blocks of fixed nodes have no place.
                let Some(value) = values.get_mut(place / 2) else {
                    continue;
                };
                let block = left * by_column;
                let is_transposed = place % 2 == 1;
                *value += if is_transposed {
                    block.transpose()
                } else {
                    block
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Configuration, Rigid};
    use crate::constraint::{
        ConstraintAction, ConstraintRow, Constraints, Hinge, JointFrame, Rule, WarmStart,
    };
    use crate::solve::numbering::NONE;

    /// A free vertex, two rigid bodies of two vertices each, and where all are.
    fn bodies() -> (Coordinates, Configuration) {
        let mut coordinates = Coordinates::default();
        coordinates.add_free(1);
        for size in [1.0, 0.7] {
            let arms = [[-size, 0.2], [size, -0.1]].map(Vec2::from).to_vec();
            coordinates.add_reduced(2, Box::new(Rigid { arms }));
        }
        let q = [[5.0, 1.0], [0.3, 0.1], [0.4, 0.0], [1.9, -0.6], [-1.2, 0.0]];
        let at = Configuration::of(&coordinates, q.map(Vec2::from).to_vec());
        (coordinates, at)
    }

    /// A joint of hinges between these pairs of frames.
    fn joint(constraints: &[[JointFrame; 2]]) -> Joint {
        let constraint = |frames| {
            ConstraintRow::new(
                Rule::Hinge(Hinge),
                ConstraintAction::Closed,
                frames,
                2.0,
                1.0,
            )
        };
        Joint {
            label: "hinges".to_owned(),
            bodies: [0, 1],
            rows: constraints.iter().map(constraint).collect(),
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    #[test]
    fn squares_of_ties_are_those_of_their_openings_by_differences() {
        let (coordinates, at) = bodies();
        let x = &at.x;
        let place = Vec2::new(1.1, -0.2);
        let own = |a: usize| JointFrame::turning([a, a + 1], [x[a], x[a + 1]], place, Vec2::x());

        // The bodies to each other in both orders, and one of them to the free vertex.
        let joint = joint(&[
            [own(1), own(3)],
            [own(3), own(1)],
            [JointFrame::vertex(0), own(3)],
        ]);
        let joints = [joint];
        let constraints = Constraints::new(&joints, &WarmStart::START);

        // The centre of the first body is fixed; other rows are in a mixed order.
        let row = [2, NONE, 0, 3, 1];
        let mut pairs: Vec<[usize; 2]> = (0..4).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let mut matrix = BlockMatrix::new(4, &mut pairs);
        let mut places = ConstraintPlaces::new(&joints, &coordinates, &row, &matrix);
        let mut weights = Vec::new();
        for constraint in constraints.linear(x) {
            places.derive(&constraint, &coordinates, &at);
            places.add_square(constraint.number, constraint.stiffness, matrix.values_mut());
            weights.push(constraint.stiffness);
        }

        // `sum J^T W J` with the derivative of all residuals by differences.
        let residuals = |node: usize, axis: usize, step: f64| -> Vec<Vec2> {
            let mut q = at.q.clone();
            q[node][axis] += step;
            let moved = Configuration::of(&coordinates, q).x;
            let constraints = joints[0].rows.iter();
            constraints
                .map(|constraint| {
                    constraint.frames[0].place(&moved) - constraint.frames[1].place(&moved)
                })
                .collect()
        };
        let slope = |node: usize, axis: usize| -> Vec<Vec2> {
            let ends = residuals(node, axis, 1e-6).into_iter();
            let starts = residuals(node, axis, -1e-6);
            ends.zip(starts).map(|(a, b)| (a - b) / 2e-6).collect()
        };
        for (i, &a) in row.iter().enumerate().filter(|(_, row)| **row != NONE) {
            for (j, &b) in row.iter().enumerate().filter(|(_, row)| **row != NONE) {
                let slot = matrix.slot(a, b).unwrap();
                let stored = matrix.values_mut()[slot];
                let block = if a >= b { stored } else { stored.transpose() };
                for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let both = slope(i, p).into_iter().zip(slope(j, q)).zip(&weights);
                    let expected: f64 = both.map(|((s, t), w)| s.component_mul(w).dot(&t)).sum();
                    let error = (block[(p, q)] - expected).abs();
                    assert!(error < 1e-5 * (1.0 + expected.abs()), "{i} {j}: {error:e}");
                }
            }
        }
    }
}
