//! Columns of a front, and the Cholesky factor of the block on their diagonal.
//!
//! Columns are stored one after the other, with a distance that is a multiple of
//! [`ALIGN`](super::tuning::ALIGN). Entries above the diagonal are arbitrary and unused.

/// Consecutive columns of a front, an even number.
///
/// Either all rows of the front are stored, or the rows of a remainder, which leaves out the rows
/// of the pivots up to the alignment.
pub(super) struct Columns<'a> {
    /// Scalars, column by column.
    pub(super) values: &'a mut [f64],
    /// Number of the first column in the front.
    pub(super) first: usize,
    /// Number of columns, which is even.
    pub(super) count: usize,
    /// Scalars from one column to the next.
    pub(super) stride: usize,
    /// First row that is stored, a multiple of [`ALIGN`](super::tuning::ALIGN).
    pub(super) row: usize,
}

impl Columns<'_> {
    /// Borrow of the same columns for a shorter time.
    pub(super) fn reborrow(&mut self) -> Columns<'_> {
        Columns {
            values: self.values,
            ..*self
        }
    }
}

/// Cholesky factor of a diagonal block of `C` columns.
pub(super) struct Diagonal<const C: usize> {
    /// Columns of the factor; entries above the diagonal are arbitrary.
    pub(super) l: [[f64; C]; C],
    /// Inverses of the factor's diagonal, which turn divisions into products.
    pub(super) inverse: [f64; C],
}

impl<const C: usize> Diagonal<C> {
    /// Factor of the diagonal block of the first `C` columns, computed in registers.
    ///
    /// Entries above the diagonal take part in the arithmetic, so that it has no branches, and are
    /// never used.
    ///
    /// # Errors
    /// The number in the front of the column whose pivot is not positive.
    #[inline(always)]
    pub(super) fn factor(own: &Columns<'_>) -> Result<Self, usize> {
        let mut l = [[0.0; C]; C];
        for (l, column) in l.iter_mut().zip(own.values.chunks(own.stride)) {
            l.copy_from_slice(&column[own.first..own.first + C]);
        }

        // Column by column, each less the columns before it.
        let mut inverse = [0.0; C];
        for j in 0..C {
            let (done, rest) = l.split_at_mut(j);
            let column = &mut rest[0];
            for other in done {
                let factor = other[j];
                for (value, l) in column.iter_mut().zip(other) {
                    *value -= *l * factor;
                }
            }

            let pivot = column[j];
            if pivot.is_nan() || pivot <= 0.0 {
                return Err(own.first + j);
            }
            inverse[j] = 1.0 / pivot.sqrt();
            for value in column.iter_mut() {
                *value *= inverse[j];
            }
            column[j] = pivot.sqrt();
        }
        Ok(Self { l, inverse })
    }

    /// Writes the factor to its columns, on and below the diagonal.
    #[inline(always)]
    pub(super) fn store(&self, own: &mut Columns<'_>) {
        let columns = own.values.chunks_mut(own.stride);
        for (j, (l, column)) in self.l.iter().zip(columns).enumerate() {
            column[own.first + j..own.first + C].copy_from_slice(&l[j..]);
        }
    }
}
