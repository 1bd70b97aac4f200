//! Polygons that stand for curves where areas and insides are compared.
//!
//! The polygon has vertices on the curve, and is away from it by less than a share of its size. It is
//! closed: a line joins its last vertex to its first.

use super::drawing::Drawn;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::{Vec2, cross};
use ipcsim_mesh::curve::{Fineness, Piece};

/// Distance of the polygon from the curve, as a share of its size (1).
/// Polygons serve comparisons only; curves of the result stay exact.
const DEVIATION: f64 = 2e-4;

/// Points on a curve, from its start to its end.
///
/// A closed curve has its start again at the end, unless it ends by a straight line that is not
/// drawn.
pub(crate) fn polygon(curve: &Drawn) -> Vec<Vec2> {
    let size = Aabb::around(curve.corners()).extent().norm();
    let fineness = Fineness {
        deviation: (DEVIATION * size).max(f64::MIN_POSITIVE),
        length: f64::INFINITY,
    };

    let mut points = vec![curve.start];
    let mut at = curve.start;
    for piece in &curve.pieces {
        match piece {
            Piece::Line(to) => points.push(*to),
            other => points.extend(other.points(at, fineness)),
        }
        at = piece.end(at);
    }
    points
}

/// Area of a polygon, which is positive counter-clockwise.
/// It is in squares of the unit of the points, and 0 without points.
pub(crate) fn area(points: &[Vec2]) -> f64 {
    let Some(&origin) = points.first() else {
        return 0.0;
    };
    let next = points.iter().cycle().skip(1);
    let doubled = points
        .iter()
        .zip(next)
        .map(|(a, b)| cross(a - origin, b - origin));
    doubled.sum::<f64>() / 2.0
}

/// True if a place is inside a polygon.
///
/// A ray to the right crosses the boundary of a polygon that is around it an odd number of times. A
/// place on the boundary may count as either.
pub(crate) fn is_inside(points: &[Vec2], x: Vec2) -> bool {
    let mut is_inside = false;
    let next = points.iter().cycle().skip(1);
    for (a, b) in points.iter().zip(next) {
        // Edges that the ray to the right crosses.
        if (a.y > x.y) != (b.y > x.y) {
            let side = cross(b - a, x - a);
            if (side > 0.0) == (b.y > a.y) {
                is_inside = !is_inside;
            }
        }
    }
    is_inside
}
