//! Points and edges of a body.

use super::format::{Body, Kind, Numbers};
use super::numbers::{problem, vector};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::scene::Problem;

/// Points of a body (m), scaled about the model's origin.
pub(super) fn scaled(at: &impl Fn(&str) -> String, body: &Body) -> Result<Vec<Vec2>, Problem> {
    let list = body.vertices.as_ref().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| {
        problem(
            at("vertices"),
            "there are none; give the points of the body as [x, y]",
        )
    })?;

    let point = |(k, vertex): (usize, &Vec<f64>)| match vertex[..] {
        [x, y] => Ok(Vec2::new(x, y)),
        _ => Err(problem(
            at(&format!("vertices[{k}]")),
            format!("has {} coordinates, expected 2", vertex.len()),
        )),
    };
    let vertices = list
        .iter()
        .enumerate()
        .map(point)
        .collect::<Result<Vec<Vec2>, Problem>>()?;

    let factors = factors(at, body, Aabb::around(vertices.iter().copied()).extent())?;
    Ok(vertices
        .into_iter()
        .map(|vertex| vertex.component_mul(&factors))
        .collect())
}

/// Factors (1) by which a model of the given extent (m) is scaled along x and y. Along a direction without
/// extent the dimension is the factor, as in rigid-ipc.
fn factors(at: &impl Fn(&str) -> String, body: &Body, extent: Vec2) -> Result<Vec2, Problem> {
    if let Some(dimensions) = &body.dimensions {
        let wanted = Vec2::from(vector(&at("dimensions"), Some(dimensions))?);
        return Ok(wanted.component_div(&extent.map(|side| if side == 0.0 { 1.0 } else { side })));
    }
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

/// Edges with a length. The others are points of the body and have no mass.
pub(super) fn with_length(edges: &[[usize; 2]], vertices: &[Vec2]) -> Vec<[usize; 2]> {
    edges
        .iter()
        .copied()
        .filter(|[a, b]| vertices[*a] != vertices[*b])
        .collect()
}

/// Length of all edges (m).
pub(super) fn length(vertices: &[Vec2], edges: &[[usize; 2]]) -> f64 {
    edges
        .iter()
        .map(|[a, b]| (vertices[*b] - vertices[*a]).norm())
        .sum()
}
