//! Circles and arcs of an area, onto which vertices of its mesh belong.
//!
//! A curve is divided into chords before it is meshed, and the refinement adds vertices on chords.
//! Left there, they would make a mesh of straight pieces, however fine it is.

use super::schema::{Area, Curve, Stop};
use ipcsim_math::elementary::atan2;
use ipcsim_math::{Vec2, cross};
use ipcsim_mesh::Mesh;
use ipcsim_mesh::curve::circle_through;
use ipcsim_mesh::refine::Meshed;
use std::f64::consts::TAU;

/// Share of a radius by which a point may be off its circle (1): rounding.
const ON_CIRCLE: f64 = 1e-9;

/// Share of the area of a triangle that it keeps where a vertex moves (1).
const AREA_KEPT: f64 = 0.3;

/// A circle, or an arc of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    /// Centre (m).
    pub(crate) centre: Vec2,
    /// Radius (m).
    pub(crate) radius: f64,
    /// Angle of its beginning (rad).
    from: f64,
    /// Angle that it covers, counter-clockwise (rad).
    turn: f64,
}

/// All circles and arcs of an area.
pub(crate) fn rounds(area: &Area) -> Vec<Round> {
    let mut found = Vec::new();
    for curve in area.curves() {
        match curve {
            Curve::Circle(circle) => found.push(Round {
                centre: circle.center.into(),
                radius: circle.radius,
                from: 0.0,
                turn: TAU,
            }),
            Curve::Path(path) => {
                let mut from = None;
                for stop in &path.points {
                    if let (Some(from), Stop::Arc(arc)) = (from, stop) {
                        found.extend(Round::of_arc(from, arc.through.into(), arc.to.into()));
                    }
                    from = Some(end(stop, from));
                }
            }
        }
    }
    found
}

/// End of a piece of a path (m) that begins at a point; that point for a spline without points.
fn end(stop: &Stop, from: Option<Vec2>) -> Vec2 {
    match stop {
        Stop::Point(to) => (*to).into(),
        Stop::Line(line) => line.to.into(),
        Stop::Arc(arc) => arc.to.into(),
        Stop::Cubic(cubic) => cubic.to.into(),
        Stop::Spline(spline) => spline
            .through
            .last()
            .map_or(from.unwrap_or_default(), |&to| to.into()),
    }
}

/// Puts the vertices that the refinement has added on chords of circles and arcs onto these, except
/// where a triangle would become flat.
pub(crate) fn put_onto(meshed: &mut Meshed, rounds: &[Round]) {
    if rounds.is_empty() {
        return;
    }
    let on_lines = std::mem::take(&mut meshed.on_lines);
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); meshed.mesh.vertices.len()];
    for (k, triangle) in meshed.mesh.triangles.iter().enumerate() {
        for &vertex in triangle {
            around[vertex].push(k);
        }
    }

    for (vertex, chord) in &on_lines {
        let Some(round) = rounds.iter().find(|round| round.has_chord(*chord)) else {
            continue;
        };
        let own = &around[*vertex];
        let before = meshed.mesh.vertices[*vertex];
        let areas: Vec<f64> = own.iter().map(|&k| area(&meshed.mesh, k)).collect();
        meshed.mesh.vertices[*vertex] = round.nearest(before);
        let keeps = |(&k, old): (&usize, &f64)| area(&meshed.mesh, k) > AREA_KEPT * old;
        if !own.iter().zip(&areas).all(keeps) {
            meshed.mesh.vertices[*vertex] = before;
        }
    }
    meshed.on_lines = on_lines;
}

/// Twice the area of a triangle (m^2), positive counter-clockwise.
fn area(mesh: &Mesh, triangle: usize) -> f64 {
    let [a, b, c] = mesh.triangles[triangle].map(|i| mesh.vertices[i]);
    cross(b - a, c - a)
}

impl Round {
    /// The arc from a point through a second to a third (m); `None` if they are on a line.
    fn of_arc(from: Vec2, through: Vec2, to: Vec2) -> Option<Self> {
        let (centre, radius) = circle_through(from, through, to)?;
        let is_left = cross(through - from, to - from) > 0.0;
        let [first, last] = if is_left { [from, to] } else { [to, from] };
        let [first, last] = [first, last].map(|x| atan2((x - centre).y, (x - centre).x));
        Some(Self {
            centre,
            radius,
            from: first,
            turn: (last - first).rem_euclid(TAU),
        })
    }

    /// True if both ends (m) are on it and the line between is one of its chords, of less than a
    /// third of it: a straight line that closes an arc has the whole of it.
    pub(crate) fn has_chord(&self, ends: [Vec2; 2]) -> bool {
        let is_on = |x: &Vec2| ((x - self.centre).norm() / self.radius - 1.0).abs() < ON_CIRCLE;
        if !ends.iter().all(is_on) {
            return false;
        }
        let [a, b] = ends.map(|x| x - self.centre);
        let subtended = atan2(cross(a, b).abs(), a.dot(&b));
        let middle = a + b;
        let along = (atan2(middle.y, middle.x) - self.from).rem_euclid(TAU);
        along <= self.turn && subtended <= (0.6 * self.turn).min(0.25 * TAU) + ON_CIRCLE
    }

    /// Point of the circle that is nearest to a point (m).
    pub(crate) fn nearest(&self, x: Vec2) -> Vec2 {
        let out = x - self.centre;
        self.centre + out * (self.radius / out.norm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_closes_an_arc_is_none_of_its_chords() {
        // A quarter of a circle of 2 m about (1, 0).
        let at = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            Vec2::new(1.0 + 2.0 * cos, 2.0 * sin)
        };
        for ends in [[0.0, 90.0], [90.0, 0.0]] {
            let round = Round::of_arc(at(ends[0]), at(30.0), at(ends[1])).unwrap();
            assert!((round.centre - Vec2::x()).norm() < 1e-12);
            assert!(round.has_chord([at(0.0), at(9.0)]) && round.has_chord([at(50.0), at(45.0)]));
            // The closing line, chords of the rest of the circle, and points within.
            assert!(!round.has_chord([at(0.0), at(90.0)]));
            assert!(!round.has_chord([at(100.0), at(109.0)]));
            assert!(!round.has_chord([at(0.0), at(9.0) * 0.99]));
        }
    }
}
