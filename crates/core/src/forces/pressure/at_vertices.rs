//! Forces of contacts that are sums over vertices.

use super::chords::Chords;
use ipcsim_math::Vec2;

/// Adds the forces (N) of contacts of single vertices, each with the vertices of both sides.
///
/// A vertex has half of each edge, projected along its force, whose other end is pressed to the same
/// side: none of the free side of a corner. Between bodies that do not deform the sum over vertices is
/// itself the model, and a vertex has half of both edges.
pub(super) fn add(
    chords: &mut Chords,
    contacts: Vec<Vec<(usize, Vec2)>>,
    is_soft: impl Fn(usize) -> bool,
) {
    if contacts.is_empty() {
        return;
    }
    let mut forces = [true, false].map(|_| vec![Vec2::zeros(); chords.x.len()]);
    for contact in contacts {
        let body = &chords.surface.body;
        let deforms = contact.iter().any(|&(vertex, _)| is_soft(body[vertex]));
        for (vertex, force) in contact {
            forces[usize::from(!deforms)][vertex] += force;
        }
    }

    let edges = chords.at_vertices();
    for (own, is_soft) in forces.iter().zip([true, false]) {
        for (vertex, edges) in edges.iter().enumerate() {
            if own[vertex] != Vec2::zeros() {
                add_vertex(chords, vertex, edges, own, is_soft);
            }
        }
    }
}

/// Adds the force on a vertex among `forces` (N, `[vertices]`), which has these edges.
fn add_vertex(chords: &mut Chords, vertex: usize, edges: &[usize], forces: &[Vec2], is_soft: bool) {
    let force = forces[vertex];
    let size = force.norm();
    let is_pressed = |&&k: &&usize| {
        let [a, b] = chords.surface.edges[k];
        forces[a].dot(&forces[b]) > 0.0
    };
    let pressed = edges.iter().filter(is_pressed);
    let faces: Vec<(usize, f64)> = pressed
        .map(|&k| {
            (
                k,
                0.5 * chords.way(k).norm()
                    * chords.facing(k, force / size)
                    * chords.turn(k, vertex),
            )
        })
        .collect();
    let sum = |lengths: &[(usize, f64)]| -> f64 { lengths.iter().map(|(_, own)| own).sum() };

    let chosen = if is_soft && sum(&faces) > 0.0 {
        faces
    } else {
        let half = |&k: &usize| (k, 0.5 * chords.way(k).norm() * chords.turn(k, vertex));
        edges.iter().map(half).collect()
    };
    let whole = sum(&chosen);
    for (k, own) in chosen {
        let end = chords.end_mut(k, vertex);
        end.force += size * own / whole;
        end.length += own;
        end.is_reached = true;
    }
}
