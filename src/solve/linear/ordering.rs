//! A fill-reducing order of nodes: approximate minimum degree, then postorder of the elimination tree, which puts the
//! columns of a supernode side by side.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Symmetric adjacency without the diagonal: neighbours of node `j` are `indices[starts[j]..starts[j + 1]]`, ascending.
struct Graph {
    starts: Vec<usize>,
    indices: Vec<usize>,
}

/// The position of each node in an order that keeps the Cholesky factor of a matrix with off-diagonal entries at `pairs`
/// sparse. Any node keeps its place if the library cannot order the graph.
pub fn fill_reducing(nodes: usize, pairs: &[[usize; 2]]) -> Vec<usize> {
    let graph = Graph::new(nodes, pairs);
    let order = minimum_degree(&graph).unwrap_or_else(|| (0..nodes).collect());
    let mut position = vec![0; nodes];
    for (k, &node) in order.iter().enumerate() {
        position[node] = k;
    }
    let parent = elimination_tree(&graph, &order, &position);
    let rank = postorder(&parent);
    position.iter().map(|&k| rank[k]).collect()
}

impl Graph {
    fn new(nodes: usize, pairs: &[[usize; 2]]) -> Self {
        let mut both: Vec<[usize; 2]> =
            pairs.iter().filter(|[a, b]| a != b).flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        both.sort_unstable();
        both.dedup();
        let mut starts = vec![0; nodes + 1];
        for &[a, _] in &both {
            starts[a + 1] += 1;
        }
        for j in 0..nodes {
            starts[j + 1] += starts[j];
        }
        Self { starts, indices: both.into_iter().map(|pair| pair[1]).collect() }
    }

    fn neighbours(&self, j: usize) -> &[usize] {
        &self.indices[self.starts[j]..self.starts[j + 1]]
    }
}

fn minimum_degree(graph: &Graph) -> Option<Vec<usize>> {
    let n = graph.starts.len() - 1;
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &graph.starts, None, &graph.indices);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(n, graph.indices.len())).ok()?;
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    amd::order(&mut order, &mut inverse, pattern, amd::Control::default(), MemStack::new(&mut memory)).ok()?;
    Some(order)
}

const NONE: usize = usize::MAX;

/// Parents in the elimination tree, by position in `order` (Liu 1990, with path compression).
fn elimination_tree(graph: &Graph, order: &[usize], position: &[usize]) -> Vec<usize> {
    let mut parent = vec![NONE; order.len()];
    let mut ancestor = vec![NONE; order.len()];
    for (k, &node) in order.iter().enumerate() {
        for &neighbour in graph.neighbours(node) {
            let mut i = position[neighbour];
            while i < k {
                let next = ancestor[i];
                ancestor[i] = k;
                if next == NONE {
                    parent[i] = k;
                    break;
                }
                i = next;
            }
        }
    }
    parent
}

/// The rank of each node in a postorder of the forest.
fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    for k in (0..n).rev() {
        if parent[k] != NONE {
            sibling[k] = first_child[parent[k]];
            first_child[parent[k]] = k;
        }
    }
    let mut rank = vec![0; n];
    let mut next = 0;
    let mut stack = Vec::new();
    for root in (0..n).filter(|&k| parent[k] == NONE) {
        stack.push(root);
        while let Some(&top) = stack.last() {
            if first_child[top] == NONE {
                rank[top] = next;
                next += 1;
                stack.pop();
            } else {
                let child = first_child[top];
                first_child[top] = sibling[child];
                stack.push(child);
            }
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn the_hub_of_a_star_comes_last() {
        let pairs: Vec<[usize; 2]> = (1..50).map(|leaf| [0, leaf]).collect();
        let position = fill_reducing(50, &pairs);
        assert!(position[0] >= 48);
    }

    #[test]
    fn parents_follow_their_children_in_a_postorder_and_subtrees_are_contiguous() {
        let parent = [3, 4, 4, 5, 5, NONE, NONE];
        let rank = postorder(&parent);
        for (child, &parent) in parent.iter().enumerate().filter(|(_, parent)| **parent != NONE) {
            assert!(rank[child] < rank[parent]);
        }
        assert!(rank[3] == rank[0] + 1 && rank[4] > rank[1].max(rank[2]) && rank[4] - rank[1].min(rank[2]) == 2);
    }
}
