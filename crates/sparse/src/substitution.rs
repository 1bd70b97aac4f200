//! Forward and back substitution with a multifrontal factor.
//!
//! `L y = b` is solved upward, children first: each front solves for its pivots, and its parent adds
//! the change of the other rows. `L^T x = y` is solved downward: each front takes the solution in its
//! other rows from its parent, and solves for its pivots. Both passes share the tree among threads as
//! the factorisation does, and have the same bits on any number of them.
//!
//! Each front has a column for its rows of the system, its side, behind its panel. A pass writes there
//! what the next one reads, and takes no memory. The forward pass may go with the factorisation, while
//! the panels are in the nearest caches.

use super::fronts::{Front, Fronts};
use super::tuning::ALIGN;
use super::walk::{Downward, Upward};
use ipcsim_math::lanes::{self, Simd, WithSimd};
use std::convert::Infallible;
use std::ops::Range;

/// Forward substitution: leaves `y` of `L y = b` in the sides of all fronts. `values` is the factor.
pub(super) fn forward(fronts: &Fronts, values: &mut [f64], b: &[f64]) {
    let Ok(()) = fronts.upward(&ForwardPass { fronts, b }, values);
}

/// Back substitution: writes `x` of `L^T x = y` to `b`, `[2 nodes]`, with `y` in the sides of all
/// fronts. `values` is the factor.
pub(super) fn back(fronts: &Fronts, values: &mut [f64], b: &mut [f64]) {
    fronts.downward(&BackPass { fronts }, values);

    // Solution in the order of the matrix.
    for front in &fronts.list {
        let side = &values[front.side()][..front.pivots];
        for (&[x, y], &node) in side.as_chunks::<2>().0.iter().zip(front.nodes(fronts)) {
            b[2 * node as usize] = x;
            b[2 * node as usize + 1] = y;
        }
    }
}

/// Forward substitution, as an action on the tree of fronts.
#[derive(Clone, Copy)]
pub(super) struct ForwardPass<'a> {
    /// All fronts of the factorisation.
    pub(super) fronts: &'a Fronts,
    /// Right side, `[2 nodes]`.
    pub(super) b: &'a [f64],
}

/// Change of the right side in the rows that remain of a front, for its parent.
#[derive(Clone, Copy)]
pub(super) struct Change<'v> {
    /// Index of the front.
    front: usize,
    /// Change of each remaining scalar row.
    values: &'v [f64],
}

impl<'v> Upward<'v> for ForwardPass<'_> {
    /// Change of the right side that a front passes to its parent.
    type Left = Change<'v>;
    /// Substitution cannot fail: a factor has no zero on its diagonal.
    type Error = Infallible;

    /// Solves for the pivots of a subtree on this thread.
    fn subtree(&self, root: usize, values: &'v mut [f64]) -> Result<Change<'v>, Infallible> {
        let first = self.fronts.list[root].subtree;
        for s in first..=root {
            self.in_subtree(s, first, values);
        }
        Ok(self.fronts.change(root, first, values))
    }

    /// Solves for the pivots of one front, after its children.
    fn front(
        &self,
        s: usize,
        own: &'v mut [f64],
        children: &[Change<'v>],
    ) -> Result<Change<'v>, Infallible> {
        self.solve(s, own, children.iter().copied());
        Ok(self.fronts.change(s, s, own))
    }
}

impl ForwardPass<'_> {
    /// Solves for the pivots of front `s`. `values` is the part of the factor from front `first` on, in
    /// which all children of the front lie.
    pub(super) fn in_subtree(&self, s: usize, first: usize, values: &mut [f64]) {
        let start = self.fronts.list[s].start - self.fronts.list[first].start;
        let (below, own) = values.split_at_mut(start);
        let children = self.fronts.children(s).iter();
        let changes = children.map(|&k| self.fronts.change(k, first, &*below));
        self.solve(s, own, changes);
    }

    /// Solves for the pivots of front `s`, with the changes that its children pass to it, in order.
    pub(super) fn solve<'c>(
        &self,
        s: usize,
        own: &mut [f64],
        changes: impl Iterator<Item = Change<'c>>,
    ) {
        let front = &self.fronts.list[s];
        let (panel, side) = front.split(own);

        // Right side of the front: its own part and the children's changes.
        let pairs = side.as_chunks_mut::<2>().0;
        for (pair, &node) in pairs.iter_mut().zip(front.nodes(self.fronts)) {
            let row = 2 * node as usize;
            pair.copy_from_slice(&self.b[row..row + 2]);
        }
        for pair in &mut pairs[front.pivots / 2..] {
            *pair = [0.0; 2];
        }
        for Change { front, values } in changes {
            let values = values.as_chunks::<2>().0;
            for (value, &place) in values.iter().zip(self.fronts.relative(front)) {
                pairs[place as usize][0] += value[0];
                pairs[place as usize][1] += value[1];
            }
        }

        lanes::arch().dispatch(Forward(PanelSystem {
            stride: front.stride(),
            panel,
            local: side,
        }));
    }
}

/// Back substitution, as an action on the tree of fronts.
struct BackPass<'a> {
    /// All fronts of the factorisation.
    fronts: &'a Fronts,
}

impl<'v> Downward<'v> for BackPass<'_> {
    /// Solution in the rows of a front.
    type Given = &'v [f64];

    /// Solves for the pivots of a subtree on this thread.
    fn subtree(&self, root: usize, values: &'v mut [f64], given: Option<&'v [f64]>) {
        let first = self.fronts.list[root].subtree;
        let origin = self.fronts.list[first].start;
        for s in (first..=root).rev() {
            let front = &self.fronts.list[s];
            let own = front.start - origin;
            let (below, above) = values.split_at_mut(own + front.len());

            // Solution in the rows of the parent, which lies above.
            let given = if s == root {
                given
            } else {
                let parent = &self.fronts.list[front.parent];
                let side = parent.side().start - (front.start + front.len());
                Some(&above[side..side + parent.stride()])
            };
            self.solve(s, &mut below[own..], given);
        }
    }

    /// Solves for the pivots of one front, and returns the solution in all its rows.
    fn front(&self, s: usize, own: &'v mut [f64], given: Option<&'v [f64]>) -> &'v [f64] {
        self.solve(s, own, given);
        self.fronts.list[s].split(own).1
    }
}

impl BackPass<'_> {
    /// Solves for the pivots of front `s`, with the solution `given` in the rows of the front above.
    fn solve(&self, s: usize, own: &mut [f64], given: Option<&[f64]>) {
        let front = &self.fronts.list[s];
        let (panel, side) = front.split(own);

        let remaining = side[front.pivots..].as_chunks_mut::<2>().0;
        let given = given.unwrap_or_default().as_chunks::<2>().0;
        for (pair, &place) in remaining.iter_mut().zip(self.fronts.relative(s)) {
            *pair = given[place as usize];
        }

        lanes::arch().dispatch(Back(PanelSystem {
            stride: front.stride(),
            panel,
            local: side,
        }));
    }
}

impl Fronts {
    /// Change that front `s` passes to its parent. `values` is the part of the factor from front
    /// `first` on.
    pub(super) fn change<'v>(&self, s: usize, first: usize, values: &'v [f64]) -> Change<'v> {
        let front = &self.list[s];
        let side = front.side().start - self.list[first].start;
        Change {
            front: s,
            values: &values[side + front.pivots..side + front.rows],
        }
    }
}

impl Front {
    /// Panel and side of the front, with which `values` begins.
    fn split<'v>(&self, values: &'v mut [f64]) -> (&'v [f64], &'v mut [f64]) {
        let (panel, rest) = values.split_at_mut(self.panel_len());
        (panel, &mut rest[..self.stride()])
    }

    /// Place of the side in the factor.
    fn side(&self) -> Range<usize> {
        let start = self.start + self.panel_len();
        start..start + self.stride()
    }

    /// Nodes of the matrix that the front eliminates, in order.
    fn nodes<'a>(&self, fronts: &'a Fronts) -> &'a [u32] {
        &fronts.order[self.first..][..self.pivots / 2]
    }
}

/// Triangular system of a front's panel, and its right side or solution.
struct PanelSystem<'a> {
    /// Scalars from one column to the next.
    stride: usize,
    /// Eliminated columns of the front.
    panel: &'a [f64],
    /// Right side or solution in the rows of the front.
    local: &'a mut [f64],
}

/// Two columns of a panel, and the rows of the vector that belong to them.
struct Pair<'a> {
    /// First column, from its diagonal on.
    a: &'a [f64],
    /// Second column, from the row of the first column's diagonal on.
    b: &'a [f64],
    /// Two rows of the diagonal block.
    own: &'a mut [f64],
    /// Rows below the diagonal block.
    below: &'a mut [f64],
}

impl PanelSystem<'_> {
    /// Number of pairs of columns.
    #[inline(always)]
    fn pairs(&self) -> usize {
        self.panel.len() / (2 * self.stride)
    }

    /// Columns `2 j` and `2 j + 1`, with their part of the vector.
    #[inline(always)]
    fn pair(&mut self, j: usize) -> Pair<'_> {
        let columns = &self.panel[2 * j * self.stride..][..2 * self.stride];
        let (a, b) = columns.split_at(self.stride);
        let (own, below) = self.local[2 * j..].split_at_mut(2);
        Pair {
            a: &a[2 * j..],
            b: &b[2 * j..],
            own,
            below,
        }
    }
}

/// Forward substitution in one front: solves for the pivots, and subtracts their part from the rows
/// below.
struct Forward<'a>(PanelSystem<'a>);

impl WithSimd for Forward<'_> {
    type Output = ();

    /// Eliminates pair after pair, the first pivots first.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _simd: S) {
        for j in 0..self.0.pairs() {
            let Pair { a, b, own, below } = self.0.pair(j);
            let x = own[0] / a[0];
            let y = (own[1] - x * a[1]) / b[1];
            own.copy_from_slice(&[x, y]);
            for ((value, a), b) in below.iter_mut().zip(&a[2..]).zip(&b[2..]) {
                *value -= x * a + y * b;
            }
        }
    }
}

/// Back substitution in one front: solves for the pivots with the rows below known.
struct Back<'a>(PanelSystem<'a>);

impl WithSimd for Back<'_> {
    type Output = ();

    /// Solves pair after pair, the last pivots first.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _simd: S) {
        for j in (0..self.0.pairs()).rev() {
            let Pair { a, b, own, below } = self.0.pair(j);
            let [to_x, to_y] = products(&a[2..], &b[2..], below);
            let y = (own[1] - to_y) / b[1];
            let x = (own[0] - to_x - a[1] * y) / a[0];
            own.copy_from_slice(&[x, y]);
        }
    }
}

/// Products of the columns `a` and `b` with `x`, each summed in [`ALIGN`] parts.
#[inline(always)]
fn products(a: &[f64], b: &[f64], x: &[f64]) -> [f64; 2] {
    let (a, a_rest) = a.as_chunks::<ALIGN>();
    let (b, b_rest) = b.as_chunks::<ALIGN>();
    let (x, x_rest) = x.as_chunks::<ALIGN>();
    let mut with_a = [0.0; ALIGN];
    let mut with_b = [0.0; ALIGN];
    for ((a, b), x) in a.iter().zip(b).zip(x) {
        for k in 0..ALIGN {
            with_a[k] += a[k] * x[k];
            with_b[k] += b[k] * x[k];
        }
    }

    // Rows beyond the last whole register.
    let mut sums = [with_a.iter().sum::<f64>(), with_b.iter().sum()];
    for ((a, b), x) in a_rest.iter().zip(b_rest).zip(x_rest) {
        sums[0] += a * x;
        sums[1] += b * x;
    }
    sums
}
