//! Overlaps at the start of a scene: their depth, and a translation that ends them.

use super::assemble::Setup;
use super::problem::Problem;
use crate::contact::{HalfPlane, Intersection, MinTranslations, Surface};
use crate::math::Vec2;
use crate::math::number::short;
use std::collections::BTreeSet;

/// Largest number of overlaps that are reported and measured.
const LISTED: usize = 20;

/// Two bodies that overlap.
pub(super) struct Overlap {
    /// Numbers of the bodies in the world; the first is one of the scene's bodies, and not an obstacle.
    pub bodies: [usize; 2],
    /// Translation by which the first comes to touch the second from outside (m); none if a body overlaps
    /// itself.
    pub way_out: Option<Vec2>,
    /// First intersection of the two.
    intersection: Intersection,
    /// Position of that intersection (m).
    place: Vec2,
}

/// Every two bodies that overlap, with the first place where they do. The first [`LISTED`] pairs have a
/// translation out of the overlap.
pub(super) fn overlaps(setup: &Setup) -> Vec<Overlap> {
    let surface = &setup.world.model.surface;
    let x = &setup.state.x;
    let ways = MinTranslations::new(surface, x);
    let mut seen = BTreeSet::new();
    let mut found = surface.outlines().intersections(x);
    found.retain(|overlap| seen.insert(pair(overlap, surface)));

    let overlaps = found.into_iter().enumerate().map(|(k, intersection)| {
        let [a, b] = pair(&intersection, surface);
        let way_out = match intersection {
            _ if a == b || k >= LISTED => None,
            Intersection::Plane { plane, .. } => Some(out_of_plane(a, plane, setup)),
            _ => ways.of(a, b, surface.d_hat + surface.min_separation),
        };
        let place = match intersection {
            Intersection::Edges(a, b) => meeting([x[a[0]], x[a[1]]], [x[b[0]], x[b[1]]]),
            Intersection::Inside { vertex, .. } => x[vertex],
            Intersection::Plane { vertex, plane } => {
                x[vertex] - surface.planes[plane].normal_at(x) * surface.radius[vertex]
            }
        };
        Overlap {
            bodies: [a, b],
            way_out,
            intersection,
            place,
        }
    });
    overlaps.collect()
}

/// One error for each of the first [`LISTED`] overlaps, and one for the number of the others.
pub(super) fn problems(overlaps: &[Overlap], setup: &Setup) -> Vec<Problem> {
    let errors = overlaps.iter().take(LISTED).map(|overlap| {
        let path = &setup.paths[overlap.bodies[0]];
        Problem::error(path, message(overlap, setup)).at(overlap.place)
    });
    let mut problems: Vec<Problem> = errors.collect();
    if overlaps.len() > LISTED {
        let message = format!(
            "and {} more pairs overlap at the start",
            overlaps.len() - LISTED
        );
        problems.push(Problem::error("bodies", message));
    }
    problems
}

/// Bodies of an overlap, the one with the smaller number first. That one is not an obstacle.
fn pair(overlap: &Intersection, surface: &Surface) -> [usize; 2] {
    let (a, b) = match *overlap {
        Intersection::Edges(a, b) => (surface.body[a[0]], surface.body[b[0]]),
        Intersection::Inside { vertex, body } => (surface.body[vertex], body),
        Intersection::Plane { vertex, plane } => (
            surface.body[vertex],
            surface.body[surface.planes[plane].origin],
        ),
    };
    [a.min(b), a.max(b)]
}

/// Point where two segments cross, or the middle of both if they do not (m).
fn meeting([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Vec2 {
    use crate::math::cross;
    let turn = cross(b - a, d - c);
    let s = cross(c - a, d - c) / turn;
    if (0.0..=1.0).contains(&s) {
        a + (b - a) * s
    } else {
        (a + b + c + d) * 0.25
    }
}

/// Message for an overlap.
fn message(overlap: &Overlap, setup: &Setup) -> String {
    let Setup { world, .. } = setup;
    let surface = &world.model.surface;
    let [one, other] = overlap.bodies;
    let name = |body: usize| &world.bodies[body].name;
    let near = format!(
        "near ({}, {}) m",
        short(overlap.place.x),
        short(overlap.place.y)
    );

    match overlap.intersection {
        Intersection::Plane { plane, .. } => behind_plane(one, plane, setup),
        Intersection::Inside { vertex, body } => {
            let inner = name(surface.body[vertex]);
            let outer = name(body);
            format!(
                "\"{inner}\" is inside \"{outer}\" at the start, {near}; {}",
                advice(overlap, setup)
            )
        }
        Intersection::Edges(a, b) => {
            let (a, b) = if surface.body[a[0]] == one {
                (a, b)
            } else {
                (b, a)
            };
            let edges = format!("its {} meets {} {near}", part(a, setup), part(b, setup));
            if one == other {
                return format!(
                    "\"{}\" crosses itself at the start: {edges}; correct its shape",
                    name(one)
                );
            }

            let depth = overlap.way_out.map_or(0.0, |way| way.norm());
            let size = world.bodies[one]
                .vertices
                .clone()
                .map(|i| setup.state.x[i].amax())
                .fold(0.0, f64::max);
            let (verb, depth) = if depth > 1e-12 * size {
                ("overlaps", format!(", {} m deep", short(depth)))
            } else {
                ("touches", String::new())
            };
            let (one, other) = (name(one), name(other));
            format!(
                "\"{one}\" {verb} \"{other}\" at the start{depth}: {edges}; {}",
                advice(overlap, setup)
            )
        }
    }
}

/// Description of an edge, a point or a circle, with the numbers of its vertices in its body.
fn part([start, end]: [usize; 2], setup: &Setup) -> String {
    let surface = &setup.world.model.surface;
    let own = |vertex: usize| vertex - setup.world.bodies[surface.body[vertex]].vertices.start;
    match (start == end, surface.radius[start] > 0.0) {
        (true, true) => "circle".to_owned(),
        (true, false) => format!("vertex {}", own(start)),
        _ => format!("edge {}-{}", own(start), own(end)),
    }
}

fn advice(overlap: &Overlap, setup: &Setup) -> String {
    let name = &setup.world.bodies[overlap.bodies[0]].name;
    match overlap.way_out {
        Some(way) if way != Vec2::zeros() => {
            let short = |part: f64| {
                short(if part.abs() < 1e-9 * way.norm() {
                    0.0
                } else {
                    part
                })
            };
            format!(
                "move \"{name}\" by a little more than ({}, {}) m",
                short(way.x),
                short(way.y)
            )
        }
        _ => "move them apart".to_owned(),
    }
}

/// Translation by which a body comes in front of a half-plane (m).
fn out_of_plane(body: usize, plane: usize, setup: &Setup) -> Vec2 {
    let (world, x) = (&setup.world, &setup.state.x);
    let plane = &world.model.surface.planes[plane];
    let normal = plane.normal_at(x);
    let depth = |vertex: usize| {
        normal.dot(&(x[plane.origin] - x[vertex])) + world.model.surface.radius[vertex]
    };
    normal
        * world.bodies[body]
            .vertices
            .clone()
            .map(depth)
            .fold(0.0, f64::max)
}

/// Message for a body that reaches behind a half-plane.
fn behind_plane(body: usize, plane: usize, setup: &Setup) -> String {
    let Setup { world, state, .. } = setup;
    let HalfPlane { origin, .. } = world.model.surface.planes[plane];
    let normal = world.model.surface.planes[plane].normal_at(&state.x);
    let deepest = out_of_plane(body, plane, setup).norm();
    let name = |body: usize| &world.bodies[body].name;
    let (body, plane) = (name(body), name(world.model.surface.body[origin]));
    let towards = format!("along ({}, {})", short(normal.x), short(normal.y));
    if deepest > 0.0 {
        format!(
            "\"{body}\" reaches {} m behind \"{plane}\" at the start; move it farther than that {towards}",
            short(deepest)
        )
    } else {
        format!("\"{body}\" touches \"{plane}\" at the start; move it a little {towards}")
    }
}
