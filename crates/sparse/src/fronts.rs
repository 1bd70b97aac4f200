//! Fronts of a multifrontal factorisation, found by the analysis of a pattern.
//!
//! Each front eliminates the nodes of one supernode. Its rows are these nodes, and then all nodes
//! that their columns of the factor touch. The remaining nodes of a front are among the rows of its
//! parent, so the fronts form a tree. The analysis finds, once for each pattern:
//!
//! - the sizes of all fronts and their places in the factor;
//! - the place of each block of the matrix in its front;
//! - the place of each remaining node in the parent;
//! - the work of each subtree, by which threads share the tree.
//!
//! Fronts are numbered in postorder: subtrees are contiguous, and children come before parents.
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;
use super::supernodes::{Supernodes, flops};
use super::tree::NONE;
use super::tuning::{ALIGN, SMALL_SUBTREE, TASKS};
use std::ops::Range;

/// Sizes and places of a front.
///
/// A front is a dense lower triangle: columns of nodes that are eliminated (pivots), then of the
/// nodes that they touch, ascending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// Place of the first pivot in the order of elimination.
    pub(super) first: usize,
    /// Number of scalar columns that are eliminated.
    pub(super) pivots: usize,
    /// Number of scalar rows.
    pub(super) rows: usize,
    /// Start of the front in the factor.
    pub(super) start: usize,
    /// Start of the front's list of remaining nodes.
    pub(super) relative: usize,
    /// First front of the subtree that ends with this front.
    pub(super) subtree: usize,
    /// Index of the front that this one is assembled into; [`NONE`] for a root.
    pub(super) parent: usize,
    /// Start of the front's children in the list of all fronts.
    first_child: usize,
    /// Number of fronts that are assembled into this one.
    pub(super) children: usize,
    /// True if the depth of the front in the tree is odd.
    pub(super) odd: bool,
    /// Multiplications with addition in the subtree (1).
    pub(super) work: f64,
}

impl Front {
    /// Scalars from one column of the panel to the next: the rows, rounded up to a multiple of
    /// [`ALIGN`].
    pub(super) fn stride(&self) -> usize {
        self.rows.next_multiple_of(ALIGN)
    }

    /// First row that the remainder stores: the last multiple of [`ALIGN`] up to the end of the
    /// pivots.
    pub(super) fn remainder_row(&self) -> usize {
        self.pivots / ALIGN * ALIGN
    }

    /// Scalars from one column of the remainder to the next.
    pub(super) fn remainder_stride(&self) -> usize {
        self.stride() - self.remainder_row()
    }

    /// Number of scalars of the remainder.
    pub(super) fn remainder_len(&self) -> usize {
        self.remainder_stride() * (self.rows - self.pivots)
    }

    /// Range of the front's remaining nodes in the list of all fronts, [`Fronts::relative`].
    fn remaining(&self) -> Range<usize> {
        self.relative..self.relative + (self.rows - self.pivots) / 2
    }

    /// Number of scalars of the panel, the columns that are eliminated.
    pub(super) fn panel_len(&self) -> usize {
        self.stride() * self.pivots
    }

    /// Number of scalars of the front in the factor: its panel, and one more column for the right
    /// side of a system in its rows.
    pub(super) fn len(&self) -> usize {
        self.panel_len() + self.stride()
    }
}

/// All fronts with contiguous subtrees, children before parents.
#[derive(Clone, Debug)]
pub(super) struct Fronts {
    /// Fronts in postorder, children before parents.
    pub(super) list: Vec<Front>,
    /// Children of each front, ascending, front after front.
    children: Vec<usize>,
    /// Fronts without a parent, ascending.
    pub(super) roots: Vec<usize>,
    /// Nodes of the matrix in the order of elimination.
    pub(super) order: Vec<u32>,
    /// Place in its front of each block of the matrix, by columns in the order of elimination.
    pub(super) places: Vec<u32>,
    /// First place of each column, `[nodes + 1]`.
    pub(super) place_starts: Vec<u32>,
    /// Place in the front's parent of each node that remains in a front.
    pub(super) relative: Vec<u32>,
    /// Largest work of a subtree that threads do not share (1).
    pub(super) grain: f64,
}

impl Fronts {
    /// Fronts of `matrix`. `None` if it has 2^32 blocks or more.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        u32::try_from(matrix.block_count()).ok()?;

        // One front for each supernode.
        let supernodes = Supernodes::of(matrix);
        let children = supernodes.children();
        let mut building = Building::new(matrix, supernodes.order);
        for (s, ends) in supernodes.starts.windows(2).enumerate() {
            building.add(ends[0]..ends[1], children.of(s));
        }

        // Parents come after their children, so depths are found from the end.
        let mut fronts = building.fronts;
        for (s, &parent) in supernodes.parent.iter().enumerate().rev() {
            fronts.list[s].parent = parent;
            fronts.list[s].odd = parent != NONE && !fronts.list[parent].odd;
        }
        let count = fronts.list.len();
        fronts.roots = (0..count)
            .filter(|&s| fronts.list[s].parent == NONE)
            .collect();

        // All roots together are the work of the factorisation.
        let works = fronts.roots.iter().map(|&root| fronts.list[root].work);
        let work = works.sum::<f64>();
        fronts.grain = (work / TASKS).max(SMALL_SUBTREE);
        Some(fronts)
    }

    /// Length of the factor in scalars, with the padding of columns and their right sides.
    pub(super) fn len(&self) -> usize {
        self.list
            .last()
            .map_or(0, |front| front.start + front.len())
    }

    /// Children of front `s`, ascending.
    pub(super) fn children(&self, s: usize) -> &[usize] {
        let front = &self.list[s];
        &self.children[front.first_child..][..front.children]
    }

    /// Places of the remaining nodes of front `s` in its parent, ascending. Empty for a root.
    pub(super) fn relative(&self, s: usize) -> &[u32] {
        &self.relative[self.list[s].remaining()]
    }
}

/// Fronts that are found one by one, children first.
///
/// Until the parent of a front is found, `relative` holds the places of its remaining nodes in the
/// order of elimination. Then it holds their places in the parent.
struct Building<'a> {
    /// Fronts found so far.
    fronts: Fronts,
    /// Matrix that is analysed.
    matrix: &'a BlockMatrix,
    /// Place of each node of the matrix in the order of elimination.
    position: Vec<u32>,
    /// Last front in which each node was seen, by position.
    seen: Vec<u32>,
    /// Place of each node in the newest front, by position.
    local: Vec<u32>,
}

impl<'a> Building<'a> {
    /// Start without a front, for the nodes of `matrix` in the given order of elimination.
    fn new(matrix: &'a BlockMatrix, order: Vec<u32>) -> Self {
        let n = matrix.nodes();
        let mut position = vec![0_u32; n];
        for (k, &node) in order.iter().enumerate() {
            position[node as usize] = k as u32;
        }

        let fronts = Fronts {
            list: Vec::new(),
            children: Vec::new(),
            roots: Vec::new(),
            order,
            places: Vec::with_capacity(matrix.block_count()),
            place_starts: vec![0],
            relative: Vec::new(),
            grain: 0.0,
        };
        Self {
            fronts,
            matrix,
            position,
            seen: vec![u32::MAX; n],
            local: vec![0; n],
        }
    }

    /// Adds the front that eliminates the nodes at the positions `own`.
    fn add(&mut self, own: Range<usize>, children: &[u32]) {
        let list = &self.fronts.list;
        let start = self.fronts.relative.len();
        let place = self.fronts.len();

        // A subtree begins with the subtree of the first child.
        let mut subtree = list.len();
        let mut work = 0.0;
        for &child in children {
            subtree = subtree.min(list[child as usize].subtree);
            work += list[child as usize].work;
        }

        // Rows of the front: its pivots, and the nodes that remain.
        self.find_remaining(own.clone(), children);
        let pivots = 2 * own.len();
        let rows = 2 * (own.len() + self.fronts.relative.len() - start);
        work += flops(pivots, rows);
        self.fronts.list.push(Front {
            first: own.start,
            pivots,
            rows,
            start: place,
            relative: start,
            subtree,
            parent: NONE,
            first_child: self.fronts.children.len(),
            children: children.len(),
            odd: false,
            work,
        });
        let children_of_all = &mut self.fronts.children;
        children_of_all.extend(children.iter().map(|&child| child as usize));
        self.place(own, start, children);
    }

    /// Appends the nodes that the pivots or the children's remainders touch, ascending in the order
    /// of elimination.
    fn find_remaining(&mut self, own: Range<usize>, children: &[u32]) {
        let Fronts {
            list,
            relative,
            order,
            ..
        } = &mut self.fronts;
        let start = relative.len();
        let stamp = list.len() as u32;
        let seen = &mut self.seen;
        let mut is_new = |position: u32| {
            position as usize >= own.end
                && std::mem::replace(&mut seen[position as usize], stamp) != stamp
        };

        // A node is listed once, however many blocks and children touch it.
        for &node in &order[own.clone()] {
            for &row in self.matrix.rows_below(node as usize) {
                if is_new(self.position[row]) {
                    relative.push(self.position[row]);
                }
            }
        }
        for &child in children {
            for k in list[child as usize].remaining() {
                if is_new(relative[k]) {
                    relative.push(relative[k]);
                }
            }
        }
        relative[start..].sort_unstable();
    }

    /// Finds the places of the matrix' blocks and of the children's remaining nodes in the newest
    /// front. Each is found once here, so that a factorisation only adds numbers at known places.
    fn place(&mut self, own: Range<usize>, start: usize, children: &[u32]) {
        let Fronts {
            list,
            relative,
            order,
            places,
            place_starts,
            ..
        } = &mut self.fronts;
        let remaining = relative[start..].iter().map(|&k| k as usize);
        for (place, position) in (0..).zip(own.clone().chain(remaining)) {
            self.local[position] = place;
        }

        // Places of the matrix' blocks, and of the children's nodes.
        for &node in &order[own] {
            for &row in self.matrix.column(node as usize).1 {
                places.push(self.local[self.position[row] as usize]);
            }
            place_starts.push(places.len() as u32);
        }
        for &child in children {
            for place in &mut relative[list[child as usize].remaining()] {
                *place = self.local[*place as usize];
            }
        }
    }
}
