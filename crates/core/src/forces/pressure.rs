//! Contact pressure along the outline of a body.
//!
//! The force on a vertex is not a pressure yet: it has to be divided by the length that bears it, and the
//! nodes of a parabola carry 1/6, 4/6 and 1/6 of an even pressure. So the pressure is a function on the
//! outline, whose products with the shape functions have the integrals that the forces give.
//!
//! 1. Each contact gives parts of its force to both ends of its edge ([`forces`]). Only what is in
//!    contact counts as length there ([`cover`]): half of a side at the end of a patch, and none of the
//!    free side at a corner.
//! 2. Where a quadratic triangle presses, its forces alternate between corners and middles by an
//!    amount that depends on the stiffness of the contact. Pressure is therefore linear along the whole
//!    side, with its values at the corners: the moments of the forces with these functions are right
//!    whatever alternates ([`sides`]).
//! 3. The other body feels the same alternation. If its edges are shorter, it has the pressure of the
//!    longer side ([`interface`]).
//!
//! The mass matrix is lumped: sums of rows. A consistent one overshoots at the ends of a patch, where
//! pressure ends within an edge. Integrals of the pressure stay the force.

mod alternation;
mod at_vertices;
mod chords;
mod cover;
mod forces;
mod interface;
mod sides;
mod values;

use super::vertices::normal_on_vertices;
use crate::time::World;
pub use chords::VertexPressure;

use chords::Chords;
use ipcsim_contact::Contacts;
use ipcsim_math::Vec2;
use ipcsim_mesh::curves;
use sides::Sides;

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
    /// Length of outline in contact that belongs to the vertex (m), see [`VertexPressure`].
    pub length: f64,
    /// Pressure (Pa).
    pub pressure: f64,
}

/// Contact pressure at each vertex at positions `x` (m), `[vertices]`, of the `contacts` found there
/// ([`World::contacts_at`]); 0 away from contact and inside of bodies. Friction is not part of it.
pub fn pressures(world: &World, contacts: &Contacts, x: &[Vec2]) -> Vec<VertexPressure> {
    let surface = &world.model.surface;
    let mut chords = Chords::new(surface, x);
    let sides = Sides::new(world, &chords);
    let pieces: Vec<_> = contacts.pressed_pieces(x).collect();

    // Lengths, then forces that may need them.
    let covers = cover::covers(&chords, &sides, &pieces);
    cover::add(&mut chords, &covers);
    forces::add(&mut chords, &pieces);
    let is_soft = |body: usize| world.bodies[body].kind.is_soft();
    at_vertices::add(&mut chords, contacts.vertex_forces(x), is_soft);

    // Pressure by the forces, and then by longer sides opposite.
    let mut settled = chords.clone();
    settled.settle();
    let found = values::values(&sides, &settled, &covers);
    if sides.are_none() {
        return found;
    }
    interface::smooth(&mut chords, &sides, &covers, &found);
    chords.settle();
    values::values(&sides, &chords, &covers)
}

/// Contact pressure at the vertices of the outline of the body with this number, at positions `x`
/// (m, `[vertices]`) and for a `thickness` (m), curve by curve.
///
/// Contact forces are the derivative of the barrier of the `contacts` at `x`, so the pressure can
/// be read from stored positions ([`World::contacts_at`]); friction is not part of it. The force of
/// a contact with an edge is spread over its two ends. Sums of `pressure length thickness` are the
/// sizes of the forces. A circle has no outline of edges and gives an empty list.
pub fn pressure(
    world: &World,
    contacts: &Contacts,
    x: &[Vec2],
    body: usize,
    thickness: f64,
) -> Vec<SurfacePoint> {
    let surface = &world.model.surface;
    let force = normal_on_vertices(surface, contacts, x);
    let all = pressures(world, contacts, x);

    let own = |edge: &[usize; 2]| edge[0] != edge[1] && surface.body[edge[0]] == body;
    let edges: Vec<[usize; 2]> = surface.edges.iter().copied().filter(own).collect();
    let mut points = Vec::new();

    for (curve, vertices) in curves(&edges).into_iter().enumerate() {
        let mut arc = 0.0;
        for (k, &vertex) in vertices.iter().enumerate() {
            if k > 0 {
                arc += (x[vertex] - x[vertices[k - 1]]).norm();
            }
            points.push(SurfacePoint {
                vertex,
                curve,
                arc,
                position: x[vertex],
                force: force[vertex],
                length: all[vertex].length,
                pressure: all[vertex].per_length / thickness,
            });
        }
    }
    points
}
