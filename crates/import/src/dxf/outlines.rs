//! Curves of the entities of a DXF drawing: lines, arcs, ellipses, polylines with bulges, splines and
//! filled quadrangles.

use super::entities::Entity;
use super::spline::Spline;
use crate::ReadError;
use crate::drawing::Ellipse;
use crate::pen::Pen;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{atan, atan2};
use std::f64::consts::TAU;

/// Share of the size of an entity by which heights may differ within it.
pub(super) const FLAT: f64 = 1e-6;

/// Draws an entity; false for other kinds.
///
/// Codes 10 and 20 are the first point, 11 and 21 the second, 40 a radius, 50 and 51 angles in
/// degrees. `followers` are the vertices of a polyline.
///
/// # Errors
/// If a number that the kind needs is absent or malformed.
pub(super) fn draw(
    entity: &Entity,
    followers: &[Entity],
    pen: &mut Pen,
) -> Result<bool, ReadError> {
    match entity.kind {
        "LINE" => {
            pen.move_to(entity.point(10)?);
            pen.line_to(entity.point(11)?);
        }
        "CIRCLE" => {
            let circle = Ellipse::circle(entity.point(10)?, entity.number(40, "radius")?.abs());
            whole(&circle, pen);
        }
        "ARC" => {
            let circle = Ellipse::circle(entity.point(10)?, entity.number(40, "radius")?.abs());
            let from = entity.number(50, "start angle")?.to_radians();
            let to = entity.number(51, "end angle")?.to_radians();
            part(&circle, [from, to], pen);
        }
        "ELLIPSE" => elliptic(entity, pen)?,
        "LWPOLYLINE" => polyline(&entity.bulged()?, entity.has_flag(1)?, pen),
        "POLYLINE" => {
            // Meshes and polylines in space are not curves in the plane.
            if entity.has_flag(16 | 64)? {
                return Ok(false);
            }
            let mut corners = Vec::new();
            let mut heights = Vec::new();
            for vertex in followers
                .iter()
                .filter(|follower| follower.kind == "VERTEX")
            {
                // Controls of a polyline that was made smooth are not on it.
                if !vertex.has_flag(16)? {
                    corners.push((vertex.point(10)?, vertex.number_or(42, 0.0)?));
                    heights.push(vertex.number_or(30, 0.0)?);
                }
            }
            let places: Vec<f64> = corners.iter().flat_map(|(x, _)| [x.x, x.y]).collect();
            if range(&heights) > FLAT * range(&places) {
                return Ok(false);
            }
            polyline(&corners, entity.has_flag(1)?, pen);
        }
        "SPLINE" => return smooth(entity, pen),
        "SOLID" | "TRACE" => {
            let mut corners = vec![entity.point(10)?, entity.point(11)?];
            // The last two corners change places.
            let third = entity.point(12)?;
            corners.extend(entity.point(13).ok().filter(|fourth| *fourth != third));
            corners.push(third);
            let corners: Vec<(Vec2, f64)> = corners.into_iter().map(|x| (x, 0.0)).collect();
            polyline(&corners, true, pen);
        }
        _ => return Ok(false),
    }

    Ok(true)
}

/// Draws an ellipse or a part of it.
///
/// Code 11 is the larger half axis from the centre, 40 the ratio of the smaller one to it, 41 and 42
/// are the parameters of its ends (rad). A normal downwards (code 230) turns the smaller axis round.
///
/// # Errors
/// If the centre, the axis or the ratio is absent or malformed.
fn elliptic(entity: &Entity, pen: &mut Pen) -> Result<(), ReadError> {
    let u = entity.point(11)?;
    let ratio = entity.number(40, "ratio of its axes")?;
    let sign = if entity.number_or(230, 1.0)? < 0.0 {
        -1.0
    } else {
        1.0
    };
    let ellipse = Ellipse {
        center: entity.point(10)?,
        u,
        v: Vec2::new(-u.y, u.x) * (ratio * sign),
    };

    let ends = [entity.number_or(41, 0.0)?, entity.number_or(42, TAU)?];
    if (ends[1] - ends[0] - TAU).abs() < 1e-9 {
        whole(&ellipse, pen);
    } else {
        part(&ellipse, ends, pen);
    }
    Ok(())
}

/// Draws a whole ellipse.
///
/// It starts and ends at the parameter 0, counter-clockwise if its axes are.
fn whole(ellipse: &Ellipse, pen: &mut Pen) {
    let start = ellipse.point(0.0);
    pen.move_to(start);
    pen.arc_to(ellipse, 0.0, TAU, start);
    pen.close();
}

/// Draws a part of an ellipse, counter-clockwise between two parameters (rad).
///
/// Ends that are the same give a whole turn. Parameters are angles for a circle.
fn part(ellipse: &Ellipse, [from, to]: [f64; 2], pen: &mut Pen) {
    let mut sweep = (to - from) % TAU;
    if sweep <= 0.0 {
        sweep += TAU;
    }
    pen.move_to(ellipse.point(from));
    pen.arc_to(ellipse, from, sweep, ellipse.point(to));
}

/// Draws a polyline. The bulge of a side is the tangent of a quarter of the angle of its arc, 0 for a
/// straight line.
///
/// Each corner has the bulge of the side after it. An arc with the bulge `b` over a chord of the
/// length `c` has its centre to the left of the middle by `c (1 - b^2) / (4 b)`. It turns by four
/// times the arctangent of `b`. Sides without length are left out.
fn polyline(corners: &[(Vec2, f64)], is_closed: bool, pen: &mut Pen) {
    let Some(&(first, _)) = corners.first() else {
        return;
    };
    pen.move_to(first);
    let ends = corners.iter().skip(1).map(|(x, _)| *x);
    let closing = is_closed.then_some(first);
    for (&(from, bulge), to) in corners.iter().zip(ends.chain(closing)) {
        if from == to {
            continue;
        }
        if bulge == 0.0 {
            pen.line_to(to);
            continue;
        }

        let chord = to - from;
        let left = Vec2::new(-chord.y, chord.x);
        // The centre is to the left of the chord if the arc is short and counter-clockwise.
        let center = (from + to) / 2.0 + left * ((1.0 - bulge * bulge) / (4.0 * bulge));
        let circle = Ellipse::circle(center, (from - center).norm());
        let start = atan2(from.y - center.y, from.x - center.x);
        pen.arc_to(&circle, start, 4.0 * atan(bulge), to);
    }

    if is_closed {
        pen.close();
    }
}

/// Draws a spline by its controls, or else by the points that it goes through; false if its numbers do
/// not fit each other.
///
/// Code 71 is the degree, 40 a knot, 41 a weight, 10 a control, and 11 a point on the curve. A curve
/// through points has no exact form in the file, and becomes a smooth curve of the scene.
///
/// # Errors
/// If a number is malformed, or points have fewer y than x.
fn smooth(entity: &Entity, pen: &mut Pen) -> Result<bool, ReadError> {
    let controls = entity.points(10)?;
    let degree = usize::try_from(entity.whole(71)?).unwrap_or(0);
    // Controls define the curve; points that it goes through are less exact.
    let spline = Spline::new(degree, entity.numbers(40)?, &controls, &entity.numbers(41)?);
    if let Some(spline) = spline {
        let (start, cubics) = spline.cubics();
        pen.move_to(start);
        for (controls, to) in cubics {
            pen.cubic_to(controls, to);
        }
        return Ok(true);
    }

    let through = entity.points(11)?;
    let Some((&first, rest)) = through.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Ok(false);
    };
    pen.move_to(first);
    pen.through(rest);
    Ok(true)
}

/// Difference of the largest and the least number; 0 without numbers.
///
/// It is the extent of coordinates along an axis, in their unit.
pub(super) fn range(numbers: &[f64]) -> f64 {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low).max(0.0)
}
