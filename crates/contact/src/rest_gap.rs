//! Activation distances within bodies, from their shape at rest.
//!
//! A vertex repels its own body only below half of its smallest gap to it at rest. Otherwise a mesh
//! finer than `d_hat` would explode. A short edge shortens the reach of the vertices near it, and
//! of no others.

use super::tuning::SELF_GAP_SHARE;
use super::{Candidates, Surface};
use crate::tuning::STRAND_LEAST_GAP;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;

/// Activation distance (m) of each vertex with edges of the same body, from positions at rest,
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
            let bodies = [a, point].map(|vertex| surface.body[vertex]);
            let is_near = bodies[0] == bodies[1] || surface.are_joined(bodies[0], bodies[1]);
            let is_own = is_near && a != b;
            if is_own && !is_apart(surface, point, [a, b]) {
                let distance = point_edge(rest[point], rest[a], rest[b]).distance;
                gaps[point] = gaps[point].min(SELF_GAP_SHARE * distance);
            }
        }
    }

    gaps
}

/// Activation distance (m) of each vertex with parts of the same rod that are not neighbours, from
/// positions at rest, `[vertices]`; empty without rods that have a radius.
///
/// As in [`rest_gaps`] this is the body's own, or less where the rod is near to itself at rest. A rod
/// that touches itself there has nearly none, and is reported as an overlap.
pub fn strand_gaps(surface: &Surface, rest: &[Vec2]) -> Vec<f64> {
    if surface.strands.is_empty() {
        return Vec::new();
    }

    let candidates = Candidates::find(surface, rest, |i| surface.reach.most_of(surface.body[i]));
    let own = surface.body.iter();
    let own = own.map(|&body| surface.reach.between(body, body));
    let mut gaps: Vec<f64> = own.collect();

    for (k, &point) in surface.points.iter().enumerate() {
        for &e in candidates.edges_near(k) {
            let [a, b] = surface.edges[e as usize];
            if !is_apart(surface, point, [a, b]) {
                continue;
            }

            let distance = point_edge(rest[point], rest[a], rest[b]).distance;
            let gap = SELF_GAP_SHARE * (distance - surface.separation(point, a));
            gaps[point] = gaps[point].min(gap.max(STRAND_LEAST_GAP * gaps[point]));
        }
    }
    gaps
}

/// True if a vertex and an edge are parts of a rod with a radius that are not neighbours.
fn is_apart(surface: &Surface, point: usize, edge: [usize; 2]) -> bool {
    let body = surface.body[point];
    body == surface.body[edge[0]]
        && surface.strands.has(body)
        && !surface.are_neighbours(point, edge)
}
