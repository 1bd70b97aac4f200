//! Paths of points: a line on a faint halo, with a dot where the point is now.

use crate::{canvas::Canvas, frame::Trace, palette, pen::Pen, view::View};
use ipcsim_math::Vec2;

/// Widths of the line and of its halo (pixels of a picture of 1280 x 720).
const WIDTHS: [f64; 2] = [2.0, 4.4];
/// Radius of the dot (pixels of such a picture).
const DOT: f64 = 4.0;

/// Draws a path.
pub(super) fn draw(canvas: &mut Canvas, view: &View, trace: &Trace) {
    let points: Vec<Vec2> = trace.places.iter().map(|&at| view.pixel(at)).collect();
    let [line, halo] = WIDTHS;
    canvas.polyline(points.iter().copied(), Pen::new(palette::BACKGROUND, halo));
    canvas.polyline(points.iter().copied(), Pen::new(trace.color, line));
    canvas.dots(points.last().copied(), DOT * canvas.unit(), trace.color);
}
