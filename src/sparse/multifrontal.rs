//! Multifrontal Cholesky factorisation (Duff and Reid 1983; Liu 1992).
//!
//! The factorisation is a pass over the tree of fronts, children first. A front is assembled from
//! the matrix and its children's remainders and then eliminated by dense kernels
//! ([`super::assembly`]). The tree is also a tree of tasks: small subtrees run on one thread each,
//! and threads share large fronts ([`super::walk`]). Sums have a fixed order, hence the same bits
//! on any number of threads.
//!
//! Panels of all fronts lie in one vector, which is the factor. Remainders live only until their
//! parent is assembled, on stacks that threads use again.

use super::assembly::{Assembly, Remainder};
use super::fronts::{Front, Fronts};
use super::substitution;
use super::tuning::{ALIGN, SPARE};
use super::walk::{Parts, Upward};
use super::{BlockMatrix, NotPositiveDefinite};
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError};

/// Factorisation `A = L L^T` of one pattern.
pub(super) struct Multifrontal {
    /// Fronts of the pattern.
    fronts: Fronts,
    /// Panels of all fronts, and room to align them; empty before the first factorisation.
    factor: Vec<f64>,
    /// Memory of threads that are not working.
    stacks: Stacks,
}

/// Pairs of stacks that no thread is using.
type Stacks = Mutex<Vec<[Stack; 2]>>;

/// Memory of a factorisation, which the next one reuses.
#[derive(Default)]
pub(super) struct FactorMemory {
    /// Memory of the panels.
    factor: Vec<f64>,
    /// Memory of the remainders.
    stacks: Stacks,
}

impl Multifrontal {
    /// Analyses the pattern of `matrix`. `None` if memory does not suffice.
    pub(super) fn analyse(matrix: &BlockMatrix) -> Option<Self> {
        let fronts = Fronts::analyse(matrix)?;

        // A reservation can fail, an allocation of zeros cannot.
        let length = fronts.len() + ALIGN;
        Vec::<f64>::new().try_reserve_exact(length).ok()?;
        Some(Self {
            fronts,
            factor: Vec::new(),
            stacks: Mutex::default(),
        })
    }

    /// Takes the memory of the factor out, and with it the factor. The next factorisation takes new
    /// memory, unless it is given some.
    pub(super) fn take_memory(&mut self) -> FactorMemory {
        FactorMemory {
            factor: std::mem::take(&mut self.factor),
            stacks: std::mem::take(&mut self.stacks),
        }
    }

    /// Reuses the memory of another factorisation, which may have any size.
    pub(super) fn give_memory(&mut self, FactorMemory { factor, stacks }: FactorMemory) {
        self.factor = factor;
        self.stacks = stacks;
    }

    /// Number of scalar entries of the factor on and below its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        let mut entries = 0;
        for Front { pivots, rows, .. } in &self.fronts.list {
            entries += pivots * rows - pivots * pivots.saturating_sub(1) / 2;
        }
        entries
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        let length = self.fronts.len() + ALIGN;
        if self.factor.len() < length {
            // The old memory is freed before the new one is allocated.
            self.factor = Vec::new();
            self.factor = vec![0.0; length + length / SPARE];
        }

        // All fronts, children first.
        let start = aligned(&self.factor);
        let mut panels = self
            .fronts
            .split(&mut self.factor[start..], Front::panel_len);
        let factorisation = Factorisation {
            fronts: &self.fronts,
            matrix,
            stacks: &self.stacks,
        };
        self.fronts.upward(&factorisation, &mut panels)
    }

    /// Solves `A x = b` in place, `[2 nodes]`. The matrix must have been factorised before.
    pub(super) fn solve(&self, b: &mut [f64]) {
        substitution::solve(&self.fronts, &self.factor[aligned(&self.factor)..], b);
    }
}

/// Index of the first number that begins a cache line, so that vectors of columns never cross one.
fn aligned(values: &[f64]) -> usize {
    values.as_ptr().align_offset(8 * ALIGN).min(ALIGN - 1)
}

/// Pass over the fronts that factorises them, as an action on the tree.
struct Factorisation<'a> {
    /// All fronts of the pattern.
    fronts: &'a Fronts,
    /// Matrix to factorise, with the analysed pattern.
    matrix: &'a BlockMatrix,
    /// Memory of threads that are not working.
    stacks: &'a Stacks,
}

impl Upward for Factorisation<'_> {
    /// Columns of a front that its parent assembles.
    type Left = Remainder;
    /// Row whose pivot is not positive.
    type Error = NotPositiveDefinite;

    /// Factorises a subtree on this thread.
    ///
    /// Remainders wait on two stacks, those of fronts at even and at odd depth. A front is thus
    /// assembled from the top of one at the top of the other, and nothing is moved.
    fn subtree(&self, root: usize, panels: Parts) -> Result<Remainder, NotPositiveDefinite> {
        let mut stacks = self.unused_stacks();
        let first = self.fronts.list[root].subtree;
        let mut result = Remainder::new(self.fronts, root);
        for s in first..=root {
            let front = &self.fronts.list[s];
            let [even, odd] = &mut stacks;
            let (own, below) = if front.odd { (odd, even) } else { (even, odd) };

            // The remainder of the root outlives the stacks.
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

        self.put_back(stacks);
        Ok(result)
    }

    /// Factorises one large front, which threads share.
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

impl Factorisation<'_> {
    /// Stacks that no other thread uses, new ones if there are none.
    fn unused_stacks(&self) -> [Stack; 2] {
        let mut stacks = self.stacks.lock().unwrap_or_else(PoisonError::into_inner);
        stacks.pop().unwrap_or_default()
    }

    /// Leaves stacks to other threads and to the next factorisation.
    fn put_back(&self, own: [Stack; 2]) {
        let mut stacks = self.stacks.lock().unwrap_or_else(PoisonError::into_inner);
        stacks.push(own);
    }
}

/// Fronts with their remainders. Few fronts have many children.
type Children<'a> = SmallVec<[(usize, &'a [f64]); 8]>;

/// Remainders that wait for their parents, one after the other in one vector.
#[derive(Default)]
struct Stack {
    /// Memory, which never shrinks.
    values: Vec<f64>,
    /// Front and start of each remainder.
    waiting: Vec<(usize, usize)>,
    /// End of the last remainder.
    end: usize,
}

impl Stack {
    /// Room for the remainder of `front`, with arbitrary values in it.
    fn push(&mut self, front: usize, length: usize) -> &mut [f64] {
        let start = self.end;
        self.end += length;
        self.waiting.push((front, start));
        if self.values.len() < self.end {
            self.values.resize(self.end, 0.0);
        }
        &mut self.values[start..self.end]
    }

    /// The last `count` remainders with their fronts, the oldest first. They are those of the
    /// children of the front that comes next.
    fn last(&self, count: usize) -> Children<'_> {
        let last = &self.waiting[self.waiting.len() - count..];
        let mut children = Children::new();
        for (k, &(front, start)) in last.iter().enumerate() {
            let end = last.get(k + 1).map_or(self.end, |&(_, start)| start);
            children.push((front, &self.values[start..end]));
        }
        children
    }

    /// Removes the last `count` remainders and keeps the memory.
    fn pop(&mut self, count: usize) {
        let kept = self.waiting.len() - count;
        if let Some(&(_, start)) = self.waiting.get(kept) {
            self.end = start;
        }
        self.waiting.truncate(kept);
    }
}
