//! Orders compared with orders of the library faer.

use super::*;
use crate::test_matrices::grid;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use proptest::prelude::*;

/// Order of the library faer, which ports the authors' program.
fn of_faer(nodes: usize, pairs: &[[usize; 2]]) -> Vec<u32> {
    let Graph {
        starts,
        mut neighbours,
    } = Graph::new(nodes, pairs);
    for ends in starts.windows(2) {
        neighbours[ends[0] as usize..ends[1] as usize].sort_unstable();
    }
    let pattern = SymbolicSparseColMatRef::new_checked(nodes, nodes, &starts, None, &neighbours);
    let size = amd::order_scratch::<u32>(nodes, neighbours.len());
    let mut memory = MemBuffer::new(size);
    let mut order = vec![0; nodes];
    let mut inverse = vec![0; nodes];
    let stack = MemStack::new(&mut memory);
    amd::order(
        &mut order,
        &mut inverse,
        pattern,
        amd::Control::default(),
        stack,
    )
    .unwrap();
    order
}

fn same(nodes: usize, pairs: &[[usize; 2]]) -> bool {
    minimum_degree(Graph::new(nodes, pairs)) == of_faer(nodes, pairs)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_graphs_are_ordered_as_by_faer(
        nodes in 1_usize..80,
        seeds in prop::collection::vec(prop::array::uniform2(0_usize..1000), 0..400),
    ) {
        let pairs: Vec<[usize; 2]> = seeds.iter().map(|pair| pair.map(|k| k % nodes)).collect();
        prop_assert!(same(nodes, &pairs));
    }
}

#[test]
fn grids_stars_chains_and_dense_rows_are_ordered_as_by_faer() {
    for n in [2, 3, 10, 31, 60] {
        assert!(same(n * n, &grid(n)), "grid of {n}");
    }
    let n = 3000;
    let star: Vec<[usize; 2]> = (1..n).map(|j| [0, j]).collect();
    let chain: Vec<[usize; 2]> = (1..n).map(|j| [j - 1, j]).collect();
    let two_hubs: Vec<[usize; 2]> = chain
        .iter()
        .copied()
        .chain((0..n).map(|j| [1500, j]))
        .chain((0..n).map(|j| [7, j]))
        .collect();
    for pairs in [star, chain, two_hubs, Vec::new()] {
        assert!(same(n, &pairs));
    }
}
