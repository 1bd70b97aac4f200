//! Plots as SVG: axes with round marks, expected curves as lines, measured points as marks.
//!
//! Colours are names of CSS classes that the page defines, so that one drawing serves the light,
//! the dark and the printed page.

use crate::plot::{Mark, Plot, Series};
use ipcsim::math::number::{Ticks, fixed, short};
use std::fmt::Write as _;

/// Width and height of a plot (pixels).
const SIZE: [f64; 2] = [640.0, 320.0];
/// Left, right, upper and lower margin around the axes (pixels).
const MARGINS: [f64; 4] = [76.0, 16.0, 12.0, 46.0];
/// Largest number of marks of a series; more would hide each other.
const MOST_MARKS: usize = 32;
/// Number of colours of the page.
const COLOURS: usize = 6;

/// One axis: the interval of the data, and where it lies on the picture.
struct Axis {
    /// Ends of the interval; decimal logarithms on a logarithmic axis.
    ends: [f64; 2],
    /// Places of the ends (pixels).
    places: [f64; 2],
    /// True if values are shown by their logarithms.
    is_logarithmic: bool,
}

impl Axis {
    /// Axis that holds the coordinates number `k` of all points, with a margin of 4 %.
    fn around(plot: &Plot, k: usize, places: [f64; 2]) -> Self {
        let is_logarithmic = plot.logarithmic[k];
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for point in plot.series.iter().flat_map(|series| &series.points) {
            let value = scaled(point[k], is_logarithmic);
            if value.is_finite() {
                ends = [ends[0].min(value), ends[1].max(value)];
            }
        }

        // An axis without data, or of one value, has a width nevertheless.
        if ends[0] > ends[1] {
            ends = [0.0, 1.0];
        }
        let least = 1e-9 * ends[0].abs().max(ends[1].abs());
        let width = ends[1] - ends[0];
        let margin = if width > least {
            0.04 * width
        } else {
            (0.1 * ends[0].abs()).max(1e-12)
        };
        Self {
            ends: [ends[0] - margin, ends[1] + margin],
            places,
            is_logarithmic,
        }
    }

    /// Place of a value (pixels); `None` if it cannot be shown.
    fn place(&self, value: f64) -> Option<f64> {
        let share =
            (scaled(value, self.is_logarithmic) - self.ends[0]) / (self.ends[1] - self.ends[0]);
        let place = self.places[0] + share * (self.places[1] - self.places[0]);
        place.is_finite().then_some(place)
    }

    /// Places (pixels) and labels of the marks.
    fn ticks(&self) -> Vec<Tick> {
        let ticks = Ticks::between(self.ends[0], self.ends[1], 6);
        let largest = self.ends[0].abs().max(self.ends[1].abs());
        let plain = (1e-3..1e6).contains(&largest) && ticks.decimals <= 9;

        let [from, to] = self.places;
        let width = self.ends[1] - self.ends[0];
        let shown = ticks.values.iter().map(|&value| Tick {
            place: from + (value - self.ends[0]) / width * (to - from),
            label: match (self.is_logarithmic, plain) {
                (true, _) => short(10.0_f64.powf(value)),
                (false, true) => fixed(value, ticks.decimals),
                (false, false) => short(value),
            },
        });
        shown.collect()
    }
}

/// Mark of an axis with its label.
struct Tick {
    /// Place along the axis (pixels).
    place: f64,
    /// Value of the mark.
    label: String,
}

/// The value, or its decimal logarithm.
fn scaled(value: f64, is_logarithmic: bool) -> f64 {
    if is_logarithmic { value.log10() } else { value }
}

/// A plot as an `svg` element.
pub(super) fn plot(plot: &Plot) -> String {
    let [left, right, upper, lower] = MARGINS;
    let x = Axis::around(plot, 0, [left, SIZE[0] - right]);
    let y = Axis::around(plot, 1, [SIZE[1] - lower, upper]);

    let mut text = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over {}\">\n",
        SIZE[0],
        SIZE[1],
        escaped(plot.labels[1]),
        escaped(plot.labels[0])
    );
    axes(plot, &x, &y, &mut text);
    for (series, colour) in plot.series.iter().zip(colours(plot)) {
        match series.mark {
            Mark::Line => line(series, colour, [&x, &y], &mut text),
            Mark::Points => marks(series, colour, [&x, &y], &mut text),
        }
    }
    text + "</svg>\n"
}

/// Number of the colour of each series.
///
/// Where there are as many lines as series of points, they are pairs of the expected and the
/// measured, which share a colour.
pub(super) fn colours(plot: &Plot) -> Vec<usize> {
    let lines = plot
        .series
        .iter()
        .filter(|series| series.mark == Mark::Line);
    let are_pairs = 2 * lines.count() == plot.series.len();

    let mut next = [0, 0];
    let mut colours = Vec::new();
    for series in &plot.series {
        let kind = usize::from(are_pairs && series.mark == Mark::Points);
        colours.push(next[kind] % COLOURS);
        next[kind] += 1;
    }
    colours
}

/// Adds frame, grid, marks and labels of the axes. Writing to a string cannot fail.
fn axes(plot: &Plot, x: &Axis, y: &Axis, text: &mut String) {
    let [left, right] = x.places;
    let [lower, upper] = y.places;

    for Tick { place, label } in x.ticks() {
        let _ = writeln!(
            text,
            "<line class=\"grid\" x1=\"{place:.1}\" y1=\"{upper}\" x2=\"{place:.1}\" y2=\"{lower}\"/>\
             <text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            lower + 16.0
        );
    }
    for Tick { place, label } in y.ticks() {
        let _ = writeln!(
            text,
            "<line class=\"grid\" x1=\"{left}\" y1=\"{place:.1}\" x2=\"{right}\" y2=\"{place:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 6.0,
            place + 4.0
        );
    }

    // Frame and names of the axes.
    let _ = writeln!(
        text,
        "<rect class=\"frame\" x=\"{left}\" y=\"{upper}\" width=\"{}\" height=\"{}\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{y:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {y:.1})\">{}</text>",
        right - left,
        lower - upper,
        0.5 * (left + right),
        SIZE[1] - 8.0,
        escaped(plot.labels[0]),
        escaped(plot.labels[1]),
        y = 0.5 * (lower + upper),
    );
}

/// Adds a line through all points that can be shown.
fn line(series: &Series, k: usize, [x, y]: [&Axis; 2], text: &mut String) {
    // A logarithmic axis has no place for zero.
    let shown = series.points.iter().filter_map(|point| {
        Some(format!(
            "{:.1},{:.1}",
            x.place(point[0])?,
            y.place(point[1])?
        ))
    });
    let shown: Vec<String> = shown.collect();

    let _ = writeln!(
        text,
        "<polyline class=\"curve c{k}\" points=\"{}\"/>",
        shown.join(" ")
    );
}

/// Adds a mark at each point that can be shown, at most [`MOST_MARKS`] of them.
fn marks(series: &Series, k: usize, [x, y]: [&Axis; 2], text: &mut String) {
    let every = series.points.len().div_ceil(MOST_MARKS).max(1);
    for point in series.points.iter().step_by(every) {
        if let (Some(px), Some(py)) = (x.place(point[0]), y.place(point[1])) {
            *text += &mark(k, [px, py]);
        }
    }
    text.push('\n');
}

/// A mark of colour `k` at a place (pixels). Colours differ in shape as well.
pub(super) fn mark(k: usize, [x, y]: [f64; 2]) -> String {
    let class = format!("mark c{k}");
    match k % 4 {
        0 => format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"),
        1 => format!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"6.4\" height=\"6.4\"/>",
            x - 3.2,
            y - 3.2
        ),
        2 => format!(
            "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4.2 7h-8.4z\"/>",
            y - 4.2
        ),
        _ => format!(
            "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4.4 4.4l-4.4 4.4l-4.4-4.4z\"/>",
            y - 4.4
        ),
    }
}

/// Text with the marks of HTML escaped.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_the_margins_and_marks_stand_at_their_points() {
        let mut data = Plot::new("x (m)", "a < b");
        data.line("line", vec![[0.0, 0.0], [1.0, 2.0]]);
        data.points("points", vec![[0.5, 1.0]]);
        let drawn = plot(&data);

        // Margins of 4 % of the data are left on each side.
        let [left, right] = [76.0, 624.0];
        let first = left + 0.04 / 1.08 * (right - left);
        assert!(drawn.contains(&format!("points=\"{first:.1},")), "{drawn}");
        let middle = 0.5 * (left + right);
        assert!(drawn.contains(&format!("cx=\"{middle:.1}\"")), "{drawn}");
        assert!(drawn.contains("a &lt; b"), "{drawn}");
    }

    #[test]
    fn logarithmic_axes_leave_out_what_is_not_positive() {
        let mut data = Plot::logarithmic("h", "error");
        data.points("measured", vec![[0.0, 1.0], [1e-3, 1e-6], [1e-1, 1e-2]]);
        assert_eq!(plot(&data).matches("<circle").count(), 2);
    }

    #[test]
    fn one_value_and_no_value_have_axes_too() {
        for points in [
            vec![],
            vec![[2.0, 2.0]],
            vec![[0.0, 0.0]],
            vec![[f64::NAN, 1.0]],
        ] {
            let mut data = Plot::new("x", "y");
            data.points("measured", points);
            let drawn = plot(&data);
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }
}
