//! Activation distances of bodies with themselves, from their shape at rest.

use super::tuning::SELF_GAP_SHARE;
use super::{Candidates, Surface};
use crate::geometry::distance::point_edge;
use crate::math::Vec2;

/// Activation distance (m) of each of `bodies` bodies with itself, from positions at rest.
///
/// This is the surface's `d_hat`, or [`SELF_GAP_SHARE`] of the smallest distance at rest between a
/// vertex and an edge of the same body that do not share a vertex, if that is less. Without this a
/// body whose edges are shorter than `d_hat` would push itself apart at rest.
pub fn rest_gaps(surface: &Surface, rest: &[Vec2], bodies: usize) -> Vec<f64> {
    let candidates = Candidates::find(surface, rest, |_| surface.d_hat);
    let mut gaps = vec![surface.d_hat; bodies];

    for (k, &point) in surface.points.iter().enumerate() {
        let body = surface.body[point];

        // Edges without length stand for single vertices.
        for &e in candidates.edges_near(k) {
            let [a, b] = surface.edges[e as usize];
            if surface.body[a] == body && a != b {
                let distance = point_edge(rest[point], rest[a], rest[b]).distance;
                gaps[body] = gaps[body].min(SELF_GAP_SHARE * distance);
            }
        }
    }

    gaps
}
