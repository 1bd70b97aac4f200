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
