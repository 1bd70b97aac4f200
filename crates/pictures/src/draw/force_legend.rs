//! Legend of the arrows of forces: the meaning of the colours and an arrow of a round force.

use super::arrow::{Arrow, FRICTION, NORMAL, REACTION, SMALL, WIDTHS};
use crate::canvas::Canvas;
use crate::frame::ForceLegend;
use crate::palette::{self, Rgb};
use crate::pen::{Anchor, Pen, TextStyle};
use crate::view::View;
use ipcsim_math::Vec2;
use ipcsim_math::number;

/// Length of the arrows that show a colour (pixels).
const SAMPLE: f64 = 30.0;

/// A row of the legend.
struct Row {
    /// Words.
    label: String,
    /// Colour of its arrow.
    color: Rgb,
    /// Length of its arrow (pixels).
    length: f64,
    /// Width of a line in place of the arrow (pixels), if it is that of a network.
    width: Option<f64>,
    /// True if its arrow has two heads.
    is_cut: bool,
}

/// Rows of the legend, from below; `has_cut` is true if some arrows are cut.
fn rows(canvas: &Canvas, legend: &ForceLegend, has_cut: bool) -> Vec<Row> {
    let sample = |label: &str, color| Row {
        label: label.to_owned(),
        color,
        length: SAMPLE * canvas.letters(),
        width: None,
        is_cut: false,
    };
    if legend.width > 0.0 {
        let force = number::round_down(12.0 / legend.width);
        return vec![Row {
            width: Some(force * legend.width),
            ..sample(
                &format!("normal force of {}", number::with_unit(force, "N")),
                NORMAL,
            )
        }];
    }

    let scale = legend.scale * canvas.unit();
    let longest = legend.longest * canvas.unit();
    let force = number::round_down(0.6 * longest / scale);
    let mut rows = vec![Row {
        length: (force * scale).clamp(0.0, longest),
        ..sample(&number::with_unit(force, "N"), palette::MUTED)
    }];
    if has_cut {
        rows.push(Row {
            is_cut: true,
            ..sample("larger than its length", palette::MUTED)
        });
    }
    rows.push(sample("reaction of a support", REACTION));
    rows.push(sample("friction on each body", FRICTION));
    rows.push(sample("normal force on each body", NORMAL));
    rows
}

/// Draws the legend in its corner, on a ground of its own.
pub(super) fn draw(canvas: &mut Canvas, view: &View, legend: &ForceLegend, has_cut: bool) {
    let rows = rows(canvas, legend, has_cut);
    let letters = canvas.letters();
    let small = SMALL * letters;
    let line = 1.45 * small;

    // The ground, as large as the longest row.
    let lengths = rows
        .iter()
        .map(|row| canvas.text_width(&row.label, SMALL) + row.length);
    let wide = lengths.fold(0.0, f64::max) + 30.0 * letters;
    let high = line * (rows.len() - 1) as f64 + small + 14.0 * letters;
    let corner = legend
        .corner
        .place(view.size(), Vec2::new(wide, high), letters);
    let [left, top] = [corner.x, corner.y];
    let [right, low] = [left + wide, top + high];
    let corners =
        [(left, low), (right, low), (right, top), (left, top)].map(|(x, y)| Vec2::new(x, y));
    canvas.polygon(&corners, palette::BACKGROUND);
    canvas.segments(
        (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]),
        Pen::new(palette::GRID, 1.2),
    );

    let mut base = low - 10.0 * letters;
    for row in rows {
        let tail = Vec2::new(left + 10.0 * letters, base - 0.36 * small);
        let tip = tail + Vec2::new(row.length, 0.0);
        if let Some(width) = row.width {
            canvas.segments([[tail, tip]], Pen::new(row.color, width));
        } else {
            let arrow = Arrow {
                tail,
                tip,
                color: row.color,
                width: WIDTHS[0],
                is_cut: row.is_cut,
            };
            arrow.draw(canvas);
        }
        let style = TextStyle::new(SMALL, palette::INK, Anchor::Left);
        canvas.text(&row.label, Vec2::new(tip.x + 10.0 * letters, base), style);
        base -= line;
    }
}
