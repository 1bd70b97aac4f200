//! Dense kernels of fronts, in vector registers: elimination of columns, and products of rows. Matrices are stored by
//! columns whose distance is a multiple of [`ALIGN`], so that no vector needs a mask; entries above the diagonal are
//! neither right nor used.

use super::fronts::ALIGN;
use faer::traits::pulp::{Arch, Simd, WithSimd};

/// Columns that a tile of registers holds.
const TILE: usize = 4;
/// Columns that are eliminated before others are updated, and products that are summed in registers: so many columns of
/// some rows stay in the fastest cache.
const BLOCK: usize = 64;
/// Rows whose block of columns stays in the fastest cache.
const ROWS: usize = 72;

/// Columns `0..depth` of a panel, eliminated, with `stride` scalars from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Eliminated<'a> {
    pub(super) values: &'a [f64],
    pub(super) depth: usize,
    pub(super) stride: usize,
}

/// Consecutive columns of a front.
pub(super) struct Columns<'a> {
    pub(super) values: &'a mut [f64],
    /// The first of them.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) stride: usize,
    /// The first row that is stored, a multiple of [`ALIGN`].
    pub(super) row: usize,
}

impl Eliminated<'_> {
    /// Subtracts the products of the rows with the rows of `to`'s columns from it, or sets it to them negated.
    pub(super) fn subtract_products(self, to: Columns<'_>, set: bool) {
        Arch::new().dispatch(Subtract { from: self, to, set });
    }
}

/// Eliminates the columns `first..` of a panel, which the columns before have been subtracted from. The error is the column
/// whose pivot is not positive.
pub(super) fn eliminate(columns: Columns<'_>) -> Result<(), usize> {
    Arch::new().dispatch(Eliminate { columns })
}

/// Columns that are to be eliminated by one call of [`eliminate`].
pub(super) fn blocks(columns: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..columns).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(columns))
}

struct Subtract<'a, 'b> {
    from: Eliminated<'a>,
    to: Columns<'b>,
    set: bool,
}

impl WithSimd for Subtract<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Subtract { from, to, set } = self;
        let end = to.row + to.stride;
        let mut row = to.first / ALIGN * ALIGN;
        while row < end {
            let rows = row..(row + ROWS).min(end);
            let mut depth = 0;
            while depth < from.depth || from.depth == 0 {
                let until = (depth + BLOCK).min(from.depth);
                let left = &from.values[depth * from.stride..];
                let part = Eliminated { values: left, depth: until - depth, stride: from.stride };
                subtract_block(simd, part, to.values, (to.first, to.count, to.stride, to.row), rows.clone(), set && depth == 0);
                depth = until;
                if from.depth == 0 { break; }
            }
            row = rows.end;
        }
    }
}

#[inline(always)]
fn subtract_block<S: Simd>(
    simd: S,
    from: Eliminated<'_>,
    to: &mut [f64],
    (first, count, stride, origin): (usize, usize, usize, usize),
    rows: std::ops::Range<usize>,
    set: bool,
) {
    let mut column = 0;
    while column < count {
        let c = first + column;
        let start = rows.start.max(c / ALIGN * ALIGN);
        if start >= rows.end {
            break;
        }
        let out = &mut to[column * stride..];
        if column + TILE <= count {
            column_group::<S, TILE>(simd, from, c, out, (stride, origin), start..rows.end, set);
            column += TILE;
        } else {
            column_group::<S, 2>(simd, from, c, out, (stride, origin), start..rows.end, set);
            column += 2;
        }
    }
}

#[inline(always)]
fn column_group<S: Simd, const C: usize>(
    simd: S,
    from: Eliminated<'_>,
    c: usize,
    out: &mut [f64],
    (stride, origin): (usize, usize),
    rows: std::ops::Range<usize>,
    set: bool,
) {
    let lanes = S::F64_LANES;
    let mut row = rows.start;
    while row + 3 * lanes <= rows.end {
        subtract_tile::<S, 3, C>(simd, from, c, row, &mut out[row - origin..], stride, set);
        row += 3 * lanes;
    }
    if row + 2 * lanes <= rows.end {
        subtract_tile::<S, 2, C>(simd, from, c, row, &mut out[row - origin..], stride, set);
        row += 2 * lanes;
    }
    if row + lanes <= rows.end {
        subtract_tile::<S, 1, C>(simd, from, c, row, &mut out[row - origin..], stride, set);
    }
}

#[inline(always)]
fn subtract_tile<S: Simd, const R: usize, const C: usize>(
    simd: S,
    from: Eliminated<'_>,
    c: usize,
    row: usize,
    out: &mut [f64],
    stride: usize,
    set: bool,
) {
    let tile = products::<S, R, C>(simd, from, row, c);
    for (j, sums) in tile.into_iter().enumerate() {
        let own = S::as_mut_simd_f64s(&mut out[j * stride..][..R * S::F64_LANES]).0;
        for (own, sum) in own.iter_mut().zip(sums) {
            *own = if set { simd.neg_f64s(sum) } else { simd.sub_f64s(*own, sum) };
        }
    }
}

/// Products of `R` vectors of rows from `row` on with the rows `c..c + C`, each summed over all columns.
#[inline(always)]
fn products<S: Simd, const R: usize, const C: usize>(
    simd: S,
    from: Eliminated<'_>,
    row: usize,
    c: usize,
) -> [[S::f64s; R]; C] {
    let mut sums = [[simd.splat_f64s(0.0); R]; C];
    if from.depth == 0 {
        return sums;
    }
    let (a, b) = (from.values[row..].chunks(from.stride), from.values[c..].chunks(from.stride));
    for (a, b) in a.zip(b).take(from.depth) {
        let a = S::as_simd_f64s(&a[..R * S::F64_LANES]).0;
        let b = &b[..C];
        for j in 0..C {
            let factor = simd.splat_f64s(b[j]);
            for i in 0..R {
                sums[j][i] = simd.mul_add_e_f64s(a[i], factor, sums[j][i]);
            }
        }
    }
    sums
}

struct Eliminate<'a> {
    columns: Columns<'a>,
}

impl WithSimd for Eliminate<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let Columns { values, first, count, stride, .. } = self.columns;
        let mut column = 0;
        while column < count {
            let (left, own) = values.split_at_mut(column * stride);
            let left = Eliminated { values: left, depth: column, stride };
            if column + TILE <= count {
                eliminate_group::<S, TILE>(simd, left, own, first + column)?;
                column += TILE;
            } else {
                eliminate_group::<S, 2>(simd, left, own, first + column)?;
                column += 2;
            }
        }
        Ok(())
    }
}

/// Eliminates columns `c..c + C`, which are `own`.
#[inline(always)]
fn eliminate_group<S: Simd, const C: usize>(
    simd: S,
    left: Eliminated<'_>,
    own: &mut [f64],
    c: usize,
) -> Result<(), usize> {
    let (stride, lanes) = (left.stride, S::F64_LANES);
    let top = c / ALIGN * ALIGN;
    for row in (top..top + ALIGN).step_by(lanes) {
        subtract_tile::<S, 1, C>(simd, left, c, row, &mut own[row..], stride, false);
    }
    let diagonal = Diagonal::<C>::factor(own, c, stride)?;
    let none = Eliminated { values: &[], depth: 0, stride };
    for row in (top..top + ALIGN).step_by(lanes) {
        eliminate_tile::<S, 1, C>(simd, none, c, row, own, &diagonal);
    }
    for (j, column) in diagonal.l.iter().enumerate() {
        own[j * stride + c..][j..C].copy_from_slice(&column[j..]);
    }
    let mut row = top + ALIGN;
    while row + 3 * lanes <= stride {
        eliminate_tile::<S, 3, C>(simd, left, c, row, own, &diagonal);
        row += 3 * lanes;
    }
    while row < stride {
        eliminate_tile::<S, 1, C>(simd, left, c, row, own, &diagonal);
        row += lanes;
    }
    Ok(())
}

#[inline(always)]
fn eliminate_tile<S: Simd, const R: usize, const C: usize>(
    simd: S,
    left: Eliminated<'_>,
    c: usize,
    row: usize,
    own: &mut [f64],
    diagonal: &Diagonal<C>,
) {
    let mut tile = products::<S, R, C>(simd, left, row, c);
    for j in 0..C {
        let values = S::as_mut_simd_f64s(&mut own[j * left.stride + row..][..R * S::F64_LANES]).0;
        let inverse = simd.splat_f64s(diagonal.inverse[j]);
        for i in 0..R {
            let mut value = simd.sub_f64s(values[i], tile[j][i]);
            for k in 0..j {
                value = simd.sub_f64s(value, simd.mul_f64s(tile[k][i], simd.splat_f64s(diagonal.l[k][j])));
            }
            tile[j][i] = simd.mul_f64s(value, inverse);
            values[i] = tile[j][i];
        }
    }
}

/// The factor of a diagonal block, by columns, and the inverses of its diagonal.
struct Diagonal<const C: usize> {
    l: [[f64; C]; C],
    inverse: [f64; C],
}

impl<const C: usize> Diagonal<C> {
    #[inline(always)]
    fn factor(own: &[f64], c: usize, stride: usize) -> Result<Self, usize> {
        let mut l = [[0.0; C]; C];
        for (j, column) in l.iter_mut().enumerate() {
            column.copy_from_slice(&own[j * stride + c..][..C]);
        }
        let mut inverse = [0.0; C];
        for j in 0..C {
            for k in 0..j {
                for i in j..C {
                    l[j][i] -= l[k][i] * l[k][j];
                }
            }
            let pivot = l[j][j];
            if !(pivot > 0.0) {
                return Err(c + j);
            }
            let root = pivot.sqrt();
            inverse[j] = 1.0 / root;
            l[j][j] = root;
            for i in j + 1..C {
                l[j][i] *= inverse[j];
            }
        }
        Ok(Self { l, inverse })
    }
}
