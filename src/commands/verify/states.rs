//! What is wrong with a stored state.

use super::super::CommandError;
use super::stored::{Stored, at};
use crate::contact::{Intersection, Outlines};
use crate::geometry::predicates::orientation;
use crate::math::Vec2;
use crate::store::mesh_file::MeshFile;
use std::cmp::Ordering;

/// What is wrong with the first state that is not as it should be.
pub(super) fn first_violation(mut stored: Stored) -> Result<Option<String>, CommandError> {
    let colliders = stored.mesh.colliders();
    let outlines = colliders.outlines();
    let mut x = Vec::new();
    for (entry, step) in stored.steps.iter().enumerate() {
        stored.trajectory.next(&mut x)?;
        if let Some(found) = state_violation(&stored.mesh, &outlines, &x) {
            return Ok(Some(format!("step {step}: {found}")));
        }
        for k in stored.energies.energies() {
            let value = stored.energies.rows[entry][k];
            if !value.is_some_and(f64::is_finite) {
                let value =
                    value.map_or("missing".to_owned(), |value| format!("{value}, not finite"));
                return Ok(Some(format!(
                    "step {step}: {} is {value}",
                    stored.energies.columns[k]
                )));
            }
        }
    }
    Ok(None)
}

fn state_violation(mesh: &MeshFile, outlines: &Outlines, x: &[Vec2]) -> Option<String> {
    if let Some(i) = x.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
        return Some(format!("{} is at {}", mesh.describe(i), at(x[i])));
    }
    let inverted = |&&[a, b, c]: &&[usize; 3]| orientation(x[a], x[b], x[c]) != Ordering::Greater;
    if let Some(&[a, b, c]) = mesh.triangles.iter().find(inverted) {
        let name = &mesh.bodies[mesh.body[a]].name;
        let first = mesh.bodies[mesh.body[a]].first_vertex;
        let [u, v, w] = [a, b, c].map(|i| i - first);
        return Some(format!(
            "triangle {u}-{v}-{w} of \"{name}\" is inverted, at {}, {}, {}",
            at(x[a]),
            at(x[b]),
            at(x[c])
        ));
    }
    let found = outlines.intersections(x).into_iter().next()?;
    Some(match found {
        Intersection::Edges(a, b) => format!("{} meets {}", name(mesh, a, x), name(mesh, b, x)),
        Intersection::Inside { vertex, body } => {
            format!(
                "{}, at {}, is inside \"{}\"",
                mesh.describe(vertex),
                at(x[vertex]),
                mesh.bodies[body].name
            )
        }
        Intersection::Plane { vertex, plane } => {
            format!(
                "{}, at {}, is behind \"{}\"",
                mesh.describe(vertex),
                at(x[vertex]),
                mesh.planes[plane].name
            )
        }
    })
}

/// An edge, a circle or a point.
pub(super) fn name(mesh: &MeshFile, [a, b]: [usize; 2], x: &[Vec2]) -> String {
    if a != b {
        return format!(
            "edge {} to {}, from {} to {}",
            mesh.describe(a),
            mesh.describe(b),
            at(x[a]),
            at(x[b])
        );
    }
    let what = if mesh.disks.iter().any(|disk| disk.center_vertex == a) {
        "the circle around "
    } else {
        ""
    };
    format!("{what}{}, at {},", mesh.describe(a), at(x[a]))
}
