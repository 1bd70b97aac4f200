//! Dense kernels of fronts, in vector registers: elimination of columns, and products of rows.
//!
//! Almost all time of a large factorisation is spent in [`Kernel::products`]: sums of products of
//! rows, which stay in registers for a tile of up to three registers of rows and four columns.
//! Around it, rows and columns are cut into blocks that stay in the nearest cache.
//!
//! Products and sums are rounded one by one: a factor then has the same bits on every processor. On
//! request they are fused, which is faster in large fronts, on processors that can.
//!
//! Matrices are stored by columns whose distance is a multiple of [`ALIGN`], so that no vector
//! needs a mask. Entries above the diagonal are arbitrary and unused.

use super::columns::{Columns, Diagonal};
use super::tuning::{ALIGN, BLOCK, ROWS, TILE};
use ipcsim_math::lanes::{self, Simd, WithSimd};
use std::ops::Range;

/// First columns of a panel, after their elimination: columns of the factor.
#[derive(Clone, Copy)]
pub(super) struct Eliminated<'a> {
    /// Scalars, column by column.
    pub(super) values: &'a [f64],
    /// Number of eliminated columns.
    pub(super) count: usize,
    /// Scalars from one column to the next.
    pub(super) stride: usize,
}

/// Use of products of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    /// Subtracted from the stored values.
    Subtract,
    /// Stored, negated, in place of any values.
    Set,
}

impl Eliminated<'_> {
    /// Multiplies all rows with the rows that belong to the columns of `to`, and subtracts the
    /// products from `to` or sets it to their negation.
    ///
    /// With the eliminated columns `L` and rows `R` of `to`, this is `to -= L_R L_C^T` for the rows
    /// `C` that have the numbers of the columns.
    ///
    /// Products are fused with sums if `fused`.
    pub(super) fn multiply(self, to: Columns<'_>, product: Product, fused: bool) {
        let from = self;
        if fused {
            lanes::arch().dispatch(Multiply::<true> { from, to, product });
        } else {
            lanes::arch().dispatch(Multiply::<false> { from, to, product });
        }
    }
}

/// Eliminates columns from which the products of all those before are subtracted already: they
/// become columns of the Cholesky factor of the front. Products are fused with sums if `fused`.
///
/// # Errors
/// The number in the front of the column whose pivot is not positive.
pub(super) fn eliminate(columns: Columns<'_>, fused: bool) -> Result<(), usize> {
    if fused {
        lanes::arch().dispatch(Eliminate::<true> { columns })
    } else {
        lanes::arch().dispatch(Eliminate::<false> { columns })
    }
}

/// Ranges of at most [`BLOCK`] columns, in order, each for one call of [`eliminate`].
pub(super) fn blocks(columns: usize) -> impl Iterator<Item = Range<usize>> {
    (0..columns)
        .step_by(BLOCK)
        .map(move |start| start..(start + BLOCK).min(columns))
}

/// Arguments of [`Eliminated::multiply`], for the dispatch to a processor's vectors.
struct Multiply<'a, 'b, const FUSED: bool> {
    /// Columns whose rows are multiplied.
    from: Eliminated<'a>,
    /// Columns that take the products.
    to: Columns<'b>,
    /// Use of the products.
    product: Product,
}

impl<const FUSED: bool> WithSimd for Multiply<'_, '_, FUSED> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Multiply {
            from,
            mut to,
            product,
        } = self;

        // Rows and columns in blocks that stay in the nearest cache.
        let end = to.row + to.stride;
        for row in (to.first / ALIGN * ALIGN..end).step_by(ROWS) {
            let rows = row..(row + ROWS).min(end);
            for block in blocks(from.count) {
                let values = &from.values[block.start * from.stride..];
                let from = Eliminated {
                    values,
                    count: block.len(),
                    stride: from.stride,
                };
                let set = product == Product::Set && block.start == 0;
                let kernel = Kernel::<S, FUSED> { simd, from };
                kernel.subtract_from(rows.clone(), &mut to, set);
            }
        }
    }
}

/// Products of rows of eliminated columns, on one set of vector instructions.
#[derive(Clone, Copy)]
struct Kernel<'a, S, const FUSED: bool> {
    /// Token of the instructions.
    simd: S,
    /// Columns whose rows are multiplied.
    from: Eliminated<'a>,
}

impl<S: Simd, const FUSED: bool> Kernel<'_, S, FUSED> {
    /// Subtracts products from the given rows of `to`, or sets them to the negated products if
    /// `set`.
    ///
    /// Columns are taken in groups of four, and a last group of two. Rows above a group's diagonal
    /// are left out, up to the alignment.
    #[inline(always)]
    fn subtract_from(self, rows: Range<usize>, to: &mut Columns<'_>, set: bool) {
        let mut c = to.first;
        let end = to.first + to.count;

        while c < end {
            let rows = rows.start.max(c / ALIGN * ALIGN)..rows.end;
            if c + TILE <= end {
                self.subtract_from_group::<TILE>(rows, c, to, set);
                c += TILE;
            } else {
                self.subtract_from_group::<2>(rows, c, to, set);
                c += 2;
            }
        }
    }

    /// [`Kernel::subtract_from`] for the `C` columns from number `c` on.
    ///
    /// Tiles of three registers of rows keep the multipliers of the processor busiest; shorter
    /// tiles take the rest.
    #[inline(always)]
    fn subtract_from_group<const C: usize>(
        self,
        rows: Range<usize>,
        c: usize,
        to: &mut Columns<'_>,
        set: bool,
    ) {
        // Three registers of rows at a time, then the rest.
        let mut row = rows.start;
        while row + 3 * S::F64_LANES <= rows.end {
            self.subtract_from_tile::<3, C>(row, c, to, set);
            row += 3 * S::F64_LANES;
        }
        if row + 2 * S::F64_LANES <= rows.end {
            self.subtract_from_tile::<2, C>(row, c, to, set);
            row += 2 * S::F64_LANES;
        }
        while row < rows.end {
            self.subtract_from_tile::<1, C>(row, c, to, set);
            row += S::F64_LANES;
        }
    }

    /// [`Kernel::subtract_from`] for `R` registers of rows, from `row` on, and `C` columns from `c`
    /// on.
    #[inline(always)]
    fn subtract_from_tile<const R: usize, const C: usize>(
        self,
        row: usize,
        c: usize,
        to: &mut Columns<'_>,
        set: bool,
    ) {
        let start = (c - to.first) * to.stride + row - to.row;
        let tile = self.products::<R, C>(row, c);
        let columns = to.values[start..].chunks_mut(to.stride);

        for (sums, column) in tile.into_iter().zip(columns) {
            let own = S::as_mut_simd_f64s(&mut column[..R * S::F64_LANES]).0;
            for (own, sum) in own.iter_mut().zip(sums) {
                *own = if set {
                    self.simd.neg_f64s(sum)
                } else {
                    self.simd.sub_f64s(*own, sum)
                };
            }
        }
    }

    /// Products of `R` vectors of rows from `row` on with the rows `c..c + C`, each summed over all
    /// eliminated columns in their order. This is the innermost loop of a factorisation.
    #[inline(always)]
    fn products<const R: usize, const C: usize>(self, row: usize, c: usize) -> [[S::f64s; R]; C] {
        let mut sums = [[self.simd.splat_f64s(0.0); R]; C];
        if self.from.count == 0 {
            return sums;
        }
        let Eliminated {
            values,
            count,
            stride,
        } = self.from;

        let left = values[row..].chunks(stride);
        let right = values[c..].chunks(stride);
        for (a, b) in left.zip(right).take(count) {
            let a = S::as_simd_f64s(&a[..R * S::F64_LANES]).0;
            for (sums, &b) in sums.iter_mut().zip(&b[..C]) {
                let b = self.simd.splat_f64s(b);
                for (sum, &a) in sums.iter_mut().zip(a) {
                    *sum = self.add_product(a, b, *sum);
                }
            }
        }
        sums
    }

    /// Sum `a b + sum`, rounded once if fused, and otherwise twice.
    #[inline(always)]
    fn add_product(self, a: S::f64s, b: S::f64s, sum: S::f64s) -> S::f64s {
        if FUSED {
            self.simd.mul_add_e_f64s(a, b, sum)
        } else {
            self.simd.add_f64s(self.simd.mul_f64s(a, b), sum)
        }
    }

    /// Eliminates the first `C` columns of `own`, and first subtracts the products of the columns
    /// before them in the block.
    ///
    /// The diagonal block comes first, since all rows are divided by its factor.
    ///
    /// # Errors
    /// The number in the front of the column whose pivot is not positive.
    #[inline(always)]
    fn eliminate_group<const C: usize>(self, own: &mut Columns<'_>) -> Result<(), usize> {
        let top = own.first / ALIGN * ALIGN;
        for row in (top..top + ALIGN).step_by(S::F64_LANES) {
            self.subtract_from_tile::<1, C>(row, own.first, own, false);
        }

        // The rows of the diagonal block have all products subtracted.
        let diagonal = Diagonal::<C>::factor(own)?;
        let subtracted = Self {
            from: Eliminated {
                count: 0,
                ..self.from
            },
            ..self
        };
        for row in (top..top + ALIGN).step_by(S::F64_LANES) {
            subtracted.eliminate_tile::<1, C>(row, own, &diagonal);
        }
        diagonal.store(own);

        // Rows below subtract and divide in one go.
        let mut row = top + ALIGN;
        while row + 3 * S::F64_LANES <= own.stride {
            self.eliminate_tile::<3, C>(row, own, &diagonal);
            row += 3 * S::F64_LANES;
        }
        while row < own.stride {
            self.eliminate_tile::<1, C>(row, own, &diagonal);
            row += S::F64_LANES;
        }
        Ok(())
    }

    /// Subtracts products from `R` registers of rows, and divides them by the factor of the
    /// diagonal block: `X` becomes `(X - products) L^-T`.
    #[inline(always)]
    fn eliminate_tile<const R: usize, const C: usize>(
        self,
        row: usize,
        own: &mut Columns<'_>,
        diagonal: &Diagonal<C>,
    ) {
        let mut tile = self.products::<R, C>(row, own.first);
        for (j, column) in own.values[row..].chunks_mut(own.stride).take(C).enumerate() {
            let values = S::as_mut_simd_f64s(&mut column[..R * S::F64_LANES]).0;
            let inverse = self.simd.splat_f64s(diagonal.inverse[j]);
            let (done, rest) = tile.split_at_mut(j);

            for (i, value) in values.iter_mut().enumerate() {
                let mut sum = self.simd.sub_f64s(*value, rest[0][i]);
                for (done, l) in done.iter().zip(&diagonal.l) {
                    sum = self
                        .simd
                        .sub_f64s(sum, self.simd.mul_f64s(done[i], self.simd.splat_f64s(l[j])));
                }
                *value = self.simd.mul_f64s(sum, inverse);
                rest[0][i] = *value;
            }
        }
    }
}

/// Arguments of [`eliminate`], for the dispatch to a processor's vectors.
struct Eliminate<'a, const FUSED: bool> {
    /// Columns to eliminate, and all rows below them.
    columns: Columns<'a>,
}

impl<const FUSED: bool> WithSimd for Eliminate<'_, FUSED> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Columns {
            values,
            first,
            count,
            stride,
            row,
        } = self.columns;

        // Groups of four columns, then perhaps one of two.
        for done in (0..count).step_by(TILE) {
            let (left, own) = values.split_at_mut(done * stride);
            let kernel = Kernel::<S, FUSED> {
                simd,
                from: Eliminated {
                    values: left,
                    count: done,
                    stride,
                },
            };
            let mut own = Columns {
                values: own,
                first: first + done,
                count: count - done,
                stride,
                row,
            };
            if own.count >= TILE {
                kernel.eliminate_group::<TILE>(&mut own)?;
            } else {
                kernel.eliminate_group::<2>(&mut own)?;
            }
        }
        Ok(())
    }
}
