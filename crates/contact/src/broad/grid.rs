//! Hash grid with levels for boxes of all sizes. One giant among many small boxes costs nothing.
//!
//! Coordinates become integers, which are cells of the finest level. A shift makes them cells of a
//! coarser level, along each axis on its own. A box is stored in one place: on the finest level
//! where it covers at most two columns and two rows, in the cell of its lower left corner. A query
//! visits the cells of every level in use from one cell before its own lower left corner to its
//! upper right corner. All these maps are monotone, so no rounding loses an overlap.
//!
//! Cells of a row are neighbours in the hash table, so a row of a query is one run of boxes.
//! Boxes of other cells that share a place only cost tests.
//!
//! Source: Mirtich 1996, "Impulse-based Dynamic Simulation of Rigid Body Systems", section 2.4;
//! Teschner et al. 2003, "Optimized Spatial Hashing for Collision Detection of Deformable Objects".

use std::ops::Range;

use super::{Keep, gather, index, sample};
use crate::tuning::GRID_COMMON;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::parallel;

/// Bits of the shift from a level to the next coarser one.
const STEP: u32 = 3;

/// Number of levels along an axis; the last one has two cells.
const LEVELS: u32 = 11;

/// Bound of the integer coordinates, so that differences fit in 32 bits.
const FAR: f64 = (1 << (STEP * (LEVELS - 1) - 1)) as f64;

/// Map from coordinates along an axis to cells of the finest level.
#[derive(Clone, Copy)]
struct Axis {
    /// Coordinate of the lower corner of cell 0 (m).
    origin: f64,
    /// Number of cells per length (1/m).
    per_cell: f64,
}

impl Axis {
    /// Cells as large as most boxes and most queries; for boxes without size, as large as the
    /// distances between them.
    fn new(boxes: &[Aabb], queries: &[Aabb], a: usize) -> Self {
        let spread = lower_end(boxes, a, GRID_COMMON) - lower_end(boxes, a, 1.0 - GRID_COMMON);
        let apart = spread / boxes.len() as f64;
        let common = common_extent(boxes, a).max(common_extent(queries, a));
        let cell = if common > 0.0 { common } else { apart };
        Self {
            origin: lower_end(boxes, a, 0.5),
            per_cell: if cell > 0.0 { 1.0 / cell } else { 1.0 },
        }
    }

    /// Cell of a coordinate (m), rounded towards zero, which is monotone.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "clamped to 30 bits; a NaN becomes 0"
    )]
    fn cell(self, x: f64) -> i32 {
        ((x - self.origin) * self.per_cell).clamp(-FAR, FAR) as i32
    }
}

/// Quantile `q` of the lower ends (m) of boxes along axis `a`.
fn lower_end(boxes: &[Aabb], a: usize, q: f64) -> f64 {
    sample::quantile(boxes, |b| b.min[a], q)
}

/// Extent (m) along axis `a` that the share [`GRID_COMMON`] of the boxes does not exceed.
fn common_extent(boxes: &[Aabb], a: usize) -> f64 {
    sample::quantile(boxes, |b| b.max[a] - b.min[a], GRID_COMMON)
}

/// Place of a box: its levels along x and y, and its bucket of the hash table.
#[derive(Clone, Copy)]
struct Place {
    /// Levels along x and y.
    level: [u32; 2],
    /// Number of the bucket.
    bucket: usize,
}

/// Boxes sorted by bucket.
struct Grid<'a> {
    /// The boxes.
    boxes: &'a [Aabb],
    /// Maps along x and y.
    axes: [Axis; 2],
    /// Number of buckets, a power of two, less one.
    mask: u32,
    /// Levels in use, along x and y. A query visits these and no others.
    levels: Vec<[u32; 2]>,
    /// Start of every bucket's boxes in `order`, and the end of the last ones.
    starts: Vec<u32>,
    /// Indices of the boxes, by bucket.
    order: Vec<u32>,
}

impl<'a> Grid<'a> {
    /// Grid of `boxes` with cells that suit them and the `queries`.
    fn build(boxes: &'a [Aabb], queries: &[Aabb]) -> Self {
        let mask = index((2 * boxes.len().max(1)).next_power_of_two() - 1);
        let axes = [0, 1].map(|a| Axis::new(boxes, queries, a));
        let mut grid = Self {
            boxes,
            axes,
            mask,
            levels: Vec::new(),
            starts: Vec::new(),
            order: Vec::new(),
        };

        let mut places = vec![None; boxes.len()];
        parallel::fill(&mut places, 1, |i, place| place[0] = grid.place(&boxes[i]));
        grid.sort(&places);
        grid
    }

    /// Sorts the boxes by bucket, by counting, and collects the levels in use. Boxes without a
    /// place are left out.
    fn sort(&mut self, places: &[Option<Place>]) {
        let mut used = [[false; LEVELS as usize]; LEVELS as usize];
        self.starts = vec![0; self.mask as usize + 2];
        for place in places.iter().flatten() {
            used[place.level[0] as usize][place.level[1] as usize] = true;
            self.starts[place.bucket] += 1;
        }

        // Ends of the buckets, which become starts as boxes are put in from behind.
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.order = vec![0; total as usize];
        for (i, place) in places.iter().enumerate().rev() {
            if let Some(place) = place {
                self.starts[place.bucket] -= 1;
                self.order[self.starts[place.bucket] as usize] = index(i);
            }
        }

        // Levels of all pairs of sizes along x and y that occur.
        let all = (0..LEVELS).flat_map(|x| (0..LEVELS).map(move |y| [x, y]));
        self.levels = all.filter(|&[x, y]| used[x as usize][y as usize]).collect();
    }

    /// Cells of the finest level from the lower left to the upper right corner of a box.
    fn cells(&self, b: &Aabb) -> [Range<i32>; 2] {
        [0, 1].map(|a| self.axes[a].cell(b.min[a])..self.axes[a].cell(b.max[a]))
    }

    /// Place of a box by its size and its lower left corner; `None` if it has a NaN, since it then
    /// overlaps nothing.
    fn place(&self, b: &Aabb) -> Option<Place> {
        let corners = [b.min.x, b.min.y, b.max.x, b.max.y];
        let is_number = !corners.iter().any(|x| x.is_nan());
        let [x, y] = self.cells(b);
        let level = [level(&x), level(&y)];

        is_number.then(|| Place {
            level,
            bucket: self.bucket(
                level,
                x.start >> (STEP * level[0]),
                y.start >> (STEP * level[1]),
            ),
        })
    }

    /// Bucket of a cell.
    ///
    /// Rows start at places spread over the table by the golden ratio, and columns follow each
    /// other.
    #[allow(clippy::cast_sign_loss, reason = "a hash")]
    fn bucket(&self, level: [u32; 2], column: i32, row: i32) -> usize {
        let row = (row as u32)
            .wrapping_add(level[0] << 28 | level[1] << 24)
            .wrapping_mul(0x9e37_79b9);
        let start = row >> self.mask.leading_zeros();
        (start.wrapping_add(column as u32) & self.mask) as usize
    }

    /// Appends all boxes that overlap `query` to `found`, perhaps with others. Returns the number
    /// of tests.
    fn find(&self, query: &Aabb, found: &mut Vec<u32>) -> usize {
        let cells = self.cells(query);
        let mut tests = 0;
        for &level in &self.levels {
            let [x, y] = [0, 1].map(|a| {
                (cells[a].start >> (STEP * level[a])) - 1..(cells[a].end >> (STEP * level[a])) + 1
            });
            if x.is_empty() {
                continue;
            }

            // A query of more cells than the table has buckets visits all boxes.
            if x.len().saturating_mul(y.len()) > self.starts.len() {
                return tests + self.scan(0..self.starts.len() - 1, query, found);
            }

            // A row is a run of buckets, which may begin again at the start of the table.
            for row in y {
                let start = self.bucket(level, x.start, row);
                let end = start + x.len();
                let last = self.starts.len() - 1;
                tests += 1 + self.scan(start..end.min(last), query, found);
                if end > last {
                    tests += self.scan(0..end - last, query, found);
                }
            }
        }
        tests
    }

    /// Tests the boxes in `buckets` without a branch on the outcome. Returns the number of tests.
    #[inline]
    fn scan(&self, buckets: Range<usize>, query: &Aabb, found: &mut Vec<u32>) -> usize {
        let run =
            &self.order[self.starts[buckets.start] as usize..self.starts[buckets.end] as usize];

        let mut count = found.len();
        found.resize(count + run.len(), 0);
        for &j in run {
            found[count] = j;
            count += usize::from(self.boxes[j as usize].overlaps(query));
        }
        found.truncate(count);
        run.len()
    }
}

/// Finest level on which a range of cells of the finest level covers at most two.
fn level(cells: &Range<i32>) -> u32 {
    (0..LEVELS - 1)
        .find(|l| (cells.end >> (STEP * l)) - (cells.start >> (STEP * l)) <= 1)
        .unwrap_or(LEVELS - 1)
}

/// Sorted pairs of overlapping boxes that `keep` keeps.
pub(super) fn pairs(points: &[Aabb], edges: &[Aabb], keep: &Keep) -> Vec<(u32, u32)> {
    let grid = Grid::build(edges, points);
    gather::pairs(
        points,
        edges,
        |query, found| _ = grid.find(query, found),
        keep,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tests::tame;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Lists that a method must search with few tests.
    #[test]
    fn tests_grow_little_faster_than_the_number_of_boxes() {
        for (name, [points, edges], most) in tame() {
            let built = Grid::build(&edges, &points);
            let tests = AtomicUsize::new(0);
            gather::pairs(
                &points,
                &edges,
                |query, found| {
                    tests.fetch_add(built.find(query, found), Ordering::Relaxed);
                },
                &|_, _| true,
            );
            assert!(
                tests.load(Ordering::Relaxed) <= most,
                "{name}: {tests:?} of {most}"
            );
        }
    }
}
