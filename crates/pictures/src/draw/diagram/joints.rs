//! Symbols of joints.

use super::{HINGE, SUPPORT, Sketch, rounded};
use crate::diagram::Symbol;
use crate::palette;
use crate::pen::Pen;
use crate::view::View;
use ipcsim_math::{Vec2, perp};
use std::f64::consts::{PI, TAU};

/// Half of the size of a block, of a cross and of a zigzag (pixels).
const HALF: f64 = 6.0;
/// Length of the line of a slider on each side of its block (pixels).
const LINE: f64 = 30.0;
/// Distance of hatches along a line, and their height (pixels).
const HATCH: [f64; 2] = [8.0, 6.0];
/// Radius of the arrow of a motor, of the arc of stops, and of a gear (pixels).
const AROUND: [f64; 3] = [12.0, 17.0, 10.0];
/// Length of the barrel of a cylinder, and place of its piston, as shares of the whole length.
const BARREL: f64 = 0.6;
const PISTON: f64 = 0.45;
/// Number of bends of a spring.
const BENDS: usize = 8;

/// Draws the symbol of a joint; symbols of other things are left out.
pub(super) fn draw(sketch: &mut Sketch, symbol: &Symbol) {
    match symbol {
        Symbol::Rope { ends, length } => rope(sketch, *ends, *length),
        Symbol::Spring(ends) => spring(sketch, ends.map(|end| sketch.view.pixel(end))),
        Symbol::Strut { ends, axis } => strut(sketch, *ends, *axis),
        Symbol::Cylinder(ends) => cylinder(sketch, *ends),
        Symbol::Weld(at) => weld(sketch, *at),
        Symbol::Guide {
            origin,
            at,
            axis,
            turns,
            is_grounded,
        } => guide(sketch, [*origin, *at], *axis, [*turns, *is_grounded]),
        Symbol::Gear(centers) => gears(sketch, *centers),
        Symbol::Motor(at) => motor(sketch, *at),
        Symbol::Stops { at, from, range } => stops(sketch, *at, *from, *range),
        Symbol::Glue(points) => glue(sketch, points),
        _ => {}
    }
}

/// Draws a rope: a line where it is taut, else a parabola of its length.
///
/// A flat parabola over the distance `d` with the sag `f` has the length `d + 8/3 f^2 / d`.
fn rope(sketch: &mut Sketch, ends: [Vec2; 2], length: f64) {
    let distance = (ends[1] - ends[0]).norm();
    // By the formula ends that meet would have no sag, whatever the length.
    let slack = (length - distance).max(0.0);
    let sag = (0.375 * slack * distance.max(0.5 * length)).sqrt();
    let points: Vec<Vec2> = (0..=16)
        .map(|k| {
            let t = f64::from(k) / 16.0;
            let below = Vec2::new(0.0, -4.0 * sag * t * (1.0 - t));
            sketch.view.pixel(ends[0] + (ends[1] - ends[0]) * t + below)
        })
        .collect();

    sketch.lines(&points, SUPPORT, 1.4);
    for end in ends {
        dot(sketch, end);
    }
}

/// Draws a cylinder: an open barrel, a piston in it, and the rod of the piston.
fn cylinder(sketch: &mut Sketch, ends: [Vec2; 2]) {
    let [a, b] = ends.map(|end| sketch.view.pixel(end));
    let across = perp(b - a).try_normalize(0.0).unwrap_or_else(Vec2::x);
    let half = across * (HALF * sketch.size);
    let [mouth, piston] = [BARREL, PISTON].map(|share| a + (b - a) * share);

    sketch.lines(
        &[mouth + half, a + half, a - half, mouth - half],
        SUPPORT,
        1.6,
    );
    sketch.lines(&[piston + half, piston - half], SUPPORT, 1.6);
    sketch.lines(&[piston, b], SUPPORT, 2.0);
    for end in ends {
        dot(sketch, end);
    }
}

/// Draws a spring along a line whose ends may meet: then from the point that moves to one above it.
fn strut(sketch: &mut Sketch, ends: [Vec2; 2], axis: Vec2) {
    let [fixed, moving] = ends.map(|end| sketch.view.pixel(end));
    let along = View::direction(axis)
        .try_normalize(0.0)
        .unwrap_or_else(Vec2::x);

    // Ordinates of pictures point down.
    let up = if along.y > 0.0 { -along } else { along };
    let is_short = (fixed - moving).norm() < LINE * sketch.size;
    let far = if is_short {
        up * (LINE * sketch.size)
    } else {
        Vec2::zeros()
    };
    spring(sketch, [moving, fixed + far]);
}

/// Draws a spring: a zigzag between its ends (pixels).
fn spring(sketch: &mut Sketch, [a, b]: [Vec2; 2]) {
    // Too short for a zigzag.
    if (b - a).norm() < 3.0 * HALF * sketch.size {
        return;
    }
    let across = perp(b - a).try_normalize(0.0).unwrap_or_else(Vec2::x);
    let bend = across * (HALF * sketch.size);
    let mut points = vec![a];
    for k in 0..BENDS {
        let t = 0.15 + 0.7 * (k as f64 + 0.5) / BENDS as f64;
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        points.push(a + (b - a) * t + bend * side);
    }
    points.push(b);
    sketch.lines(&points, SUPPORT, 1.6);
    let radius = 0.6 * HINGE * sketch.size;
    sketch.canvas.dots([a, b], radius, SUPPORT);
}

/// Draws a weld: a cross.
fn weld(sketch: &mut Sketch, at: Vec2) {
    let center = sketch.view.pixel(at);
    let half = HALF * sketch.size;
    for way in [Vec2::new(half, half), Vec2::new(half, -half)] {
        sketch.lines(&[center - way, center + way], SUPPORT, 2.4);
    }
}

/// Draws a line through the point of the first body with a block at that of the second, round if it
/// may turn. A line on the ground has hatches.
fn guide(
    sketch: &mut Sketch,
    [origin, at]: [Vec2; 2],
    axis: Vec2,
    [turns, is_grounded]: [bool; 2],
) {
    let [from, center] = [origin, at].map(|place| sketch.view.pixel(place));
    let along = View::direction(axis)
        .try_normalize(0.0)
        .unwrap_or_else(Vec2::x);
    let way = (center - from).dot(&along);
    // A line on the ground is seen beyond what slides on it.
    let beyond = if is_grounded { 1.6 } else { 1.0 } * LINE * sketch.size;
    let line = [
        from + along * (way.min(0.0) - beyond),
        from + along * (way.max(0.0) + beyond),
    ];
    sketch.lines(&line, SUPPORT, 1.4);
    if is_grounded {
        hatches(sketch, line);
    }

    if turns {
        sketch.hinge(at);
        return;
    }
    let half = HALF * sketch.size;
    let [long, wide] = [along * (1.5 * half), perp(along) * half];
    let corners = [long + wide, wide - long, -long - wide, long - wide];
    let corners = corners.map(|corner| center + corner);
    sketch.canvas.polygon(&corners, palette::BACKGROUND);
    let [a, b, c, d] = corners;
    sketch.lines(&[a, b, c, d, a], SUPPORT, 1.8);
}

/// Draws hatches along a line (pixels), on its lower side.
fn hatches(sketch: &mut Sketch, [from, to]: [Vec2; 2]) {
    let along = (to - from).try_normalize(0.0).unwrap_or_else(Vec2::x);
    let side = perp(along);
    // Ordinates of pictures point down.
    let below = if side.y < 0.0 { -side } else { side };
    let stroke = (below - along) * (HATCH[1] * sketch.size);
    let count = rounded((to - from).norm() / (HATCH[0] * sketch.size));
    for k in 1..=count {
        let foot = from + (to - from) * (f64::from(k) / f64::from(count));
        sketch.lines(&[foot, foot + stroke], SUPPORT, 1.1);
    }
}

/// Draws a ring at the centre of each of two gears.
fn gears(sketch: &mut Sketch, centers: [Vec2; 2]) {
    let radius = AROUND[2] * sketch.size;
    for center in centers {
        let center = sketch.view.pixel(center);
        let pen = Pen::new(SUPPORT, 1.6 * sketch.size);
        sketch.canvas.ring(center, radius, pen);

        for k in 0..8 {
            let (sin, cos) = (TAU * f64::from(k) / 8.0).sin_cos();
            let way = Vec2::new(cos, sin);
            let tooth = [center + way * radius, center + way * (1.35 * radius)];
            sketch.lines(&tooth, SUPPORT, 2.2);
        }
    }
}

/// Draws a motor: three quarters of a circle with a head.
fn motor(sketch: &mut Sketch, at: Vec2) {
    let center = sketch.view.pixel(at);
    let radius = AROUND[0] * sketch.size;
    let points = arc(center, radius, [-0.25 * PI, 1.25 * PI]);
    sketch.lines(&points, SUPPORT, 1.8);

    let tip = points[points.len() - 1];
    let along = (tip - points[points.len() - 3]).normalize();
    let size = sketch.size;
    super::head(
        sketch.canvas,
        tip + along * (4.0 * size),
        along,
        [7.0 * size, 3.2 * size],
        SUPPORT,
    );
}

/// Draws limits of an angle: an arc between two short lines.
fn stops(sketch: &mut Sketch, at: Vec2, from: Vec2, range: [f64; 2]) {
    if range.iter().any(|limit| !limit.is_finite()) || range[1] - range[0] > 100.0 * TAU {
        return;
    }

    let center = sketch.view.pixel(at);
    let start = from.y.atan2(from.x);
    let range = range.map(|limit| start + limit);
    let radius = AROUND[1] * sketch.size;
    sketch.lines(&arc(center, radius, range), SUPPORT, 1.2);
    for limit in range {
        let way = View::direction(Vec2::new(limit.cos(), limit.sin()));
        let stop = [
            center + way * (0.75 * radius),
            center + way * (1.25 * radius),
        ];
        sketch.lines(&stop, SUPPORT, 2.0);
    }
}

/// Points of an arc between two angles (rad), counter-clockwise in the picture.
fn arc(center: Vec2, radius: f64, [from, until]: [f64; 2]) -> Vec<Vec2> {
    let point = |k: u32| {
        let angle = from + (until - from) * f64::from(k) / 32.0;
        let (sin, cos) = angle.sin_cos();

        // Ordinates of pictures point down.
        center + View::direction(Vec2::new(cos, sin)) * radius
    };
    (0..=32).map(point).collect()
}

/// Draws a disk at each of some points, as far as they are apart.
fn glue(sketch: &mut Sketch, points: &[Vec2]) {
    let mut last: Option<Vec2> = None;
    for &point in points {
        let at = sketch.view.pixel(point);
        let is_near = |last: Vec2| (last - at).norm() < HINGE * sketch.size;
        if last.is_some_and(is_near) {
            continue;
        }
        dot(sketch, point);
        last = Some(at);
    }
}

/// Draws a small disk at a point (m).
fn dot(sketch: &mut Sketch, at: Vec2) {
    let center = sketch.view.pixel(at);
    let radius = 0.6 * HINGE * sketch.size;
    sketch.canvas.dots([center], radius, SUPPORT);
}
