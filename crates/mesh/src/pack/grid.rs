//! A grid of square cells over a box.

use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Square cells in rows from the lower left corner of a box.
pub(super) struct Grid {
    /// Lower left corner of the first cell (m).
    min: Vec2,
    /// Side of a cell (m).
    pub(super) size: f64,
    /// Number of cells along x and y.
    pub(super) counts: [usize; 2],
}

/// Whole part of a number that is not negative; 0 for one that is.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, and a number of cells is not negative"
)]
pub(super) fn whole(number: f64) -> usize {
    number as usize
}

impl Grid {
    /// Cells over a box, no smaller than `size` (m), and no more than `most` along each side.
    pub(super) fn over(around: &Aabb, size: f64, most: f64) -> Self {
        let extent = around.extent();
        let size = size.max(extent.amax() / most);
        Self {
            min: around.min,
            size,
            counts: [extent.x, extent.y].map(|length| whole(length / size) + 1),
        }
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Number of the cell in a column and a row.
    pub(super) fn number(&self, [i, j]: [usize; 2]) -> usize {
        j * self.counts[0] + i
    }

    /// Column and row of the cell of a place; of the nearest cell if it is outside.
    pub(super) fn cell(&self, at: Vec2) -> [usize; 2] {
        let scaled = (at - self.min) / self.size;
        [0, 1].map(|axis| whole(scaled[axis]).min(self.counts[axis] - 1))
    }

    /// Middle of the cell in a column and a row (m).
    pub(super) fn middle(&self, [i, j]: [usize; 2]) -> Vec2 {
        self.min + Vec2::new(i as f64 + 0.5, j as f64 + 0.5) * self.size
    }

    /// Middle of the cell with a number (m).
    pub(super) fn middle_of(&self, number: usize) -> Vec2 {
        self.middle([number % self.counts[0], number / self.counts[0]])
    }
}
