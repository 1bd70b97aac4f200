//! The point of a body that is at a place, and where that point is at rest.
//!
//! A hand names a point of a body by where it is at rest, since that does not change. So a click
//! must be carried back: for elements by the weights of the corners of a triangle, for rigid
//! bodies by the rotation between two vertices, for affine bodies by three vertices.

use ipcsim::Simulation;
use ipcsim::body::{Body, BodyKind};
use ipcsim::geometry::distance::point_edge;
use ipcsim::geometry::predicates::inside;
use ipcsim::math::{Vec2, cross};

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grabbed {
    /// Number of the body.
    pub(crate) body: usize,
    /// The point at rest (m), as hands name it.
    pub(crate) at: Vec2,
    /// The point now (m).
    pub(crate) point: Vec2,
}

/// The point of a movable body at a `place` (m); of no body that has one there, the nearest point of an
/// outline within a distance (m).
///
/// Obstacles cannot be grabbed: their motion is prescribed.
pub(crate) fn grab(simulation: &Simulation, place: Vec2, within: f64) -> Option<Grabbed> {
    grab_of(simulation, place, within, &|_| true)
}

/// The same of all bodies but one.
pub(crate) fn grab_other(
    simulation: &Simulation,
    place: Vec2,
    within: f64,
    than: usize,
) -> Option<Grabbed> {
    grab_of(simulation, place, within, &|body| body != than)
}

/// The same of some bodies.
fn grab_of(
    simulation: &Simulation,
    place: Vec2,
    within: f64,
    counts: &dyn Fn(usize) -> bool,
) -> Option<Grabbed> {
    let world = simulation.world();
    let movable = |body: &Body| !body.kind.is_obstacle() && body.kind != BodyKind::World;
    let numbers = 0..world.bodies.len();
    let mut bodies = numbers.filter(|&number| movable(&world.bodies[number]) && counts(number));

    // Later bodies are drawn over earlier ones.
    let inner = bodies.clone().rev().find_map(|body| {
        let at = at_rest(simulation, body, place)?;
        let point = place;
        Some(Grabbed { body, at, point })
    });
    inner.or_else(|| {
        let nearest = bodies.try_fold((within, None), |(least, best), body| {
            let found = nearest(simulation, body, place);
            Some(match found {
                Some((distance, grabbed)) if distance <= least => (distance, Some(grabbed)),
                _ => (least, best),
            })
        });
        nearest.and_then(|(_, grabbed)| grabbed)
    })
}

/// Where the point of a body at a `place` (m) is at rest; `None` outside of the body.
///
/// Bodies with elements are searched triangle by triangle, others by their outline or circle.
fn at_rest(simulation: &Simulation, body: usize, place: Vec2) -> Option<Vec2> {
    let world = simulation.world();
    let x = &simulation.state().x;
    let rest = &world.rest;
    let surface = &world.model.surface;
    let own = &world.bodies[body];

    // A triangle of its elements.
    if matches!(own.kind, BodyKind::Solid | BodyKind::Reduced) {
        let mut of_body = world
            .triangles
            .iter()
            .filter(|t| surface.body[t[0]] == body);
        return of_body.find_map(|triangle| {
            let weights = weights(triangle.map(|vertex| x[vertex]), place);
            let is_in = weights.iter().all(|&weight| weight >= 0.0);
            is_in.then(|| mean(triangle.map(|vertex| rest[vertex]), weights))
        });
    }

    // A circle, or an outline around the place.
    let mut disks = surface.disks.iter();
    let is_in_disk = disks.any(|disk| {
        surface.body[disk.center] == body && (place - x[disk.center]).norm() <= disk.radius
    });
    let edges = surface
        .edges
        .iter()
        .filter(|edge| surface.body[edge[0]] == body);
    let sides = edges.filter(|[a, b]| a != b).map(|&[a, b]| (x[a], x[b]));
    let is_whole = matches!(own.kind, BodyKind::Rigid | BodyKind::Affine);
    let is_in = is_in_disk || is_whole && surface.filled[body] && inside(place, sides);
    is_in.then(|| carried_back(simulation, own, place))
}

/// Where the point of a body at a `place` (m) is at rest, also outside of a body that moves as a whole; `None`
/// outside of one that deforms.
pub(crate) fn carried(simulation: &Simulation, body: usize, place: Vec2) -> Option<Vec2> {
    let own = &simulation.world().bodies[body];
    if matches!(own.kind, BodyKind::Rigid | BodyKind::Affine) {
        return Some(carried_back(simulation, own, place));
    }
    at_rest(simulation, body, place)
}

/// Where a point that moves with a body as a whole is at rest, if it is at a `place` (m) now.
///
/// Vertices far from each other make the rotation insensitive to rounding.
fn carried_back(simulation: &Simulation, body: &Body, place: Vec2) -> Vec2 {
    let x = &simulation.state().x;
    let rest = &simulation.world().rest;

    // Two vertices that are far from each other.
    let base = body.vertices.start;
    let far = |from: usize| move |&vertex: &usize| (rest[vertex] - rest[from]).norm_squared();
    let others = body.vertices.clone();
    let arm = others
        .max_by(|a, b| far(base)(a).total_cmp(&far(base)(b)))
        .unwrap_or(base);
    if arm == base {
        return rest[base] + (place - x[base]);
    }

    // An affine body is a triangle of three of its vertices.
    if body.kind == BodyKind::Affine {
        let area = |v: usize| cross(rest[arm] - rest[base], rest[v] - rest[base]).abs();
        let third = body
            .vertices
            .clone()
            .max_by(|&a, &b| area(a).total_cmp(&area(b)));
        if let Some(third) = third.filter(|&third| area(third) > 0.0) {
            let corners = [base, arm, third];
            let weights = weights(corners.map(|vertex| x[vertex]), place);
            return mean(corners.map(|vertex| rest[vertex]), weights);
        }
    }

    // Division and multiplication of complex numbers.
    let now = x[arm] - x[base];
    let to = place - x[base];
    let [cos, sin] = [now.dot(&to), now.perp(&to)].map(|part| part / now.norm_squared());
    let then = rest[arm] - rest[base];
    rest[base] + Vec2::new(cos * then.x - sin * then.y, sin * then.x + cos * then.y)
}

/// The nearest point of the outline of a body, with its distance (m).
///
/// `None` if the body has no edges.
fn nearest(simulation: &Simulation, body: usize, place: Vec2) -> Option<(f64, Grabbed)> {
    let world = simulation.world();
    let x = &simulation.state().x;
    let surface = &world.model.surface;
    let edges = surface
        .edges
        .iter()
        .filter(|edge| surface.body[edge[0]] == body);
    let found = edges.map(|&[a, b]| {
        let radius = surface.radius[a];
        if a == b {
            let distance = ((place - x[a]).norm() - radius).max(0.0);
            let at = world.rest[a];
            return (
                distance,
                Grabbed {
                    body,
                    at,
                    point: x[a],
                },
            );
        }
        let near = point_edge(place, x[a], x[b]);
        // Springs have nothing between their vertices.
        let t = if world.bodies[body].kind == BodyKind::Springs {
            near.t.round()
        } else {
            near.t
        };
        let on = |ends: &[Vec2]| ends[a] * (1.0 - t) + ends[b] * t;
        let grabbed = Grabbed {
            body,
            at: on(&world.rest),
            point: on(x),
        };
        ((near.distance - radius).max(0.0), grabbed)
    });
    found.min_by(|(a, _), (b, _)| a.total_cmp(b))
}

/// Weights of three corners (m) whose mean is a place (m).
///
/// They sum to 1, and are all positive inside of the triangle. Corners must not lie on one line.
fn weights([a, b, c]: [Vec2; 3], place: Vec2) -> [f64; 3] {
    let whole = cross(b - a, c - a);
    let second = cross(place - a, c - a) / whole;
    let third = cross(b - a, place - a) / whole;
    [1.0 - second - third, second, third]
}

/// Mean of three points with weights.
fn mean(points: [Vec2; 3], weights: [f64; 3]) -> Vec2 {
    points
        .iter()
        .zip(weights)
        .map(|(point, weight)| point * weight)
        .sum()
}
