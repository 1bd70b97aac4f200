//! Positions in the world of the values that problems name.

use crate::math::Vec2;
use crate::scene::problem::Problem;
use crate::scene::schema::{Scene, Shape};
use nalgebra::Rotation2;

/// Adds to every problem of a body or an obstacle its position: of a triangle, a vertex, or the shape's
/// origin.
pub(super) fn add(problems: &mut [Problem], scene: &Scene) {
    for problem in problems
        .iter_mut()
        .filter(|problem| problem.places.is_empty())
    {
        let is_finite = |place: &Vec2| place.iter().all(|c| c.is_finite());
        problem
            .places
            .extend(place(&problem.path, scene).filter(is_finite));
    }
}

/// Position (m) of the value at a JSON path.
fn place(path: &str, scene: &Scene) -> Option<Vec2> {
    let body = |k: usize| {
        scene
            .bodies
            .get(k)
            .map(|body| (&body.shape, body.position, body.rotation_deg))
    };
    let obstacle = |k: usize| {
        scene
            .obstacles
            .get(k)
            .map(|thing| (&thing.shape, thing.position, thing.rotation_deg))
    };
    let (owner, below) = match (numbered(path, "bodies"), numbered(path, "obstacles")) {
        (Some((k, below)), _) => (body(k), below),
        (_, Some((k, below))) => (obstacle(k), below),
        _ => return None,
    };
    let (shape, position, rotation_deg) = owner?;
    let local = below
        .strip_prefix(".shape.")
        .and_then(|below| within(shape, below));
    if let (Shape::HalfPlane(plane), None) = (shape, local) {
        return Some(plane.origin.into());
    }
    let turn = Rotation2::new(rotation_deg.to_radians());
    Some(Vec2::from(position) + turn * local.unwrap_or_default())
}

/// Position, relative to the shape's origin (m), of a part of a shape.
fn within(shape: &Shape, path: &str) -> Option<Vec2> {
    let (_, path) = path.split_once('.')?;
    let vertex =
        |list: &[[f64; 2]], key: &str| Some(Vec2::from(*list.get(numbered(path, key)?.0)?));
    match shape {
        Shape::Mesh(mesh) => vertex(&mesh.vertices, "vertices").or_else(|| {
            let triangle = mesh.triangles.get(numbered(path, "triangles")?.0)?;
            let corners = triangle
                .iter()
                .map(|&i| mesh.vertices.get(i).map(|&corner| Vec2::from(corner)));
            Some(corners.collect::<Option<Vec<Vec2>>>()?.iter().sum::<Vec2>() / 3.0)
        }),
        Shape::Outline(outline) => vertex(&outline.points, "points").or_else(|| {
            let (k, below) = numbered(path, "holes")?;
            let hole = outline.holes.get(k)?;
            Some(Vec2::from(
                *hole.get(numbered(below, "").map_or(0, |(i, _)| i))?,
            ))
        }),
        Shape::Polyline(line) => vertex(&line.points, "points"),
        Shape::Wire(wire) => vertex(&wire.vertices, "vertices").or_else(|| {
            let [a, _] = *wire.edges.get(numbered(path, "edges")?.0)?;
            Some(Vec2::from(*wire.vertices.get(a)?))
        }),
        _ => None,
    }
}

/// Number in `key[number]...`, and the rest of the path.
fn numbered<'a>(path: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let (number, below) = path.strip_prefix(key)?.strip_prefix('[')?.split_once(']')?;
    Some((number.parse().ok()?, below))
}
