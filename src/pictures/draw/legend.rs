//! Legends: the time, a bar of known length, and the scale of colours.
//!
//! The time is in the upper left, the scale of colours in the upper right, and the bar of length in
//! the lower right. Every text stands on a faint halo, since a body may be behind it.

use crate::{
    math::Vec2,
    math::number,
    pictures::{
        canvas::Canvas,
        font::CAP_HEIGHT,
        frame::{ColorScale, Frame, Style},
        palette,
        pen::{Anchor, Pen, TextStyle},
        view::View,
    },
};

/// Distance of legends from the sides of the picture (pixels).
const MARGIN: f64 = 24.0;
/// Font size of the time (pixels).
const LARGE: f64 = 24.0;
/// Font size of all other text (pixels).
const SMALL: f64 = 16.0;
/// Width and height of the bar of colours (pixels).
const BAR: (f64, f64) = (220.0, 12.0);
/// Number of columns of the bar of colours, each of one colour.
const COLUMNS: u32 = 110;

/// Draws all legends over the picture.
pub(super) fn draw(canvas: &mut Canvas, view: &View, frame: &Frame<'_>, style: &Style) {
    draw_time(canvas, frame, style);
    draw_length(canvas, view);
    if let Some(scale) = &frame.scale {
        draw_colors(canvas, view.size().x, scale);
    }
}

/// Draws the time in the upper left, and below it the title and the step.
fn draw_time(canvas: &mut Canvas, frame: &Frame<'_>, style: &Style) {
    let base = MARGIN + LARGE * CAP_HEIGHT;
    let time = format!("t = {} s", number::fixed(frame.time, style.time_decimals));
    canvas.text(
        &time,
        Vec2::new(MARGIN, base),
        TextStyle::new(LARGE, palette::INK, Anchor::Left),
    );

    // Title and step on a line of their own.
    let gap = if frame.title.is_empty() { "" } else { " · " };
    let below = format!("{}{gap}step {}", frame.title, frame.step);
    canvas.text(
        &below,
        Vec2::new(MARGIN, base + 1.5 * SMALL),
        TextStyle::new(SMALL, palette::MUTED, Anchor::Left),
    );
}

/// Draws in the lower right the longest bar of a round length that fits into a sixth of the width,
/// with its length above it.
fn draw_length(canvas: &mut Canvas, view: &View) {
    let size = view.size();
    let metres = number::round_down(size.x / 6.0 / view.scale());
    let pixels = metres * view.scale();

    // The bar with its ticks, on a halo that shows on any background.
    let right = size - Vec2::new(MARGIN, MARGIN);
    let left = right - Vec2::new(pixels, 0.0);
    let tick = Vec2::new(0.0, 5.0);
    let bar = [
        [left, right],
        [left - tick, left + tick],
        [right - tick, right + tick],
    ];
    canvas.segments(
        bar,
        Pen {
            opacity: 0.75,
            ..Pen::new(palette::BACKGROUND, 5.0)
        },
    );
    canvas.segments(bar, Pen::new(palette::INK, 2.0));

    let label = (left + right) * 0.5 - Vec2::new(0.0, 10.0);
    canvas.text(
        &number::length(metres),
        label,
        TextStyle::new(SMALL, palette::INK, Anchor::Middle),
    );
}

/// Draws in the upper right the name of the quantity, the bar of colours, and the smallest and
/// largest value below its ends. `width` is that of the picture (pixels).
fn draw_colors(canvas: &mut Canvas, width: f64, scale: &ColorScale<'_>) {
    let right = width - MARGIN;
    let left = right - BAR.0;
    let name = MARGIN + SMALL * CAP_HEIGHT;
    canvas.text(
        scale.label,
        Vec2::new(right, name),
        TextStyle::new(SMALL, palette::INK, Anchor::Right),
    );

    // The bar below the name, and its frame.
    let top = name + 9.0;
    let bottom = name + 9.0 + BAR.1;
    draw_columns(canvas, left, [top, bottom]);
    let frame =
        [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| Vec2::new(x, y));
    canvas.segments(
        (0..4).map(|i| [frame[i], frame[(i + 1) % 4]]),
        Pen::new(palette::INK, 1.2),
    );

    // The values at its ends.
    for (value, x, anchor) in [
        (scale.min, left, Anchor::Left),
        (scale.max, right, Anchor::Right),
    ] {
        let at = Vec2::new(x, bottom + 7.0 + SMALL * CAP_HEIGHT);
        canvas.text(
            &number::with_unit(value, scale.unit),
            at,
            TextStyle::new(SMALL, palette::INK, anchor),
        );
    }
}

/// Fills the bar of colours with columns of one colour each, from `left` to the right and between
/// two heights (pixels).
fn draw_columns(canvas: &mut Canvas, left: f64, [top, bottom]: [f64; 2]) {
    let edge = |k: u32| left + BAR.0 * f64::from(k) / f64::from(COLUMNS);
    for k in 0..COLUMNS {
        let corners = [(k, top), (k + 1, top), (k + 1, bottom), (k, bottom)]
            .map(|(k, y)| Vec2::new(edge(k), y));
        let color = palette::viridis((f64::from(k) + 0.5) / f64::from(COLUMNS));

        // Two triangles without smoothing, so that no seam shows between columns.
        canvas.triangle([corners[0], corners[1], corners[2]], color);
        canvas.triangle([corners[0], corners[2], corners[3]], color);
    }
}
