//! The fronts of a multifrontal factorisation: which nodes are eliminated together, in which order, and how the blocks of
//! the matrix and of other fronts are placed in them.

use super::BlockMatrix;
use super::supernodes::{Supernodes, flops};
use super::tree::NONE;

/// Scalars by which the columns of fronts are aligned: a vector register of eight.
pub(super) const ALIGN: usize = 8;

/// A dense lower triangle: columns of nodes that are eliminated (pivots), then of nodes that they touch, ascending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// The first pivot, in order of elimination.
    pub(super) first: usize,
    /// Scalar columns that are eliminated.
    pub(super) pivots: usize,
    /// Scalar rows.
    pub(super) rows: usize,
    /// Where its panel begins in the factor.
    pub(super) panel: usize,
    /// Where the list of its remaining nodes begins.
    pub(super) relative: usize,
    /// The first front of its subtree, which ends with the front itself.
    pub(super) subtree: usize,
    /// Fronts that are assembled into this one.
    pub(super) children: usize,
    /// Whether its depth in the tree is odd.
    pub(super) odd: bool,
    /// Multiplications in the subtree.
    pub(super) work: f64,
}

impl Front {
    /// Scalars from one column of the panel to the next.
    pub(super) fn stride(&self) -> usize {
        self.rows.next_multiple_of(ALIGN)
    }

    /// The first row that the remainder stores: the last multiple of [`ALIGN`] up to the pivots' end.
    pub(super) fn remainder_row(&self) -> usize {
        self.pivots / ALIGN * ALIGN
    }

    /// Scalars from one column of the remainder to the next.
    pub(super) fn remainder_stride(&self) -> usize {
        self.stride() - self.remainder_row()
    }

    /// Scalars of the remainder.
    pub(super) fn remainder_len(&self) -> usize {
        self.remainder_stride() * (self.rows - self.pivots)
    }

    /// Scalars of the panel, the columns that are eliminated.
    pub(super) fn panel_len(&self) -> usize {
        self.stride() * self.pivots
    }
}

/// All fronts, subtrees contiguous, children before parents.
#[derive(Clone, Debug)]
pub(super) struct Fronts {
    pub(super) fronts: Vec<Front>,
    /// The matrix' nodes in the order of elimination.
    pub(super) order: Vec<u32>,
    /// For each block of the matrix, by columns in order of elimination, its node in the front.
    pub(super) places: Vec<u32>,
    /// First place of each column.
    pub(super) place_starts: Vec<u32>,
    /// For each node that remains in a front its place in the front's parent.
    pub(super) relative: Vec<u32>,
}

impl Fronts {
    /// The fronts of `matrix`. `None` if they have more than 2^32 entries of some kind.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let supernodes = Supernodes::of(matrix);
        let n = matrix.nodes();
        u32::try_from(n.max(matrix.block_count())).ok()?;
        let mut position = vec![0_u32; n];
        for (k, &node) in supernodes.order.iter().enumerate() {
            position[node as usize] = k as u32;
        }
        let mut build = Build {
            matrix,
            position,
            mark: vec![u32::MAX; n],
            local: vec![0; n],
            rows: Vec::new(),
            row_starts: vec![0],
        };
        let mut fronts = Fronts {
            fronts: Vec::with_capacity(supernodes.parent.len()),
            places: Vec::with_capacity(matrix.block_count()),
            place_starts: Vec::with_capacity(n + 1),
            relative: Vec::new(),
            order: supernodes.order.clone(),
        };
        let children = supernodes.children();
        let mut panel = 0;
        for s in 0..supernodes.parent.len() {
            let own = children.of(s);
            let (first, pivots) = (supernodes.starts[s], supernodes.starts[s + 1] - supernodes.starts[s]);
            let rows = build.add_front(&fronts.order[first..first + pivots], first, own);
            let front = Front {
                first,
                pivots: 2 * pivots,
                rows: 2 * (pivots + rows),
                panel,
                relative: 0,
                subtree: own.first().map_or(s, |&child| fronts.fronts[child as usize].subtree),
                children: own.len(),
                odd: false,
                work: flops(2 * pivots, 2 * (pivots + rows))
                    + own.iter().map(|&child| fronts.fronts[child as usize].work).sum::<f64>(),
            };
            panel += front.panel_len();
            fronts.fronts.push(front);
        }
        for s in (0..fronts.fronts.len()).rev() {
            let parent = supernodes.parent[s];
            fronts.fronts[s].odd = parent != NONE && !fronts.fronts[parent].odd;
        }
        build.place(&mut fronts, &supernodes.parent);
        Some(fronts)
    }

    /// Length of the factor in scalars.
    pub(super) fn len(&self) -> usize {
        self.fronts.last().map_or(0, |front| front.panel + front.panel_len())
    }

    /// Places of the remaining nodes of front `s` in its parent.
    pub(super) fn relative(&self, s: usize) -> &[u32] {
        let front = &self.fronts[s];
        &self.relative[front.relative..front.relative + (front.rows - front.pivots) / 2]
    }
}

/// The rows of fronts, found from the matrix and from the children's rows.
struct Build<'a> {
    matrix: &'a BlockMatrix,
    /// When each of the matrix' nodes is eliminated.
    position: Vec<u32>,
    /// The last front that each node was seen in.
    mark: Vec<u32>,
    /// The place of each node in a front.
    local: Vec<u32>,
    /// Remaining nodes of all fronts, in order of elimination.
    rows: Vec<u32>,
    row_starts: Vec<usize>,
}

impl Build<'_> {
    /// Finds which nodes remain in the front with the given pivots, and returns their number.
    fn add_front(&mut self, pivots: &[u32], first: usize, children: &[u32]) -> usize {
        let stamp = (self.row_starts.len() - 1) as u32;
        let start = self.rows.len();
        let end = (first + pivots.len()) as u32;
        for &node in pivots {
            for &row in &self.matrix.column(node as usize).1[1..] {
                let row = self.position[row];
                if row >= end && self.mark[row as usize] != stamp {
                    self.mark[row as usize] = stamp;
                    self.rows.push(row);
                }
            }
        }
        for &child in children {
            for k in self.row_starts[child as usize]..self.row_starts[child as usize + 1] {
                let row = self.rows[k];
                if row >= end && self.mark[row as usize] != stamp {
                    self.mark[row as usize] = stamp;
                    self.rows.push(row);
                }
            }
        }
        self.rows[start..].sort_unstable();
        self.row_starts.push(self.rows.len());
        self.rows.len() - start
    }

    /// Finds the places of the matrix' blocks in fronts, and of remaining nodes in their fronts' parents.
    fn place(&mut self, fronts: &mut Fronts, parent: &[usize]) {
        fronts.relative = vec![0; self.rows.len()];
        fronts.place_starts.push(0);
        let mut stack: Vec<usize> = Vec::new();
        for (s, front) in fronts.fronts.iter_mut().enumerate() {
            let pivots = front.pivots / 2;
            front.relative = self.row_starts[s];
            for k in 0..pivots {
                self.local[front.first + k] = k as u32;
            }
            for (k, &row) in self.rows[self.row_starts[s]..self.row_starts[s + 1]].iter().enumerate() {
                self.local[row as usize] = (pivots + k) as u32;
            }
            for &node in &fronts.order[front.first..front.first + pivots] {
                let rows = self.matrix.column(node as usize).1;
                fronts.places.extend(rows.iter().map(|&row| self.local[self.position[row] as usize]));
                fronts.place_starts.push(fronts.places.len() as u32);
            }
            while let Some(&child) = stack.last().filter(|&&child| parent[child] == s) {
                for k in self.row_starts[child]..self.row_starts[child + 1] {
                    fronts.relative[k] = self.local[self.rows[k] as usize];
                }
                stack.pop();
            }
            if parent[s] != NONE {
                stack.push(s);
            }
        }
    }
}
