//! What the page draws of a mesh: faces, edges, springs, circles, points and half-planes.
//!
//! Faces are the elastic triangles, and triangles that fill the outlines of bodies without
//! elements. Such bodies move by affine maps, so triangles found at rest fill them in every state.

use super::blocks::Blocks;
use ipcsim::body::BodyKind;
use ipcsim::math::Vec2;
use ipcsim::mesh::curves;
use ipcsim_live::triangles;
use ipcsim_store::mesh_file::MeshFile;
use std::ops::Range;

/// Adds topology to `blocks`: vertices are numbers of the mesh.
///
/// Returns the range of the faces that are elastic triangles, in the order of the mesh. Faces of
/// obstacles come before, so that they hide no body that touches them.
pub(super) fn add(mesh: &MeshFile, blocks: &mut Blocks) -> Range<usize> {
    let rest: Vec<Vec2> = mesh.vertices_rest.iter().map(|&p| p.into()).collect();
    let mut below = Vec::new();
    let mut above = Vec::new();
    for (entry, edges) in mesh.bodies.iter().zip(hollow_outlines(mesh)) {
        if entry.filled {
            let faces = triangles(&curves(&edges), &rest);
            if entry.kind == BodyKind::Obstacle.name() {
                below.extend(faces);
            } else {
                above.extend(faces);
            }
        }
    }

    let elements = below.len()..below.len() + mesh.triangles.len();
    let faces = [&below[..], &mesh.triangles, &above].concat();
    blocks.steps("faces", faces.as_flattened().iter().copied().map(word));
    blocks.steps("edges", mesh.edges.as_flattened().iter().copied().map(word));
    blocks.steps(
        "springs",
        mesh.springs.as_flattened().iter().copied().map(word),
    );
    blocks.steps("points", mesh.points.iter().copied().map(word));
    blocks.steps("body", mesh.body.iter().copied().map(word));

    let disks = mesh.disks.iter();
    let ends = disks
        .clone()
        .flat_map(|disk| [disk.center_vertex, disk.rim_vertex]);
    blocks.steps("disks", ends.map(word));
    blocks.doubles("radii", disks.map(|disk| disk.radius));
    elements
}

/// A number of a vertex or body in 32 bits. Meshes that fit into memory have fewer vertices.
#[allow(clippy::cast_possible_truncation, reason = "fewer than 2^31 vertices")]
pub(super) fn word(number: usize) -> u32 {
    number as u32
}

/// Edges of each body that has neither triangles nor springs; none for others.
fn hollow_outlines(mesh: &MeshFile) -> Vec<Vec<[usize; 2]>> {
    let mut is_hollow = vec![true; mesh.bodies.len()];
    let elements = mesh.triangles.iter().map(|t| t[0]);
    for vertex in elements.chain(mesh.springs.iter().map(|s| s[0])) {
        is_hollow[mesh.body[vertex]] = false;
    }

    let mut outlines = vec![Vec::new(); mesh.bodies.len()];
    for &edge in &mesh.edges {
        let body = mesh.body[edge[0]];
        if is_hollow[body] {
            outlines[body].push(edge);
        }
    }
    outlines
}

/// Position of a vertex at rest (m).
fn rest(mesh: &MeshFile, vertex: usize) -> Vec2 {
    mesh.vertices_rest[vertex].into()
}

/// Length of the shortest edge, side of an element or radius at rest (m), infinite without any.
pub(super) fn shortest(mesh: &MeshFile) -> f64 {
    let pairs = mesh.edges.iter().chain(&mesh.springs);
    let sides = mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let lengths = pairs
        .copied()
        .chain(sides)
        .map(|[a, b]| (rest(mesh, a) - rest(mesh, b)).norm());
    let radii = mesh.disks.iter().map(|disk| disk.radius);
    lengths
        .chain(radii)
        .filter(|length| *length > 0.0)
        .fold(f64::INFINITY, f64::min)
}

/// Ranges of successive vertices of the same body, which together are all vertices.
pub(super) fn ranges(mesh: &MeshFile) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut ranges = Vec::new();
    for own in mesh.body.chunk_by(|a, b| a == b) {
        ranges.push(start..start + own.len());
        start += own.len();
    }
    ranges
}
