//! Every box against every other.

use crate::geometry::Aabb;
use crate::math::parallel;

pub(super) fn pairs(points: &[Aabb], edges: &[Aabb]) -> Vec<(u32, u32)> {
    parallel::collect(points.len(), |range, list| {
        for i in range {
            let hits = edges.iter().enumerate().filter(|(_, edge)| points[i].overlaps(edge));
            list.extend(hits.map(|(j, _)| (i as u32, j as u32)));
        }
    })
}
