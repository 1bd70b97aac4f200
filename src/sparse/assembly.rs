//! One front: assembled from the matrix and its children's remainders, its pivots eliminated.

use super::BlockMatrix;
use super::cholesky::NotPositiveDefinite;
use super::dense::{Columns, Eliminated, blocks, eliminate};
use super::fronts::{Front, Fronts};
use crate::math::parallel;

/// What remains of a front, which is to be added to its parent: columns from the pivots' end on.
pub(super) struct Remainder {
    pub(super) front: usize,
    pub(super) values: Vec<f64>,
}

/// A front and the children's remainders.
pub(super) struct Assembly<'a> {
    pub(super) fronts: &'a Fronts,
    pub(super) s: usize,
    pub(super) children: &'a [(usize, &'a [f64])],
    /// Whether threads shall share the front.
    pub(super) shared: bool,
}

/// Columns that a thread takes of a shared front's remainder, and of a block of its panel.
const REMAINDER_CHUNK: usize = 48;
const PANEL_CHUNK: usize = 16;

impl Remainder {
    pub(super) fn new(fronts: &Fronts, s: usize) -> Self {
        Self {
            front: s,
            values: vec![0.0; fronts.list[s].remainder_len()],
        }
    }
}

impl Assembly<'_> {
    fn front(&self) -> &Front {
        &self.fronts.list[self.s]
    }

    /// Leaves the eliminated columns in `panel`, and what remains in `remainder`.
    pub(super) fn factorise(
        &self,
        matrix: &BlockMatrix,
        panel: &mut [f64],
        remainder: &mut [f64],
    ) -> Result<(), NotPositiveDefinite> {
        let Front { pivots, rows, .. } = *self.front();
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
        for block in blocks(pivots) {
            let (left, own) = panel.split_at_mut(block.start * stride);
            let own = &mut own[..block.len() * stride];
            let left = Eliminated {
                values: left,
                count: block.start,
                stride,
            };
            if block.start > 0 {
                self.each_chunk(own, PANEL_CHUNK * stride, |start, part| {
                    let (first, count) = (block.start + start / stride, part.len() / stride);
                    left.subtract_products(
                        Columns {
                            values: part,
                            first,
                            count,
                            stride,
                            row: 0,
                        },
                        false,
                    );
                });
            }
            eliminate(Columns {
                values: own,
                first: block.start,
                count: block.len(),
                stride,
                row: 0,
            })
            .map_err(|column| NotPositiveDefinite {
                row: self.row_of(column),
            })?;
        }
        if rows > pivots {
            self.compute_remainder(
                Eliminated {
                    values: panel,
                    count: pivots,
                    stride,
                },
                remainder,
            );
        }
        Ok(())
    }

    fn compute_remainder(&self, panel: Eliminated<'_>, remainder: &mut [f64]) {
        let (stride, row) = (
            self.front().remainder_stride(),
            self.front().remainder_row(),
        );
        self.each_chunk(remainder, REMAINDER_CHUNK * stride, |start, values| {
            let (first, count) = (self.front().pivots + start / stride, values.len() / stride);
            panel.subtract_products(
                Columns {
                    values,
                    first,
                    count,
                    stride,
                    row,
                },
                true,
            );
            self.add_children(&mut Columns {
                values,
                first,
                count,
                stride,
                row,
            });
        });
    }

    /// Calls `f(start, part)` for the parts of `values`, all at once if no threads shall share them.
    fn each_chunk(&self, values: &mut [f64], length: usize, f: impl Fn(usize, &mut [f64]) + Sync) {
        if self.shared {
            parallel::chunks(values, length, f);
        } else {
            f(0, values);
        }
    }

    /// The scalar row of the matrix that column `column` of the front is.
    fn row_of(&self, column: usize) -> usize {
        2 * self.fronts.order[self.front().first + column / 2] as usize + column % 2
    }

    /// Puts columns of the matrix, from column `start` of the front on, into `columns`, and zeros elsewhere.
    fn load(&self, matrix: &BlockMatrix, start: usize, columns: &mut [f64]) {
        columns.fill(0.0);
        let stride = self.front().stride();
        let first = self.front().first + start / 2;
        for (k, pair) in (first..).zip(columns.chunks_exact_mut(2 * stride)) {
            let places = &self.fronts.places[self.fronts.place_starts[k] as usize..];
            let (left, right) = pair.split_at_mut(stride);
            for ((_, [a, b, c, d]), &place) in matrix
                .column_blocks(self.fronts.order[k] as usize)
                .zip(places)
            {
                let row = 2 * place as usize;
                left[row..row + 2].copy_from_slice(&[a, b]);
                right[row..row + 2].copy_from_slice(&[c, d]);
            }
        }
    }

    /// Adds those columns of the children's remainders that are in `to`.
    fn add_children(&self, to: &mut Columns<'_>) {
        for &(child, values) in self.children {
            let front = &self.fronts.list[child];
            let relative = self.fronts.relative(child);
            let stride = front.remainder_stride();
            let origin = front.pivots - front.remainder_row();
            let start = relative.partition_point(|&place| 2 * (place as usize) < to.first);
            let end = relative.partition_point(|&place| 2 * (place as usize) < to.first + to.count);
            for j in start..end {
                let pair = &values[2 * j * stride..][..2 * stride];
                add_pair(pair, origin + 2 * j, &relative[j..], to);
            }
        }
    }
}

/// Adds two columns, `from` row `origin` on, to those of the first place of `relative`.
fn add_pair(from: &[f64], origin: usize, relative: &[u32], to: &mut Columns<'_>) {
    let (left, right) = from.split_at(from.len() / 2);
    let (left, right) = (
        left[origin..].as_chunks::<2>().0,
        right[origin..].as_chunks::<2>().0,
    );
    let column = 2 * relative[0] as usize - to.first;
    let (to_left, to_right) =
        to.values[column * to.stride..][..2 * to.stride].split_at_mut(to.stride);
    let (to_left, to_right) = (
        to_left.as_chunks_mut::<2>().0,
        to_right.as_chunks_mut::<2>().0,
    );
    let top = to.row / 2;
    for ((a, b), &place) in left.iter().zip(right).zip(relative) {
        let i = place as usize - top;
        to_left[i][0] += a[0];
        to_left[i][1] += a[1];
        to_right[i][0] += b[0];
        to_right[i][1] += b[1];
    }
}
