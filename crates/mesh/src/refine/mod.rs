//! Triangles that fill an area: a constrained Delaunay triangulation, refined.
//!
//! Ruppert's algorithm (1995, "A Delaunay refinement algorithm for quality 2-dimensional mesh
//! generation") adds points until no triangle is too large or too sharp:
//!
//! 1. the lines of the area, divided by the size field, are triangulated (the crate `spade`), and
//!    triangles outside are left out;
//! 2. a line that has a vertex within the circle around it is halved;
//! 3. a triangle with an edge longer than the size, or with an angle below the limit, gets a vertex
//!    at the centre of its circumcircle, unless that is within the circle around a line, which is
//!    halved instead. The largest circumcircle comes first.
//!
//! With angles of the outline of 60 degrees or more this ends for every limit up to 20.7 degrees,
//! and in practice for 30. Sharper corners keep their angle. There lines are divided at powers of
//! two from the corner, so that both are divided at the same distances, and triangles between two
//! such points stay (Shewchuk 2002, "Delaunay refinement algorithms for triangular mesh
//! generation").
//!
//! Nothing is random and nothing runs at the same time: equal areas have equal meshes.
//!
//! The side of a line that is inside follows from the lines that a path from outside crosses, not
//! from positions. So rounding of divided lines does not matter.

mod refinement;
mod start;
mod triangulation;

use super::{Domain, Mesh, SizeField};
use ipcsim_math::Vec2;
use std::collections::{BTreeMap, BTreeSet};

pub use crate::tuning::MOST_VERTICES;

/// A mesh of an area, with its groups.
///
/// Vertices of the curves come first and in their order, then points on lines and inside, in the
/// order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meshed {
    /// Triangles.
    pub mesh: Mesh,
    /// Vertices on named lines and in parts, by name, ascending.
    pub vertices: BTreeMap<String, Vec<usize>>,
    /// Triangles of parts by name, ascending.
    pub triangles: BTreeMap<String, Vec<usize>>,
    /// Middles of triangles with an angle below the limit (m), which stay because the area has a
    /// sharp corner or a narrow place there.
    pub sharp: Vec<Vec2>,
    /// Vertices that were added on lines of the area, with the ends of their lines (m).
    pub on_lines: Vec<(usize, [Vec2; 2])>,
    /// True if the refinement ended before every triangle was good.
    pub is_incomplete: bool,
}

/// Triangulates an area.
///
/// Every vertex of the area is a vertex of the mesh, and every line a chain of its edges. Points
/// are added where triangles are too large or too sharp, and nowhere else, so that a coarse size
/// gives a coarse mesh.
///
/// No edge is longer than the mean size at its ends, and no angle smaller than `least_angle` (rad)
/// unless the area is sharper.
///
/// The refinement stops at `most` vertices.
pub fn triangulate(domain: &Domain, size: &SizeField, least_angle: f64, most: usize) -> Meshed {
    let start = start::start(domain, size);
    refinement::refined(start, domain, size, least_angle, most)
}

/// Numbers of the vertices of triangles and of lines, by name, and of the triangles of parts.
///
/// A part has the vertices of all of its triangles; a curve has only the vertices on it.
fn groups(
    triangulation: &triangulation::Triangulation,
    names_of_lines: &[&BTreeSet<String>],
    names_of_regions: &[BTreeSet<&str>],
) -> [BTreeMap<String, Vec<usize>>; 2] {
    let mut vertices: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut triangles: BTreeMap<&str, Vec<usize>> = BTreeMap::new();

    // A vertex is in the group of every part and line that it belongs to.
    for (k, corners) in triangulation.triangles.iter().enumerate() {
        for &name in &names_of_regions[corners.region] {
            triangles.entry(name).or_default().push(k);
            vertices.entry(name).or_default().extend(corners.v);
        }

        for (corner, &line) in corners.line.iter().enumerate() {
            let names = names_of_lines.get(line).copied().into_iter().flatten();
            for name in names {
                let [a, b] = [(corner + 1) % 3, (corner + 2) % 3];
                let members = vertices.entry(name).or_default();
                members.extend([corners.v[a], corners.v[b]]);
            }
        }
    }

    let vertices = vertices.into_iter();
    let vertices = vertices.map(|(name, members)| (name.to_owned(), members.into_iter().collect()));
    let triangles = triangles.into_iter();
    let triangles = triangles.map(|(name, members)| (name.to_owned(), members));
    [vertices.collect(), triangles.collect()]
}

#[cfg(test)]
mod tests;
