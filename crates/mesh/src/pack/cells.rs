//! Points in the cells of a grid, to find those near a place.

use super::grid::Grid;
use crate::tuning::PACK_CELLS;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;

/// Cells with the numbers of points in them.
pub(super) struct Cells {
    /// The cells.
    grid: Grid,
    /// Numbers of points, `[cells]`.
    members: Vec<Vec<usize>>,
}

impl Cells {
    /// Empty cells over a box, no smaller than `size` (m).
    pub(super) fn over(around: &Aabb, size: f64) -> Self {
        let grid = Grid::over(around, size, PACK_CELLS);
        let members = vec![Vec::new(); grid.len()];
        Self { grid, members }
    }

    /// Adds the point with this number at a place (m).
    pub(super) fn add(&mut self, number: usize, at: Vec2) {
        let cell = self.grid.number(self.grid.cell(at));
        self.members[cell].push(number);
    }

    /// Numbers of the points in the cell of a place and in the cells around it: all that are nearer than
    /// the size of a cell.
    pub(super) fn near(&self, at: Vec2) -> impl Iterator<Item = usize> + '_ {
        let [i, j] = self.grid.cell(at);
        let [wide, high] = self.grid.counts;
        let rows = j.saturating_sub(1)..=(j + 1).min(high - 1);
        rows.flat_map(move |row| {
            let columns = i.saturating_sub(1)..=(i + 1).min(wide - 1);
            columns.flat_map(move |column| &self.members[self.grid.number([column, row])])
        })
        .copied()
    }
}
