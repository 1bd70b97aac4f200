//! Brute force: every box against every other.

use super::index;
use crate::geometry::Aabb;
use crate::math::parallel;

/// Sorted pairs of overlapping boxes that `keep` keeps.
pub(super) fn pairs(
    points: &[Aabb],
    edges: &[Aabb],
    keep: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<(u32, u32)> {
    parallel::collect(points.len(), |range, list| {
        for i in range {
            let hits = edges
                .iter()
                .enumerate()
                .filter(|(_, edge)| points[i].overlaps(edge));
            list.extend(
                hits.map(|(j, _)| (index(i), index(j)))
                    .filter(|&(i, j)| keep(i, j)),
            );
        }
    })
}
