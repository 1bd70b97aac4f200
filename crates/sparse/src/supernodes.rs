//! Supernodes: nodes of the elimination tree that are eliminated together, since their columns of
//! the factor have the same rows, or nearly so.
//!
//! First come the maximal groups of nodes with the same rows. Then children are merged into parents
//! where one larger front costs less than two, although it stores some zeros. The cost is the time
//! that a front takes, estimated by constants of [`super::tuning`].
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;
use super::tree::{NONE, column_counts, elimination_tree, postorder};
use super::tuning::{FLOP_TIME, FRONT_TIME, PANEL_ENTRY_TIME, REMAINDER_ENTRY_TIME};

/// Supernodes in postorder: subtrees are contiguous, and children come before parents.
pub(super) struct Supernodes {
    /// Nodes of the matrix, supernode by supernode.
    pub(super) order: Vec<u32>,
    /// First place of each supernode in the order, and the end of the last one, `[supernodes + 1]`.
    pub(super) starts: Vec<usize>,
    /// Parent of each supernode, or [`NONE`].
    pub(super) parent: Vec<usize>,
}

/// Lists of numbers, one for each group, ascending, in a single vector.
pub(super) struct Lists {
    /// Start of each group's list, and the end of the last one.
    starts: Vec<u32>,
    /// Numbers, group by group.
    list: Vec<u32>,
}

impl Lists {
    /// Lists of the indices of each group, for a group of each index. Indices whose group is
    /// [`NONE`] are in no list.
    fn of_groups(groups: &[usize]) -> Self {
        let n = groups.len();
        let mut starts = vec![0; n + 1];
        for &group in groups {
            if group != NONE {
                starts[group + 1] += 1;
            }
        }
        for s in 0..n {
            starts[s + 1] += starts[s];
        }

        // Each list is filled from its start.
        let mut next = starts.clone();
        let mut list = vec![0; starts[n] as usize];
        for (index, &group) in groups.iter().enumerate() {
            if group != NONE {
                list[next[group] as usize] = index as u32;
                next[group] += 1;
            }
        }
        Self { starts, list }
    }

    /// List of one group, ascending.
    pub(super) fn of(&self, group: usize) -> &[u32] {
        &self.list[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

/// Multiplications with addition of the elimination of `k` of `m` scalar columns:
/// `k/2 (m^2 - m k + k^2/3)`.
pub(super) fn flops(k: usize, m: usize) -> f64 {
    let k = k as f64;
    let m = m as f64;
    0.5 * k * (m * m - m * k + k * k / 3.0)
}

/// Time of a front with these numbers of nodes (ns), by the constants of [`super::tuning`].
fn cost(pivots: usize, rows: usize) -> f64 {
    let k = 2 * pivots;
    let m = 2 * rows;
    let remainder = ((m - k) * (m - k)) as f64;
    FRONT_TIME
        + PANEL_ENTRY_TIME * (k * m) as f64
        + REMAINDER_ENTRY_TIME * remainder
        + FLOP_TIME * flops(k, m)
}

impl Supernodes {
    /// Supernodes of the factor of `matrix`: the maximal ones, after merges that pay.
    pub(super) fn of(matrix: &BlockMatrix) -> Self {
        let parent = elimination_tree(matrix);
        let order = postorder(&parent);
        let counts = column_counts(matrix, &parent, &order);
        let mut groups = Groups::maximal(&parent, &order, &counts);
        groups.merge();
        groups.in_order(&order)
    }

    /// Children of each supernode, ascending.
    pub(super) fn children(&self) -> Lists {
        Lists::of_groups(&self.parent)
    }
}

/// Supernode before nodes are put in order.
#[derive(Clone, Copy)]
struct Supernode {
    /// Number of nodes that are eliminated together.
    pivots: usize,
    /// Number of blocks in the first column.
    rows: usize,
    /// Supernode of the last node's parent, or [`NONE`].
    parent: usize,
    /// Supernode that this one was merged into, or [`NONE`].
    merged: usize,
}

/// Supernodes in the postorder of their nodes. Parents have larger numbers than their children.
struct Groups {
    /// Supernodes found, merged ones included.
    supernodes: Vec<Supernode>,
    /// First place of each supernode in the postorder, and the end of the last one.
    starts: Vec<usize>,
}

impl Groups {
    /// Supernodes of columns with the same rows. `counts` are the numbers of blocks in the columns
    /// of the factor.
    ///
    /// In postorder the last child of a node comes right before it. The node joins that child's
    /// supernode if the child's column has just one more block, which is the child itself.
    fn maximal(parent: &[usize], order: &[usize], counts: &[usize]) -> Self {
        let mut starts = Vec::new();
        let mut supernodes: Vec<Supernode> = Vec::new();
        let mut of = vec![0; order.len()];
        for (k, &node) in order.iter().enumerate() {
            // A column joins its only child if that has one row more: itself.
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

        // The parent of the last node belongs to another supernode.
        for (s, supernode) in supernodes.iter_mut().enumerate() {
            let last = order[starts[s + 1] - 1];
            if parent[last] != NONE {
                supernode.parent = of[parent[last]];
            }
        }
        Self { supernodes, starts }
    }

    /// Merges children into parents where one larger front costs less than two.
    ///
    /// Parents come after their children, so that a merged supernode may be merged again.
    fn merge(&mut self) {
        let supernodes = &mut self.supernodes;
        let n = supernodes.len();
        let mut first_child = vec![NONE; n];
        let mut sibling = vec![NONE; n];
        let mut children = Vec::new();
        for s in 0..n {
            children.clear();
            let mut child = first_child[s];
            while child != NONE {
                children.push(child);
                child = sibling[child];
            }
            // Children that add the fewest zeros come first.
            children.sort_unstable_by_key(|&c| {
                let remaining = supernodes[c].rows - supernodes[c].pivots;
                (std::cmp::Reverse(remaining), c)
            });

            // One front instead of two, where that is faster.
            for &c in &children {
                let own = supernodes[c];
                let parent = supernodes[s];
                let pivots = own.pivots + parent.pivots;
                let rows = own.pivots + parent.rows;
                let apart = cost(own.pivots, own.rows) + cost(parent.pivots, parent.rows);
                if cost(pivots, rows) < apart {
                    supernodes[c].merged = s;
                    supernodes[s].pivots = pivots;
                    supernodes[s].rows = rows;
                }
            }

            // The parent comes later and looks for this supernode in its list.
            let parent = supernodes[s].parent;
            if parent != NONE {
                sibling[s] = first_child[parent];
                first_child[parent] = s;
            }
        }
    }

    /// Supernode that each one is part of after all merges: itself, or an ancestor.
    fn merged_into(&self) -> Vec<usize> {
        let mut into: Vec<usize> = (0..self.supernodes.len()).collect();
        for s in (0..into.len()).rev() {
            let merged = self.supernodes[s].merged;
            if merged != NONE {
                into[s] = into[merged];
            }
        }
        into
    }

    /// Puts supernodes in postorder, and the nodes of merged ones next to each other. `order` is
    /// the postorder of nodes.
    fn in_order(&self, order: &[usize]) -> Supernodes {
        // Tree of the supernodes that remain.
        let into = self.merged_into();
        let members = Lists::of_groups(&into);
        let mut parent = vec![NONE; into.len()];
        for (s, supernode) in self.supernodes.iter().enumerate() {
            if into[s] == s && supernode.parent != NONE {
                parent[s] = into[supernode.parent];
            }
        }
        let sequence: Vec<usize> = postorder(&parent)
            .into_iter()
            .filter(|&s| into[s] == s)
            .collect();

        // Nodes in the order of the supernodes that they ended in.
        let mut result = Supernodes {
            order: Vec::with_capacity(order.len()),
            starts: vec![0],
            parent: Vec::new(),
        };
        let mut number = vec![NONE; into.len()];
        for (index, &s) in sequence.iter().enumerate() {
            number[s] = index;
            for &member in members.of(s) {
                let member = member as usize;
                for &node in &order[self.starts[member]..self.starts[member + 1]] {
                    result.order.push(node as u32);
                }
            }
            result.starts.push(result.order.len());
        }

        // Parents, by their new numbers.
        for &s in &sequence {
            let own = if parent[s] == NONE {
                NONE
            } else {
                number[parent[s]]
            };
            result.parent.push(own);
        }
        result
    }
}
