//! Violations in stored states: intersections, inverted triangles, numbers that are not finite.
//!
//! Orientations of three points are decided by exact predicates, so that rounding neither hides a
//! violation nor invents one. Quadratic triangles are decided by bounds that allow for rounding:
//! what is not proved counts as inverted. Distances from circles and half-planes are computed.

use super::super::CommandError;
use super::axis;
use super::place::at;
use ipcsim::contact::{Intersection, Outlines};
use ipcsim::geometry::bernstein::is_upright;
use ipcsim::geometry::predicates::orientation;
use ipcsim::math::Vec2;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::table::Table;
use std::cmp::Ordering;

/// First violation, in words, or `None` if all states are valid.
///
/// # Errors
/// If the trajectory cannot be read.
pub(super) fn first_violation(run: &StoredRun) -> Result<Option<String>, CommandError> {
    let colliders = run.mesh.colliders();
    let outlines = colliders.outlines();
    let linear = run.mesh.linear_triangles();
    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();
    for (entry, moment) in run.moments.iter().enumerate() {
        trajectory.next(&mut x)?;
        let found = state_violation(&run.mesh, &linear, &outlines, &x)
            .or_else(|| energy_violation(&run.energies, entry));
        if let Some(found) = found {
            return Ok(Some(format!("step {}: {found}", moment.step)));
        }
    }
    Ok(None)
}

/// First energy of the row `entry` that is missing or not finite, in words.
fn energy_violation(table: &Table, entry: usize) -> Option<String> {
    for column in table.energies() {
        let name = &table.columns[column];
        match table.rows[entry][column] {
            None => return Some(format!("{name} is missing")),
            Some(value) if !value.is_finite() => {
                return Some(format!("{name} is {value}, not finite"));
            }
            Some(_) => {}
        }
    }
    None
}

/// First violation in a state with positions `x` (m), in words: positions that are not finite, then
/// inverted triangles, `linear` ones first, then intersections.
fn state_violation(
    mesh: &MeshFile,
    linear: &[[usize; 3]],
    outlines: &Outlines,
    x: &[Vec2],
) -> Option<String> {
    // Positions that are not finite come first: predicates need finite numbers.
    if let Some(i) = x.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
        return Some(format!("{} is at {}", mesh.describe(i), at(x[i])));
    }
    for &triangle in linear {
        let [a, b, c] = triangle.map(|i| x[i]);
        if orientation(a, b, c) != Ordering::Greater {
            return Some(inverted(mesh, triangle, x));
        }
    }

    if let Some(found) = axis::violation(mesh, x) {
        return Some(found);
    }

    let mut folded = mesh.quadratic.iter();
    if let Some(curved) = folded.find(|curved| !is_upright(&curved.at(x))) {
        let [a, b, c, ..] = curved.nodes;
        let what = inverted(mesh, [a, b, c], x);
        return Some(format!("the quadratic {what} somewhere within"));
    }

    if let Some(&bend) = mesh.bends.iter().find(|bend| folds(bend.map(|i| x[i]))) {
        let [a, b, c] = bend.map(|i| format!("{}, at {},", mesh.describe(i), at(x[i])));
        return Some(format!("the rod at {a} {b} and {c} folds back on itself"));
    }

    let found = outlines.intersections(x).into_iter().next()?;
    Some(match found {
        Intersection::Edges(a, b) => format!("{} meets {}", name(mesh, a, x), name(mesh, b, x)),
        Intersection::Inside { vertex, body } if mesh.body[vertex] == body => format!(
            "pieces of \"{}\" overlap: {}, at {}, is inside another piece",
            mesh.bodies[body].name,
            mesh.describe(vertex),
            at(x[vertex])
        ),
        Intersection::Inside { vertex, body } => format!(
            "{}, at {}, is inside \"{}\"",
            mesh.describe(vertex),
            at(x[vertex]),
            mesh.bodies[body].name
        ),
        Intersection::Plane { vertex, plane } => format!(
            "{}, at {}, is behind \"{}\"",
            mesh.describe(vertex),
            at(x[vertex]),
            mesh.planes[plane].name
        ),
    })
}

/// True if two segments in a row, given by their ends (m), turn by 180 degrees, or one of them has no
/// length.
fn folds([a, b, c]: [Vec2; 3]) -> bool {
    orientation(a, b, c) == Ordering::Equal && (b - a).dot(&(c - b)) <= 0.0
}

/// Message about an inverted triangle, with the numbers of its vertices within their body.
fn inverted(mesh: &MeshFile, triangle: [usize; 3], x: &[Vec2]) -> String {
    let body = &mesh.bodies[mesh.body[triangle[0]]];
    let [u, v, w] = triangle.map(|i| i - body.first_vertex);
    let [a, b, c] = triangle.map(|i| at(x[i]));
    format!(
        "triangle {u}-{v}-{w} of \"{}\" is inverted, at {a}, {b}, {c}",
        body.name
    )
}

/// Name and place of an edge, a circle or a point, for messages. A circle and a point are given by
/// the same vertex twice.
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

    let is_circle = mesh.disks.iter().any(|disk| disk.center_vertex == a);
    let what = if is_circle { "the circle around " } else { "" };
    format!("{what}{}, at {},", mesh.describe(a), at(x[a]))
}
