//! Meshes of six-node triangles for cases.

use ipcsim::math::Vec2;
use ipcsim::mesh::{Mesh, generate};
use ipcsim::scene::schema::InlineMesh;

/// Six-node triangles on the triangles of a mesh. `place` says where the middle of a side is whose
/// ends are given (m); corners stay.
pub(super) fn six_nodes(mesh: &InlineMesh, place: impl Fn([Vec2; 2]) -> Vec2) -> InlineMesh {
    let plain = Mesh {
        vertices: mesh.vertices.iter().map(|&x| x.into()).collect(),
        triangles: mesh.triangles.clone(),
        ..Mesh::default()
    };

    let (mut made, sides) = plain.with_middles();
    let middles = made.vertices[plain.vertices.len()..].iter_mut();
    for (middle, ends) in middles.zip(&sides) {
        *middle = place(ends.map(|i| plain.vertices[i]));
    }
    InlineMesh {
        quadratic: true,
        ..InlineMesh::new(
            made.vertices.iter().map(|x| [x.x, x.y]).collect(),
            made.triangles,
        )
    }
}

/// A disk of this radius (m) in rings of six-node triangles, six times as many around as there are
/// rings, whose sides around it are on circles. Its first vertex is the centre.
pub(super) fn disk(radius: f64, rings: usize) -> InlineMesh {
    let plain = generate::disk(radius, rings);
    let vertices = plain.vertices.iter().map(|x| [x.x, x.y]).collect();
    six_nodes(&InlineMesh::new(vertices, plain.triangles), |[a, b]| {
        let middle = (a + b) / 2.0;
        if (a.norm() - b.norm()).abs() < 1e-9 * radius {
            middle * (a.norm() / middle.norm())
        } else {
            middle
        }
    })
}
