//! Contact pressure along the outline of a body.

use super::vertices::{lengths_at, normal_on_vertices};
use crate::time::World;
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use ipcsim_mesh::curves;

/// A vertex of an outline with the contact force on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Number of the vertex in the world.
    pub vertex: usize,
    /// Number of the closed or open curve that the vertex is on, from 0.
    pub curve: usize,
    /// Distance along the curve from its first vertex (m).
    pub arc: f64,
    /// Position of the vertex (m).
    pub position: Vec2,
    /// Normal force of all contacts on the vertex (N).
    pub force: Vec2,
    /// Length of outline that belongs to the vertex (m): half of both edges at it.
    pub length: f64,
    /// Pressure (Pa): size of the force over length and thickness.
    pub pressure: f64,
}

/// Contact pressure at the vertices of the outline of the body with this number, at positions `x`
/// (m, `[vertices]`) and for a `thickness` (m), curve by curve.
///
/// Contact forces are the derivative of the barrier of the `contacts` at `x`, so the pressure can
/// be read from stored positions ([`World::contacts_at`]); friction is not part of it. The force of
/// a contact with an edge is spread over its two ends. Sums of `pressure length thickness` are the
/// sums of the forces. At a corner half of a side that is free counts as length. A circle has no
/// outline of edges and gives an empty list.
pub fn pressure(
    world: &World,
    contacts: &Contacts,
    x: &[Vec2],
    body: usize,
    thickness: f64,
) -> Vec<SurfacePoint> {
    let surface = &world.model.surface;
    let force = normal_on_vertices(surface, contacts, x);
    let lengths = lengths_at(surface, x);

    let own = |edge: &[usize; 2]| edge[0] != edge[1] && surface.body[edge[0]] == body;
    let edges: Vec<[usize; 2]> = surface.edges.iter().copied().filter(own).collect();
    let mut points = Vec::new();

    for (curve, vertices) in curves(&edges).into_iter().enumerate() {
        let mut arc = 0.0;
        for (k, &vertex) in vertices.iter().enumerate() {
            if k > 0 {
                arc += (x[vertex] - x[vertices[k - 1]]).norm();
            }
            let length = lengths[vertex];
            points.push(SurfacePoint {
                vertex,
                curve,
                arc,
                position: x[vertex],
                force: force[vertex],
                length,
                pressure: force[vertex].norm() / (length * thickness),
            });
        }
    }
    points
}
