//! Order of unknowns: which nodes have a row in the matrix, and where.
//!
//! Nodes with both components fixed have no row. The others are numbered so that the factor
//! of the matrix has few entries. The order decides how sums round, so it is a function of the set
//! of pairs, not of how they are listed.

use crate::tuning::FULL_BELOW;
use ipcsim_math::parallel;
use ipcsim_sparse::fill_reducing;

/// Row of a node that has none because both of its components are fixed.
pub(super) const NONE: usize = usize::MAX;

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Pairs of rows without an order.
    fn set(pairs: &[[usize; 2]]) -> BTreeSet<[usize; 2]> {
        pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect()
    }

    #[test]
    fn rows_follow_from_the_set_of_pairs_and_nodes_that_are_fixed_have_none() {
        // A ring of 40 nodes with some chords; node 7 is fixed, and one component of node 9.
        let count = 40;
        let mut fixed = vec![[false; 2]; count];
        fixed[7] = [true; 2];
        fixed[9] = [true, false];
        let ring = (0..count).map(|i| [i, (i + 1) % count]);
        let pairs: Vec<[usize; 2]> = ring.chain((0..10).map(|i| [i, i + 20])).collect();
        let found = Numbering::new(&fixed, pairs.iter().copied());

        // Every other node has its own row.
        assert_eq!(found.nodes, count - 1);
        assert_eq!(found.row[7], NONE);
        let rows: BTreeSet<usize> = found.row.iter().copied().filter(|r| *r != NONE).collect();
        assert!(rows.into_iter().eq(0..count - 1));
        let expected: Vec<[usize; 2]> = pairs
            .iter()
            .filter_map(|&pair| unknown_pair(&found.row, pair))
            .collect();
        assert_eq!(set(&found.pairs), set(&expected));
        assert_eq!(found.pairs.len(), set(&expected).len());

        // Turned round, repeated, with nodes to themselves, and in another order.
        let turned = pairs.iter().rev().map(|&[a, b]| [b, a]);
        let listed = turned
            .chain((0..count).map(|i| [i, i]))
            .chain(pairs.iter().copied());
        let again = Numbering::new(&fixed, listed);
        assert_eq!(again.row, found.row);
        assert_eq!(again.pairs, found.pairs);
    }

    #[test]
    fn few_nodes_have_all_pairs_and_keep_their_order() {
        let mut fixed = vec![[false; 2]; FULL_BELOW + 1];
        fixed[0] = [true; 2];
        let found = Numbering::new(&fixed, std::iter::empty());
        assert_eq!(found.row[1..], (0..FULL_BELOW).collect::<Vec<_>>());
        assert_eq!(found.pairs.len(), FULL_BELOW * (FULL_BELOW - 1) / 2);
        assert_eq!(set(&found.pairs).len(), found.pairs.len());
    }

    #[test]
    fn a_key_keeps_the_order_of_pairs_and_gives_them_back() {
        let pairs = [
            [0, 0],
            [0, 7],
            [1, 0],
            [1, 4_000_000_000],
            [2, 1],
            [4_000_000_000, 3],
        ];
        assert!(pairs.is_sorted_by_key(|pair| key(*pair)));
        assert_eq!(pairs.map(|pair| pair_of(key(pair))), pairs);
    }
}
