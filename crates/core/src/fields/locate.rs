//! The point of a body at a place at rest.

use super::{Follows, Spot};
use crate::body::BodyKind;
use crate::time::World;
use crate::tuning::POINT_MARGIN;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::predicates::inside;
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use std::ops::Range;
use thiserror::Error;

/// A body has no point at a place.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NoSuchPoint {
    /// The place is outside of the body.
    #[error(
        "[{}, {}] is {} m outside of \"{body}\" at rest, which is within x of [{}, {}] and y of \
         [{}, {}]",
        place.x, place.y, short(*distance), short(extent.min.x), short(extent.max.x),
        short(extent.min.y), short(extent.max.y)
    )]
    Outside {
        /// Name of the body.
        body: String,
        /// The place (m).
        place: Vec2,
        /// Distance from the body (m).
        distance: f64,
        /// Box around the vertices of the body at rest (m).
        extent: Aabb,
    },
    /// The body is made of springs, without material between them.
    #[error(
        "[{}, {}] is no vertex of \"{body}\", which is made of springs with nothing between them; \
         the nearest one is vertex {nearest}, {} m away",
        place.x, place.y, short(*distance)
    )]
    BetweenSprings {
        /// Name of the body.
        body: String,
        /// The place (m).
        place: Vec2,
        /// The nearest vertex, counted from 0 in the body.
        nearest: usize,
        /// Its distance (m).
        distance: f64,
    },
}

/// The point of the body with this number at a `place` at rest (m).
///
/// Bodies with an inside have points there, wires on their edges, half-planes everywhere.
///
/// # Errors
/// [`NoSuchPoint`] with the distance.
pub fn locate(world: &World, body: usize, place: Vec2) -> Result<Spot, NoSuchPoint> {
    let own = &world.bodies[body];
    let rest = &world.rest[own.vertices.clone()];
    let extent = Aabb::around(rest.iter().copied());
    let near = POINT_MARGIN * extent.extent().norm();

    // A vertex is a point of every body.
    let to = |vertex: &usize| (world.rest[*vertex] - place).norm();
    let nearest = own
        .vertices
        .clone()
        .min_by(|a, b| to(a).total_cmp(&to(b)))
        .unwrap_or(own.vertices.start);
    if to(&nearest) <= near {
        return Ok(Spot::vertex(body, nearest, world.rest[nearest]));
    }

    let outside = |distance| NoSuchPoint::Outside {
        body: own.name.clone(),
        place,
        distance,
        extent,
    };
    match own.kind {
        BodyKind::Solid | BodyKind::Reduced => {
            let (follows, least) = in_triangles(world, body, place);
            let distance = distance(world, body, place);
            match follows {
                Some(follows) if least >= 0.0 || distance <= near => Ok(Spot {
                    body,
                    rest: place,
                    follows,
                }),
                _ => Err(outside(distance)),
            }
        }
        BodyKind::Springs => Err(NoSuchPoint::BetweenSprings {
            body: own.name.clone(),
            place,
            nearest: nearest - own.vertices.start,
            distance: to(&nearest),
        }),
        BodyKind::Rod => match on_segment(world, body, place) {
            Some((follows, distance)) if distance <= near => Ok(Spot {
                body,
                rest: place,
                follows,
            }),
            _ => Err(outside(distance(world, body, place))),
        },
        BodyKind::HalfPlane | BodyKind::World | BodyKind::Cell => Ok(whole(world, body, place)),
        BodyKind::Rigid | BodyKind::Affine | BodyKind::Obstacle => {
            let distance = distance(world, body, place);
            if distance <= near || is_inside(world, body, place) {
                Ok(whole(world, body, place))
            } else {
                Err(outside(distance))
            }
        }
    }
}

/// The triangle of a body in which a `place` at rest (m) is, or else the one that it is least
/// outside of, with the smallest weight of its vertices (1).
fn in_triangles(world: &World, body: usize, place: Vec2) -> (Option<Follows>, f64) {
    let mut best = f64::NEG_INFINITY;
    let mut found = None;
    for &vertices in &world.triangles {
        if world.model.surface.body[vertices[0]] != body {
            continue;
        }

        let weights = weights(vertices.map(|vertex| world.rest[vertex]), place);
        let least = weights.iter().copied().fold(f64::INFINITY, f64::min);

        if least > best {
            best = least;
            found = Some(Follows::Mean { vertices, weights });
        }
    }
    (found, best)
}

/// The nearest point of a rod to a `place` at rest (m), with its distance (m).
fn on_segment(world: &World, body: usize, place: Vec2) -> Option<(Follows, f64)> {
    let surface = &world.model.surface;
    let own = surface
        .edges
        .iter()
        .filter(|edge| surface.body[edge[0]] == body);
    let found = own.map(|&[a, b]| ([a, b], point_edge(place, world.rest[a], world.rest[b])));
    let ([a, b], at) = found.min_by(|(_, p), (_, q)| p.distance.total_cmp(&q.distance))?;
    let follows = Follows::Mean {
        vertices: [a, b, b],
        weights: [1.0 - at.t, at.t, 0.0],
    };
    Some((follows, at.distance))
}

/// Weights of three corners (m) whose mean is a place (m).
fn weights([a, b, c]: [Vec2; 3], place: Vec2) -> [f64; 3] {
    let whole = cross(b - a, c - a);
    let second = cross(place - a, c - a) / whole;
    let third = cross(b - a, place - a) / whole;
    [1.0 - second - third, second, third]
}

/// Distance (m) of a `place` at rest (m) from the outline of a body.
fn distance(world: &World, body: usize, place: Vec2) -> f64 {
    let surface = &world.model.surface;
    let own = |edge: &&[usize; 2]| surface.body[edge[0]] == body;
    let edges = surface.edges.iter().filter(own).map(|&[a, b]| {
        // A point or circle is an edge of length zero.
        let [first, second] = [a, b].map(|vertex| world.rest[vertex]);
        if a == b {
            ((place - first).norm() - surface.radius[a]).max(0.0)
        } else {
            point_edge(place, first, second).distance
        }
    });
    edges.fold(f64::INFINITY, f64::min)
}

/// True if a `place` at rest (m) is inside of a body that encloses an area.
fn is_inside(world: &World, body: usize, place: Vec2) -> bool {
    let surface = &world.model.surface;
    let own = surface
        .edges
        .iter()
        .filter(|edge| surface.body[edge[0]] == body);
    let edges = own.map(|&[a, b]| (world.rest[a], world.rest[b]));
    surface.filled[body] && inside(place, edges)
}

/// The point at a place at rest (m) that moves with a body as a whole.
fn whole(world: &World, body: usize, place: Vec2) -> Spot {
    let own = &world.bodies[body];
    let rest = &world.rest;
    let base = own.vertices.start;
    let arm = farthest(own.vertices.clone(), |v| (rest[v] - rest[base]).norm());
    let off = |v: usize| cross(rest[arm] - rest[base], rest[v] - rest[base]).abs();
    let third = farthest(own.vertices.clone(), off);
    if arm == base {
        return Spot {
            body,
            rest: place,
            follows: Follows::Shifted {
                base,
                offset: place - rest[base],
            },
        };
    }

    // Affine bodies do not only turn.
    if own.kind == BodyKind::Affine && off(third) > 0.0 {
        let vertices = [base, arm, third];
        let weights = weights(vertices.map(|vertex| rest[vertex]), place);
        return Spot {
            body,
            rest: place,
            follows: Follows::Mean { vertices, weights },
        };
    }
    Spot::turned(body, place, (base, rest[base]), (arm, rest[arm]))
}

/// The vertex with the largest number; the first one of several.
fn farthest(vertices: Range<usize>, number: impl Fn(usize) -> f64) -> usize {
    let first = vertices.start;
    vertices.fold(first, |best, vertex| {
        if number(vertex) > number(best) {
            vertex
        } else {
            best
        }
    })
}
