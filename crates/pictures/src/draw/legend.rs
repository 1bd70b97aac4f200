//! Legends: the time, a bar of known length, and the scale of colours.
//!
//! The time is in the upper left, the scale of colours in the upper right, and the bar of length in
//! the lower right. Every text stands on a faint halo, since a body may be behind it.

use crate::{
    canvas::Canvas,
    font::CAP_HEIGHT,
    frame::{ColorScale, Extremes, Frame, Style},
    palette,
    pen::{Anchor, Pen, TextStyle},
    view::View,
};
use ipcsim_math::Vec2;
use ipcsim_math::number::{self, Ticks};

/// Distance of legends from the sides of the picture.
///
/// All lengths of legends are in pixels of a picture of 1280 x 720, and grow as letters do.
const MARGIN: f64 = 24.0;
/// Font size of the time.
const LARGE: f64 = 24.0;
/// Font size of all other text.
const SMALL: f64 = 16.0;
/// Width and height of the bar of colours.
const BAR: (f64, f64) = (240.0, 12.0);
/// Length of the tip that shows that values go on beyond an end of the bar.
const TIP: f64 = 11.0;
/// Length of the marks below the bar.
const TICK: f64 = 5.0;
/// Number of columns of the bar of colours, each of one colour.
const COLUMNS: u32 = 120;
/// Radius of the ring at the largest value.
const RING: f64 = 9.0;
/// Share of the range below which the largest value of a picture is not marked.
const FAINT: f64 = 0.01;
/// Largest number of decades whose marks all have a number.
const DECADES: usize = 4;

/// Draws all legends over the picture.
pub(super) fn draw(canvas: &mut Canvas, view: &View, frame: &Frame<'_>, style: &Style) {
    draw_length(canvas, view);
    let mut room = view.size().x - 2.0 * MARGIN * canvas.letters();
    if let Some(scale) = &frame.scale {
        let low = draw_colors(canvas, view.size().x, scale);
        if let Some(extremes) = &frame.extremes {
            draw_extremes(canvas, view, low, scale, extremes);
        }
        room -= (BAR.0 + 2.0 * TIP + MARGIN) * canvas.letters();
    }
    draw_time(canvas, frame, style, room);
}

/// Draws the time in the upper left, and below it the title and the step, as far as there is `room`
/// (pixels).
fn draw_time(canvas: &mut Canvas, frame: &Frame<'_>, style: &Style, room: f64) {
    let letters = canvas.letters();
    let margin = MARGIN * letters;
    let base = margin + LARGE * CAP_HEIGHT * letters;
    let time = format!("t = {} s", number::fixed(frame.time, style.time_decimals));
    canvas.text(
        &time,
        Vec2::new(margin, base),
        TextStyle::new(LARGE, palette::INK, Anchor::Left),
    );

    // Title and step on a line of their own. A long title is cut, and the step stays.
    let step = format!("step {}", frame.step);
    let gap = if frame.title.is_empty() { "" } else { " · " };
    let mut below = format!("{}{gap}{step}", frame.title);
    let mut kept = frame.title.chars().count();
    while kept > 0 && canvas.text_width(&below, SMALL) > room {
        kept -= 1;
        let title: String = frame.title.chars().take(kept).collect();
        below = format!("{}…{gap}{step}", title.trim_end());
    }
    canvas.text(
        &below,
        Vec2::new(margin, base + 1.5 * SMALL * letters),
        TextStyle::new(SMALL, palette::MUTED, Anchor::Left),
    );
}

/// Draws in the lower right the longest bar of a round length that fits into a sixth of the width,
/// with its length above it, on a ground that keeps them off what is behind.
fn draw_length(canvas: &mut Canvas, view: &View) {
    let letters = canvas.letters();
    let size = view.size();
    let metres = number::round_down(size.x / 6.0 / view.scale());
    let pixels = metres * view.scale();
    let text = number::length(metres);

    // The ground is as wide as the bar or its label.
    let right = size - Vec2::new(MARGIN, MARGIN) * letters;
    let left = right - Vec2::new(pixels, 0.0);
    let middle = (left + right) * 0.5;
    let half = 0.5 * canvas.text_width(&text, SMALL).max(pixels) + 10.0 * letters;
    let [top, low] = [right.y - 30.0 * letters, right.y + 11.0 * letters];
    let ground = [(-half, top), (half, top), (half, low), (-half, low)];
    canvas.veil(&ground.map(|(x, y)| Vec2::new(middle.x + x, y)));

    // The bar with its ticks, on a halo that shows on any background.
    let tick = Vec2::new(0.0, TICK) * canvas.unit();
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

    let label = middle - Vec2::new(0.0, 10.0 * letters);
    canvas.text(
        &text,
        label,
        TextStyle::new(SMALL, palette::INK, Anchor::Middle),
    );
}

/// Draws in the upper right the name of the quantity with its unit, the bar of colours with a tip
/// where values go on beyond an end, and marks with numbers. `width` is that of the picture (pixels).
///
/// Returns the base line of the numbers (pixels).
fn draw_colors(canvas: &mut Canvas, width: f64, scale: &ColorScale<'_>) -> f64 {
    let letters = canvas.letters();
    let marks = Marks::of(scale);
    let right = width - (MARGIN + TIP) * letters;
    let left = right - BAR.0 * letters;
    let name = (MARGIN + SMALL * CAP_HEIGHT) * letters;
    let title = if marks.unit.is_empty() {
        scale.label.to_owned()
    } else {
        format!("{} [{}]", scale.label, marks.unit)
    };
    canvas.text(
        &title,
        Vec2::new(right, name),
        TextStyle::new(SMALL, palette::INK, Anchor::Right),
    );

    // The bar below the name, and its frame with the tips.
    let top = name + 9.0 * letters;
    let bottom = top + BAR.1 * letters;
    let middle = 0.5 * (top + bottom);
    draw_columns(canvas, [left, right], [top, bottom], scale);
    let tip = TIP * letters;
    let mut frame = vec![Vec2::new(left, top), Vec2::new(right, top)];
    if scale.beyond[1] {
        let corners = [(right, top), (right + tip, middle), (right, bottom)];
        let corners = corners.map(|(x, y)| Vec2::new(x, y));
        canvas.polygon(&corners, scale.palette.color(1.0));
        frame.push(corners[1]);
    }
    frame.extend([Vec2::new(right, bottom), Vec2::new(left, bottom)]);
    if scale.beyond[0] {
        let corners = [(left, top), (left - tip, middle), (left, bottom)];
        let corners = corners.map(|(x, y)| Vec2::new(x, y));
        canvas.polygon(&corners, scale.palette.color(0.0));
        frame.push(corners[1]);
    }
    frame.push(frame[0]);
    canvas.polyline(frame, Pen::new(palette::INK, 1.2));

    // Marks below it, each with its number unless the one before is in its place.
    let mut taken = f64::NEG_INFINITY;
    let base = bottom + (TICK + 3.0 + SMALL * CAP_HEIGHT) * letters;
    for (place, text) in &marks.at {
        let x = left + (right - left) * place;
        let from = Vec2::new(x, bottom);
        let to = Vec2::new(x, bottom + TICK * letters);
        canvas.segments([[from, to]], Pen::new(palette::INK, 1.2));

        let half = 0.5 * canvas.text_width(text, SMALL);
        if x - half < taken + 6.0 * letters {
            continue;
        }
        taken = x + half;
        let style = TextStyle::new(SMALL, palette::INK, Anchor::Middle);
        canvas.text(text, Vec2::new(x, base), style);
    }
    base
}

/// Writes the least and the largest value of the picture below the bar of colours, whose numbers stand
/// on the line `low` (pixels), and marks the place of the largest by a ring if the scale wants that.
fn draw_extremes(
    canvas: &mut Canvas,
    view: &View,
    low: f64,
    scale: &ColorScale<'_>,
    extremes: &Extremes,
) {
    let letters = canvas.letters();
    let value = |value: f64| number::with_unit(value, scale.unit);
    let text = format!(
        "min {}, max {}",
        value(extremes.least),
        value(extremes.largest)
    );
    let right = view.size().x - (MARGIN + TIP) * letters;
    let place = Vec2::new(right, low + 1.3 * SMALL * letters);
    let style = TextStyle::new(SMALL, palette::MUTED, Anchor::Right);
    canvas.text(&text, place, style);

    // Where next to nothing is, its largest value would jump from place to place.
    let is_small = extremes.largest < FAINT * scale.max;
    if scale.marks_largest && !is_small && extremes.largest > extremes.least {
        let at = view.pixel(extremes.at);
        canvas.ring(at, RING, Pen::new(palette::BACKGROUND, 4.0));
        canvas.ring(at, RING, Pen::new(palette::INK, 1.6));
    }
}

/// Marks of a bar of colours.
struct Marks {
    /// Unit of the numbers, with a prefix.
    unit: String,
    /// Place of each mark, from 0 to 1, and its number; empty for a mark between numbers.
    at: Vec<(f64, String)>,
}

impl Marks {
    /// Marks at round values of a scale: powers of ten if it is logarithmic.
    fn of(scale: &ColorScale<'_>) -> Self {
        let [min, max] = [scale.min, scale.max];
        let largest = min.abs().max(max.abs());
        let (factor, unit) = number::prefixed_unit(largest, scale.unit);
        if scale.is_log {
            return Self {
                unit: scale.unit.to_owned(),
                at: decades(scale),
            };
        }

        // A range without width has its value in the middle.
        let mut at = Vec::new();
        if max > min {
            let ticks = Ticks::between(min / factor, max / factor, 4);
            for value in &ticks.values {
                let place = scale.fraction(value * factor).clamp(0.0, 1.0);
                at.push((place, number::fixed(*value, ticks.decimals)));
            }
        } else if min.is_finite() {
            at.push((0.5, number::with_unit(min / factor, "")));
        }
        Self { unit, at }
    }
}

/// Powers of ten on a logarithmic scale, with numbers at some of them where there are many.
fn decades(scale: &ColorScale<'_>) -> Vec<(f64, String)> {
    let powers = number::powers_of_ten(scale.min, scale.max);
    let every = powers.len().div_ceil(DECADES).max(1);
    let mut at = Vec::new();
    for (k, power) in powers.iter().enumerate() {
        let text = if k % every == 0 {
            number::power_of_ten(*power)
        } else {
            String::new()
        };
        at.push((scale.fraction(*power).clamp(0.0, 1.0), text));
    }

    // Within a decade the ends are the only round numbers.
    if at.is_empty() {
        at.push((0.0, number::with_unit(scale.min, scale.unit)));
        at.push((1.0, number::with_unit(scale.max, scale.unit)));
    }
    at
}

/// Fills the bar of colours with columns of one colour each, between two abscissae and two ordinates
/// (pixels).
fn draw_columns(
    canvas: &mut Canvas,
    [left, right]: [f64; 2],
    [top, bottom]: [f64; 2],
    scale: &ColorScale<'_>,
) {
    let edge = |k: u32| left + (right - left) * f64::from(k) / f64::from(COLUMNS);
    for k in 0..COLUMNS {
        let corners = [(k, top), (k + 1, top), (k + 1, bottom), (k, bottom)]
            .map(|(k, y)| Vec2::new(edge(k), y));
        let color = scale
            .palette
            .color((f64::from(k) + 0.5) / f64::from(COLUMNS));

        // Two triangles without smoothing, so that no seam shows between columns.
        canvas.triangle([corners[0], corners[1], corners[2]], color);
        canvas.triangle([corners[0], corners[2], corners[3]], color);
    }
}
