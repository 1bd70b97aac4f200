//! Checks of outlines, polylines and wires.
//!
//! An outline encloses an area only if its curves are simple: no side may meet another one, except
//! that neighbours share an end, and every hole must lie inside. The decision is exact, with
//! predicates that do not round, because a curve that touches itself by a rounding error would
//! start in contact. A broad phase finds the pairs of sides that are near each other, so that
//! outlines of many thousand corners are checked in a moment.
//!
//! Polylines and wires have no inside and may cross themselves here. Whether such a body overlaps
//! itself at the start is found later, in the world.

use super::report::Report;
use crate::schema::{MAX_CELLS, Outline, Polyline, Wire};
use ipcsim_contact::broad::BroadPhase;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::predicates::{folds_back, inside, segments_touch};
use std::collections::BTreeMap;

/// Checks a closed curve and its holes: no side meets another one, and holes are inside.
///
/// Nothing is said about crossings while points are wrong.
pub(super) fn check_outline(report: &mut Report, path: &str, outline: &Outline) {
    let is_curve = report.passes(|report| {
        check_points(report, &format!("{path}.points"), &outline.points, true);
        for (k, hole) in outline.holes.iter().enumerate() {
            check_points(report, &format!("{path}.holes[{k}]"), hole, true);
        }
    });
    if !is_curve || !report.ranges(path) {
        return;
    }

    // No side meets another one.
    let curves = std::iter::once(&outline.points).chain(&outline.holes);
    let sides: Vec<Side> = curves
        .enumerate()
        .flat_map(|(curve, points)| sides(curve, points))
        .collect();
    if let Some((a, b)) = first_crossing(&sides) {
        let message = format!(
            "{} meets {}; a closed curve must not touch itself or another one",
            a.name(),
            b.name()
        );
        return report.add(path, message);
    }

    // Holes are inside the outline; one corner decides, as no sides cross.
    for (k, hole) in outline.holes.iter().enumerate() {
        let outer = sides.iter().filter(|side| side.curve == 0);
        if !inside(
            hole[0].into(),
            outer.map(|side| (side.ends[0], side.ends[1])),
        ) {
            report.add(
                &format!("{path}.holes[{k}]"),
                "is not inside the outline; move it or remove it",
            );
        }
    }
}

/// Checks the points of a polyline, which must be two or more, or three if it is closed.
pub(super) fn check_polyline(report: &mut Report, path: &str, line: &Polyline) {
    check_points(report, &format!("{path}.points"), &line.points, line.closed);
    let edges = line.segments.saturating_mul(line.points.len());
    if edges > MAX_CELLS {
        let message = format!("is {edges}, more than {MAX_CELLS}; use fewer");
        report.add(&format!("{path}.segments"), message);
    }
}

/// Checks the points of a curve: there are enough, and no two neighbours coincide.
///
/// In a closed curve the last point is joined to the first, which counts as its neighbour.
fn check_points(report: &mut Report, path: &str, points: &[[f64; 2]], closed: bool) {
    let count = points.len();
    let least = if closed { 3 } else { 2 };
    if count < least {
        let message = format!("has {count} points, but must have at least {least}");
        return report.add(path, message);
    }

    for (k, pair) in points.windows(2).enumerate() {
        if same(pair[0], pair[1]) {
            let message = format!("{:?} repeats the point before; remove it", pair[0]);
            report.add(&format!("{path}[{}]", k + 1), message);
        }
    }

    if closed && points.first() == points.last() {
        let message = format!(
            "{:?} repeats the first point, to which the last is joined anyway; remove it",
            points[0]
        );
        report.add(&format!("{path}[{}]", count - 1), message);
    }
}

/// Checks that the edges of a wire exist, have length and come once.
///
/// Vertices without an edge are allowed: they are points.
pub(super) fn check_wire(report: &mut Report, path: &str, wire: &Wire) {
    let count = wire.vertices.len();
    if count == 0 {
        let message = "there is no vertex; add at least one";
        return report.add(&format!("{path}.vertices"), message);
    }

    // Edges.
    let mut seen = BTreeMap::new();
    for (k, &[a, b]) in wire.pairs().iter().enumerate() {
        let edge = [a, b];
        let largest = a.max(b);
        let message = if largest >= count {
            format!("names vertex {largest}, but there are only {count}, numbered from 0")
        } else if same(wire.vertices[a], wire.vertices[b]) {
            format!("{edge:?} has no length; join two vertices that are apart")
        } else if let Some(first) = seen.insert([a.min(b), largest], k) {
            format!("{edge:?} joins the vertices of edges[{first}] again; remove it")
        } else {
            continue;
        };
        report.add(&format!("{path}.edges[{k}]"), message);
    }
}

/// True if two points coincide, where 0 and -0 are equal.
fn same(a: [f64; 2], b: [f64; 2]) -> bool {
    Vec2::from(a) == Vec2::from(b)
}

/// A side of a closed curve.
struct Side {
    /// Number of the curve: 0 for the outline, 1 for its first hole.
    curve: usize,
    /// Numbers of the two ends within the curve.
    points: [usize; 2],
    /// Positions of the two ends (m).
    ends: [Vec2; 2],
}

impl Side {
    /// Description of the side in messages, with the numbers of its points.
    fn name(&self) -> String {
        let [a, b] = self.points;
        match self.curve.checked_sub(1) {
            None => format!("the side from points[{a}] to points[{b}]"),
            Some(hole) => format!("the side from holes[{hole}][{a}] to holes[{hole}][{b}]"),
        }
    }

    /// True if `next` begins where this side ends, on the same curve.
    fn is_before(&self, next: &Self) -> bool {
        self.curve == next.curve && self.points[1] == next.points[0]
    }

    /// True if two sides share more than the point at which they are joined. The decision is exact.
    ///
    /// Neighbours share more than their joint if the second runs back along the first.
    fn meets(&self, other: &Self) -> bool {
        let [a, b] = self.ends;
        let [c, d] = other.ends;
        if self.is_before(other) {
            folds_back(a, b, d)
        } else if other.is_before(self) {
            folds_back(c, d, b)
        } else {
            segments_touch(a, b, c, d)
        }
    }
}

/// Sides of closed curve number `curve` through `points` (m), the last one back to the first point.
fn sides(curve: usize, points: &[[f64; 2]]) -> impl Iterator<Item = Side> {
    let count = points.len();
    (0..count).map(move |k| {
        let ends = [k, (k + 1) % count];
        Side {
            curve,
            points: ends,
            ends: ends.map(|i| points[i].into()),
        }
    })
}

/// First two sides that meet where they should not; `None` if all curves are simple and apart.
fn first_crossing(sides: &[Side]) -> Option<(&Side, &Side)> {
    let boxes: Vec<Aabb> = sides.iter().map(|side| Aabb::around(side.ends)).collect();
    let pairs = BroadPhase::default().self_pairs(&boxes).into_iter();
    pairs
        .map(|(i, j)| (&sides[i as usize], &sides[j as usize]))
        .find(|(a, b)| a.meets(b))
}
