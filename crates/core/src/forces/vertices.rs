//! Contact forces vertex by vertex: the derivatives of barrier and friction, as they act on meshes.
//!
//! A contact acts on a vertex of one side and on the ends of an edge of the other. Pictures of a
//! mesh show their sums at each vertex, and pressure is made of them. All forces on the vertices of
//! a body add up to the contact force on the body.

use super::pressure::pressures;
use crate::solve::Touching;
use crate::time::{State, World};
use ipcsim_contact::{Contacts, Surface};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// Contact forces on one vertex at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VertexContact {
    /// Number of the vertex.
    pub vertex: usize,
    /// Sum of the normal forces of all its contacts (N).
    pub normal: Vec2,
    /// Sum of their friction forces (N). Friction on a circle counts at its centre.
    pub friction: Vec2,
    /// Normal force per length of outline (N/m): contact pressure times thickness.
    pub per_length: f64,
}

/// Contact forces in the `state` at the end of a step that ended with `last`, for every vertex that
/// has any, in the order of vertices.
///
/// Normal forces belong to the contacts that the solver found. Before the first step and after a
/// step that failed these are searched for, without friction. Rolling resistance is a couple and
/// adds no force.
pub fn vertex_contacts(world: &World, state: &State, last: &Touching) -> Vec<VertexContact> {
    let surface = &world.model.surface;
    let mut friction = vec![Vec2::zeros(); state.x.len()];
    let found;
    let contacts = if last.stage.is_some() {
        // Friction is a function of positions on tangents.
        for contact in last.friction.forces(surface, &last.tangents) {
            for (vertex, own) in contact.on_vertices {
                friction[vertex] += own;
            }
        }
        to_centres(surface, &mut friction);
        &last.contacts
    } else {
        found = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
        &found
    };
    let normal = normal_on_vertices(surface, contacts, &state.x);
    let pressures = pressures(world, contacts, &state.x);

    let all = normal.into_iter().zip(friction).zip(pressures).enumerate();
    let all = all.map(|(vertex, ((normal, friction), pressure))| VertexContact {
        vertex,
        normal,
        friction,
        per_length: pressure.per_length,
    });
    let none = Vec2::zeros();
    all.filter(|own| own.normal != none || own.friction != none || own.per_length != 0.0)
        .collect()
}

/// Sum of the normal forces of all `contacts` on each vertex at positions `x` (m), `[vertices]`
/// (N): minus the gradient of the barrier.
pub fn normal_on_vertices(surface: &Surface, contacts: &Contacts, x: &[Vec2]) -> Vec<Vec2> {
    let mut forces = vec![Vec2::zeros(); x.len()];
    for contact in contacts.forces(surface, x) {
        for (vertex, own) in contact.on_vertices {
            forces[vertex] += own;
        }
    }
    to_centres(surface, &mut forces);
    forces
}

/// Length of outline that belongs to each vertex at positions `x` (m), `[vertices]` (m): half of
/// both edges at it, and 0 for vertices without an edge.
pub(super) fn lengths_at(surface: &Surface, x: &[Vec2]) -> Vec<f64> {
    let mut lengths = vec![0.0; x.len()];
    for &[a, b] in &surface.edges {
        let half = 0.5 * (x[b] - x[a]).norm();
        lengths[a] += half;
        lengths[b] += half;
    }
    lengths
}

/// Moves the forces on the rims of circles to their centres. On the rim they stand for a torque
/// only.
fn to_centres(surface: &Surface, forces: &mut [Vec2]) {
    for disk in &surface.disks {
        let on_rim = std::mem::take(&mut forces[disk.rim]);
        forces[disk.center] += on_rim;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_has_half_of_both_edges_at_it() {
        let x = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0], [7.0, 7.0]].map(Vec2::from);
        let mut surface = Surface::new(vec![0, 0, 0, 1], 0.1);
        surface.edges = vec![[0, 1], [1, 2], [2, 0], [3, 3]];
        assert_eq!(lengths_at(&surface, &x), [4.0, 3.5, 4.5, 0.0]);
    }
}
