//! Forward and back substitution with a multifrontal factor.
//!
//! `L y = b` is solved upward, children first: each front solves for its pivots and passes the
//! change of the other rows to its parent. `L^T x = y` is solved downward: each front takes the
//! solution in its other rows from its parent, and solves for its pivots. Both passes share the
//! tree among threads as the factorisation does, and have the same bits on any number of them.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

use super::fronts::{Front, Fronts};
use super::tuning::ALIGN;
use super::walk::{Downward, Parts, Upward};
use pulp::{Arch, Simd, WithSimd};
use smallvec::SmallVec;
use std::convert::Infallible;

/// Solves `L L^T x = b` in place, `[2 nodes]`. `panels` is the factor, panel after panel. The order
/// of elimination applies to a copy of `b` only.
pub(super) fn solve(fronts: &Fronts, panels: &[f64], b: &mut [f64]) {
    // Right side in the order of elimination.
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for &node in &fronts.order {
        x.push(b[2 * node as usize]);
        x.push(b[2 * node as usize + 1]);
    }

    let pass = Substitution { fronts, panels };
    let mut parts = fronts.split(&mut x, |front| front.pivots);
    let Ok(()) = fronts.upward(&pass, &mut parts);
    fronts.downward(&pass, &mut parts, Vec::new);

    // Solution in the order of the matrix.
    for (&[first, second], &node) in x.as_chunks::<2>().0.iter().zip(&fronts.order) {
        b[2 * node as usize] = first;
        b[2 * node as usize + 1] = second;
    }
}

/// Passes over the fronts: forward substitution upward, back substitution downward.
struct Substitution<'a> {
    /// All fronts of the factorisation.
    fronts: &'a Fronts,
    /// Panels of all fronts.
    panels: &'a [f64],
}

/// Change of the right side in the rows that remain of a front, for its parent.
struct Change {
    /// Index of the front.
    front: usize,
    /// Change of each remaining scalar row.
    values: Vec<f64>,
}

impl Upward for Substitution<'_> {
    /// Change of the right side that a front passes to its parent.
    type Left = Change;
    /// Substitution cannot fail: a factor has no zero on its diagonal.
    type Error = Infallible;

    /// Solves for the pivots of a subtree on this thread.
    ///
    /// Changes wait for the parents of their fronts in one vector, the newest at its end.
    fn subtree(&self, root: usize, parts: Parts) -> Result<Change, Infallible> {
        let first = self.fronts.list[root].subtree;
        let mut waiting = Vec::new();
        let mut values = Vec::new();
        let mut local = Vec::new();
        for (s, part) in (first..=root).zip(parts.iter_mut()) {
            // Children of the front are the last that wait.
            let front = &self.fronts.list[s];
            let first_child = waiting.len() - front.children;
            let children: SmallVec<[usize; 8]> = waiting.drain(first_child..).collect();
            let taken: usize = children.iter().map(|&child| self.change_len(child)).sum();
            let kept = values.len() - taken;

            // Right side of the front: its own part and the children's changes.
            start(front, part, &mut local);
            let mut end = kept;
            for child in children {
                let start = end;
                end += self.change_len(child);
                self.add(child, &values[start..end], &mut local);
            }
            self.forward(front, part, &mut local);

            // Its change replaces those of its children.
            values.truncate(kept);
            values.extend_from_slice(&local[front.pivots..front.rows]);
            waiting.push(s);
        }
        Ok(Change {
            front: root,
            values,
        })
    }

    /// Solves for the pivots of one front, after its children.
    fn front(&self, s: usize, part: &mut [f64], children: &[Change]) -> Result<Change, Infallible> {
        let front = &self.fronts.list[s];
        let mut local = Vec::new();
        start(front, part, &mut local);
        for child in children {
            self.add(child.front, &child.values, &mut local);
        }
        self.forward(front, part, &mut local);
        Ok(Change {
            front: s,
            values: local[front.pivots..front.rows].to_vec(),
        })
    }
}

impl Downward for Substitution<'_> {
    /// Solution in the rows that remain of a front.
    type Given = Vec<f64>;

    /// Solves for the pivots of a subtree on this thread.
    ///
    /// Inputs of fronts wait in one vector, that of the next front at its end.
    fn subtree(&self, root: usize, parts: Parts, given: Vec<f64>) {
        let first = self.fronts.list[root].subtree;
        let mut values = given;
        let mut local = Vec::new();
        for (k, part) in parts.iter_mut().enumerate().rev() {
            let front = &self.fronts.list[first + k];
            let kept = values.len() + front.pivots - front.rows;
            self.back(front, part, &values[kept..], &mut local);

            values.truncate(kept);
            for child in self.fronts.children(Some(first + k)) {
                values.extend(self.given(child, &local));
            }
        }
    }

    /// Solves for the pivots of one front, and returns the inputs of its children.
    fn front(&self, s: usize, part: &mut [f64], given: Vec<f64>) -> Vec<Vec<f64>> {
        let mut local = Vec::new();
        self.back(&self.fronts.list[s], part, &given, &mut local);
        self.fronts
            .children(Some(s))
            .into_iter()
            .map(|child| self.given(child, &local).collect())
            .collect()
    }
}

/// Copies a front's part of the right side to `local`, with zeros in its other rows.
fn start(front: &Front, part: &[f64], local: &mut Vec<f64>) {
    local.clear();
    local.extend_from_slice(part);
    local.resize(front.stride(), 0.0);
}

impl Substitution<'_> {
    /// Eliminated columns of a front.
    fn panel(&self, front: &Front) -> &[f64] {
        &self.panels[front.panel..][..front.panel_len()]
    }

    /// Number of scalar rows that remain of front `s`, the length of its change.
    fn change_len(&self, s: usize) -> usize {
        self.fronts.list[s].rows - self.fronts.list[s].pivots
    }

    /// Adds the change of a child to the rows of its parent, at the places that the analysis found.
    fn add(&self, child: usize, change: &[f64], local: &mut [f64]) {
        let local = local.as_chunks_mut::<2>().0;
        let change = change.as_chunks::<2>().0;
        for (value, &place) in change.iter().zip(self.fronts.relative(child)) {
            local[place as usize][0] += value[0];
            local[place as usize][1] += value[1];
        }
    }

    /// Solves for the pivots of a front, into `part`. The other rows of `local` become its change.
    fn forward(&self, front: &Front, part: &mut [f64], local: &mut [f64]) {
        Arch::new().dispatch(Forward(PanelSystem {
            stride: front.stride(),
            panel: self.panel(front),
            local,
        }));
        part.copy_from_slice(&local[..front.pivots]);
    }

    /// Solves for the pivots of a front, into `part`, with the solution `given` in its other rows.
    fn back(&self, front: &Front, part: &mut [f64], given: &[f64], local: &mut Vec<f64>) {
        start(front, part, local);
        local[front.pivots..front.rows].copy_from_slice(given);
        Arch::new().dispatch(Back(PanelSystem {
            stride: front.stride(),
            panel: self.panel(front),
            local,
        }));
        part.copy_from_slice(&local[..front.pivots]);
    }

    /// Values of `local` in the rows that remain of a child, in the order of the child's rows.
    fn given(&self, child: usize, local: &[f64]) -> impl Iterator<Item = f64> {
        let pairs = local.as_chunks::<2>().0;
        self.fronts
            .relative(child)
            .iter()
            .flat_map(|&place| pairs[place as usize])
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
