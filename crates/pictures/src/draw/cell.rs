//! The sides of a cell that repeats, in dashes.

use crate::{canvas::Canvas, palette, pen::Pen, view::View};
use ipcsim_math::Vec2;

/// Length of a dash with the gap after it, and of the dash (pixels of a picture of 1280 x 720).
const PERIOD: f64 = 11.0;
const DASH: f64 = 7.0;
/// Largest number of dashes of a side.
const MOST: u32 = 2000;

/// Draws lines of dashes between these places (m).
pub(super) fn draw(canvas: &mut Canvas, view: &View, sides: &[[Vec2; 2]]) {
    let unit = canvas.unit();
    let mut dashes = Vec::new();
    for side in sides {
        let [from, to] = side.map(|at| view.pixel(at));
        let length = (to - from).norm();
        if !length.is_finite() || length <= 0.0 {
            continue;
        }
        let along = (to - from) / length;
        let starts = (0..MOST).map(|k| f64::from(k) * PERIOD * unit);
        for start in starts.take_while(|&start| start < length) {
            let end = (start + DASH * unit).min(length);
            dashes.push([start, end].map(|way| from + along * way));
        }
    }
    let ink = palette::shade(palette::OBSTACLE);
    canvas.segments(dashes, Pen::new(ink, 1.4));
}
