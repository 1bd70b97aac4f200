//! Overlaps at the start of a scene: their depth, and a translation that ends them.
//!
//! A run must start without overlaps, where the barrier is infinite. Intersections of all
//! outlines are found exactly, and of each pair of bodies the first one is kept. For the message,
//! and for repairs, the shortest translation is searched by which the first body comes to touch the
//! second from outside. Its length is the depth of the overlap.
//!
//! Bodies come before obstacles in the world, so that the body with the smaller number of a pair is
//! never an obstacle: it is the one that can be moved. A body may also cross itself, which no
//! translation ends.

mod fit;

use self::fit::Fit;
use super::assemble::Setup;
use super::problem::Problem;
use super::schema::Body;
use ipcsim_contact::{HalfPlane, Intersection, MinTranslations, Surface};
use ipcsim_math::number::short;
use ipcsim_math::{Vec2, cross};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of overlaps that are reported and measured.
const LISTED: usize = 20;

/// Depth relative to the distance from the origin (1) below which bodies touch rather than overlap:
/// smaller depths are rounding.
const NO_DEPTH: f64 = 1e-12;

/// How many times as far as edges cut into a body it has to be moved, from where on another remedy is near.
const NARROW: f64 = 5.0;

/// Distance relative to the size of a body (1) within which the vertices of two meshes are one interface.
const GLUED: f64 = 1e-6;

/// Share (1) of a translation below which one of its components is shown as 0.
const NO_PART: f64 = 1e-9;

/// Two bodies that overlap.
pub(super) struct Overlap {
    /// Numbers of the bodies in the world, ascending; the first is one of the scene's bodies, and
    /// not an obstacle.
    pub bodies: [usize; 2],
    /// Translation by which the first comes to touch the second from outside (m).
    ///
    /// `None` if a body overlaps itself, if no translation was found, or beyond the first
    /// [`LISTED`] overlaps.
    pub way_out: Option<Vec2>,
    /// Depth (m) to which one reaches into the other, see [`Fit::depth`]; 0 beyond the first [`LISTED`]
    /// overlaps.
    depth: f64,
    /// First intersection of the two.
    intersection: Intersection,
    /// Position of that intersection (m).
    place: Vec2,
}

/// Every two bodies that overlap, with the first place where they do.
///
/// The first [`LISTED`] pairs have a translation out of the overlap.
pub(super) fn overlaps(setup: &Setup) -> Vec<Overlap> {
    let surface = &setup.world.model.surface;
    let x = &setup.state.x;
    let ways = MinTranslations::new(surface, x);

    // The first intersection of each pair.
    let mut seen = BTreeSet::new();
    let found = surface.outlines().intersections(x);
    let firsts = found
        .iter()
        .filter(|overlap| seen.insert(pair(overlap, surface)));

    let overlaps = firsts.enumerate().map(|(k, &intersection)| {
        let [a, b] = pair(&intersection, surface);
        let depth = if a == b || k >= LISTED {
            0.0
        } else {
            let own = found.iter().filter(|one| pair(one, surface) == [a, b]);
            Fit::new([a, b], surface, x).depth(own)
        };
        let way_out = match intersection {
            _ if a == b || k >= LISTED => None,
            Intersection::Plane { plane, .. } => Some(out_of_plane(a, plane, setup)),
            _ => ways.of(a, b, surface.reach.between(a, b) + surface.min_separation),
        };
        Overlap {
            bodies: [a, b],
            way_out,
            depth,
            intersection,
            place: place(&intersection, surface, x),
        }
    });
    overlaps.collect()
}

/// One error for each of the first [`LISTED`] overlaps, and one for the number of the others.
pub(super) fn problems(overlaps: &[Overlap], setup: &Setup) -> Vec<Problem> {
    // Copies of one entry overlap for one reason.
    let mut of_copies: BTreeMap<&str, usize> = BTreeMap::new();
    let mut told: Vec<&Overlap> = Vec::new();
    let others = overlaps.iter().filter(|overlap| !is_meant(overlap, setup));
    for overlap in others {
        let seen = copied(overlap, setup).map(|path| of_copies.entry(path).or_default());
        if let Some(count) = seen {
            *count += 1;
            if *count > 1 {
                continue;
            }
        }
        told.push(overlap);
    }

    let mut problems = Vec::new();
    for overlap in told.iter().take(LISTED) {
        let path = &setup.paths[overlap.bodies[0]];
        let others = copied(overlap, setup).map_or(0, |path| of_copies[path] - 1);
        let mut message = message(overlap, setup);
        if others > 0 {
            let pairs = if others == 1 { "pair" } else { "pairs" };
            message = format!(
                "{message}; {others} more {pairs} of copies overlap: make copies.spacing larger than a \
                 copy"
            );
        }
        problems.push(Problem::error(path, message).at(overlap.place));
    }

    if told.len() > LISTED {
        let more = told.len() - LISTED;
        let message = format!("and {more} more pairs overlap at the start");
        problems.push(Problem::error("bodies", message));
    }
    problems
}

/// True if the scene says that two bodies overlap on purpose: then it has been said why no size of
/// either ends that.
fn is_meant(overlap: &Overlap, setup: &Setup) -> bool {
    let names = overlap.bodies.map(|body| &setup.world.bodies[body].name);
    let mut meant = setup.scene.contact.interference.iter();
    meant.any(|pair| names.into_iter().all(|name| pair.between.contains(name)))
}

/// JSON path of the entry whose copies overlap each other; `None` if they are of different entries.
fn copied<'a>(overlap: &Overlap, setup: &'a Setup) -> Option<&'a str> {
    let [a, b] = overlap.bodies;
    let path = setup.paths[a].as_str();
    (a != b && setup.paths[b] == path).then_some(path)
}

/// Bodies of an overlap, the one with the smaller number first. That one is not an obstacle.
///
/// Both are the same if a body crosses itself.
fn pair(overlap: &Intersection, surface: &Surface) -> [usize; 2] {
    let (vertex, other) = match *overlap {
        Intersection::Edges(a, b) => (a[0], surface.body[b[0]]),
        Intersection::Inside { vertex, body } => (vertex, body),
        Intersection::Plane { vertex, plane } => {
            (vertex, surface.body[surface.planes[plane].origin])
        }
    };
    let own = surface.body[vertex];
    [own.min(other), own.max(other)]
}

/// Position of an intersection at `x` (m): where edges cross, or the vertex that is inside or
/// behind. Of a circle it is the point that reaches farthest behind a half-plane.
fn place(overlap: &Intersection, surface: &Surface, x: &[Vec2]) -> Vec2 {
    match *overlap {
        Intersection::Edges(a, b) => meeting([x[a[0]], x[a[1]]], [x[b[0]], x[b[1]]]),
        Intersection::Inside { vertex, .. } => x[vertex],
        Intersection::Plane { vertex, plane } => {
            x[vertex] - surface.planes[plane].normal_at(x) * surface.radius[vertex]
        }
    }
}

/// Point where two segments cross, or the middle of both if they do not (m).
///
/// The crossing is `a + s (b - a)` with `s = (c - a) x (d - c) / ((b - a) x (d - c))`. Parallel
/// segments give no number between 0 and 1.
fn meeting([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Vec2 {
    let turn = cross(b - a, d - c);
    let s = cross(c - a, d - c) / turn;
    if (0.0..=1.0).contains(&s) {
        a + (b - a) * s
    } else {
        (a + b + c + d) * 0.25
    }
}

/// Message for an overlap: which bodies, where, how deep, and how to end it.
fn message(overlap: &Overlap, setup: &Setup) -> String {
    let world = &setup.world;
    let [one, _] = overlap.bodies;
    match overlap.intersection {
        Intersection::Plane { plane, .. } => behind_plane(one, plane, setup),
        Intersection::Inside { vertex, body } => {
            let inner = &world.bodies[world.model.surface.body[vertex]].name;
            let outer = &world.bodies[body].name;
            // A body is inside itself if its mesh has several pieces.
            if inner == outer {
                return format!(
                    "pieces of \"{inner}\" overlap at the start, {}; correct its mesh, or make the \
                     pieces bodies of their own",
                    near(overlap)
                );
            }
            let fit = Fit::new(overlap.bodies, &world.model.surface, &setup.state.x);
            if fit.is_on_hole(vertex) {
                let depth = short(overlap.depth);
                return format!(
                    "\"{outer}\" is larger than the hole of \"{inner}\" that it fills, by up to {depth} m, {}; \
                     {}",
                    near(overlap),
                    advice("leave clearance".to_owned(), overlap, setup)
                );
            }
            format!(
                "\"{inner}\" is inside \"{outer}\" at the start, {}; {}",
                near(overlap),
                advice(moved(overlap, setup), overlap, setup)
            )
        }
        Intersection::Edges(a, b) => crossing(overlap, [a, b], setup),
    }
}

/// Message for two edges that cross, of two bodies or of one.
///
/// `a` and `b` are the edges; a point or a circle is an edge from a vertex to itself. The first
/// body is named first, whatever the order of the edges.
fn crossing(overlap: &Overlap, [a, b]: [[usize; 2]; 2], setup: &Setup) -> String {
    let world = &setup.world;
    let [one, other] = overlap.bodies;
    let [name, other_name] = [one, other].map(|body| &world.bodies[body].name);

    // The first body's part comes first.
    let is_in_order = world.model.surface.body[a[0]] == one;
    let [own, others] = if is_in_order { [a, b] } else { [b, a] };
    let own = part(own, setup);
    let others = part(others, setup);
    let edges = format!("its {own} meets {others} {}", near(overlap));
    if one == other {
        return format!("\"{name}\" crosses itself at the start: {edges}; correct its shape");
    }

    // What fills a hole is not moved out of it. A hole that is a polygon lies inside the round one.
    let far = overlap.way_out.map_or(f64::INFINITY, |way| way.norm());
    if overlap.depth > 0.0 && far > NARROW * overlap.depth {
        let fit = Fit::new(overlap.bodies, &world.model.surface, &setup.state.x);
        let clearance = if fit.is_round_at(a) && fit.is_round_at(b) {
            "straight edges lie inside the round outline that they stand for: use a finer mesh, or leave \
             more clearance"
        } else {
            "leave clearance"
        };
        return format!(
            "\"{name}\" cuts into \"{other_name}\" at the start, {} m deep: {edges}; {}",
            short(overlap.depth),
            advice(clearance.to_owned(), overlap, setup)
        );
    }

    // A depth that is rounding is not shown.
    let depth = overlap.way_out.map_or(0.0, |way| way.norm());
    let vertices = world.bodies[one].vertices.clone();
    let size = vertices.map(|i| setup.state.x[i].amax());
    let size = size.fold(0.0, f64::max);
    let advised = advice(moved(overlap, setup), overlap, setup);
    if depth > NO_DEPTH * size {
        let depth = short(depth);
        format!(
            "\"{name}\" overlaps \"{other_name}\" at the start, {depth} m deep: {edges}; {advised}"
        )
    } else {
        let advised = glue(overlap, size, setup).unwrap_or(advised);
        format!("\"{name}\" touches \"{other_name}\" at the start: {edges}; {advised}")
    }
}

/// Advice for two bodies that touch, as meshes with a common interface do: a joint that glues them; `None`
/// unless one of them deforms. The length of the first one, or its distance from the origin, is `size` (m).
fn glue(overlap: &Overlap, size: f64, setup: &Setup) -> Option<String> {
    let [one, other] = overlap.bodies;
    let kinds = [one, other].map(|body| setup.scene.bodies.get(body).map(|own| own.kind.rules()));
    let [Some(kind), Some(other_kind)] = kinds else {
        return None;
    };

    // The vertices of the one that deforms are glued to the other.
    let [first, second] = match (kind.can_resize(), other_kind.can_resize()) {
        (true, _) => [one, other],
        (false, true) => [other, one],
        (false, false) => return None,
    };
    let [first, second] = [first, second].map(|body| &setup.world.bodies[body].name);
    let within = short(GLUED * size);
    Some(format!(
        "move them apart, or add {{ \"attach\": {{ \"bodies\": [\"{first}\", \"{second}\"], \"on\": {{ \
         \"near\": {{ \"body\": \"{second}\", \"within\": {within} }} }} }} }} to joints, if they are one piece"
    ))
}

/// Position of an overlap, for messages.
fn near(overlap: &Overlap) -> String {
    let x = short(overlap.place.x);
    let y = short(overlap.place.y);
    format!("near ({x}, {y}) m")
}

/// Description of an edge, a point or a circle, with the numbers of its vertices in its body.
fn part([start, end]: [usize; 2], setup: &Setup) -> String {
    let surface = &setup.world.model.surface;
    let first = setup.world.bodies[surface.body[start]].vertices.start;
    match (start == end, surface.radius[start] > 0.0) {
        (true, true) => "circle".to_owned(),
        (true, false) => format!("vertex {}", start - first),
        _ => format!("edge {}-{}", start - first, end - first),
    }
}

/// Advice to the author: the translation of the first body, where one is known.
///
/// The translation ends in contact, hence "a little more". A translation of zero means that the
/// bodies touch, and gives no direction.
fn moved(overlap: &Overlap, setup: &Setup) -> String {
    let name = &setup.world.bodies[overlap.bodies[0]].name;
    match overlap.way_out {
        Some(way) if way != Vec2::zeros() => {
            // A component that is rounding beside the other is 0.
            let [x, y] = [way.x, way.y].map(|part| {
                let is_nothing = part.abs() < NO_PART * way.norm();
                short(if is_nothing { 0.0 } else { part })
            });
            format!("move \"{name}\" by a little more than ({x}, {y}) m")
        }
        _ => "move them apart".to_owned(),
    }
}

/// Advice to the author: a `remedy` for an overlap that is not meant, and what to say if it is.
fn advice(remedy: String, overlap: &Overlap, setup: &Setup) -> String {
    // A press fit is drawn as it is meant.
    let bodies = overlap.bodies.map(|body| setup.scene.bodies.get(body));
    let can_resize = |body: Option<&Body>| body.is_some_and(|own| own.kind.rules().can_resize());
    let [one, other] = overlap.bodies;
    if one != other && bodies.into_iter().any(can_resize) {
        let [name, other] = [one, other].map(|body| &setup.world.bodies[body].name);
        return format!(
            "{remedy}, or if a press fit is meant, add {{ \"between\": [\"{name}\", \"{other}\"] }} to \
             contact.interference"
        );
    }

    // Links of a linkage often lie behind each other.
    if overlap.bodies.iter().all(|&body| is_link(body, setup)) {
        return format!(
            "{remedy}, or let links pass through each other by contact.collide \"unlinked\""
        );
    }
    remedy
}

/// True if a joint holds a body whose other body it may overlap.
fn is_link(body: usize, setup: &Setup) -> bool {
    let name = &setup.world.bodies[body].name;
    let mut joints = setup.scene.joints.iter();
    joints.any(|joint| !joint.collides() && joint.bodies().contains(name))
}

/// Translation by which a body comes in front of a half-plane (m).
///
/// It is along the normal `n`, by the largest depth `n . (o - x_i) + r_i` of a vertex below the
/// origin `o`, with the radius `r_i` of circles; zero if nothing is behind.
fn out_of_plane(body: usize, plane: usize, setup: &Setup) -> Vec2 {
    let world = &setup.world;
    let x = &setup.state.x;
    let plane = &world.model.surface.planes[plane];
    let normal = plane.normal_at(x);

    let vertices = world.bodies[body].vertices.clone();
    let depths = vertices.map(|vertex| {
        normal.dot(&(x[plane.origin] - x[vertex])) + world.model.surface.radius[vertex]
    });
    normal * depths.fold(0.0, f64::max)
}

/// Message for a body that reaches behind a half-plane, or touches it.
fn behind_plane(body: usize, plane: usize, setup: &Setup) -> String {
    let Setup { world, state, .. } = setup;
    let HalfPlane { origin, .. } = world.model.surface.planes[plane];
    let normal = world.model.surface.planes[plane].normal_at(&state.x);
    let deepest = out_of_plane(body, plane, setup).norm();

    let name = &world.bodies[body].name;
    let obstacle = &world.bodies[world.model.surface.body[origin]].name;
    let towards = format!("along ({}, {})", short(normal.x), short(normal.y));
    if deepest > 0.0 {
        format!(
            "\"{name}\" reaches {} m behind \"{obstacle}\" at the start; move it farther than \
             that {towards}",
            short(deepest)
        )
    } else {
        format!("\"{name}\" touches \"{obstacle}\" at the start; move it a little {towards}")
    }
}
