//! Supernodes: nodes of the elimination tree that are eliminated together, because their columns have the same rows, or
//! nearly so.
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;
use super::tree::{NONE, column_counts, elimination_tree, postorder};

/// Supernodes with subtrees contiguous, children before parents.
pub(super) struct Supernodes {
    /// The matrix' nodes, supernode by supernode.
    pub(super) order: Vec<u32>,
    /// Where each supernode begins in the order, and the end.
    pub(super) starts: Vec<usize>,
    /// The parent of each supernode, or [`NONE`].
    pub(super) parent: Vec<usize>,
}

/// Lists of children, ascending.
pub(super) struct Children {
    starts: Vec<u32>,
    list: Vec<u32>,
}

/// A supernode before nodes are put in order.
#[derive(Clone, Copy)]
struct Supernode {
    /// Number of nodes, and of rows of its first column.
    pivots: usize,
    rows: usize,
    parent: usize,
    /// Into which supernode it was merged, or [`NONE`].
    merged: usize,
}

/// Nanoseconds that a front costs, roughly: each, by entry of the panel and of the remainder, by operation.
const PER_FRONT: f64 = 150.0;
const PER_PANEL: f64 = 0.2;
const PER_REMAINDER: f64 = 0.35;
const PER_FLOP: f64 = 0.03;

/// Multiplications with addition of the elimination of `k` of `m` scalar columns.
pub(super) fn flops(k: usize, m: usize) -> f64 {
    let (k, m) = (k as f64, m as f64);
    0.5 * k * (m * m - m * k + k * k / 3.0)
}

fn cost(pivots: usize, rows: usize) -> f64 {
    let (k, m) = (2 * pivots, 2 * rows);
    let remainder = ((m - k) * (m - k)) as f64;
    PER_FRONT + PER_PANEL * (k * m) as f64 + PER_REMAINDER * remainder + PER_FLOP * flops(k, m)
}

impl Supernodes {
    pub(super) fn of(matrix: &BlockMatrix) -> Self {
        let parent = elimination_tree(matrix);
        let order = postorder(&parent);
        let counts = column_counts(matrix, &parent, &order);
        let (mut supernodes, starts) = maximal(&parent, &order, &counts);
        merge(&mut supernodes);
        in_order(&supernodes, &order, &starts)
    }

    pub(super) fn children(&self) -> Children {
        let n = self.parent.len();
        let mut starts = vec![0; n + 1];
        for &parent in self.parent.iter().filter(|&&parent| parent != NONE) {
            starts[parent + 1] += 1;
        }
        for s in 0..n {
            starts[s + 1] += starts[s];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[n] as usize];
        for (s, &parent) in self
            .parent
            .iter()
            .enumerate()
            .filter(|(_, parent)| **parent != NONE)
        {
            list[next[parent] as usize] = s as u32;
            next[parent] += 1;
        }
        Children { starts, list }
    }
}

impl Children {
    pub(super) fn of(&self, s: usize) -> &[u32] {
        &self.list[self.starts[s] as usize..self.starts[s + 1] as usize]
    }
}

/// Supernodes of columns with the same rows, and where each begins in the postorder.
fn maximal(parent: &[usize], order: &[usize], counts: &[usize]) -> (Vec<Supernode>, Vec<usize>) {
    let mut starts = Vec::new();
    let mut supernodes: Vec<Supernode> = Vec::new();
    let mut of = vec![0; order.len()];
    for (k, &node) in order.iter().enumerate() {
        let before = if k == 0 { NONE } else { order[k - 1] };
        if before != NONE && parent[before] == node && counts[before] == counts[node] + 1 {
            let last = supernodes.len() - 1;
            supernodes[last].pivots += 1;
        } else {
            starts.push(k);
            supernodes.push(Supernode {
                pivots: 1,
                rows: counts[node],
                parent: NONE,
                merged: NONE,
            });
        }
        of[node] = supernodes.len() - 1;
    }
    starts.push(order.len());
    for (s, supernode) in supernodes.iter_mut().enumerate() {
        let last = order[starts[s + 1] - 1];
        if parent[last] != NONE {
            supernode.parent = of[parent[last]];
        }
    }
    (supernodes, starts)
}

/// Merges children into parents where one larger front costs less than two.
fn merge(supernodes: &mut [Supernode]) {
    let n = supernodes.len();
    let (mut first_child, mut sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut children = Vec::new();
    for s in 0..n {
        children.clear();
        let mut child = first_child[s];
        while child != NONE {
            children.push(child);
            child = sibling[child];
        }
        // Those that add the fewest zeros first.
        children.sort_unstable_by_key(|&c| {
            (
                std::cmp::Reverse(supernodes[c].rows - supernodes[c].pivots),
                c,
            )
        });
        for &c in &children {
            let (own, parent) = (supernodes[c], supernodes[s]);
            let (pivots, rows) = (own.pivots + parent.pivots, own.pivots + parent.rows);
            if cost(pivots, rows) < cost(own.pivots, own.rows) + cost(parent.pivots, parent.rows) {
                supernodes[c].merged = s;
                (supernodes[s].pivots, supernodes[s].rows) = (pivots, rows);
            }
        }
        let parent = supernodes[s].parent;
        if parent != NONE {
            sibling[s] = first_child[parent];
            first_child[parent] = s;
        }
    }
}

/// Puts supernodes in postorder, and the nodes of those merged into one side by side.
fn in_order(supernodes: &[Supernode], order: &[usize], starts: &[usize]) -> Supernodes {
    let n = supernodes.len();
    // Parents have larger numbers, so that what they were merged into is known before their children ask.
    let mut into: Vec<usize> = (0..n).collect();
    for s in (0..n).rev() {
        if supernodes[s].merged != NONE {
            into[s] = into[supernodes[s].merged];
        }
    }
    let parent: Vec<usize> = (0..n)
        .map(|s| {
            if into[s] != s || supernodes[s].parent == NONE {
                NONE
            } else {
                into[supernodes[s].parent]
            }
        })
        .collect();
    let mut members = vec![0; n + 1];
    for s in 0..n {
        members[into[s] + 1] += 1;
    }
    for s in 0..n {
        members[s + 1] += members[s];
    }
    let mut next = members.clone();
    let mut list = vec![0; n];
    for s in 0..n {
        list[next[into[s]]] = s;
        next[into[s]] += 1;
    }
    let mut result = Supernodes {
        order: Vec::with_capacity(order.len()),
        starts: vec![0],
        parent: Vec::new(),
    };
    let mut number = vec![NONE; n];
    let sequence: Vec<usize> = postorder(&parent)
        .into_iter()
        .filter(|&s| into[s] == s)
        .collect();
    for (index, &s) in sequence.iter().enumerate() {
        number[s] = index;
        for &member in &list[members[s]..members[s + 1]] {
            result.order.extend(
                order[starts[member]..starts[member + 1]]
                    .iter()
                    .map(|&node| node as u32),
            );
        }
        result.starts.push(result.order.len());
    }
    result.parent = sequence
        .iter()
        .map(|&s| {
            if parent[s] == NONE {
                NONE
            } else {
                number[parent[s]]
            }
        })
        .collect();
    result
}
