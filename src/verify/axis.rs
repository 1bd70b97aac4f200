//! The axis of bodies of revolution: nothing reaches it that is off it at rest, and the rest stays on it.
//!
//! Rigid bodies and obstacles only move along the axis, and keep their radii.
//!
//! Radii are compared with 0 exactly. On a quadratic triangle the radius is positive where its Bernstein
//! coefficients are: the radii of corners, and `2 r_m - (r_a + r_b) / 2` of each side.

use super::place::at;
use ipcsim::math::Vec2;
use ipcsim::mesh::Curved;
use ipcsim_store::mesh_file::MeshFile;

/// First vertex or side that is not on its side of the axis at positions `x` (m), in words; `None` in a
/// scene of the plane.
pub(super) fn violation(mesh: &MeshFile, x: &[Vec2]) -> Option<String> {
    if !mesh.axisymmetric {
        return None;
    }
    let mut vertices = mesh.triangles.iter().flatten();
    let is_off = |&&vertex: &&usize| {
        let radius = x[vertex].x;
        if mesh.vertices_rest[vertex][0] == 0.0 {
            radius != 0.0
        } else {
            radius <= 0.0
        }
    };
    if let Some(&vertex) = vertices.find(is_off) {
        let place = at(x[vertex]);
        return Some(format!(
            "{} is at {place}, but a body of revolution keeps its side of the axis x = 0",
            mesh.describe(vertex)
        ));
    }

    let sides = mesh.quadratic.iter().flat_map(Curved::sides);
    let bulges = |[a, middle, b]: &[usize; 3]| {
        let coefficient =
            |radius: &dyn Fn(usize) -> f64| 2.0 * radius(*middle) - 0.5 * (radius(*a) + radius(*b));
        let rest = coefficient(&|i| mesh.vertices_rest[i][0]);
        rest > 0.0 && coefficient(&|i| x[i].x) <= 0.0
    };
    let [_, middle, _] = sides.into_iter().find(bulges)?;
    let place = at(x[middle]);
    Some(format!(
        "the curved side at {}, {place}, may reach over the axis x = 0",
        mesh.describe(middle)
    ))
}
