//! Brute force: every box against every other.
//!
//! Without a structure there is nothing to build and nothing to get wrong, so this method is
//! the oracle of the others.

use super::{Keep, index};
use ipcsim_math::geometry::Aabb;
use ipcsim_math::parallel;

/// Sorted pairs of overlapping boxes that `keep` keeps.
pub(super) fn pairs(points: &[Aabb], edges: &[Aabb], keep: &Keep) -> Vec<(u32, u32)> {
    parallel::collect(points.len(), |range, list| {
        // Points in order and edges in order: pairs come sorted.
        for i in range {
            for (j, edge) in edges.iter().enumerate() {
                let pair = (index(i), index(j));
                if points[i].overlaps(edge) && keep(pair.0, pair.1) {
                    list.push(pair);
                }
            }
        }
    })
}
