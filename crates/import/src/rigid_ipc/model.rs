//! Points and edges of a body: read, scaled and checked.
//!
//! A model is given by points and pairs of points. It is scaled about its origin, by factors or to
//! given dimensions, before it is turned and moved. Mass lies on the edges, so that a body that
//! moves must have an edge with a length. In each function `at` makes the JSON path of a key of the
//! body.

use super::format::{Body, Kind, Numbers};
use super::numbers::{problem, vector};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_scene::Problem;

/// Points of a body (m), scaled about the model's origin.
///
/// # Errors
/// There is no point, a point has not two coordinates, or the scale is not of a plane.
pub(super) fn scaled(at: &impl Fn(&str) -> String, body: &Body) -> Result<Vec<Vec2>, Problem> {
    let list = body.vertices.as_ref().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| {
        let message = "there are none; give the points of the body as [x, y]";
        problem(at("vertices"), message)
    })?;

    let mut vertices = Vec::with_capacity(list.len());
    for (k, vertex) in list.iter().enumerate() {
        let [x, y] = vertex[..] else {
            let message = format!("has {} coordinates, expected 2", vertex.len());
            return Err(problem(at(&format!("vertices[{k}]")), message));
        };
        vertices.push(Vec2::new(x, y));
    }

    // Dimensions are relative to the extent of the model as given.
    let extent = Aabb::around(vertices.iter().copied()).extent();
    let factors = factors(at, body, extent)?;
    for vertex in &mut vertices {
        *vertex = vertex.component_mul(&factors);
    }
    Ok(vertices)
}

/// Factors (1) by which a model of the given extent (m) is scaled along x and y.
///
/// Dimensions come before a scale. Along a direction without extent the dimension is the factor, as
/// in rigid-ipc.
///
/// # Errors
/// Dimensions or scale have fewer than two numbers.
fn factors(at: &impl Fn(&str) -> String, body: &Body, extent: Vec2) -> Result<Vec2, Problem> {
    if let Some(dimensions) = &body.dimensions {
        let wanted = Vec2::from(vector(&at("dimensions"), Some(dimensions))?);
        let sides = extent.map(|side| if side == 0.0 { 1.0 } else { side });
        return Ok(wanted.component_div(&sides));
    }

    // One factor, or one for each axis.
    match &body.scale {
        None => Ok(Vec2::new(1.0, 1.0)),
        Some(Numbers::One(factor)) => Ok(Vec2::new(*factor, *factor)),
        Some(Numbers::Many(factors)) => match factors[..] {
            [x, y, ..] => Ok(Vec2::new(x, y)),
            _ => Err(problem(
                at("scale"),
                format!("has {} of 2 factors", factors.len()),
            )),
        },
    }
}

/// Checks that edges name vertices that exist, and that a moving body has mass.
///
/// # Errors
/// An edge names a vertex that does not exist, or a body that is not static has no length of edges
/// or no density.
pub(super) fn check_mass(
    at: &impl Fn(&str) -> String,
    body: &Body,
    kind: Kind,
    vertices: &[Vec2],
) -> Result<(), Problem> {
    for (k, edge) in body.edges.iter().enumerate() {
        if let Some(vertex) = edge.iter().find(|vertex| **vertex >= vertices.len()) {
            let message = format!(
                "there is no vertex {vertex}; the body has {}, from 0",
                vertices.len()
            );
            return Err(problem(at(&format!("edges[{k}]")), message));
        }
    }

    // Only a body that moves needs mass.
    if kind == Kind::Static {
        return Ok(());
    }
    if length(vertices, &body.edges) <= 0.0 {
        return Err(problem(
            at("edges"),
            "have no length, hence the body no mass; add edges or make it static",
        ));
    }

    if body.density <= 0.0 {
        return Err(problem(
            at("density"),
            format!("is {} kg/m, but must be positive", body.density),
        ));
    }

    Ok(())
}

/// Edges of a model that have a length. The others are points of the body and have no mass.
pub(super) fn with_length(edges: &[[usize; 2]], vertices: &[Vec2]) -> Vec<[usize; 2]> {
    edges
        .iter()
        .copied()
        .filter(|[a, b]| vertices[*a] != vertices[*b])
        .collect()
}

/// Sum of the lengths of all edges (m).
pub(super) fn length(vertices: &[Vec2], edges: &[[usize; 2]]) -> f64 {
    edges
        .iter()
        .map(|[a, b]| (vertices[*b] - vertices[*a]).norm())
        .sum()
}
