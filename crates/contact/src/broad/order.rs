//! Order of boxes along a Morton curve through their centers: neighbours in the list are neighbours
//! in the plane.
//!
//! Where many centers share one cell of the curve (a far outlier stretches the cells), they are
//! ordered again by a finer curve.

use super::index;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::{Vec2, parallel};

/// Number of cells of the curve along an axis, two to the power of 16.
const CELLS: f64 = 65536.0;

/// Indices of `boxes` along the curve. Cells are refined until at most `most` boxes share one,
/// where that is possible.
pub(super) fn along_curve(boxes: &[Aabb], most: usize) -> Vec<u32> {
    let mut keys: Vec<u64> = (0..index(boxes.len())).map(u64::from).collect();
    sort(&mut keys, boxes, most);
    keys.into_iter().map(low).collect()
}

/// Sorts `keys`, whose lower halves are indices, by cells of the bounds of their boxes' centers.
fn sort(keys: &mut [u64], boxes: &[Aabb], most: usize) {
    let finite = keys
        .iter()
        .map(|&key| center(boxes, key))
        .filter(|c| c.x.is_finite() && c.y.is_finite());

    // Cells divide the bounds evenly. The cell of a box becomes the upper half of its key.
    let bounds = Aabb::around(finite);
    let per_cell = bounds
        .extent()
        .map(|x| if x > 0.0 { CELLS / x } else { 0.0 });
    parallel::fill(keys, 1, |_, key| {
        let cell = (center(boxes, key[0]) - bounds.min).component_mul(&per_cell);
        key[0] = u64::from(curve(cell)) << 32 | u64::from(low(key[0]));
    });
    parallel::sort(keys);

    // Cells that hold too many boxes get a finer curve.
    let count = keys.len();
    for run in keys.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        if run.len() > most && run.len() < count {
            sort(run, boxes, most);
        }
    }
}

/// Center of the box whose index is in `key` (m).
fn center(boxes: &[Aabb], key: u64) -> Vec2 {
    boxes[low(key) as usize].center()
}

/// Place of a cell on the curve: the bits of its coordinates, interleaved.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 16 bits; a NaN becomes 0"
)]
fn curve(cell: Vec2) -> u32 {
    let [x, y] = [cell.x, cell.y].map(|c| spread(c.clamp(0.0, CELLS - 1.0) as u32));
    x | y << 1
}

/// Lower 16 bits of `x`, with a zero before each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 8) & 0x00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f;
    let x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

/// Index of a box in a key.
#[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
fn low(key: u64) -> u32 {
    key as u32
}
