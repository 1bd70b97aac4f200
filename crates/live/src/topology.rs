//! What a page draws of a world: bodies, faces, edges, springs, circles, points and half-planes.
//!
//! A page needs these lists once for each scene: numbers of vertices, which stay while positions
//! change. They travel as words in binary form behind the head of the reply, see [`Reply`].

use super::fill::triangles;
use super::reply::Reply;
use ipcsim::body::BodyKind;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::mesh::curves;
use ipcsim::time::World;
use serde_json::{Value, json};

/// Number of bodies among which pairs that pass through each other are listed.
const MOST_PAIRED: usize = 400;

/// Adds what states do not change.
///
/// The pair `elements` of the reply has the numbers of the first face that is an element and of the first
/// one after them.
pub(crate) fn add(world: &World, reply: &mut Reply) {
    let surface = &world.model.surface;
    let body = &surface.body;

    // Faces of obstacles come first, so that they hide no body; then elements, then filled outlines.
    let mut below = Vec::new();
    let mut above = Vec::new();
    for (number, edges) in hollow_outlines(world).iter().enumerate() {
        if surface.filled[number] && !edges.is_empty() {
            let faces = triangles(&curves(edges), &world.rest);
            if world.bodies[number].kind.is_obstacle() {
                below.extend(faces);
            } else {
                above.extend(faces);
            }
        }
    }
    reply.set(
        "elements",
        json!([below.len(), below.len() + world.triangles.len()]),
    );
    let faces = [&below[..], &world.triangles, &above].concat();

    // Edges of length zero stand for circles and points.
    let edges = surface.edges.iter().filter(|[a, b]| a != b);
    let single = surface.edges.iter().filter(|[a, b]| a == b);
    let points = single.filter(|[vertex, _]| surface.disk_at(*vertex).is_none());
    let disks = surface.disks.iter();

    // All as numbers of vertices.
    reply.words("faces", faces.as_flattened().iter().copied());
    reply.words("edges", edges.flatten().copied());
    reply.words("springs", world.springs.as_flattened().iter().copied());
    reply.words("points", points.map(|[vertex, _]| *vertex));
    reply.words(
        "disks",
        disks.clone().flat_map(|disk| [disk.center, disk.rim]),
    );
    reply.doubles("radii", disks.map(|disk| disk.radius));
    reply.words("body", body.iter().copied());
    reply.doubles("thick", surface.radius.iter().copied());

    // Pairs of bodies that pass through each other.
    let count = world.bodies.len().min(MOST_PAIRED);
    let pairs = (0..count).flat_map(|b| (0..b).map(move |a| [a, b]));
    let passes = pairs.filter(|&[a, b]| !surface.filter.meet(a, b));
    reply.words("passes", passes.flatten());

    // Bodies and planes by name.
    reply.set("vertices", body.len());
    reply.set("bodies", bodies(world));
    reply.set("planes", planes(world));
    reply.set("ties", ties(world));
}

/// Kind of each joint that has places, and which of its ends, 0 or 1, is on something that no force moves.
fn ties(world: &World) -> Vec<Value> {
    let joints = world.model.joints.iter();
    let placed = joints.filter(|joint| !joint.rows.is_empty() && !joint.is_tie());
    let tie = placed.map(|joint| {
        let kinds = joint.bodies.map(|body| world.bodies[body].kind);
        let is_ground = |kind: &BodyKind| kind.is_obstacle() || *kind == BodyKind::World;
        json!({
            "kind": joint.label.split(' ').next(),
            "ground": kinds.iter().position(is_ground),
        })
    });
    tie.collect()
}

/// Diagonal of the box around all bodies at positions `x` (m).
pub(crate) fn size(world: &World, x: &[Vec2]) -> f64 {
    let placed = world.placed_vertices().map(|vertex| x[vertex]);
    Aabb::around(placed).extent().norm()
}

/// Edges of each body that has neither triangles nor springs; none for others.
///
/// These outlines are filled by triangles for the picture only.
fn hollow_outlines(world: &World) -> Vec<Vec<[usize; 2]>> {
    let body = &world.model.surface.body;
    let mut is_hollow = vec![true; world.bodies.len()];
    let elements = world.triangles.iter().map(|triangle| triangle[0]);
    for vertex in elements.chain(world.springs.iter().map(|spring| spring[0])) {
        is_hollow[body[vertex]] = false;
    }

    let mut outlines = vec![Vec::new(); world.bodies.len()];
    for &[a, b] in &world.model.surface.edges {
        if a != b && is_hollow[body[a]] {
            outlines[body[a]].push([a, b]);
        }
    }
    outlines
}

/// Name, kind, mass and vertices of each body.
fn bodies(world: &World) -> Vec<Value> {
    let all = world.bodies.iter().map(|body| {
        let is_obstacle = body.kind.is_obstacle() || body.kind == BodyKind::World;
        json!({
            "name": body.name,
            "kind": body.kind.name(),
            "first": body.vertices.start,
            "count": body.vertices.len(),
            "mass": if is_obstacle { 0.0 } else { world.mass_of(body) },
            "obstacle": is_obstacle,
        })
    });
    all.collect()
}

/// All half-planes.
fn planes(world: &World) -> Vec<Value> {
    let all = world.model.surface.planes.iter().map(|plane| {
        let mut own = json!({
            "normal": [plane.normal.x, plane.normal.y],
            "origin_vertex": plane.origin,
            "moves": world.moves(plane.origin),
        });
        if let Some(along) = plane.along {
            own["along_vertex"] = along.into();
        }
        own
    });
    all.collect()
}
