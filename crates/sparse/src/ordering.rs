//! Fill-reducing order of nodes: nested dissection, and approximate minimum degree in small parts.
//!
//! Eliminating a node joins all its neighbours, so that a bad order fills the factor. Nested
//! dissection finds short separators of large graphs, and gives a tree that threads can share.
//! Minimum degree is better for the last parts, where separators are as long as the parts that they
//! separate.

use super::dissection::dissect;
use super::graph::Graph;
use super::minimum_degree::minimum_degree;

/// Position of each node in an order that keeps the Cholesky factor sparse, for a matrix with
/// off-diagonal blocks at `pairs`. The result is a permutation, `[nodes]`.
///
/// The result depends on which pairs are given and on their order, and neither on their repetition
/// nor on the number of threads. Beyond 2^32 nodes or neighbours all nodes keep their order.
pub fn fill_reducing(nodes: usize, pairs: &[[usize; 2]]) -> Vec<usize> {
    if u32::try_from(nodes.max(2 * pairs.len())).is_err() {
        return (0..nodes).collect();
    }

    let order = dissect(Graph::new(nodes, pairs), &minimum_degree);
    let mut position = vec![0; nodes];
    for (k, &node) in order.iter().enumerate() {
        position[node as usize] = k;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_matrices::grid;
    use ipcsim_math::parallel::with_threads;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_order_is_a_permutation(pairs in prop::collection::vec(prop::array::uniform2(0_usize..40), 0..120)) {
            let mut position = fill_reducing(40, &pairs);
            position.sort_unstable();
            prop_assert_eq!(position, (0..40).collect::<Vec<_>>());
        }
    }

    #[test]
    fn large_graphs_of_any_shape_are_ordered() {
        let n = 6000;
        let chain: Vec<[usize; 2]> = (1..n).map(|j| [j - 1, j]).collect();
        let star: Vec<[usize; 2]> = (1..n).map(|j| [0, j]).collect();
        let comb: Vec<[usize; 2]> = (1..n)
            .map(|j| [j, if j % 2 == 0 { j - 2 } else { j - 1 }])
            .collect();
        let two = grid(50)
            .into_iter()
            .chain(grid(50).into_iter().map(|[a, b]| [a + 2500, b + 2500]));
        for pairs in [chain, star, comb, Vec::new(), two.collect(), grid(77)] {
            let mut position = fill_reducing(n, &pairs);
            position.sort_unstable();
            assert!(
                position
                    .iter()
                    .enumerate()
                    .all(|(k, &position)| k == position)
            );
        }
    }

    #[test]
    fn the_order_is_the_same_on_any_number_of_threads() {
        let pairs = grid(100);
        let on = |threads| with_threads(Some(threads), || fill_reducing(10_000, &pairs)).unwrap();
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == on(1)));
    }

    #[test]
    fn the_hub_of_a_star_comes_last() {
        let pairs: Vec<[usize; 2]> = (1..50).map(|leaf| [0, leaf]).collect();
        let position = fill_reducing(50, &pairs);
        assert!(position[0] >= 48);
    }

    #[test]
    fn a_large_grid_ends_with_a_short_separator_of_two_halves() {
        let n = 100;
        let pairs = grid(n);
        let position = fill_reducing(n * n, &pairs);
        // The last 2 n nodes cut the others into pieces of at most three quarters of the grid.
        let kept = |k: usize| position[k] < n * n - 2 * n;
        let mut piece: Vec<usize> = (0..n * n).collect();
        for _ in 0..n {
            for &[a, b] in pairs.iter().filter(|pair| pair.iter().all(|&k| kept(k))) {
                let smaller = piece[a].min(piece[b]);
                (piece[a], piece[b]) = (smaller, smaller);
            }
        }
        let mut sizes = vec![0; n * n];
        (0..n * n)
            .filter(|&k| kept(k))
            .for_each(|k| sizes[piece[k]] += 1);
        assert!(sizes.iter().all(|&size| 4 * size <= 3 * n * n));
    }
}
