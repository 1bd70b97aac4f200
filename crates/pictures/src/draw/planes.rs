//! Half-planes: the solid side in grey, behind a crisp line with hatches as in drawings of walls.
//!
//! A half-plane is infinite and a picture is not: the solid side is the picture clipped by the
//! plane, and line and hatches run as far as the circle around the picture. Everything here is in
//! pixels, with the normal turned over as the ordinate is.

use crate::{canvas::Canvas, frame::PlaneShape, palette, pen::Pen, view::View};
use ipcsim_math::{Vec2, perp};

/// Distance between hatches along the wall (pixels of a picture of 1280 x 720).
const HATCH_SPACING: f64 = 13.0;
/// Length of a hatch into the wall (pixels of a picture of 1280 x 720).
const HATCH_DEPTH: f64 = 11.0;

/// Draws the solid side of `plane`, with line and hatches as far as the picture reaches.
///
/// Both are inside the solid side, so that bodies on it touch the line. A plane whose normal has no
/// direction is left out.
pub(super) fn draw(canvas: &mut Canvas, view: &View, plane: &PlaneShape) {
    let Some(normal) = View::direction(plane.normal)
        .try_normalize(0.0)
        .filter(|n| n.iter().all(|c| c.is_finite()))
    else {
        return;
    };

    // The solid side; a moving plane is darker.
    let origin = view.pixel(plane.origin);
    let (tone, line) = if plane.moving {
        (0.62, 0.0)
    } else {
        (0.74, 0.12)
    };
    let fill = palette::mix(palette::OBSTACLE, palette::BACKGROUND, tone);
    let ink = palette::mix(palette::shade(palette::OBSTACLE), palette::BACKGROUND, line);
    canvas.polygon(&solid_part(view.size(), origin, normal), fill);

    // Hatches and the line, as far as the picture reaches.
    let unit = canvas.unit();
    let Some((from, to)) = visible_part(view.size(), origin, perp(normal), unit) else {
        return;
    };
    let along = perp(normal);
    let hatch = (along - normal).normalize() * (HATCH_DEPTH * unit);
    let inside = origin - normal * unit;

    // One path for all hatches, so that crossings are not darker.
    let marks = hatch_places(from, to, HATCH_SPACING * unit)
        .map(|s| inside + along * s)
        .map(|p| [p, p + hatch]);
    canvas.segments(
        marks,
        Pen {
            opacity: 0.7,
            ..Pen::new(ink, 1.2)
        },
    );
    canvas.segments(
        [[inside + along * from, inside + along * to]],
        Pen::new(ink, 2.0),
    );
}

/// Part of the picture with `normal . (x - origin) < 0`, as a polygon (pixels); empty if the plane
/// passes beside the picture on its free side.
fn solid_part(size: Vec2, origin: Vec2, normal: Vec2) -> Vec<Vec2> {
    let corners =
        [(0.0, 0.0), (size.x, 0.0), (size.x, size.y), (0.0, size.y)].map(|(x, y)| Vec2::new(x, y));

    // Sutherland and Hodgman's clipping: corners behind the plane, and crossings with it.
    let mut polygon = Vec::with_capacity(6);
    for (k, &p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % 4];
        let a = normal.dot(&(p - origin));
        let b = normal.dot(&(q - origin));
        if a < 0.0 {
            polygon.push(p);
        }
        if (a < 0.0) != (b < 0.0) {
            polygon.push(p + (q - p) * (a / (a - b)));
        }
    }

    polygon
}

/// Interval of `s` (pixels) where `origin + s along` is in the picture, or so near that hatches
/// reach into it.
///
/// The picture is enclosed in a circle of radius `r` around its middle `m`: with `c = along . (m -
/// origin)` and the line's distance `d` from `m`, it is `c -+ sqrt(r^2 - d^2)`. `None` if the line
/// misses the circle.
fn visible_part(size: Vec2, origin: Vec2, along: Vec2, unit: f64) -> Option<(f64, f64)> {
    let middle = size * 0.5;
    let reach = middle.norm() + HATCH_DEPTH * unit;
    let center = along.dot(&(middle - origin));
    let distance = ipcsim_math::cross(along, middle - origin);

    let half = (reach * reach - distance * distance).sqrt();
    (half.is_finite() && center.is_finite()).then_some((center - half, center + half))
}

/// Places of hatches in `[from, to]` (pixels) with a distance `spacing`, at most 2000.
///
/// One is at the origin of the wall, so that hatches move with it.
fn hatch_places(from: f64, to: f64, spacing: f64) -> impl Iterator<Item = f64> {
    let first = (from / spacing).ceil() * spacing;
    (0_u32..2000)
        .map(move |k| first + f64::from(k) * spacing)
        .take_while(move |&s| s <= to)
}
