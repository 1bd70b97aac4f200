//! Multifrontal Cholesky factorisation (Duff and Reid 1983; Liu 1992).
//!
//! The factorisation is a pass over the tree of fronts, children first. A front is assembled from
//! the matrix and its children's remainders and then eliminated by dense kernels
//! ([`super::assembly`]). The tree is also a tree of tasks: small subtrees run on one thread each,
//! and threads share large fronts ([`super::walk`]). Sums have a fixed order, hence the same bits
//! on any number of threads.
//!
//! Panels of all fronts lie in one vector, which is the factor. Remainders live only until their
//! parent is assembled, in memory that tasks use again. A factorisation after the first one of a
//! pattern allocates nothing, nor does a solve.

use super::assembly::Assembly;
use super::fronts::{Front, Fronts};
use super::substitution::{self, Change, ForwardPass};
use super::tuning::{ALIGN, SPARE};
use super::walk::Upward;
use super::{BlockMatrix, NotPositiveDefinite};
use std::sync::{Mutex, PoisonError};

/// Factorisation `A = L L^T` of one pattern.
pub(super) struct Multifrontal {
    /// Fronts of the pattern.
    fronts: Fronts,
    /// Memory of the factor.
    memory: FactorMemory,
    /// True if products are fused with sums.
    fused: bool,
}

/// Memory of a factorisation, which the next one reuses.
#[derive(Default)]
pub(super) struct FactorMemory {
    /// Panels and sides of all fronts, and room to align them; empty before the first factorisation.
    factor: Vec<f64>,
    /// Stacks of remainders that no task is using, in pairs.
    stacks: Unused<[Stack; 2]>,
    /// Vectors of remainders that no task is using.
    remainders: UnusedVectors,
}

impl Multifrontal {
    /// Analyses the pattern of `matrix`; products are fused with sums if `fused`. `None` if memory does
    /// not suffice.
    pub(super) fn analyse(matrix: &BlockMatrix, fused: bool) -> Option<Self> {
        let fronts = Fronts::analyse(matrix)?;

        // A reservation can fail, an allocation of zeros cannot.
        let length = fronts.len() + ALIGN;
        Vec::<f64>::new().try_reserve_exact(length).ok()?;
        Some(Self {
            fronts,
            memory: FactorMemory::default(),
            fused,
        })
    }

    /// Takes the memory of the factor out, and with it the factor. The next factorisation takes new
    /// memory, unless it is given some.
    pub(super) fn take_memory(&mut self) -> FactorMemory {
        std::mem::take(&mut self.memory)
    }

    /// Reuses the memory of another factorisation, which may have any size.
    pub(super) fn give_memory(&mut self, memory: FactorMemory) {
        self.memory = memory;
    }

    /// Number of scalar entries of the factor on and below its diagonal.
    pub(super) fn factor_entries(&self) -> usize {
        let mut entries = 0;
        for Front { pivots, rows, .. } in &self.fronts.list {
            entries += pivots * rows - pivots * pivots.saturating_sub(1) / 2;
        }
        entries
    }

    /// Factorises `matrix`, which has the analysed pattern and finite values. With a right side `b`,
    /// `[2 nodes]`, it also substitutes forward, and [`finish`](Self::finish) may follow.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(
        &mut self,
        matrix: &BlockMatrix,
        b: Option<&[f64]>,
    ) -> Result<(), NotPositiveDefinite> {
        let fronts = &self.fronts;
        let FactorMemory {
            factor,
            stacks,
            remainders,
        } = &mut self.memory;
        let length = fronts.len() + ALIGN;
        if factor.len() < length {
            // The old memory is freed before the new one is allocated.
            *factor = Vec::new();
            *factor = vec![0.0; length + length / SPARE];
        }

        // All fronts, children first.
        let factorisation = Factorisation {
            fronts,
            fused: self.fused,
            matrix,
            forward: b.map(|b| ForwardPass { fronts, b }),
            stacks,
            remainders,
        };
        fronts.upward(&factorisation, aligned(fronts, factor))
    }

    /// Solves `A x = b` in place, `[2 nodes]`. The matrix must have been factorised before.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let values = aligned(&self.fronts, &mut self.memory.factor);
        substitution::forward(&self.fronts, values, b);
        substitution::back(&self.fronts, values, b);
    }

    /// Writes the solution of the system whose right side the last factorisation was given to `x`,
    /// `[2 nodes]`.
    pub(super) fn finish(&mut self, x: &mut [f64]) {
        let values = aligned(&self.fronts, &mut self.memory.factor);
        substitution::back(&self.fronts, values, x);
    }
}

/// Factor in its memory, from the first number on that begins a cache line, so that vectors of columns
/// never cross one.
fn aligned<'v>(fronts: &Fronts, memory: &'v mut [f64]) -> &'v mut [f64] {
    let start = memory.as_ptr().align_offset(8 * ALIGN).min(ALIGN - 1);
    &mut memory[start..start + fronts.len()]
}

/// Pass over the fronts that factorises them, as an action on the tree.
struct Factorisation<'a> {
    /// All fronts of the pattern.
    fronts: &'a Fronts,
    /// True if products are fused with sums.
    fused: bool,
    /// Matrix to factorise, with the analysed pattern.
    matrix: &'a BlockMatrix,
    /// Forward substitution of each front after its elimination, while its panel is near.
    forward: Option<ForwardPass<'a>>,
    /// Stacks that no task is using.
    stacks: &'a Unused<[Stack; 2]>,
    /// Vectors that no task is using.
    remainders: &'a UnusedVectors,
}

/// Data that a front passes to its parent, which another task may assemble.
struct Left<'a, 'v> {
    /// Columns of the front after its pivots.
    remainder: Remainder<'a>,
    /// Change of a right side; old values without one.
    change: Change<'v>,
}

/// Remainder of a front, in a vector that is put back in the end even if the matrix is indefinite.
struct Remainder<'a> {
    /// Scalars, column by column, `[remainder_len]`, and perhaps numbers of no meaning after them; see
    /// [`Front::remainder_stride`].
    values: Vec<f64>,
    /// Where the vector goes.
    unused: &'a UnusedVectors,
}

impl Drop for Remainder<'_> {
    /// Leaves the vector to other tasks and to the next factorisation.
    fn drop(&mut self) {
        self.unused.put_back(std::mem::take(&mut self.values));
    }
}

impl<'a, 'v> Upward<'v> for Factorisation<'a> {
    /// Columns that the parent of a front assembles, and the change of a right side.
    type Left = Left<'a, 'v>;
    /// Row whose pivot is not positive.
    type Error = NotPositiveDefinite;

    /// Factorises a subtree on this thread.
    fn subtree(
        &self,
        root: usize,
        values: &'v mut [f64],
    ) -> Result<Left<'a, 'v>, NotPositiveDefinite> {
        let mut remainder = self.remainder_of(root);
        let mut stacks = self.stacks.take().unwrap_or_default();
        let factorised = self.on_stacks(root, values, &mut remainder.values, &mut stacks);

        // An indefinite matrix leaves remainders behind.
        stacks.iter_mut().for_each(Stack::clear);
        self.stacks.put_back(stacks);
        factorised?;

        let first = self.fronts.list[root].subtree;
        let change = self.fronts.change(root, first, values);
        Ok(Left { remainder, change })
    }

    /// Factorises one large front, which threads share.
    fn front(
        &self,
        s: usize,
        own: &'v mut [f64],
        children: &[Left<'a, 'v>],
    ) -> Result<Left<'a, 'v>, NotPositiveDefinite> {
        let front = &self.fronts.list[s];
        let mut remainder = self.remainder_of(s);
        let assembly = Assembly {
            fronts: self.fronts,
            s,
            remainder: &|k| &children[k].remainder.values,
            shared: true,
            fused: self.fused,
        };
        let panel = &mut own[..front.panel_len()];
        let target = &mut remainder.values[..front.remainder_len()];
        assembly.factorise(self.matrix, panel, target)?;

        if let Some(forward) = &self.forward {
            forward.solve(s, own, children.iter().map(|child| child.change));
        }
        let change = self.fronts.change(s, s, own);
        Ok(Left { remainder, change })
    }
}

impl<'a> Factorisation<'a> {
    /// Factorises the subtree of `root`, whose own remainder outlives the stacks.
    ///
    /// Remainders wait on two stacks: one for fronts at even depth and one for odd depth. A front
    /// is thus assembled from the top of one at the top of the other, and nothing is moved.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    fn on_stacks(
        &self,
        root: usize,
        values: &mut [f64],
        remainder: &mut [f64],
        [even, odd]: &mut [Stack; 2],
    ) -> Result<(), NotPositiveDefinite> {
        let first = self.fronts.list[root].subtree;
        let origin = self.fronts.list[first].start;
        for s in first..=root {
            let front = &self.fronts.list[s];
            let (own, below) = if front.odd {
                (&mut *odd, &mut *even)
            } else {
                (&mut *even, &mut *odd)
            };
            let length = front.remainder_len();
            let target = if s == root {
                &mut remainder[..length]
            } else {
                own.push(length)
            };

            let panel = &mut values[front.start - origin..][..front.panel_len()];
            let assembly = Assembly {
                fronts: self.fronts,
                s,
                remainder: &|k| below.last(front.children, k),
                shared: false,
                fused: self.fused,
            };
            assembly.factorise(self.matrix, panel, target)?;
            below.pop(front.children);

            if let Some(forward) = &self.forward {
                forward.in_subtree(s, first, values);
            }
        }
        Ok(())
    }

    /// Memory for the remainder of front `s`, with any values in it.
    fn remainder_of(&self, s: usize) -> Remainder<'a> {
        let length = self.fronts.list[s].remainder_len();
        Remainder {
            values: self.remainders.take(length),
            unused: self.remainders,
        }
    }
}

/// Memory that no task is using. Tasks take some, and put it back when they have done.
#[derive(Default)]
struct Unused<T>(Mutex<Vec<T>>);

impl<T> Unused<T> {
    /// Memory that was put back last; `None` if there is none.
    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Leaves memory to other tasks and to the next factorisation.
    fn put_back(&self, memory: T) {
        let mut unused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unused.push(memory);
    }
}

/// Vectors that no task is using, by length. All lengths are powers of two.
#[derive(Default)]
struct UnusedVectors(Mutex<Vec<Vec<Vec<f64>>>>);

impl UnusedVectors {
    /// Vector of `length` numbers or up to twice as many, of any value; an empty one for 0.
    ///
    /// There are never more of a length than were in use at the same time. Memory that is not written
    /// costs nothing: the system hands out pages when they are written.
    fn take(&self, length: usize) -> Vec<f64> {
        if length == 0 {
            return Vec::new();
        }
        let length = length.next_power_of_two();
        let class = length.ilog2() as usize;
        let mut classes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = classes.get_mut(class).and_then(Vec::pop);
        unused.unwrap_or_else(|| vec![0.0; length])
    }

    /// Leaves a vector to other tasks and to the next factorisation.
    fn put_back(&self, values: Vec<f64>) {
        // Nothing remains of a root, and there may be thousands of roots.
        let Some(class) = values.len().checked_ilog2() else {
            return;
        };
        let class = class as usize;
        let mut classes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if classes.len() <= class {
            classes.resize_with(class + 1, Vec::new);
        }
        classes[class].push(values);
    }
}

/// Remainders that wait for their parents, one after the other in one vector.
#[derive(Default)]
struct Stack {
    /// Memory, which never shrinks.
    values: Vec<f64>,
    /// Start of each remainder.
    starts: Vec<usize>,
    /// End of the last remainder.
    end: usize,
}

impl Stack {
    /// Room for a remainder of this `length`, with arbitrary values in it.
    fn push(&mut self, length: usize) -> &mut [f64] {
        let start = self.end;
        self.end += length;
        self.starts.push(start);
        if self.values.len() < self.end {
            self.values.resize(self.end, 0.0);
        }
        &mut self.values[start..self.end]
    }

    /// Number `k` of the last `count` remainders, the oldest first. They belong to the children of
    /// the next front.
    fn last(&self, count: usize, k: usize) -> &[f64] {
        let last = &self.starts[self.starts.len() - count..];
        let end = last.get(k + 1).copied().unwrap_or(self.end);
        &self.values[last[k]..end]
    }

    /// Removes the last `count` remainders and keeps the memory.
    fn pop(&mut self, count: usize) {
        let kept = self.starts.len() - count;
        if let Some(&start) = self.starts.get(kept) {
            self.end = start;
        }
        self.starts.truncate(kept);
    }

    /// Removes all remainders and keeps the memory.
    fn clear(&mut self) {
        self.pop(self.starts.len());
    }
}
