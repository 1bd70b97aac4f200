//! Points of curves as vertices, where near ones are one.

use super::{Fault, Loop};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::hypot;
use std::collections::HashMap;

/// Vertices, where near ones are one.
///
/// A grid of cells twice as wide as the tolerance finds the vertices near a point: they are in its
/// cell or in a neighbouring one. Where coordinates are too large relative to the tolerance to have
/// cells, only equal ones are near, and each is a separate cell.
pub(super) struct Merged {
    /// Distance below which points are one (m).
    tolerance: f64,
    /// Positions (m).
    pub(super) x: Vec<Vec2>,
    /// Vertices by the cell of a grid that they are in.
    cells: HashMap<[u64; 2], Vec<usize>>,
}

impl Merged {
    /// No vertices yet.
    pub(super) fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            x: Vec::new(),
            cells: HashMap::new(),
        }
    }

    /// Numbers of the points of a curve that differ from the next one, each with the number of its
    /// vertex.
    ///
    /// # Errors
    /// The fault of a curve that has too few of them, or whose numbers are too large.
    pub(super) fn kept(&mut self, curve: &Loop) -> Result<Vec<[usize; 2]>, Fault> {
        let fault = |message: String, places: Vec<Vec2>| Fault {
            label: curve.label.clone(),
            message,
            places,
        };
        let points = &curve.points;
        let is_finite = points.iter().all(|x| (x.x + x.y).is_finite());
        if !is_finite || !self.tolerance.is_finite() {
            let message = "has points that are not finite; use smaller numbers";
            return Err(fault(message.to_owned(), Vec::new()));
        }

        // A point that coincides with the next one adds no line.
        let numbers: Vec<usize> = points.iter().map(|&x| self.number(x)).collect();
        let next = numbers.iter().cycle().skip(1);
        let differ = numbers.iter().zip(next).enumerate();
        let kept: Vec<[usize; 2]> = differ
            .filter(|(_, (vertex, next))| vertex != next)
            .map(|(i, (&vertex, _))| [i, vertex])
            .collect();

        if kept.len() < 3 {
            let message = format!(
                "has {} points that differ, but a closed curve must have at least 3",
                kept.len()
            );
            return Err(fault(
                message,
                points.first().copied().into_iter().collect(),
            ));
        }
        Ok(kept)
    }

    /// Number of the first vertex near `at` (m), which is added if there is none.
    fn number(&mut self, at: Vec2) -> usize {
        let own = [at.x, at.y].map(|c| self.cell(c));
        for di in [-1.0, 0.0, 1.0] {
            for dj in [-1.0, 0.0, 1.0] {
                let near = self.cells.get(&key([own[0] + di, own[1] + dj]));
                for &k in near.into_iter().flatten() {
                    // Squares would overflow where coordinates are huge.
                    let way = self.x[k] - at;
                    if hypot(way.x, way.y) <= self.tolerance {
                        return k;
                    }
                }
            }
        }
        self.x.push(at);
        self.cells
            .entry(key(own))
            .or_default()
            .push(self.x.len() - 1);
        self.x.len() - 1
    }

    /// Cell of a coordinate (m); the coordinate itself where its cell is not a number.
    fn cell(&self, coordinate: f64) -> f64 {
        let cell = (coordinate / (2.0 * self.tolerance)).floor();
        if cell.is_finite() { cell } else { coordinate }
    }
}

/// Cells along both axes as keys of a table; both zeros are one.
fn key(cells: [f64; 2]) -> [u64; 2] {
    cells.map(|cell| (cell + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_are_one_and_no_cell_holds_many_others() {
        for size in [1e-300, 1e-6, 1.0, 1e200, 1e300] {
            for share in [0.0, 1e-300, 1e-30, 1e-9, 1e-5] {
                let tolerance = share * size;
                let mut merged = Merged::new(tolerance);
                for k in 0..1000 {
                    let angle = f64::from(k);
                    merged.number(Vec2::new(angle.cos(), angle.sin()) * size);
                }

                // They are farther apart than that.
                let count = merged.x.len();
                assert_eq!(count, 1000, "{size:e} {share:e}");
                for k in 0..count {
                    let near = merged.x[k] + Vec2::repeat(0.5 * tolerance);
                    assert_eq!(merged.number(near), k);
                }
                let fullest = merged.cells.values().map(Vec::len).max();
                assert!(fullest <= Some(4), "{fullest:?} {size:e} {share:e}");
            }
        }
    }
}
