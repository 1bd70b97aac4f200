//! Contact forces vertex by vertex: the derivatives of barrier and friction, as they act on meshes.
//!
//! A contact acts on a vertex of one side and on the ends of an edge of the other. Pictures of a
//! mesh show their sums at each vertex, and pressure is made of them. All forces on the vertices of
//! a body add up to the contact force on the body.

use ipcsim_contact::{Contacts, Surface};
use ipcsim_math::Vec2;
use std::f64::consts::TAU;

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
pub fn lengths_at(surface: &Surface, x: &[Vec2]) -> Vec<f64> {
    let mut lengths = vec![0.0; x.len()];
    for &[a, b] in &surface.edges {
        let half = 0.5 * (x[b] - x[a]).norm();
        if surface.is_revolved() {
            let both = x[a].x + x[b].x;
            lengths[a] += half * TAU / 3.0 * (both + x[a].x);
            lengths[b] += half * TAU / 3.0 * (both + x[b].x);
            continue;
        }
        lengths[a] += half;
        lengths[b] += half;
    }
    lengths
}

/// Moves the forces on the rims of circles to their centres. On the rim they stand for a torque
/// only.
pub(super) fn to_centres(surface: &Surface, forces: &mut [Vec2]) {
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
