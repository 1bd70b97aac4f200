//! The elimination tree of a matrix, its postorder, and the number of entries in the columns of the factor.
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;

/// No node.
pub(super) const NONE: usize = usize::MAX;

/// Parents in the elimination tree (Liu 1990, with path compression).
pub(super) fn elimination_tree(matrix: &BlockMatrix) -> Vec<usize> {
    let (starts, columns) = rows_of_lower_triangle(matrix);
    let n = matrix.nodes();
    let mut parent = vec![NONE; n];
    let mut ancestor = vec![NONE; n];
    for k in 0..n {
        for &column in &columns[starts[k] as usize..starts[k + 1] as usize] {
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

/// For each row the columns left of the diagonal, ascending, as starts and a list.
fn rows_of_lower_triangle(matrix: &BlockMatrix) -> (Vec<u32>, Vec<u32>) {
    let n = matrix.nodes();
    let mut starts = vec![0_u32; n + 1];
    for j in 0..n {
        for &row in &matrix.column(j).1[1..] {
            starts[row + 1] += 1;
        }
    }
    for k in 0..n {
        starts[k + 1] += starts[k];
    }
    let mut next = starts.clone();
    let mut columns = vec![0; starts[n] as usize];
    for j in 0..n {
        for &row in &matrix.column(j).1[1..] {
            columns[next[row] as usize] = j as u32;
            next[row] += 1;
        }
    }
    (starts, columns)
}

/// The nodes of a forest in an order in which subtrees are contiguous and parents come last. Children keep their order.
pub(super) fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    for k in (0..n).rev() {
        if parent[k] != NONE {
            sibling[k] = first_child[parent[k]];
            first_child[parent[k]] = k;
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for root in (0..n).filter(|&k| parent[k] == NONE) {
        stack.push(root);
        while let Some(&top) = stack.last() {
            if first_child[top] == NONE {
                order.push(top);
                stack.pop();
            } else {
                let child = first_child[top];
                first_child[top] = sibling[child];
                stack.push(child);
            }
        }
    }
    order
}

/// Number of blocks in each column of the factor, the diagonal included (Gilbert, Ng, Peyton 1994: a row's subtree is
/// counted by its leaves and their least common ancestors).
pub(super) fn column_counts(matrix: &BlockMatrix, parent: &[usize], order: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let mut first = vec![NONE; n];
    let mut change = vec![0_isize; n];
    for (k, &node) in order.iter().enumerate() {
        change[node] = isize::from(first[node] == NONE);
        let mut j = node;
        while j != NONE && first[j] == NONE {
            first[j] = k;
            j = parent[j];
        }
    }
    let mut leaves = Leaves {
        newest: vec![0; n],
        previous: vec![NONE; n],
        ancestor: (0..n).collect(),
    };
    for &j in order {
        if parent[j] != NONE {
            change[parent[j]] -= 1;
        }
        for &i in &matrix.column(j).1[1..] {
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
    for j in 0..n {
        if parent[j] != NONE {
            change[parent[j]] += change[j];
        }
    }
    change.into_iter().map(isize::unsigned_abs).collect()
}

/// The leaves of row subtrees found so far.
struct Leaves {
    /// One more than the largest first descendant of the leaves of each row; 0 if it has none.
    newest: Vec<usize>,
    /// The last leaf of each row.
    previous: Vec<usize>,
    /// An ancestor of each node among those already passed.
    ancestor: Vec<usize>,
}

impl Leaves {
    /// Notes that `j` is a leaf of the subtree of row `i`, and returns where its path meets that of the leaf before.
    fn meeting(&mut self, i: usize, j: usize) -> Option<usize> {
        let previous = std::mem::replace(&mut self.previous[i], j);
        if previous == NONE {
            return None;
        }
        let mut meeting = previous;
        while meeting != self.ancestor[meeting] {
            meeting = self.ancestor[meeting];
        }
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
        // 0-2, 0-4, 1-3, 2-3, 5 alone: eliminating 0 joins 2 and 4, eliminating 2 joins 3 and 4.
        let matrix = BlockMatrix::new(6, &mut vec![[0, 2], [4, 0], [1, 3], [3, 2]]);
        let parent = elimination_tree(&matrix);
        assert_eq!(parent, [2, 3, 3, 4, NONE, NONE]);
        assert_eq!(
            column_counts(&matrix, &parent, &postorder(&parent)),
            [3, 2, 3, 2, 1, 1]
        );
    }
}
