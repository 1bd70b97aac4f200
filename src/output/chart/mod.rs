//! Curves over a common axis, with a legend beside them.

mod axis;
mod curve;

use axis::Scale;

use super::{
    canvas::Canvas,
    error::OutputError,
    font::CAP_HEIGHT,
    palette::{self, Rgb},
    pen::{Anchor, Pen, TextStyle},
    png,
};
use crate::math::Vec2;

/// The shortest and the longest side of a chart, pixels.
const SIDES: std::ops::RangeInclusive<u32> = 160..=8192;
/// Font sizes, pixels.
const HEADING: f64 = 22.0;
const LABEL: f64 = 15.0;
/// Distance between the lines of the legend, pixels.
const LINE: f64 = 24.0;
/// Room above, below and left of the plot, and right of all, pixels.
const ROOM: [f64; 4] = [60.0, 62.0, 92.0, 28.0];

/// A chart of several curves.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Its heading; may be empty.
    pub title: &'a str,
    /// Name and SI unit of the abscissa.
    pub x_axis: (&'a str, &'a str),
    /// Name and SI unit of the ordinate.
    pub y_axis: (&'a str, &'a str),
    /// Abscissae, increasing.
    pub x: &'a [f64],
    /// Curves, drawn in this order.
    pub series: Vec<Series<'a>>,
    /// Pixels across and down.
    pub size: (u32, u32),
}

/// One curve. It is broken where a value is not finite.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// Ordinates, one for each abscissa.
    pub values: &'a [f64],
    /// Whether it is drawn in ink and stronger, as a total is.
    pub strong: bool,
}

impl Chart<'_> {
    /// The chart as the bytes of a PNG file.
    ///
    /// # Errors
    /// [`OutputError::ChartSize`] if a side is below 160 or above 8192 pixels; [`OutputError::Png`] if it cannot be
    /// encoded.
    pub fn to_png(&self) -> Result<Vec<u8>, OutputError> {
        let (width, height) = self.size;
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            return Err(OutputError::ChartSize { width, height, least: *SIDES.start(), limit: *SIDES.end() });
        }
        let mut canvas = Canvas::new(width, height)?;
        let plot = self.plot(&canvas);
        let heading = TextStyle::new(HEADING, palette::INK, Anchor::Left);
        canvas.text(self.title, Vec2::new(plot.min.x, 0.66 * ROOM[0]), heading);
        plot.draw_axes(&mut canvas);
        for (series, color) in self.series.iter().zip(self.colors()) {
            plot.draw_curve(&mut canvas, self.x, series, color);
        }
        self.draw_legend(&mut canvas, plot.max.x + 24.0);
        png::encode(&canvas.finish())
    }

    /// The place of the plot: what the labels and the legend leave; a long name is cut rather than the plot lost.
    fn plot(&self, canvas: &Canvas) -> Plot {
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        let names = self.series.iter().map(|series| canvas.text_width(series.name, LABEL) + 60.0);
        let legend = names.fold(0.0, f64::max).min(0.5 * width - ROOM[2] + ROOM[3]);
        let ordinates = self.series.iter().flat_map(|series| series.values.iter().copied());
        Plot {
            min: Vec2::new(ROOM[2], ROOM[0]),
            max: Vec2::new(width - ROOM[3] - legend, height - ROOM[1]),
            x: Scale::of(self.x_axis, self.x.iter().copied(), 8, false),
            y: Scale::of(self.y_axis, ordinates, 6, true),
        }
    }

    fn draw_legend(&self, canvas: &mut Canvas, left: f64) {
        for ((row, series), color) in self.series.iter().enumerate().zip(self.colors()) {
            let at = Vec2::new(left, ROOM[0] + LINE * (row as f64 + 0.3));
            canvas.segments([[at, at + Vec2::new(22.0, 0.0)]], pen(series, color));
            let style = TextStyle::new(LABEL, palette::INK, Anchor::Left);
            canvas.text(series.name, at + Vec2::new(32.0, 0.5 * CAP_HEIGHT * LABEL), style);
        }
    }

    /// Ink for strong curves, the colours of bodies in turn for the others.
    fn colors(&self) -> impl Iterator<Item = Rgb> {
        let mut next = 0;
        self.series.iter().map(move |series| {
            next += usize::from(!series.strong);
            if series.strong { palette::INK } else { palette::body(next - 1) }
        })
    }
}

fn pen(series: &Series<'_>, color: Rgb) -> Pen {
    Pen::new(color, if series.strong { 2.6 } else { 1.9 })
}

/// The rectangle of the curves, in pixels, and its axes.
struct Plot {
    min: Vec2,
    max: Vec2,
    x: Scale,
    y: Scale,
}

impl Plot {
    /// The pixel at fractions of the axes.
    fn at(&self, x: f64, y: f64) -> Vec2 {
        Vec2::new(self.min.x + x * (self.max.x - self.min.x), self.max.y - y * (self.max.y - self.min.y))
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let half = Vec2::new(0.0, 0.5 * CAP_HEIGHT * LABEL);
        let style = |color, anchor| TextStyle::new(LABEL, color, anchor);
        for (place, mark) in self.x.marks() {
            canvas.segments([[self.at(place, 0.0), self.at(place, 1.0)]], Pen::new(palette::GRID, 1.0));
            let below = self.at(place, 0.0) + half + Vec2::new(0.0, 15.0);
            canvas.text(&mark, below, style(palette::MUTED, Anchor::Middle));
        }
        for (place, mark) in self.y.marks() {
            canvas.segments([[self.at(0.0, place), self.at(1.0, place)]], Pen::new(palette::GRID, 1.0));
            let before = self.at(0.0, place) + half - Vec2::new(10.0, 0.0);
            canvas.text(&mark, before, style(palette::MUTED, Anchor::Right));
        }
        let (corner, up, right) = (self.at(0.0, 0.0), self.at(0.0, 1.0), self.at(1.0, 0.0));
        canvas.segments([[corner, up], [corner, right]], Pen::new(palette::MUTED, 1.2));
        let middle = style(palette::INK, Anchor::Middle);
        canvas.text(&self.x.label, self.at(0.5, 0.0) + Vec2::new(0.0, 48.0), middle);
        let left = Vec2::new(30.0, self.at(0.0, 0.5).y);
        canvas.text(&self.y.label, left, TextStyle { upwards: true, ..middle });
    }

    fn draw_curve(&self, canvas: &mut Canvas, x: &[f64], series: &Series<'_>, color: Rgb) {
        let x: Vec<f64> = x.iter().map(|&v| self.x.place(v)).collect();
        let y: Vec<f64> = series.values.iter().map(|&v| self.y.place(v)).collect();
        let pen = pen(series, color);
        for run in curve::runs(&x, &y, self.max.x - self.min.x) {
            let points = run.iter().map(|&(x, y)| self.at(x, y));
            match run.len() {
                1 => canvas.dots(points, 1.5 * pen.width, color),
                _ => canvas.polyline(points, pen),
            }
        }
    }
}

#[cfg(test)]
mod tests;
