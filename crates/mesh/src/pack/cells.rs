//! Points in the cells of a grid, to find those near a place.

use crate::tuning::PACK_CELLS;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Grid of square cells with the numbers of points in them.
pub(super) struct Cells {
    /// Lower left corner of the first cell (m).
    min: Vec2,
    /// Side of a cell (m).
    size: f64,
    /// Number of cells along x and y.
    counts: [usize; 2],
    /// Numbers of points, `[cells]`.
    members: Vec<Vec<usize>>,
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

impl Cells {
    /// Empty cells over a box, no smaller than `size` (m).
    pub(super) fn over(around: &Aabb, size: f64) -> Self {
        let extent = around.extent();
        let size = size.max(extent.amax() / PACK_CELLS);
        let counts = [extent.x, extent.y].map(|length| whole(length / size) + 1);
        Self {
            min: around.min,
            size,
            counts,
            members: vec![Vec::new(); counts[0] * counts[1]],
        }
    }

    /// Column and row of the cell of a place; of the nearest cell if it is outside.
    fn place(&self, at: Vec2) -> [usize; 2] {
        let scaled = (at - self.min) / self.size;
        [0, 1].map(|axis| whole(scaled[axis]).min(self.counts[axis] - 1))
    }

    /// Adds the point with this number at a place (m).
    pub(super) fn add(&mut self, number: usize, at: Vec2) {
        let [i, j] = self.place(at);
        self.members[j * self.counts[0] + i].push(number);
    }

    /// Numbers of the points in the cell of a place and in the cells around it: all that are nearer than
    /// the size of a cell.
    pub(super) fn near(&self, at: Vec2) -> impl Iterator<Item = usize> + '_ {
        let [i, j] = self.place(at);
        let rows = j.saturating_sub(1)..=(j + 1).min(self.counts[1] - 1);
        rows.flat_map(move |row| {
            let columns = i.saturating_sub(1)..=(i + 1).min(self.counts[0] - 1);
            columns.flat_map(move |column| &self.members[row * self.counts[0] + column])
        })
        .copied()
    }
}
