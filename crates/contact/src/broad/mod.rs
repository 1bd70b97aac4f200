//! Broad phase: pairs of overlapping boxes from two lists.
//!
//! Points and edges that may collide have overlapping boxes. Of all `n m` pairs of boxes few
//! overlap, and the methods here find these without testing all. They differ in speed only: every
//! method returns the same pairs, sorted and unique, on any number of threads.
//!
//! - [`BroadPhase::Brute`] tests all pairs, which is fastest for short lists and is the oracle of
//!   the tests;
//! - [`BroadPhase::Grid`] and [`BroadPhase::Hierarchy`] store one list and search around the boxes
//!   of the other, a few neighbours at a time;
//! - [`BroadPhase::SweepAndPrune`] divides both lists along y and sweeps them along x.
//!
//! Overlap is defined by [`Aabb::overlaps`] on any input: an infinite box overlaps as comparisons
//! tell, and a box with a NaN overlaps nothing. Indices are `u32`: an index above `u32::MAX` (such
//! lists hold more than 128 GiB) becomes `u32::MAX`, never the index of another box.

mod brute;
#[cfg(test)]
#[allow(
    unreachable_pub,
    reason = "the benchmark of broad phases has the same file"
)]
mod disks;
mod gather;
mod grid;
mod hierarchy;
mod order;
mod sample;
mod sweep_and_prune;
#[cfg(test)]
mod tests;

use crate::tuning::BRUTE_MOST_TESTS;
use ipcsim_keys::Keys;
use ipcsim_math::geometry::Aabb;
use serde::{Deserialize, Serialize};

pub use hierarchy::Hierarchy;

/// Method that finds overlapping boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum BroadPhase {
    /// The method that suits the number of boxes and the spread of their sizes.
    #[default]
    Auto,
    /// Every box against every other: quadratic, the oracle of the others.
    Brute,
    /// A hash grid with a level for every size of box: fastest where sizes are alike.
    Grid,
    /// A sweep along x within a tree over y: `O(n log n + k)` for `k` pairs, whatever the boxes.
    #[serde(rename = "sweep")]
    SweepAndPrune,
    /// A tree of boxes in boxes: good at everything.
    Hierarchy,
}

impl BroadPhase {
    /// Pairs `(i, j)` for which `points[i]` overlaps `edges[j]`, sorted.
    pub fn pairs(self, points: &[Aabb], edges: &[Aabb]) -> Vec<(u32, u32)> {
        self.pairs_where(points, edges, |_, _| true)
    }

    /// Pairs `(i, j)`, `i < j`, for which `boxes[i]` overlaps `boxes[j]`, sorted.
    pub fn self_pairs(self, boxes: &[Aabb]) -> Vec<(u32, u32)> {
        self.pairs_where(boxes, boxes, |i, j| i < j)
    }

    /// Pairs `(i, j)` for which `points[i]` overlaps `edges[j]` and `keep(i, j)` holds, sorted.
    ///
    /// Pairs of no use, such as a point and its own edges, are cheaper to drop here than later.
    pub fn pairs_where(
        self,
        points: &[Aabb],
        edges: &[Aabb],
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) -> Vec<(u32, u32)> {
        self.pairs_that(points, edges, &keep)
    }

    /// [`Self::pairs_where`], compiled once for all conditions.
    fn pairs_that(self, points: &[Aabb], edges: &[Aabb], keep: &Keep) -> Vec<(u32, u32)> {
        match self {
            Self::Auto => Self::choose(points, edges).pairs_that(points, edges, keep),
            Self::Brute => brute::pairs(points, edges, keep),
            Self::Grid => grid::pairs(points, edges, keep),
            Self::SweepAndPrune => sweep_and_prune::pairs(points, edges, keep),
            Self::Hierarchy => hierarchy::pairs(points, edges, keep),
        }
    }

    /// Chooses brute force for few boxes, where any structure costs more, and the grid where it
    /// needs few levels.
    fn choose(points: &[Aabb], edges: &[Aabb]) -> Self {
        if points.len().saturating_mul(edges.len()) <= BRUTE_MOST_TESTS {
            Self::Brute
        } else if sample::alike(points) && sample::alike(edges) {
            Self::Grid
        } else {
            Self::Hierarchy
        }
    }
}

/// Condition on a pair of boxes that overlap. Few boxes do, so that a call costs little.
type Keep<'a> = dyn Fn(u32, u32) -> bool + Sync + 'a;

/// Number of a box as it is stored in a pair; `u32::MAX` if it does not fit.
fn index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}
