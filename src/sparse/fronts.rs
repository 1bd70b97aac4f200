//! The fronts of a multifrontal factorisation: which nodes are eliminated together, in which order, and how the blocks of
//! the matrix and of other fronts are placed in them.
#![allow(
    clippy::cast_possible_truncation,
    reason = "analysis begins with a check that 32 bits suffice"
)]

use super::BlockMatrix;
use super::supernodes::{Supernodes, flops};
use super::tree::NONE;
use std::ops::Range;

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

    /// Where the list of its remaining nodes is.
    fn remaining(&self) -> Range<usize> {
        self.relative..self.relative + (self.rows - self.pivots) / 2
    }

    /// Scalars of the panel, the columns that are eliminated.
    pub(super) fn panel_len(&self) -> usize {
        self.stride() * self.pivots
    }
}

/// All fronts, subtrees contiguous, children before parents.
#[derive(Clone, Debug)]
pub(super) struct Fronts {
    pub(super) list: Vec<Front>,
    /// The matrix' nodes in the order of elimination.
    pub(super) order: Vec<u32>,
    /// For each block of the matrix, by columns in order of elimination, its node in the front.
    pub(super) places: Vec<u32>,
    /// First place of each column.
    pub(super) place_starts: Vec<u32>,
    /// For each node that remains in a front its place in the front's parent.
    pub(super) relative: Vec<u32>,
    /// Work of the largest subtrees that are not worth being shared by threads.
    pub(super) grain: f64,
}

/// Multiplications below which a subtree is not shared by threads, and into how many parts of equal work larger trees
/// are cut.
const SMALL: f64 = 1e6;
const PARTS: f64 = 64.0;

impl Fronts {
    /// The fronts of `matrix`. `None` if it has 2^32 blocks or more.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        u32::try_from(matrix.block_count()).ok()?;
        let supernodes = Supernodes::of(matrix);
        let children = supernodes.children();
        let mut building = Building::new(matrix, supernodes.order);
        for (s, ends) in supernodes.starts.windows(2).enumerate() {
            building.add(ends[0]..ends[1], children.of(s));
        }
        let mut fronts = building.fronts;
        for (s, &parent) in supernodes.parent.iter().enumerate().rev() {
            fronts.list[s].odd = parent != NONE && !fronts.list[parent].odd;
        }
        let roots = fronts
            .list
            .iter()
            .filter(|front| front.rows == front.pivots);
        fronts.grain = (roots.map(|front| front.work).sum::<f64>() / PARTS).max(SMALL);
        Some(fronts)
    }

    /// Length of the factor in scalars.
    pub(super) fn len(&self) -> usize {
        self.list
            .last()
            .map_or(0, |front| front.panel + front.panel_len())
    }

    /// Consecutive parts of `values`, one for each front.
    pub(super) fn split<'a>(
        &self,
        values: &'a mut [f64],
        length: impl Fn(&Front) -> usize,
    ) -> Vec<&'a mut [f64]> {
        let mut rest = values;
        let mut parts = Vec::with_capacity(self.list.len());
        for front in &self.list {
            let (part, others) = rest.split_at_mut(length(front));
            parts.push(part);
            rest = others;
        }
        parts
    }

    /// Places of the remaining nodes of front `s` in its parent.
    pub(super) fn relative(&self, s: usize) -> &[u32] {
        &self.relative[self.list[s].remaining()]
    }
}

/// Fronts that are found one by one, children first. Until a front's parent is found, `relative` tells when the remaining
/// nodes are eliminated.
struct Building<'a> {
    fronts: Fronts,
    matrix: &'a BlockMatrix,
    /// When each of the matrix' nodes is eliminated.
    position: Vec<u32>,
    /// The last front that each node was seen in, and its place there; by position.
    seen: Vec<u32>,
    local: Vec<u32>,
}

impl<'a> Building<'a> {
    fn new(matrix: &'a BlockMatrix, order: Vec<u32>) -> Self {
        let n = matrix.nodes();
        let mut position = vec![0_u32; n];
        for (k, &node) in order.iter().enumerate() {
            position[node as usize] = k as u32;
        }
        let fronts = Fronts {
            list: Vec::new(),
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

    /// Adds the front that eliminates the given positions.
    fn add(&mut self, own: Range<usize>, children: &[u32]) {
        let Fronts { list, relative, .. } = &self.fronts;
        let (s, start, panel) = (list.len(), relative.len(), self.fronts.len());
        let (mut subtree, mut work) = (s, 0.0);
        for &child in children {
            subtree = subtree.min(list[child as usize].subtree);
            work += list[child as usize].work;
        }
        self.find_remaining(own.clone(), children);
        let (pivots, rows) = (
            2 * own.len(),
            2 * (own.len() + self.fronts.relative.len() - start),
        );
        work += flops(pivots, rows);
        self.fronts.list.push(Front {
            first: own.start,
            pivots,
            rows,
            panel,
            relative: start,
            subtree,
            children: children.len(),
            odd: false,
            work,
        });
        self.place(own, start, children);
    }

    /// Appends the nodes that the pivots or the children's remainders touch.
    fn find_remaining(&mut self, own: Range<usize>, children: &[u32]) {
        let Fronts {
            list,
            relative,
            order,
            ..
        } = &mut self.fronts;
        let (start, stamp) = (relative.len(), list.len() as u32);
        let seen = &mut self.seen;
        let mut add = |relative: &mut Vec<u32>, position: u32| {
            if position as usize >= own.end
                && std::mem::replace(&mut seen[position as usize], stamp) != stamp
            {
                relative.push(position);
            }
        };
        for &node in &order[own.clone()] {
            for &row in &self.matrix.column(node as usize).1[1..] {
                add(relative, self.position[row]);
            }
        }
        for &child in children {
            for k in list[child as usize].remaining() {
                add(relative, relative[k]);
            }
        }
        relative[start..].sort_unstable();
    }

    /// Finds the places of the matrix' blocks and of the children's remaining nodes in the newest front.
    fn place(&mut self, own: Range<usize>, start: usize, children: &[u32]) {
        let Fronts {
            list,
            relative,
            order,
            places,
            place_starts,
            ..
        } = &mut self.fronts;
        for (place, position) in (0..).zip(
            own.clone()
                .chain(relative[start..].iter().map(|&k| k as usize)),
        ) {
            self.local[position] = place;
        }
        for &node in &order[own] {
            let rows = self.matrix.column(node as usize).1;
            places.extend(
                rows.iter()
                    .map(|&row| self.local[self.position[row] as usize]),
            );
            place_starts.push(places.len() as u32);
        }
        for &child in children {
            for place in &mut relative[list[child as usize].remaining()] {
                *place = self.local[*place as usize];
            }
        }
    }
}
