//! The axis of bodies of revolution: a line of dashes and dots, as in drawings.

use crate::{canvas::Canvas, palette, pen::Pen, view::View};
use ipcsim_math::Vec2;

/// Lengths of a dash, of a dot, and of the gap after each (pixels of a picture of 1280 x 720).
const DASH: f64 = 22.0;
const DOT: f64 = 4.0;
const GAP: f64 = 5.0;

/// Draws the axis x = 0 from the bottom to the top of the picture.
pub(super) fn draw(canvas: &mut Canvas, view: &View) {
    let x = view.pixel(Vec2::zeros()).x;
    let height = view.size().y;
    let unit = canvas.unit();
    if !x.is_finite() {
        return;
    }
    let period = (DASH + DOT + 2.0 * GAP) * unit;
    let marks = (0_u32..2000)
        .map(|k| f64::from(k) * period)
        .take_while(|&y| y < height)
        .flat_map(|y| {
            let dot = y + (DASH + GAP) * unit;
            [[y, y + DASH * unit], [dot, dot + DOT * unit]]
        })
        .map(|ends| ends.map(|y| Vec2::new(x, y)));
    let ink = palette::shade(palette::OBSTACLE);
    canvas.segments(marks, Pen::new(ink, 1.4));
}
