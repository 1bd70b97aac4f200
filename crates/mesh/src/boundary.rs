//! Boundary of a triangle mesh: the surface of the body, and the length that belongs to each
//! vertex.
//!
//! An edge inside a mesh belongs to two triangles, an edge of the boundary to one. Sorting the
//! sides of all triangles brings equal edges together, so no table of neighbours is needed.

use ipcsim_math::Vec2;

/// Edges that belong to one triangle only, sorted, with the material on their left.
///
/// Triangles run counter-clockwise, so an edge keeps the direction in which its triangle runs.
///
/// ```
/// let square = [[0, 1, 2], [0, 2, 3]];
/// assert_eq!(ipcsim_mesh::boundary::edges(&square), [[0, 1], [1, 2], [2, 3], [3, 0]]);
/// ```
pub fn edges(triangles: &[[usize; 3]]) -> Vec<[usize; 2]> {
    // Each side with its smaller vertex first, and as its triangle runs through it.
    let mut sides: Vec<([usize; 2], [usize; 2])> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| ([a.min(b), a.max(b)], [a, b]))
        .collect();
    sides.sort_unstable();

    let mut single: Vec<[usize; 2]> = sides
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|shared| shared.len() == 1)
        .map(|shared| shared[0].1)
        .collect();
    single.sort_unstable();
    single
}

/// Length of the boundary that belongs to each vertex (m, `[vertices]`): half of each boundary edge
/// at the vertex. Vertices without a boundary edge have 0. The sum is the length of the boundary.
pub fn lengths(vertices: &[Vec2], edges: &[[usize; 2]]) -> Vec<f64> {
    let mut lengths = vec![0.0; vertices.len()];

    for &[a, b] in edges {
        let half = 0.5 * (vertices[b] - vertices[a]).norm();
        lengths[a] += half;
        lengths[b] += half;
    }

    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn every_vertex_of_a_square_has_one_segment_of_contact_length() {
        let mesh = generate::rectangle([1.0, 1.0], [4, 4]);
        let edges = edges(&mesh.triangles);
        let lengths = lengths(&mesh.vertices, &edges);

        assert_eq!(edges.len(), 16);
        assert!(
            lengths
                .iter()
                .all(|&w| w.abs() < 1e-15 || (w - 0.25).abs() < 1e-15)
        );
        assert!((lengths.iter().sum::<f64>() - 4.0).abs() < 1e-14);
    }
}
