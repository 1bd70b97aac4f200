//! Which nodes are unknown, and in which order.

use crate::math::parallel;
use crate::sparse::fill_reducing;

/// No row: the node is fixed.
pub(super) const NONE: usize = usize::MAX;

/// With at most this many nodes the matrix is stored full, so that its pattern never changes.
pub(super) const FULL_BELOW: usize = 24;

/// Rows of unknown nodes, and the pairs of rows that may get a block.
pub(super) struct Numbering {
    pub(super) row: Vec<usize>,
    pub(super) nodes: usize,
    pub(super) pairs: Vec<[usize; 2]>,
}

impl Numbering {
    /// The order of unknowns, on which rounding depends, is a function of which pairs there are, not of how they are listed.
    pub(super) fn new(fixed: &[[bool; 2]], pairs: impl Iterator<Item = [usize; 2]>) -> Self {
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

/// Rows of a pair of nodes, if both are unknown.
pub(super) fn unknown_pair(row: &[usize], [a, b]: [usize; 2]) -> Option<[usize; 2]> {
    (row[a] != NONE && row[b] != NONE).then_some([row[a], row[b]])
}
