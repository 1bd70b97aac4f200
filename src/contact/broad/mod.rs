//! Broad phase: which boxes of one list overlap which boxes of another. A pure function of the boxes; every method
//! returns the same pairs, sorted and unique.

mod brute;

use crate::geometry::Aabb;

/// How overlapping boxes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BroadPhase {
    /// Every box against every other: quadratic, the oracle of the others.
    #[default]
    Brute,
}

impl BroadPhase {
    /// The pairs `(i, j)` for which `points[i]` overlaps `edges[j]`, sorted.
    pub fn pairs(self, points: &[Aabb], edges: &[Aabb]) -> Vec<(u32, u32)> {
        match self {
            Self::Brute => brute::pairs(points, edges),
        }
    }
}
