//! Forces of contact and friction, pair by pair.
//!
//! The solver minimises sums of energies and needs no single force. Readers do: this room takes the
//! derivatives of barrier and friction apart into pairs of a vertex and an edge, a vertex or a
//! half-plane. Normal forces belong to the positions at the end of the step. Friction belongs to
//! the contacts that were lagged in the step's last solve, which need not be the same pairs. Both
//! are collected under the pair, in the order of pairs.

use crate::contact::{Candidates, ContactPair, Contacts, Friction, Surface};
use crate::geometry::distance::point_edge;
use crate::math::Vec2;
use crate::time::World;
use std::collections::BTreeMap;

/// Force between a vertex of one body and an edge, a vertex or a half-plane of another.
///
/// The barrier acts at the end of the step. Friction is lagged: it is that of the contacts at the
/// step's start, unless the scene asks for more lag iterations. A pair that has come into contact
/// in the step has no friction yet, and one that has left contact still has friction.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce<'a> {
    /// Names of the first and second body or obstacle; forces act on the first, and their opposites
    /// on the second.
    pub bodies: [&'a str; 2],
    /// Vertex of the first body, then the two ends of an edge of the second; these are equal where
    /// the second has a vertex there, and missing where it is a half-plane.
    pub vertices: Vec<usize>,
    /// Point of the second body's surface that is nearest to the vertex (m).
    pub point: Vec2,
    /// Unit normal at that point (1), towards the first body.
    pub normal: Vec2,
    /// Force along the normal (N). It is positive, except for corrections where two edges share a
    /// vertex, which take off what both edges count.
    pub normal_force: f64,
    /// Friction force on the first body (N), along the tangent.
    pub friction_force: Vec2,
}

impl ContactForce<'_> {
    /// Sum of normal and friction force on the first body (N).
    pub fn force(&self) -> Vec2 {
        self.normal * self.normal_force + self.friction_force
    }

    /// Force on the body or obstacle of this name (N): zero if it takes no part. Forces of a body
    /// on itself cancel.
    pub fn force_on(&self, body: &str) -> Vec2 {
        let [first, second] = self.bodies.map(|name| name == body);

        // Both are true for a body in contact with itself.
        match (first, second) {
            (true, false) => self.force(),
            (false, true) => -self.force(),
            _ => Vec2::zeros(),
        }
    }
}

/// Forces of all pairs at the positions `x`, with the friction of the last step, which is a
/// function of the tangent positions `y`.
pub(super) fn forces<'a>(
    world: &'a World,
    x: &[Vec2],
    friction: &Friction,
    y: &[Vec2],
) -> impl Iterator<Item = ContactForce<'a>> {
    let surface = &world.model.surface;
    let candidates = Candidates::find(surface, x, |_| 0.0);
    // No accepted state has a pair that touches, so that the search does not fail.
    let contacts = Contacts::find(surface, world.barrier, &candidates, x).unwrap_or_default();

    // Normal forces, then friction of the same or of further pairs.
    let mut pairs = BTreeMap::new();
    for normal in contacts.forces(surface, x) {
        let pair = pairs
            .entry(normal.pair)
            .or_insert_with(|| unloaded(world, normal.pair, normal.point, normal.normal));
        pair.normal_force += normal.force;
    }
    for friction in friction.forces(surface, y) {
        let pair = pairs.entry(friction.pair).or_insert_with(|| {
            let [point, normal] = nearest(surface, friction.pair, x);
            unloaded(world, friction.pair, point, normal)
        });
        pair.friction_force += friction.force;
    }
    pairs.into_values()
}

/// A pair without forces, at the nearest `point` of the second body (m) and the unit normal there.
fn unloaded(world: &World, pair: ContactPair, point: Vec2, normal: Vec2) -> ContactForce<'_> {
    let bodies = pair.bodies(&world.model.surface);
    ContactForce {
        bodies: bodies.map(|body| world.bodies[body].name.as_str()),
        vertices: pair.vertices(),
        point,
        normal,
        normal_force: 0.0,
        friction_force: Vec2::zeros(),
    }
}

/// Nearest point of the second body to the vertex of a pair (m), and the unit normal there.
fn nearest(surface: &Surface, pair: ContactPair, x: &[Vec2]) -> [Vec2; 2] {
    match pair {
        ContactPair::Plane { point, plane } => {
            let plane = &surface.planes[plane];
            let normal = plane.normal_at(x);
            let height = normal.dot(&(x[point] - x[plane.origin]));
            [x[point] - normal * height, normal]
        }

        // Where the edge is a circle's centre, the surface is its radius away.
        ContactPair::Edge {
            point,
            edge: [a, b],
        } => {
            let foot = x[a] + (x[b] - x[a]) * point_edge(x[point], x[a], x[b]).t;
            let normal = (x[point] - foot).normalize();
            [foot + normal * surface.radius[a], normal]
        }
    }
}
