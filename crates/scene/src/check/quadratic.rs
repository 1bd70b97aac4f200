//! Checks of quadratic elements: the material of their body, and meshes of six-node triangles.

use super::report::Report;
use crate::schema::{Body, Elements, InlineMesh, Scene};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::bernstein::determinant;
use ipcsim_math::number::short;
use ipcsim_mesh::Curved;

/// Largest number of triangles of a mesh that are reported.
const LISTED: usize = 20;

/// Checks that the material of a body with quadratic elements has a law of triangles.
///
/// `path` is that of the body. Springs join vertices and have no elements between them. A material
/// that does not exist or has no law is reported elsewhere.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    if body.elements != Elements::Quadratic {
        return;
    }

    let material = scene.materials.get(&body.material);
    let law = material.and_then(|material| material.law.as_ref());
    if law.is_some_and(|law| !law.summary().is_solid) {
        let message = format!(
            "is \"quadratic\", but \"{}\" is made of springs, which have no elements; remove it or use \
             an elastic law",
            body.material
        );
        report.add(&format!("{path}.elements"), message);
    }
}

/// Checks that the triangles of a mesh are the facets of six-node triangles, four by four, in which
/// `J > 0` everywhere at rest.
///
/// The smallest coefficient of Bernstein of `J` must be positive, as it must in every later state.
pub(super) fn check_mesh(report: &mut Report, path: &str, mesh: &InlineMesh) {
    let count = mesh.triangles.len();
    if !count.is_multiple_of(4) {
        let message = format!(
            "is true, but there are {count} triangles, no multiple of 4: list the four triangles \
             between the nodes of each six-node triangle"
        );
        return report.add(&format!("{path}.quadratic"), message);
    }

    let mut listed = 0;
    for first in (0..count).step_by(4) {
        let curved = Curved::of_facets(&mesh.triangles, first);
        let own = &mesh.triangles[first..first + 4];
        let message = if own == curved.facets() {
            fold(mesh, &curved)
        } else {
            Some(format!(
                "{own:?} are not the four triangles [0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5] of \
                 six nodes; list them in this order"
            ))
        };
        let Some(message) = message else { continue };
        report.add(&format!("{path}.triangles[{first}]"), message);
        // A wrong order is wrong in all triangles, and a few messages suffice.
        listed += 1;
        if listed == LISTED {
            return;
        }
    }
}

/// Message about a six-node triangle that is folded at rest, or so bent that it cannot be proved not
/// to be; `None` for a good one, and for one whose nodes do not exist.
fn fold(mesh: &InlineMesh, curved: &Curved) -> Option<String> {
    if curved.nodes.iter().any(|&i| i >= mesh.vertices.len()) {
        return None;
    }

    let x = curved.nodes.map(|i| Vec2::from(mesh.vertices[i]));
    let c = determinant(&x);
    let least = c.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = c.iter().copied().fold(0.0, f64::max);
    // A coefficient that is rounding only counts as 0.
    let is_good = least > 1e-9 * largest;
    (!is_good).then(|| {
        let [a, b, c, ..] = curved.nodes;
        format!(
            "the six-node triangle with the corners {a}, {b}, {c} is folded: the smallest coefficient \
             of its J is {} of the largest, but must be positive; move the nodes on its sides nearer \
             to the middles of these",
            short(least / largest)
        )
    })
}
