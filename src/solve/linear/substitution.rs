//! Forward and back substitution with a multifrontal factor.
#![allow(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vectors")]

use super::fronts::{ALIGN, Front, Fronts};
use super::walk::{Downward, Parts, Upward};
use faer::traits::pulp::Arch;
use std::convert::Infallible;

/// Solves `L L^T x = b` in place.
pub(super) fn solve(fronts: &Fronts, panels: &[f64], b: &mut [f64]) {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    x.extend(fronts.order.iter().flat_map(|&node| [b[2 * node as usize], b[2 * node as usize + 1]]));
    let pass = Substitution { fronts, panels };
    let mut parts = fronts.split(&mut x, |front| front.pivots);
    let Ok(()) = fronts.upward(&pass, &mut parts);
    fronts.downward(&pass, &mut parts, Vec::new);
    for (&[first, second], &node) in x.as_chunks::<2>().0.iter().zip(&fronts.order) {
        b[2 * node as usize] = first;
        b[2 * node as usize + 1] = second;
    }
}

struct Substitution<'a> {
    fronts: &'a Fronts,
    panels: &'a [f64],
}

/// What a front subtracts from the right side of rows that remain.
struct Change {
    front: usize,
    values: Vec<f64>,
}

impl Upward for Substitution<'_> {
    type Left = Change;
    type Error = Infallible;

    fn subtree(&self, root: usize, parts: Parts) -> Result<Change, Infallible> {
        let first = self.fronts.list[root].subtree;
        let mut waiting: Vec<Change> = Vec::new();
        for (s, part) in (first..root).zip(parts.iter_mut()) {
            let kept = waiting.len() - self.fronts.list[s].children;
            let Ok(change) = Upward::front(self, s, part, &waiting[kept..]);
            waiting.truncate(kept);
            waiting.push(change);
        }
        Upward::front(self, root, parts[root - first], &waiting)
    }

    fn front(&self, s: usize, part: &mut [f64], children: &[Change]) -> Result<Change, Infallible> {
        let front = &self.fronts.list[s];
        let mut local = vec![0.0; front.stride()];
        local[..front.pivots].copy_from_slice(part);
        for child in children {
            let places = self.fronts.relative(child.front);
            for (value, &place) in child.values.as_chunks::<2>().0.iter().zip(places) {
                local[2 * place as usize] += value[0];
                local[2 * place as usize + 1] += value[1];
            }
        }
        Arch::new().dispatch(|| forward(front, self.panel(front), &mut local));
        part.copy_from_slice(&local[..front.pivots]);
        local.truncate(front.rows);
        local.drain(..front.pivots);
        Ok(Change { front: s, values: local })
    }
}

impl Downward for Substitution<'_> {
    /// The solution in the rows that remain.
    type Given = Vec<f64>;

    fn subtree(&self, root: usize, parts: Parts, given: Vec<f64>) {
        let first = self.fronts.list[root].subtree;
        let mut waiting = vec![given];
        for (k, part) in parts.iter_mut().enumerate().rev() {
            let given = waiting.pop().unwrap_or_default();
            waiting.extend(Downward::front(self, first + k, part, given));
        }
    }

    fn front(&self, s: usize, part: &mut [f64], given: Vec<f64>) -> Vec<Vec<f64>> {
        let front = &self.fronts.list[s];
        let mut local = Vec::with_capacity(front.stride());
        local.extend_from_slice(part);
        local.extend(given);
        local.resize(front.stride(), 0.0);
        Arch::new().dispatch(|| back(front, self.panel(front), &mut local));
        part.copy_from_slice(&local[..front.pivots]);
        let pairs = local.as_chunks::<2>().0;
        let given = |child| self.fronts.relative(child).iter().flat_map(|&place| pairs[place as usize]).collect();
        self.fronts.children(Some(s)).into_iter().map(given).collect()
    }
}

impl Substitution<'_> {
    fn panel(&self, front: &Front) -> &[f64] {
        &self.panels[front.panel..][..front.panel_len()]
    }
}

/// Solves for the pivots, and subtracts their part from the rows below.
#[inline(always)]
fn forward(front: &Front, panel: &[f64], local: &mut [f64]) {
    for (j, pair) in panel.chunks_exact(2 * front.stride()).enumerate() {
        let (a, b) = pair.split_at(front.stride());
        let (own, below) = local[2 * j..].split_at_mut(2);
        let (a, b) = (&a[2 * j..], &b[2 * j..]);
        let x = own[0] / a[0];
        let y = (own[1] - x * a[1]) / b[1];
        own.copy_from_slice(&[x, y]);
        for ((value, a), b) in below.iter_mut().zip(&a[2..]).zip(&b[2..]) {
            *value -= x * a + y * b;
        }
    }
}

/// Solves for the pivots with the rows below known.
#[inline(always)]
fn back(front: &Front, panel: &[f64], local: &mut [f64]) {
    for (j, pair) in panel.chunks_exact(2 * front.stride()).enumerate().rev() {
        let (a, b) = pair.split_at(front.stride());
        let (own, below) = local[2 * j..].split_at_mut(2);
        let (a, b) = (&a[2 * j..], &b[2 * j..]);
        let [to_x, to_y] = products(&a[2..], &b[2..], below);
        let y = (own[1] - to_y) / b[1];
        let x = (own[0] - to_x - a[1] * y) / a[0];
        own.copy_from_slice(&[x, y]);
    }
}

/// Products of two columns with a third, which are summed in eight parts.
#[inline(always)]
fn products(a: &[f64], b: &[f64], x: &[f64]) -> [f64; 2] {
    let ((a, a_rest), (b, b_rest), (x, x_rest)) =
        (a.as_chunks::<ALIGN>(), b.as_chunks::<ALIGN>(), x.as_chunks::<ALIGN>());
    let (mut with_a, mut with_b) = ([0.0; ALIGN], [0.0; ALIGN]);
    for ((a, b), x) in a.iter().zip(b).zip(x) {
        for k in 0..ALIGN {
            with_a[k] += a[k] * x[k];
            with_b[k] += b[k] * x[k];
        }
    }
    let mut sums = [with_a.iter().sum::<f64>(), with_b.iter().sum()];
    for ((a, b), x) in a_rest.iter().zip(b_rest).zip(x_rest) {
        sums[0] += a * x;
        sums[1] += b * x;
    }
    sums
}
