//! Activation distances within bodies, from their shape at rest.

use super::tuning::SELF_GAP_SHARE;
use super::{Candidates, Surface};
use crate::geometry::distance::point_edge;
use crate::math::Vec2;

/// Activation distance (m) of each vertex with edges of its own body, from positions at rest,
/// `[vertices]`.
///
/// This is the body's own, or [`SELF_GAP_SHARE`] of the smallest distance at rest between the
/// vertex and an edge of the same body that it does not belong to, if that is less. Without this a
/// body whose edges are shorter than `d_hat` would push itself apart at rest. A short edge shortens
/// the reach of the vertices near it, and of no others.
pub fn rest_gaps(surface: &Surface, rest: &[Vec2]) -> Vec<f64> {
    let candidates = Candidates::find(surface, rest, |i| surface.reach.most_of(surface.body[i]));
    let own = surface
        .body
        .iter()
        .map(|&body| surface.reach.between(body, body));
    let mut gaps: Vec<f64> = own.collect();

    for (k, &point) in surface.points.iter().enumerate() {
        // Edges without length stand for single vertices.
        for &e in candidates.edges_near(k) {
            let [a, b] = surface.edges[e as usize];
            if surface.body[a] == surface.body[point] && a != b {
                let distance = point_edge(rest[point], rest[a], rest[b]).distance;
                gaps[point] = gaps[point].min(SELF_GAP_SHARE * distance);
            }
        }
    }

    gaps
}
