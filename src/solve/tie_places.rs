//! Places of the blocks of ties in the Newton matrix.
//!
//! A tie couples the nodes of two bodies for as long as the world lasts, so the places of its blocks
//! are looked up once for a pattern. An iteration adds `J^T W J` without a search, tie by tie.

use super::numbering::unknown_pair;
use crate::body::{ByNodes, Coordinates};
use crate::constraint::Joint;
use crate::math::{Mat2, Vec2};
use crate::sparse::BlockMatrix;
use smallvec::SmallVec;

/// Places of the blocks of all ties.
#[derive(Clone, Debug, Default)]
pub(super) struct TiePlaces {
    /// First node and first place of each tie, `[ties + 1]`.
    starts: Vec<[usize; 2]>,
    /// Nodes of each tie.
    nodes: Vec<usize>,
    /// For each pair of a tie's nodes, lower triangle row by row, twice the index of its block, plus
    /// one if the transposed block is stored there; [`NOWHERE`] if a node is fixed.
    places: Vec<usize>,
}

/// Code of a block without a place.
const NOWHERE: usize = usize::MAX;

impl TiePlaces {
    /// Finds the places of the ties of `joints` in a matrix with these rows of nodes.
    pub(super) fn new(
        joints: &[Joint],
        coordinates: &Coordinates,
        row: &[usize],
        matrix: &BlockMatrix,
    ) -> Self {
        let mut found = Self::default();
        found.starts.push([0; 2]);
        for tie in joints.iter().flat_map(|joint| &joint.ties) {
            let first = found.nodes.len();
            for &vertex in tie.vertices() {
                let nodes = coordinates.nodes_of(vertex);
                if !found.nodes[first..].contains(&nodes.start) {
                    found.nodes.extend(nodes);
                }
            }
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
        found
    }

    /// Adds `J^T W J` of a tie, by its number, to the values of the matrix: for the derivatives `J`
    /// of a pair of numbers by nodes, and the diagonal matrix `W` of these `weights`.
    pub(super) fn add_square(
        &self,
        tie: usize,
        by_q: &ByNodes,
        weights: Vec2,
        values: &mut [Mat2],
    ) {
        let [first, places] = self.starts[tie];
        let [end, _] = self.starts[tie + 1];
        let known = &self.nodes[first..end];
        let rank = |node: &usize| known.iter().position(|other| other == node);
        let ranks: SmallVec<[usize; 6]> = by_q.nodes.iter().filter_map(rank).collect();
        debug_assert_eq!(ranks.len(), by_q.nodes.len(), "nodes of another tie");

        let weights = Mat2::from_diagonal(&weights);
        for (k, (&row, by_row)) in ranks.iter().zip(&by_q.blocks).enumerate() {
            let left = by_row.tr_mul(&weights);
            for (&column, by_column) in ranks[..=k].iter().zip(&by_q.blocks) {
                let lower = row.max(column);
                let place = self.places[places + lower * (lower + 1) / 2 + row.min(column)];
                let Some(value) = values.get_mut(place / 2) else {
                    continue;
                };
                let block = left * by_column;
                let is_transposed = (place % 2 == 1) != (row < column);
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
    use crate::constraint::{Action, Constraints, Frame, Hinge, Outset, Rule, Tie};
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
    fn joint(ties: &[[Frame; 2]]) -> Joint {
        let tie = |frames| Tie::new(Rule::Hinge(Hinge), Action::Closed, frames, 2.0, 1.0);
        Joint {
            label: "hinges".to_owned(),
            bodies: [0, 1],
            ties: ties.iter().map(tie).collect(),
            breaks_at: f64::INFINITY,
        }
    }

    #[test]
    fn squares_of_ties_are_those_of_their_openings_by_differences() {
        let (coordinates, at) = bodies();
        let x = &at.x;
        let place = Vec2::new(1.1, -0.2);
        let own = |a: usize| Frame::turning([a, a + 1], [x[a], x[a + 1]], place, Vec2::x());

        // The bodies to each other in both orders, and one of them to the free vertex.
        let joint = joint(&[
            [own(1), own(3)],
            [own(3), own(1)],
            [Frame::vertex(0), own(3)],
        ]);
        let joints = [joint];
        let constraints = Constraints::new(&joints, &Outset::START);

        // The centre of the first body is fixed; other rows are in a mixed order.
        let row = [2, NONE, 0, 3, 1];
        let mut pairs: Vec<[usize; 2]> = (0..4).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let mut matrix = BlockMatrix::new(4, &mut pairs);
        let places = TiePlaces::new(&joints, &coordinates, &row, &matrix);
        let mut weights = Vec::new();
        for tie in constraints.stiff(x) {
            let by_q = coordinates.by_nodes(&at, tie.by_vertices());
            places.add_square(tie.number, &by_q, tie.stiffness, matrix.values_mut());
            weights.push(tie.stiffness);
        }

        // `sum J^T W J` with the derivative of all openings by differences.
        let openings = |node: usize, axis: usize, step: f64| -> Vec<Vec2> {
            let mut q = at.q.clone();
            q[node][axis] += step;
            let moved = Configuration::of(&coordinates, q).x;
            let ties = joints[0].ties.iter();
            ties.map(|tie| tie.frames[0].place(&moved) - tie.frames[1].place(&moved))
                .collect()
        };
        let slope = |node: usize, axis: usize| -> Vec<Vec2> {
            let ends = openings(node, axis, 1e-6).into_iter();
            let starts = openings(node, axis, -1e-6);
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
