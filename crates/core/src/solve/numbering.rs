//! Order of unknowns: which nodes have a row in the matrix, and where.
//!
//! Nodes with both components fixed have no row. The others are numbered so that the factor
//! of the matrix has few entries. The order decides how sums round, so it is a function of the set
//! of pairs, not of how they are listed.

use ipcsim_math::parallel;
use ipcsim_sparse::fill_reducing;

/// Row of a node that has none because both of its components are fixed.
pub(super) const NONE: usize = usize::MAX;

/// Largest number of unknown nodes for which the matrix is stored full, so that its pattern never
/// changes.
pub(super) const FULL_BELOW: usize = 24;

/// Rows of unknown nodes, and the pairs of rows that may get a block.
pub(super) struct Numbering {
    /// Row of each node, or [`NONE`], `[nodes of the model]`.
    pub(super) row: Vec<usize>,
    /// Number of rows, each of two scalars.
    pub(super) nodes: usize,
    /// Pairs of different rows that may get a block, each once.
    pub(super) pairs: Vec<[usize; 2]>,
}

impl Numbering {
    /// Numbers the nodes that are not `fixed`, for a matrix with blocks at these `pairs` of nodes.
    ///
    /// Pairs may come in any order and repeat; the result does not depend on how they are listed.
    pub(super) fn new(fixed: &[[bool; 2]], pairs: impl Iterator<Item = [usize; 2]>) -> Self {
        // Rows in the order of nodes, for the moment.
        let unknown: Vec<usize> = (0..fixed.len())
            .filter(|&i| fixed[i] != [true; 2])
            .collect();
        let mut row = vec![NONE; fixed.len()];
        for (k, &i) in unknown.iter().enumerate() {
            row[i] = k;
        }
        let nodes = unknown.len();
        if nodes <= FULL_BELOW {
            let all = (0..nodes).flat_map(|a| (0..a).map(move |b| [a, b]));
            let pairs = all.collect();
            return Self { row, nodes, pairs };
        }

        // Every pair once, sorted as one number each.
        let mut keys: Vec<u64> = pairs
            .filter_map(|pair| unknown_pair(&row, pair))
            .filter(|[a, b]| a != b)
            .map(|[a, b]| key([a.min(b), a.max(b)]))
            .collect();
        parallel::sort(&mut keys);
        keys.dedup();
        let mut pairs: Vec<[usize; 2]> = keys.into_iter().map(pair_of).collect();

        // Rows in the order of elimination.
        let position = fill_reducing(nodes, &pairs);
        for &i in &unknown {
            row[i] = position[row[i]];
        }
        for pair in &mut pairs {
            *pair = pair.map(|k| position[k]);
        }
        Self { row, nodes, pairs }
    }
}

/// Two numbers of rows or nodes as one, in the same order; each takes far more than a byte of memory, so
/// that there are less than 2^32.
#[inline]
pub(super) fn key([a, b]: [usize; 2]) -> u64 {
    (a as u64) << 32 | b as u64
}

/// The two numbers of rows of a [`key`].
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers that were of this type before"
)]
fn pair_of(key: u64) -> [usize; 2] {
    [key >> 32, key & u64::from(u32::MAX)].map(|row| row as usize)
}

/// Rows of a pair of nodes; `None` if one of them has no row.
pub(super) fn unknown_pair(row: &[usize], [a, b]: [usize; 2]) -> Option<[usize; 2]> {
    (row[a] != NONE && row[b] != NONE).then_some([row[a], row[b]])
}
