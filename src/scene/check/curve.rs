//! Checks of outlines, polylines and wires.

use super::report::Report;
use crate::contact::broad::BroadPhase;
use crate::geometry::Aabb;
use crate::geometry::predicates::{inside, orientation, segments_touch};
use crate::math::Vec2;
use crate::scene::schema::{Outline, Polyline, Wire};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Checks a closed curve and its holes: no side meets another one, and holes are inside.
pub(super) fn check_outline(report: &mut Report, path: &str, outline: &Outline) {
    let is_curve = report.passes(|report| {
        check_points(report, &format!("{path}.points"), &outline.points, true);
        for (k, hole) in outline.holes.iter().enumerate() {
            check_points(report, &format!("{path}.holes[{k}]"), hole, true);
        }
    });
    if !is_curve {
        return;
    }

    // No side meets another one.
    let curves = || std::iter::once(&outline.points).chain(&outline.holes);
    let sides: Vec<Side> = curves()
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

    // Holes are inside the outline.
    let outer = || {
        sides
            .iter()
            .filter(|side| side.curve == 0)
            .map(|side| (side.ends[0], side.ends[1]))
    };
    for (k, hole) in outline.holes.iter().enumerate() {
        if !inside(hole[0].into(), outer()) {
            report.add(
                &format!("{path}.holes[{k}]"),
                "is not inside the outline; move it or remove it",
            );
        }
    }
}

/// Checks the points of a polyline.
pub(super) fn check_polyline(report: &mut Report, path: &str, line: &Polyline) {
    check_points(report, &format!("{path}.points"), &line.points, line.closed);
}

/// Checks the points of a curve, the last of which is joined to the first if the curve is closed.
fn check_points(report: &mut Report, path: &str, points: &[[f64; 2]], closed: bool) {
    let least = if closed { 3 } else { 2 };
    if points.len() < least {
        return report.add(
            path,
            format!(
                "has {} points, but must have at least {least}",
                points.len()
            ),
        );
    }

    // Points are finite and follow each other.
    for (k, point) in points.iter().enumerate() {
        report.vector(&format!("{path}[{k}]"), *point);
    }
    for (k, pair) in points
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| same(pair[0], pair[1]))
    {
        report.add(
            &format!("{path}[{}]", k + 1),
            format!("{:?} repeats the point before; remove it", pair[0]),
        );
    }

    if closed && points.first() == points.last() {
        let message = format!(
            "{:?} repeats the first point, to which the last is joined anyway; remove it",
            points[0]
        );
        report.add(&format!("{path}[{}]", points.len() - 1), message);
    }
}

/// Checks that the edges of a wire exist, have length and come once.
pub(super) fn check_wire(report: &mut Report, path: &str, wire: &Wire) {
    let count = wire.vertices.len();
    if count == 0 {
        return report.add(
            &format!("{path}.vertices"),
            "there is no vertex; add at least one",
        );
    }

    for (k, position) in wire.vertices.iter().enumerate() {
        report.vector(&format!("{path}.vertices[{k}]"), *position);
    }

    // Edges.
    let mut seen = BTreeMap::new();
    for (k, &[a, b]) in wire.edges.iter().enumerate() {
        let path = format!("{path}.edges[{k}]");
        if a.max(b) >= count {
            report.add(
                &path,
                format!(
                    "names vertex {}, but there are only {count}, numbered from 0",
                    a.max(b)
                ),
            );
        } else if same(wire.vertices[a], wire.vertices[b]) {
            report.add(
                &path,
                format!(
                    "{:?} has no length; join two vertices that are apart",
                    [a, b]
                ),
            );
        } else if let Some(first) = seen.insert([a.min(b), a.max(b)], k) {
            report.add(
                &path,
                format!(
                    "{:?} joins the vertices of edges[{first}] again; remove it",
                    [a, b]
                ),
            );
        }
    }
}

fn same(a: [f64; 2], b: [f64; 2]) -> bool {
    Vec2::from(a) == Vec2::from(b)
}

/// A side of a closed curve.
struct Side {
    /// 0 for the outline, 1 for its first hole.
    curve: usize,
    /// Numbers of the ends within the curve.
    points: [usize; 2],
    ends: [Vec2; 2],
}

impl Side {
    fn name(&self) -> String {
        let [a, b] = self.points;
        match self.curve.checked_sub(1) {
            None => format!("the side from points[{a}] to points[{b}]"),
            Some(hole) => format!("the side from holes[{hole}][{a}] to holes[{hole}][{b}]"),
        }
    }

    /// True if two sides share more than the point at which they are joined. The decision is exact.
    fn meets(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.ends, other.ends);
        let follows = |first: &Self, next: &Self| {
            first.curve == next.curve && first.points[1] == next.points[0]
        };
        let folds_back = |from: Vec2, joint: Vec2, to: Vec2| {
            orientation(from, joint, to) == Ordering::Equal
                && (from - joint).dot(&(to - joint)) > 0.0
        };
        if follows(self, other) {
            folds_back(a, b, d)
        } else if follows(other, self) {
            folds_back(c, d, b)
        } else {
            segments_touch(a, b, c, d)
        }
    }
}

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

/// First two sides that meet where they should not.
fn first_crossing(sides: &[Side]) -> Option<(&Side, &Side)> {
    let boxes: Vec<Aabb> = sides.iter().map(|side| Aabb::around(side.ends)).collect();
    let pairs = BroadPhase::default().self_pairs(&boxes).into_iter();
    pairs
        .map(|(i, j)| (&sides[i as usize], &sides[j as usize]))
        .find(|(a, b)| a.meets(b))
}
