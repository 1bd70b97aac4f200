//! How near a body is to itself at rest.

use super::{Candidates, Surface};
use crate::geometry::distance::point_edge;
use crate::math::Vec2;

/// Share of the smallest gap at rest below which a body starts to repel itself.
const SHARE: f64 = 0.5;

/// The activation distance (m) for contact of each of `bodies` bodies with itself: the surface's `d_hat`, or half of the
/// smallest distance at rest between a vertex and an edge of the body that it does not belong to, where that is less.
///
/// Without this a body whose edges are shorter than `d_hat` would push itself apart before anything happens.
pub fn rest_gaps(surface: &Surface, rest: &[Vec2], bodies: usize) -> Vec<f64> {
    let candidates = Candidates::find(surface, rest, |_| surface.d_hat);
    let mut gaps = vec![surface.d_hat; bodies];
    for (k, &point) in surface.points.iter().enumerate() {
        let body = surface.body[point];
        for &e in candidates.edges_near(k) {
            let [a, b] = surface.edges[e as usize];
            if surface.body[a] == body && a != b {
                let gap = SHARE * point_edge(rest[point], rest[a], rest[b]).distance;
                gaps[body] = gaps[body].min(gap);
            }
        }
    }
    gaps
}
