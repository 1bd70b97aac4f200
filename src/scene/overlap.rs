//! What overlaps at the start of a scene.

use super::build::Setup;
use super::check::Problem;
use crate::contact::{HalfPlane, Intersection};
use std::collections::BTreeSet;

/// Most overlaps that are listed.
const LISTED: usize = 20;

/// A problem for every two bodies that overlap, told by the first place where they do. `entries` are the entries of the scene
/// that its bodies are from.
pub(super) fn overlaps(setup: &Setup, entries: &[usize]) -> Vec<Problem> {
    let surface = &setup.world.surface;
    let mut seen = BTreeSet::new();
    let mut found = surface.outlines().intersections(&setup.state.x);
    found.retain(|overlap| seen.insert(bodies(overlap, setup)));
    let mut problems: Vec<Problem> =
        found.iter().take(LISTED).map(|overlap| problem(overlap, setup, entries)).collect();
    if found.len() > LISTED {
        let message = format!("and {} more pairs overlap at the start", found.len() - LISTED);
        problems.push(Problem { path: "bodies".to_owned(), message });
    }
    problems
}

/// The two bodies, the one with the smaller number first.
fn bodies(overlap: &Intersection, setup: &Setup) -> (usize, usize) {
    let surface = &setup.world.surface;
    let (a, b) = match *overlap {
        Intersection::Edges(a, b) => (surface.body[a[0]], surface.body[b[0]]),
        Intersection::Inside { vertex, body } => (surface.body[vertex], body),
        Intersection::Plane { vertex, plane } => (surface.body[vertex], surface.body[surface.planes[plane].origin]),
    };
    (a.min(b), a.max(b))
}

fn problem(overlap: &Intersection, setup: &Setup, entries: &[usize]) -> Problem {
    let Setup { world, state, .. } = setup;
    let owner = |vertex: usize| world.surface.body[vertex];
    let name = |body: usize| &world.bodies[body].name;
    let own = |vertex: usize| vertex - world.bodies[owner(vertex)].vertices.start;
    let near = |vertex: usize| format!("near ({:.6}, {:.6}) m", state.x[vertex].x, state.x[vertex].y);
    let (body, message) = match *overlap {
        Intersection::Edges(a, b) => {
            let (one, other) = (owner(a[0]), owner(b[0]));
            let part = |[start, end]: [usize; 2]| match (start == end, world.surface.radius[start] > 0.0) {
                (true, true) => "circle".to_owned(),
                (true, false) => format!("vertex {}", own(start)),
                _ => format!("edge {}-{}", own(start), own(end)),
            };
            let edges = format!("its {} meets {} {}", part(a), part(b), near(a[0]));
            let message = if one == other {
                format!("\"{}\" crosses itself at the start: {edges}; correct its shape", name(one))
            } else {
                format!(
                    "\"{}\" touches or overlaps \"{}\" at the start: {edges}; move them apart",
                    name(one),
                    name(other)
                )
            };
            (one, message)
        }
        Intersection::Inside { vertex, body } => {
            let (inner, outer) = (name(owner(vertex)), name(body));
            (owner(vertex), format!("\"{inner}\" is inside \"{outer}\" at the start, {}; move it out", near(vertex)))
        }
        Intersection::Plane { vertex, plane } => (owner(vertex), behind_plane(owner(vertex), plane, setup)),
    };
    Problem { path: format!("bodies[{}]", entries.get(body).unwrap_or(&body)), message }
}

/// How far a body reaches behind a half-plane.
fn behind_plane(body: usize, plane: usize, setup: &Setup) -> String {
    let Setup { world, state, .. } = setup;
    let HalfPlane { normal, origin, .. } = world.surface.planes[plane];
    let name = |body: usize| &world.bodies[body].name;
    let depth = |vertex: usize| normal.dot(&(state.x[origin] - state.x[vertex]));
    let deepest = world.bodies[body].vertices.clone().map(depth).fold(0.0, f64::max);
    let (body, plane) = (name(body), name(world.surface.body[origin]));
    let towards = format!("along ({}, {})", normal.x, normal.y);
    if deepest > 0.0 {
        format!(
            "\"{body}\" reaches {deepest:.3e} m behind \"{plane}\" at the start; move it farther than that {towards}"
        )
    } else {
        format!("\"{body}\" touches \"{plane}\" at the start; move it a little {towards}")
    }
}
