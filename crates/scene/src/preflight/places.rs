//! Positions in the world of the values that problems name.
//!
//! A problem names a JSON path such as `bodies[1].shape.mesh.triangles[7]`. Pictures of a scene
//! mark the spot, so the path is followed to a point in the world: the vertex, the middle of the
//! triangle, or else the origin of the shape. A point `p` of a shape lies at `position + R p`,
//! where `R` turns by `rotation_deg`.

use crate::problem::Problem;
use crate::schema::{Scene, Shape};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::rotation;

/// Adds to every problem of a body or an obstacle its position: of a triangle, a vertex, or the
/// shape's origin.
///
/// Problems that have a position keep it. Values that are not finite give none.
pub(super) fn add(problems: &mut [Problem], scene: &Scene) {
    for problem in problems {
        if problem.places.is_empty() {
            let place = place(&problem.path, scene);
            let place = place.filter(|place| place.iter().all(|c| c.is_finite()));
            problem.places.extend(place);
        }
    }
}

/// Shape of a body or an obstacle, and where it is at the start.
struct Placed<'a> {
    /// Shape about its own origin.
    shape: &'a Shape,
    /// Position of that origin (m).
    position: [f64; 2],
    /// Rotation, counter-clockwise (degrees).
    rotation_deg: f64,
}

/// Position of the value at a JSON path (m); `None` if it belongs to no body or obstacle.
fn place(path: &str, scene: &Scene) -> Option<Vec2> {
    let (owner, below) = owner(path, scene)?;
    let within = below
        .strip_prefix(".shape.")
        .and_then(|below| within(owner.shape, below));
    // A half-plane has a separate origin.
    if let (Shape::HalfPlane(plane), None) = (owner.shape, within) {
        return Some(plane.origin.into());
    }

    let turn = rotation(owner.rotation_deg.to_radians());
    Some(Vec2::from(owner.position) + turn * within.unwrap_or_default())
}

/// Body or obstacle that a JSON path begins with, and the rest of the path.
fn owner<'a>(path: &'a str, scene: &'a Scene) -> Option<(Placed<'a>, &'a str)> {
    if let Some((k, below)) = numbered(path, "bodies") {
        let body = scene.bodies.get(k)?;
        let placed = Placed {
            shape: &body.shape,
            position: body.position,
            rotation_deg: body.rotation_deg,
        };
        return Some((placed, below));
    }

    let (k, below) = numbered(path, "obstacles")?;
    let obstacle = scene.obstacles.get(k)?;
    let placed = Placed {
        shape: &obstacle.shape,
        position: obstacle.position,
        rotation_deg: obstacle.rotation_deg,
    };
    Some((placed, below))
}

/// Position of a part of a shape, relative to the shape's origin (m).
///
/// `path` begins with the name of the shape, such as `mesh.vertices[3]`. `None` if the path names
/// no part with a position, or a part that does not exist.
fn within(shape: &Shape, path: &str) -> Option<Vec2> {
    let (_, path) = path.split_once('.')?;
    match shape {
        Shape::Mesh(mesh) => listed(&mesh.vertices, path, "vertices").or_else(|| {
            let triangle = mesh.triangles.get(numbered(path, "triangles")?.0)?;
            let corners = triangle
                .iter()
                .map(|&i| mesh.vertices.get(i).map(|&corner| Vec2::from(corner)));
            Some(corners.collect::<Option<Vec<Vec2>>>()?.iter().sum::<Vec2>() / 3.0)
        }),

        // A hole without a number of its own point is at its first one.
        Shape::Outline(outline) => listed(&outline.points, path, "points").or_else(|| {
            let (k, below) = numbered(path, "holes")?;
            let hole = outline.holes.get(k)?;
            let i = numbered(below, "").map_or(0, |(i, _)| i);
            Some(Vec2::from(*hole.get(i)?))
        }),
        Shape::Polyline(line) => listed(&line.points, path, "points"),

        // An edge is at its first end.
        Shape::Wire(wire) => listed(&wire.vertices, path, "vertices").or_else(|| {
            let [a, _] = *wire.pairs().get(numbered(path, "edges")?.0)?;
            Some(Vec2::from(*wire.vertices.get(a)?))
        }),
        _ => None,
    }
}

/// Point of a list (m) whose number the path `key[number]` gives.
fn listed(list: &[[f64; 2]], path: &str, key: &str) -> Option<Vec2> {
    let (k, _) = numbered(path, key)?;
    Some(Vec2::from(*list.get(k)?))
}

/// Number in `key[number]...`, and the rest of the path; `None` if the path does not begin so.
fn numbered<'a>(path: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let (number, below) = path.strip_prefix(key)?.strip_prefix('[')?.split_once(']')?;
    Some((number.parse().ok()?, below))
}
