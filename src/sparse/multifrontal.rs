//! Multifrontal Cholesky factorisation (Duff, Reid 1983; Liu 1992): the tree of fronts is a tree of tasks, and large fronts
//! are shared by threads. Sums have a fixed order, hence the same bits on any number of threads.

use super::BlockMatrix;
use super::assembly::{Assembly, Remainder};
use super::cholesky::NotPositiveDefinite;
use super::fronts::{ALIGN, Front, Fronts};
use super::substitution;
use super::walk::{Parts, Upward};
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError};

/// Remainders with their fronts. Few fronts have many children.
type Children<'a> = SmallVec<[(usize, &'a [f64]); 8]>;

/// A factorisation `A = L L^T`.
pub(super) struct Multifrontal {
    fronts: Fronts,
    /// The panels of all fronts, and room to align them; empty until it is needed.
    factor: Vec<f64>,
    /// Memory of threads that are not working.
    stacks: Stacks,
}

type Stacks = Mutex<Vec<[Stack; 2]>>;

/// The memory of a factorisation, for another one.
#[derive(Default)]
pub(super) struct FactorMemory {
    factor: Vec<f64>,
    stacks: Stacks,
}

/// Share of a factor's length that is reserved on top, for those of patterns to come.
const SPARE: usize = 16;

/// Remainders that wait for their parents.
#[derive(Default)]
struct Stack {
    values: Vec<f64>,
    /// Their fronts, and where they begin.
    waiting: Vec<(usize, usize)>,
    end: usize,
}

impl Multifrontal {
    /// Analyses the pattern of `matrix`. `None` if memory does not suffice.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let fronts = Fronts::analyse(matrix)?;
        let length = fronts.len() + ALIGN;
        // Asked for first, because memory that is zero from the start is not reserved in a way that can fail.
        Vec::<f64>::new().try_reserve_exact(length).ok()?;
        Some(Self {
            fronts,
            factor: Vec::new(),
            stacks: Mutex::default(),
        })
    }

    /// Gives its memory away, and with it its factor.
    pub(super) fn take_memory(&mut self) -> FactorMemory {
        FactorMemory {
            factor: std::mem::take(&mut self.factor),
            stacks: std::mem::take(&mut self.stacks),
        }
    }

    /// Takes memory that another one had.
    pub(super) fn give_memory(&mut self, FactorMemory { factor, stacks }: FactorMemory) {
        (self.factor, self.stacks) = (factor, stacks);
    }

    /// Entries on and below the diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        let entries = |front: &Front| {
            front.pivots * front.rows - front.pivots * front.pivots.saturating_sub(1) / 2
        };
        self.fronts.list.iter().map(entries).sum()
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row at which it turned out not to be positive definite.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        let length = self.fronts.len() + ALIGN;
        if self.factor.len() < length {
            // What is too short goes first.
            self.factor = Vec::new();
            self.factor = vec![0.0; length + length / SPARE];
        }
        let start = aligned(&self.factor);
        let mut panels = self
            .fronts
            .split(&mut self.factor[start..], Front::panel_len);
        self.fronts.upward(
            &Factorisation {
                fronts: &self.fronts,
                matrix,
                stacks: &self.stacks,
            },
            &mut panels,
        )
    }

    /// Solves `A x = b` in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        substitution::solve(&self.fronts, &self.factor[aligned(&self.factor)..], b);
    }
}

/// Where the first whole line of the cache begins.
fn aligned(values: &[f64]) -> usize {
    values.as_ptr().align_offset(8 * ALIGN).min(ALIGN - 1)
}

struct Factorisation<'a> {
    fronts: &'a Fronts,
    matrix: &'a BlockMatrix,
    stacks: &'a Stacks,
}

impl Upward for Factorisation<'_> {
    type Left = Remainder;
    type Error = NotPositiveDefinite;

    /// Remainders wait on two stacks, those of fronts at even and at odd depth, so that a front is assembled from the end of
    /// one at the end of the other.
    fn subtree(&self, root: usize, panels: Parts) -> Result<Remainder, NotPositiveDefinite> {
        let mut stacks = self
            .stacks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default();
        let first = self.fronts.list[root].subtree;
        let mut result = Remainder::new(self.fronts, root);
        for s in first..=root {
            let front = &self.fronts.list[s];
            let [even, odd] = &mut stacks;
            let (own, below) = if front.odd { (odd, even) } else { (even, odd) };
            let target = if s == root {
                &mut result.values[..]
            } else {
                own.push(s, front.remainder_len())
            };
            let children = below.last(front.children);
            let assembly = Assembly {
                fronts: self.fronts,
                s,
                children: &children,
                shared: false,
            };
            assembly.factorise(self.matrix, panels[s - first], target)?;
            drop(children);
            below.pop(front.children);
        }
        self.stacks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(stacks);
        Ok(result)
    }

    fn front(
        &self,
        s: usize,
        panel: &mut [f64],
        children: &[Remainder],
    ) -> Result<Remainder, NotPositiveDefinite> {
        let mut result = Remainder::new(self.fronts, s);
        let children: Children = children
            .iter()
            .map(|child| (child.front, &child.values[..]))
            .collect();
        let assembly = Assembly {
            fronts: self.fronts,
            s,
            children: &children,
            shared: true,
        };
        assembly.factorise(self.matrix, panel, &mut result.values)?;
        Ok(result)
    }
}

impl Stack {
    /// Room for another remainder.
    fn push(&mut self, front: usize, length: usize) -> &mut [f64] {
        let start = self.end;
        self.end += length;
        self.waiting.push((front, start));
        if self.values.len() < self.end {
            self.values.resize(self.end, 0.0);
        }
        &mut self.values[start..self.end]
    }

    /// The last `count` remainders with their fronts.
    fn last(&self, count: usize) -> Children<'_> {
        let last = &self.waiting[self.waiting.len() - count..];
        let ends = last
            .iter()
            .skip(1)
            .map(|&(_, start)| start)
            .chain([self.end]);
        last.iter()
            .zip(ends)
            .map(|(&(front, start), end)| (front, &self.values[start..end]))
            .collect()
    }

    fn pop(&mut self, count: usize) {
        let kept = self.waiting.len() - count;
        if let Some(&(_, start)) = self.waiting.get(kept) {
            self.end = start;
        }
        self.waiting.truncate(kept);
    }
}
