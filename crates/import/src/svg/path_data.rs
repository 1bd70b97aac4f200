//! Data of paths: the attribute `d`.
//!
//! Capital letters have places from the origin, small ones from where the pen is. A smooth curve (`S`,
//! `T`) begins with the control of the curve before, mirrored at the pen. Quadratic curves become the
//! same cubic ones. An arc is given by its ends, radii and two flags; its centre follows from them.
//!
//! The grammar is in SVG 2, "Paths", section "The grammar for path data", and its numbers are taken
//! apart by `svgtypes`. After `Z` the pen is at the start of the curve that was closed. A segment of
//! another kind ends the chain of smooth ones: a smooth curve after it starts with its control at the
//! pen.

use crate::drawing::Ellipse;
use crate::pen::Pen;
use ipcsim_math::Vec2;
use ipcsim_math::elementary::{atan2, cos, sin};
use std::f64::consts::TAU;
use svgtypes::{PathParser, PathSegment};

/// What a segment leaves for the next one: the control that a smooth curve mirrors.
///
/// Only a curve of the same degree is mirrored: after `C` a `T` begins as if there were no control.
#[derive(Clone, Copy, PartialEq)]
enum Control {
    /// Of no curve.
    None,
    /// The second control of a cubic curve.
    Cubic(Vec2),
    /// The control of a quadratic curve.
    Quadratic(Vec2),
}

/// Draws the data of a path; true if all of it could be read.
///
/// Segments before an error are drawn and stay.
pub(super) fn draw(data: &str, pen: &mut Pen) -> bool {
    let mut control = Control::None;
    for segment in PathParser::from(data) {
        let Ok(segment) = segment else { return false };
        control = draw_segment(segment, pen, control);
    }
    true
}

/// Draws a segment, and gives its control.
///
/// `control` is the one that the segment before has left. Relative numbers count from the pen.
fn draw_segment(segment: PathSegment, pen: &mut Pen, control: Control) -> Control {
    let at = pen.at;
    let from = if segment.is_abs() { Vec2::zeros() } else { at };
    // A place, from the numbers of the file.
    let place = |x: f64, y: f64| from + Vec2::new(x, y);
    match segment {
        PathSegment::MoveTo { x, y, .. } => pen.move_to(place(x, y)),
        PathSegment::LineTo { x, y, .. } => pen.line_to(place(x, y)),
        PathSegment::HorizontalLineTo { x, .. } => pen.line_to(Vec2::new(from.x + x, at.y)),
        PathSegment::VerticalLineTo { y, .. } => pen.line_to(Vec2::new(at.x, from.y + y)),
        PathSegment::CurveTo {
            x1,
            y1,
            x2,
            y2,
            x,
            y,
            ..
        } => {
            let second = place(x2, y2);
            pen.cubic_to([place(x1, y1), second], place(x, y));
            return Control::Cubic(second);
        }
        PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => {
            let first = match control {
                Control::Cubic(before) => at * 2.0 - before,
                _ => at,
            };
            let second = place(x2, y2);
            pen.cubic_to([first, second], place(x, y));
            return Control::Cubic(second);
        }
        PathSegment::Quadratic { x1, y1, x, y, .. } => {
            return quadratic(place(x1, y1), place(x, y), pen);
        }
        PathSegment::SmoothQuadratic { x, y, .. } => {
            let middle = match control {
                Control::Quadratic(before) => at * 2.0 - before,
                _ => at,
            };
            return quadratic(middle, place(x, y), pen);
        }
        PathSegment::EllipticalArc { x, y, .. } => {
            if let Some(arc) = Arc::of(segment) {
                arc.draw(place(x, y), pen);
            }
        }
        PathSegment::ClosePath { .. } => pen.close(),
    }
    Control::None
}

/// Draws a quadratic curve as the same cubic one.
///
/// A quadratic curve from `p` by `m` to `q` has its cubic controls two thirds of the distance from
/// each end to `m`, without any error. It gives `m` for a smooth curve that may follow.
fn quadratic(middle: Vec2, to: Vec2, pen: &mut Pen) -> Control {
    let at = pen.at;
    let controls = [
        at + (middle - at) * (2.0 / 3.0),
        to + (middle - to) * (2.0 / 3.0),
    ];
    pen.cubic_to(controls, to);
    Control::Quadratic(middle)
}

/// An elliptical arc as a path gives it.
///
/// It is described by its ends and not by its centre. Four arcs of an ellipse join two places; the
/// two flags choose one of them.
struct Arc {
    /// Half axes, in units of the view.
    radii: [f64; 2],
    /// Angle of the first axis (rad).
    angle: f64,
    /// True if the arc is longer than half of the ellipse.
    is_large: bool,
    /// True if its angle grows from its start, which is clockwise with y downwards.
    is_clockwise: bool,
}

impl Arc {
    /// The arc of a segment, if it is one.
    ///
    /// Negative radii count as positive ones, and degrees become radians.
    fn of(segment: PathSegment) -> Option<Self> {
        let PathSegment::EllipticalArc {
            rx,
            ry,
            x_axis_rotation,
            large_arc,
            sweep,
            ..
        } = segment
        else {
            return None;
        };
        Some(Self {
            radii: [rx.abs(), ry.abs()],
            angle: x_axis_rotation.to_radians(),
            is_large: large_arc,
            is_clockwise: sweep,
        })
    }

    /// Draws the arc to its end (SVG 2, section B.2.4).
    ///
    /// An arc with a radius of 0 is a straight line, and one without a distance between its ends is
    /// nothing. Radii that are too small to reach both ends grow by the same factor (section B.2.5).
    fn draw(&self, to: Vec2, pen: &mut Pen) {
        let from = pen.at;
        let [rx, ry] = self.radii;
        if rx == 0.0 || ry == 0.0 || from == to {
            if from != to {
                pen.line_to(to);
            }
            return;
        }

        // In the frame of the axes, with radii of 1.
        let [c, s] = [cos(self.angle), sin(self.angle)];
        // Half of the chord, in units of the radii.
        let half = (from - to) / 2.0;
        let p = Vec2::new(
            (c * half.x + s * half.y) / rx,
            (c * half.y - s * half.x) / ry,
        );
        let square = p.norm_squared();
        // Radii that are too small for the distance grow until they fit.
        let grown = square.sqrt().max(1.0);
        let [rx, ry] = [rx * grown, ry * grown];
        let p = p / grown;
        let to_center = ((1.0 - p.norm_squared()).max(0.0) / p.norm_squared()).sqrt();
        let side = if self.is_large == self.is_clockwise {
            -1.0
        } else {
            1.0
        };
        let center = Vec2::new(p.y, -p.x) * (side * to_center);

        let [a, b] = [p - center, -p - center].map(|x| atan2(x.y, x.x));
        // The flag says in which direction the arc runs.
        let mut sweep = b - a;
        if self.is_clockwise && sweep < 0.0 {
            sweep += TAU;
        } else if !self.is_clockwise && sweep > 0.0 {
            sweep -= TAU;
        }
        let [u, v] = [Vec2::new(c, s) * rx, Vec2::new(-s, c) * ry];
        let ellipse = Ellipse {
            center: (from + to) / 2.0 + u * center.x + v * center.y,
            u,
            v,
        };

        pen.arc_to(&ellipse, a, sweep, to);
    }
}
