//! Triangles that fill outlines, for pictures of bodies without elements.

use earcut::Earcut;
use ipcsim::geometry::predicates::inside;
use ipcsim::math::{Vec2, cross};

/// Triangles of the area between closed `curves` through vertices at `rest` (m): outer ones run
/// counter-clockwise, holes clockwise.
///
/// All triangles are counter-clockwise. An island in a hole is an outer curve again, with its own
/// holes.
pub fn triangles(curves: &[Vec<usize>], rest: &[Vec2]) -> Vec<[usize; 3]> {
    let (outer, holes): (Vec<_>, Vec<_>) = curves.iter().partition(|curve| area(curve, rest) > 0.0);
    let mut found = Vec::new();
    for around in &outer {
        // A hole belongs to the smallest curve around it.
        let is_own = |hole: &&&Vec<usize>| {
            let smallest = outer
                .iter()
                .filter(|other| contains(other, rest, rest[hole[0]]))
                .min_by(|a, b| area(a, rest).total_cmp(&area(b, rest)));
            smallest == Some(around)
        };
        let mut vertices = (*around).clone();
        let mut starts = Vec::new();
        for hole in holes.iter().filter(is_own) {
            starts.push(vertices.len());
            vertices.extend_from_slice(hole);
        }

        let places = vertices.iter().map(|&vertex| rest[vertex].into());
        let mut corners: Vec<usize> = Vec::new();
        Earcut::<f64>::new().earcut(places, &starts, &mut corners);
        found.extend(corners.chunks_exact(3).map(|corner| {
            let [a, b, c] = [corner[0], corner[1], corner[2]].map(|k| vertices[k]);
            let is_turned = cross(rest[b] - rest[a], rest[c] - rest[a]) < 0.0;
            if is_turned { [a, c, b] } else { [a, b, c] }
        }));
    }
    found
}

/// Area inside of a closed curve through vertices at `rest` (m), negative if it runs clockwise
/// (m^2).
fn area(curve: &[usize], rest: &[Vec2]) -> f64 {
    let origin = rest[curve[0]];
    let twice = sides(curve).map(|[a, b]| cross(rest[a] - origin, rest[b] - origin));
    0.5 * twice.sum::<f64>()
}

/// True if a place (m) is inside of a closed curve through vertices at `rest` (m).
///
/// The decision is exact, as in contact.
fn contains(curve: &[usize], rest: &[Vec2], place: Vec2) -> bool {
    inside(place, sides(curve).map(|[a, b]| (rest[a], rest[b])))
}

/// Both vertices of each side of a closed curve.
fn sides(curve: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    let next = curve.iter().cycle().skip(1);
    curve.iter().zip(next).map(|(&a, &b)| [a, b])
}
