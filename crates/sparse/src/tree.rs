//! Elimination tree of a matrix, its postorder, and the number of blocks in the columns of the
//! factor.
//!
//! The parent of a node is the first row below the diagonal of its column of the factor. The factor
//! has entries only between a node and its ancestors, so the tree says what can be eliminated
//! independently. Tree and counts are found from the matrix in nearly linear time, without the
//! factor.
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;

/// Index that stands for no node.
pub(super) const NONE: usize = usize::MAX;

/// Parents in the elimination tree, [`NONE`] for roots (Liu 1990, "The role of elimination trees in
/// sparse factorization", with path compression).
pub(super) fn elimination_tree(matrix: &BlockMatrix) -> Vec<usize> {
    let lower = Rows::of(matrix);
    let n = matrix.nodes();
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for k in 0..n {
        for &column in lower.row(k) {
            // All nodes on the path from the column to its root get the ancestor `k`.
            let mut i = column as usize;
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

/// Columns left of the diagonal of each row, ascending: the lower triangle by rows.
struct Rows {
    /// Start of each row's columns, `[nodes + 1]`.
    starts: Vec<u32>,
    /// Columns, row by row.
    columns: Vec<u32>,
}

impl Rows {
    /// Rows of the lower triangle of `matrix`, which is stored by columns. Both passes run over all
    /// columns once.
    fn of(matrix: &BlockMatrix) -> Self {
        let n = matrix.nodes();
        let mut starts = vec![0_u32; n + 1];
        for j in 0..n {
            for &row in matrix.rows_below(j) {
                starts[row + 1] += 1;
            }
        }
        for k in 0..n {
            starts[k + 1] += starts[k];
        }

        // Columns ascend in each row, since they are visited so.
        let mut next = starts.clone();
        let mut columns = vec![0; starts[n] as usize];
        for j in 0..n {
            for &row in matrix.rows_below(j) {
                columns[next[row] as usize] = j as u32;
                next[row] += 1;
            }
        }
        Self { starts, columns }
    }

    /// Columns left of the diagonal of row `k`.
    fn row(&self, k: usize) -> &[u32] {
        &self.columns[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

/// Nodes of a forest in postorder: subtrees are contiguous, parents follow their children, and
/// children keep their order. No recursion, since trees may be as deep as they have nodes.
pub(super) fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let mut first_child = vec![NONE; n];
    let mut sibling = vec![NONE; n];

    // Lists of children, the first child in front.
    for k in (0..n).rev() {
        if parent[k] != NONE {
            sibling[k] = first_child[parent[k]];
            first_child[parent[k]] = k;
        }
    }

    // Depth first; a child that is entered leaves the list of its parent.
    let mut order = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for root in (0..n).filter(|&k| parent[k] == NONE) {
        stack.push(root);
        while let Some(&top) = stack.last() {
            let child = first_child[top];
            if child == NONE {
                order.push(top);
                stack.pop();
            } else {
                first_child[top] = sibling[child];
                stack.push(child);
            }
        }
    }
    order
}

/// Number of blocks in each column of the factor, the diagonal included.
///
/// Row `i` of the factor is a subtree of the elimination tree with root `i`. It is counted by its
/// leaves and their least common ancestors (Gilbert, Ng and Peyton 1994, "An efficient algorithm to
/// compute row and column counts for sparse Cholesky factorization").
pub(super) fn column_counts(matrix: &BlockMatrix, parent: &[usize], order: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let mut change = vec![0_isize; n];
    let first = first_descendants(parent, order, &mut change);

    let mut leaves = Leaves {
        newest: vec![0; n],
        previous: vec![NONE; n],
        ancestor: (0..n).collect(),
    };

    // Leaves add 1 to their paths, and meeting points subtract nodes that are counted twice.
    for &j in order {
        if parent[j] != NONE {
            change[parent[j]] -= 1;
        }
        for &i in matrix.rows_below(j) {
            // A descendant of `j` was a leaf of this row already.
            if leaves.newest[i] > first[j] {
                continue;
            }
            leaves.newest[i] = first[j] + 1;
            change[j] += 1;
            if let Some(meeting) = leaves.meeting(i, j) {
                change[meeting] -= 1;
            }
        }
        if parent[j] != NONE {
            leaves.ancestor[j] = parent[j];
        }
    }

    // Counts are sums of changes over subtrees.
    for j in 0..n {
        if parent[j] != NONE {
            change[parent[j]] += change[j];
        }
    }
    change.into_iter().map(isize::unsigned_abs).collect()
}

/// Place in the postorder of each node's first descendant. Sets `change` to 1 for leaves of the
/// tree and to 0 for all other nodes.
fn first_descendants(parent: &[usize], order: &[usize], change: &mut [isize]) -> Vec<usize> {
    let mut first = vec![NONE; parent.len()];
    for (k, &node) in order.iter().enumerate() {
        change[node] = isize::from(first[node] == NONE);
        let mut j = node;
        while j != NONE && first[j] == NONE {
            first[j] = k;
            j = parent[j];
        }
    }
    first
}

/// Leaves of row subtrees found so far, and paths to their ancestors, which get shorter as they are
/// used.
struct Leaves {
    /// One more than the largest first descendant of the leaves of each row; 0 without leaves.
    newest: Vec<usize>,
    /// Last leaf of each row.
    previous: Vec<usize>,
    /// Ancestor of each node among those already passed.
    ancestor: Vec<usize>,
}

impl Leaves {
    /// Records the leaf `j` of the subtree of row `i`. Returns the node at which its path meets the
    /// path of the leaf before, or `None` for the first leaf of the row.
    fn meeting(&mut self, i: usize, j: usize) -> Option<usize> {
        let previous = std::mem::replace(&mut self.previous[i], j);
        if previous == NONE {
            return None;
        }
        let mut meeting = previous;
        while meeting != self.ancestor[meeting] {
            meeting = self.ancestor[meeting];
        }

        // Path compression.
        let mut node = previous;
        while node != meeting {
            node = std::mem::replace(&mut self.ancestor[node], meeting);
        }
        Some(meeting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_follow_their_children_in_a_postorder_and_subtrees_are_contiguous() {
        let parent = [3, 4, 4, 5, 5, NONE, NONE];
        let mut rank = [0; 7];
        for (k, node) in postorder(&parent).into_iter().enumerate() {
            rank[node] = k;
        }
        for (child, &parent) in parent
            .iter()
            .enumerate()
            .filter(|(_, parent)| **parent != NONE)
        {
            assert!(rank[child] < rank[parent]);
        }
        assert!(
            rank[3] == rank[0] + 1
                && rank[4] > rank[1].max(rank[2])
                && rank[4] - rank[1].min(rank[2]) == 2
        );
    }

    #[test]
    fn tree_and_counts_are_those_of_an_elimination_by_hand() {
        // Edges 0-2, 0-4, 1-3, 2-3, and 5 without any: eliminating 0 joins 2 and 4, eliminating 2
        // joins 3 and 4.
        let matrix = BlockMatrix::new(6, &mut vec![[0, 2], [4, 0], [1, 3], [3, 2]]);
        let parent = elimination_tree(&matrix);
        assert_eq!(parent, [2, 3, 3, 4, NONE, NONE]);
        assert_eq!(
            column_counts(&matrix, &parent, &postorder(&parent)),
            [3, 2, 3, 2, 1, 1]
        );
    }
}
