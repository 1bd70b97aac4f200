//! One front of the multifrontal factorisation, a dense matrix from assembly to elimination.
//!
//! A front is the sum of some columns of the matrix and of the remainders of its children, placed
//! by relative indices. The columns of the front's nodes, the panel, are eliminated block by block
//! and become columns of the factor. The rest of the front becomes the remainder, which goes to the
//! parent: the children's remainders minus the products of the panel's rows.
//!
//! Panel and remainder are computed by chunks of columns, which threads may share. A chunk adds and
//! subtracts in a fixed order, hence the same bits with one thread and with many.
//!
//! Source: Duff and Reid 1983, "The multifrontal solution of indefinite sparse symmetric linear
//! equations"; Liu 1992, "The multifrontal method for sparse matrix solution".

use super::columns::Columns;
use super::dense::{Eliminated, Product, blocks, eliminate};
use super::fronts::{Front, Fronts};
use super::tuning::{PANEL_CHUNK, REMAINDER_CHUNK};
use super::{BlockMatrix, NotPositiveDefinite};
use ipcsim_math::parallel;
use std::ops::Range;

/// Front under assembly, and the remainders of its children.
pub(super) struct Assembly<'a> {
    /// All fronts of the factorisation.
    pub(super) fronts: &'a Fronts,
    /// Index of this front.
    pub(super) s: usize,
    /// Values of the remainder of each child, by its number among the children.
    pub(super) remainder: &'a (dyn Fn(usize) -> &'a [f64] + Sync),
    /// True if threads share the front.
    pub(super) shared: bool,
    /// True if products are fused with sums.
    pub(super) fused: bool,
}

impl Assembly<'_> {
    /// Sizes and places of this front.
    fn front(&self) -> &Front {
        &self.fronts.list[self.s]
    }

    /// Leaves the eliminated columns in `panel`, and the rest of the front in `remainder`. Neither
    /// needs to be zero before.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    pub(super) fn factorise(
        &self,
        matrix: &BlockMatrix,
        panel: &mut [f64],
        remainder: &mut [f64],
    ) -> Result<(), NotPositiveDefinite> {
        let Front { pivots, rows, .. } = *self.front();
        self.assemble(matrix, panel);
        for block in blocks(pivots) {
            self.eliminate(block, panel)?;
        }
        if rows > pivots {
            self.compute_remainder(panel, remainder);
        }
        Ok(())
    }

    /// Fills the panel with the sum of the matrix and the children's remainders. Values in it
    /// before do not matter.
    fn assemble(&self, matrix: &BlockMatrix, panel: &mut [f64]) {
        let stride = self.front().stride();
        self.each_chunk(panel, 2 * stride * REMAINDER_CHUNK, |start, part| {
            let first = start / stride;
            self.load(matrix, first, part);
            self.add_children(&mut Columns {
                first,
                count: part.len() / stride,
                values: part,
                stride,
                row: 0,
            });
        });
    }

    /// Eliminates one block of the panel's columns. Those before it are eliminated already.
    ///
    /// # Errors
    /// The row whose pivot is not positive.
    fn eliminate(&self, block: Range<usize>, panel: &mut [f64]) -> Result<(), NotPositiveDefinite> {
        let stride = self.front().stride();
        let (left, own) = panel.split_at_mut(block.start * stride);
        let own = &mut own[..block.len() * stride];

        // Products with the columns before the block.
        if block.start > 0 {
            let left = Eliminated {
                values: left,
                count: block.start,
                stride,
            };
            self.each_chunk(own, PANEL_CHUNK * stride, |start, part| {
                let to = Columns {
                    first: block.start + start / stride,
                    count: part.len() / stride,
                    values: part,
                    stride,
                    row: 0,
                };
                left.multiply(to, Product::Subtract, self.fused);
            });
        }

        // The block itself.
        let columns = Columns {
            values: own,
            first: block.start,
            count: block.len(),
            stride,
            row: 0,
        };
        eliminate(columns, self.fused).map_err(|column| NotPositiveDefinite {
            row: self.row_of(column),
        })
    }

    /// Computes the remainder from the eliminated panel and the children's remainders: the negated
    /// products of rows of the panel, and then the remainders of the children.
    fn compute_remainder(&self, panel: &[f64], remainder: &mut [f64]) {
        let front = self.front();
        let panel = Eliminated {
            values: panel,
            count: front.pivots,
            stride: front.stride(),
        };
        let stride = front.remainder_stride();
        let row = front.remainder_row();

        // Products first, since they replace the contents of the memory.
        self.each_chunk(remainder, REMAINDER_CHUNK * stride, |start, values| {
            let first = front.pivots + start / stride;
            let count = values.len() / stride;
            let mut to = Columns {
                values,
                first,
                count,
                stride,
                row,
            };
            panel.multiply(to.reborrow(), Product::Set, self.fused);
            self.add_children(&mut to);
        });
    }

    /// Calls `f(start, part)` for parts of `values` of some `length`, or once for all if threads do
    /// not share the front. `start` is the place of the part's first number.
    fn each_chunk(&self, values: &mut [f64], length: usize, f: impl Fn(usize, &mut [f64]) + Sync) {
        if self.shared {
            parallel::chunks(values, length, f);
        } else {
            f(0, values);
        }
    }

    /// Scalar row of the matrix that belongs to a scalar column of the front.
    fn row_of(&self, column: usize) -> usize {
        2 * self.fronts.order[self.front().first + column / 2] as usize + column % 2
    }

    /// Copies columns of the matrix, from column `start` of the front on, into `columns`, and zeros
    /// elsewhere. The upper right entry of a diagonal block is a copy of the lower left one.
    fn load(&self, matrix: &BlockMatrix, start: usize, columns: &mut [f64]) {
        columns.fill(0.0);
        let stride = self.front().stride();
        let first = self.front().first + start / 2;
        // Each block has its place in the front since the analysis.
        for (k, pair) in (first..).zip(columns.chunks_exact_mut(2 * stride)) {
            let places = &self.fronts.places[self.fronts.place_starts[k] as usize..];
            let (left, right) = pair.split_at_mut(stride);
            let blocks = matrix.column_blocks(self.fronts.order[k] as usize);
            for ((_, [a, b, c, d]), &place) in blocks.zip(places) {
                let row = 2 * place as usize;
                left[row..row + 2].copy_from_slice(&[a, b]);
                right[row..row + 2].copy_from_slice(&[c, d]);
            }
        }
    }

    /// Adds the columns of the children's remainders that belong to `to`, child by child.
    fn add_children(&self, to: &mut Columns<'_>) {
        for (k, &child) in self.fronts.children(self.s).iter().enumerate() {
            let values = (self.remainder)(k);
            let front = &self.fronts.list[child];
            let relative = self.fronts.relative(child);
            let stride = front.remainder_stride();
            let origin = front.pivots - front.remainder_row();

            // Nodes of the remainder whose columns are among the columns of `to`.
            let end_column = to.first + to.count;
            let start = relative.partition_point(|&place| 2 * (place as usize) < to.first);
            let end = relative.partition_point(|&place| 2 * (place as usize) < end_column);
            for j in start..end {
                let pair = &values[2 * j * stride..][..2 * stride];
                add_pair(pair, origin + 2 * j, &relative[j..], to);
            }
        }
    }
}

/// Adds two columns `from`, from row `origin` on, to the columns of the first place of `relative`.
/// Row pair `k` belongs to place `relative[k]`.
fn add_pair(from: &[f64], origin: usize, relative: &[u32], to: &mut Columns<'_>) {
    let (left, right) = from.split_at(from.len() / 2);
    let left = left[origin..].as_chunks::<2>().0;
    let right = right[origin..].as_chunks::<2>().0;

    let column = 2 * relative[0] as usize - to.first;
    let pair = &mut to.values[column * to.stride..][..2 * to.stride];
    let (to_left, to_right) = pair.split_at_mut(to.stride);
    let to_left = to_left.as_chunks_mut::<2>().0;
    let to_right = to_right.as_chunks_mut::<2>().0;

    let top = to.row / 2;
    for ((a, b), &place) in left.iter().zip(right).zip(relative) {
        let i = place as usize - top;
        to_left[i][0] += a[0];
        to_left[i][1] += a[1];
        to_right[i][0] += b[0];
        to_right[i][1] += b[1];
    }
}
