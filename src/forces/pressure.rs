//! Contact pressure along the outline of a body.

use crate::contact::Contacts;
use crate::math::Vec2;
use crate::time::World;

/// A vertex of an outline with the contact force on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Number of the vertex in the world.
    pub vertex: usize,
    /// Number of the closed or open curve that the vertex is on, from 0.
    pub curve: usize,
    /// Way along the curve from its first vertex (m).
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
/// Contact forces are the derivative of the barrier of the `contacts` at `x`, so the pressure can be
/// read from stored positions ([`World::contacts_at`]); friction is not part of it. The force of a contact with an edge
/// is spread over its two ends. Sums of `pressure length thickness` are the sums of the forces. At a
/// corner half of a side that is free counts as length. A circle has no outline of edges and gives
/// an empty list.
pub fn pressure(
    world: &World,
    contacts: &Contacts,
    x: &[Vec2],
    body: usize,
    thickness: f64,
) -> Vec<SurfacePoint> {
    let surface = &world.model.surface;
    let mut force = vec![Vec2::zeros(); x.len()];
    for contact in contacts.forces(surface, x) {
        for (vertex, own) in contact.on_vertices {
            force[vertex] += own;
        }
    }

    let own = |edge: &[usize; 2]| edge[0] != edge[1] && surface.body[edge[0]] == body;
    let edges: Vec<[usize; 2]> = surface.edges.iter().copied().filter(own).collect();
    let mut points = Vec::new();
    for (curve, vertices) in curves(&edges).into_iter().enumerate() {
        let is_closed = edges.contains(&[vertices[vertices.len() - 1], vertices[0]]);
        let mut arc = 0.0;
        for (k, &vertex) in vertices.iter().enumerate() {
            let before = if k > 0 {
                Some(vertices[k - 1])
            } else {
                vertices.last().copied().filter(|_| is_closed)
            };
            let after = vertices
                .get(k + 1)
                .copied()
                .or_else(|| is_closed.then_some(vertices[0]));
            let reach = |other: Option<usize>| other.map_or(0.0, |v| (x[v] - x[vertex]).norm());
            if k > 0 {
                arc += reach(before);
            }

            let length = 0.5 * (reach(before) + reach(after));
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

/// Vertices of the curves that directed edges form, in order. Open curves begin where no edge ends.
fn curves(edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut sorted = edges.to_vec();
    sorted.sort_unstable();
    let mut ends: Vec<usize> = edges.iter().map(|edge| edge[1]).collect();
    ends.sort_unstable();
    let mut used = vec![false; sorted.len()];
    let mut curves = Vec::new();

    // Open curves first, then what is left, which is closed.
    for is_open in [true, false] {
        for start in 0..sorted.len() {
            if used[start] || is_open && ends.binary_search(&sorted[start][0]).is_ok() {
                continue;
            }
            let mut curve = vec![sorted[start][0]];
            let mut next = Some(start);
            while let Some(edge) = next {
                used[edge] = true;
                let to = sorted[edge][1];
                if to == curve[0] {
                    break;
                }
                curve.push(to);
                let first = sorted.partition_point(|[vertex, _]| *vertex < to);
                next = (first..sorted.len())
                    .take_while(|&k| sorted[k][0] == to)
                    .find(|&k| !used[k]);
            }
            curves.push(curve);
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_followed_from_their_first_vertex() {
        let closed = [[2, 0], [0, 1], [1, 2]];
        assert_eq!(curves(&closed), [vec![0, 1, 2]]);
        let open = [[7, 3], [5, 7], [3, 4]];
        assert_eq!(curves(&open), [vec![5, 7, 3, 4]]);
        assert!(curves(&[]).is_empty());
    }
}
