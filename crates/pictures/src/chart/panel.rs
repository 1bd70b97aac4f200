//! A panel of a chart: axes, areas, curves and marked moments, and the entries of its legend.

use super::axis::Scale;
use super::backend::{Backend, pixels, units};
use super::legend::Swatch;
use super::{Area, LABEL, LEFT, Layout, MARGIN, MARK, Marked, Series, curve, pen, stack, text};
use crate::error::PictureError;
use crate::palette::{self, Rgb};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::Ranged;
use plotters::element::Polygon;
use plotters::series::LineSeries;

/// Length of the marks outside the axes (pixels).
const TICK: f64 = 4.0;
/// Width of a layer's line in the legend (pixels).
const LAYER: f64 = 12.0;

/// The plot: an area with two axes.
type Plot<'a> = ChartContext<'a, Backend<'a>, Cartesian2d<Scale, Scale>>;

/// A panel of a chart.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// Name and SI unit of the ordinate.
    pub y_axis: (&'a str, &'a str),
    /// Areas that are stacked from zero, in this order, behind all curves.
    pub layers: Vec<Series<'a>>,
    /// Curves, drawn in this order.
    pub series: Vec<Series<'a>>,
    /// True if the ordinate is logarithmic.
    pub is_log: bool,
    /// Height of the panel over that of the others.
    pub share: f64,
}

impl<'a> Panel<'a> {
    /// A panel of curves with a linear ordinate.
    pub fn new(y_axis: (&'a str, &'a str), series: Vec<Series<'a>>) -> Self {
        Self {
            y_axis,
            layers: Vec::new(),
            series,
            is_log: false,
            share: 1.0,
        }
    }

    /// Layers, then curves.
    pub(super) fn named(&self) -> impl Iterator<Item = &Series<'a>> {
        self.layers.iter().chain(&self.series)
    }

    /// Entries of the legend: layers, from the first one up, then curves.
    pub(super) fn swatches(&self, first: usize) -> impl Iterator<Item = Swatch<'a>> {
        let layers = self.layers.len();
        let all = self.named().zip(self.colors(first)).enumerate();
        all.map(move |(k, (series, color))| Swatch {
            name: series.name,
            color: if k < layers { layer_tone(color) } else { color },
            width: if k < layers { LAYER } else { series.width() },
        })
    }

    /// Colours of layers and curves: ink for strong ones, the colours of bodies in turn for the
    /// others, from body `first` on.
    fn colors(&self, first: usize) -> impl Iterator<Item = Rgb> {
        let mut next = first;
        self.named().map(move |series| {
            next += usize::from(!series.strong);
            if series.strong {
                palette::INK
            } else {
                palette::body(next - 1)
            }
        })
    }

    /// Draws the axes, upright lines at marked moments, and all curves over `xs` into the area left of
    /// the legend. The first curve that is not strong has the colour of body `first`.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    pub(super) fn draw(
        &self,
        area: &Area<'_>,
        layout: Layout,
        (x, xs): (&Scale, &[f64]),
        marks: &[Marked<'_>],
        first: usize,
    ) -> Result<(), PictureError> {
        let bands = stack::bands(&self.layers, xs.len());
        let edges = bands.iter().flatten().flat_map(|band| &band.outer);
        let values = self.series.iter().flat_map(|series| series.values);
        let ordinates = values.chain(edges).copied();
        let y = if self.is_log {
            Scale::log(self.y_axis, ordinates)
        } else {
            Scale::of(self.y_axis, ordinates, layout.marks, true)
        };

        let mut plot = ChartBuilder::on(area)
            .margin_top(units(layout.top))
            .margin_bottom(units(layout.margin))
            .margin_left(units(MARGIN))
            .x_label_area_size(units(layout.below))
            .y_label_area_size(units(LEFT))
            .build_cartesian_2d(x.clone(), y.clone())?;

        draw_axes(&mut plot, x, &y)?;
        for marked in marks {
            for at in x.scaled(&marked.at) {
                let ends = [(at, y.range().start), (at, y.range().end)];
                plot.draw_series(LineSeries::new(ends, pen(marked.color, MARK)))?;
            }
        }

        // Curves, thinned to what a column of pixels can show.
        let column =
            (x.range().end - x.range().start) / pixels(plot.plotting_area().dim_in_pixel().0);
        let abscissae = x.scaled(xs);

        for (pair, color) in bands.iter().zip(self.colors(first)) {
            for band in pair.iter().filter(|band| !band.is_empty()) {
                let side = |values| curve::runs(&abscissae, &y.scaled(values), column).concat();
                let mut outline = side(&band.outer);
                // The inner edge runs backwards, so that the outline closes.
                outline.extend(side(&band.inner).into_iter().rev());
                let fill = pen(layer_tone(color), 0.0).filled();
                plot.draw_series([Polygon::new(outline, fill)])?;
            }
        }

        // Layers have taken the first colours.
        let colors = self.colors(first).skip(self.layers.len());
        for (series, color) in self.series.iter().zip(colors) {
            let style = pen(color, series.width()).filled();
            for run in curve::runs(&abscissae, &y.scaled(series.values), column) {
                // A single point has no line and gets a dot.
                let dot = if run.len() == 1 {
                    3 * style.stroke_width / 2
                } else {
                    0
                };
                plot.draw_series(LineSeries::new(run, style).point_size(dot))?;
            }
        }
        Ok(())
    }
}

impl Series<'_> {
    /// Width of the line (pixels).
    fn width(&self) -> f64 {
        if self.strong { 2.6 } else { 1.9 }
    }
}

/// Tone of a layer in `color`: lighter, so that curves can be seen on it.
pub(super) fn layer_tone(color: Rgb) -> Rgb {
    palette::mix(color, [255; 3], 0.35)
}

/// Draws both axes: a grid at the marks, numbers beside them, and the labels.
///
/// # Errors
/// [`PictureError::Chart`] if the parts cannot be laid out.
fn draw_axes(plot: &mut Plot<'_>, x: &Scale, y: &Scale) -> Result<(), PictureError> {
    plot.configure_mesh()
        .bold_line_style(pen(palette::GRID, 1.0))
        .axis_style(pen(palette::MUTED, 1.2))
        .set_all_tick_mark_size(units(TICK))
        .label_style(text(LABEL, palette::MUTED))
        .axis_desc_style(text(LABEL, palette::INK))
        .x_desc(x.label.as_str())
        .y_desc(y.label.as_str())
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Chart;
    use super::*;
    use tiny_skia::Pixmap;

    /// Rows that have a pixel of nearly this colour, first and last, in some columns.
    fn rows(picture: &Pixmap, color: Rgb, columns: std::ops::Range<u32>) -> Option<(u32, u32)> {
        let is_colored = |x, y| {
            let p = picture.pixel(x, y).unwrap();
            let rgb = [p.red(), p.green(), p.blue()];
            rgb.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 12)
        };
        let found: Vec<u32> = (0..picture.height())
            .filter(|&y| columns.clone().any(|x| is_colored(x, y)))
            .collect();
        Some((*found.first()?, *found.last()?))
    }

    #[test]
    fn panels_have_their_own_ordinates_and_marks_run_through_all_of_them() {
        let x = [0.0, 1.0, 2.0];
        let large = [0.0, 1e3, 2e3];
        let small = [1e-6, 1e-5, 1e-3];
        let panel = |values, is_log| {
            let curve = Series {
                name: "curve",
                values,
                strong: false,
            };
            Panel {
                is_log,
                ..Panel::new(("energy", "J"), vec![curve])
            }
        };
        let chart = Chart {
            title: "Energies",
            x_axis: ("time", "s"),
            x: &x,
            panels: vec![panel(&large, false), panel(&small, true)],
            marks: vec![Marked {
                name: "failed step",
                color: [214, 22, 34],
                at: vec![1.0],
            }],
            size: (640, 480),
        };
        let picture = Pixmap::decode_png(&chart.to_png().unwrap()).unwrap();

        // Each curve fills its own half, and the mark both.
        let plot = 100..480;
        let upper = rows(&picture, palette::body(0), plot.clone()).unwrap();
        let lower = rows(&picture, palette::body(1), plot.clone()).unwrap();
        assert!(upper.1 < 260 && lower.0 > 230, "{upper:?} {lower:?}");
        assert!(upper.1 - upper.0 > 100 && lower.1 - lower.0 > 100);
        let mark = rows(&picture, [214, 22, 34], 200..400).unwrap();
        assert!(mark.0 < 70 && mark.1 > 400, "{mark:?}");

        let tiny = Chart {
            size: (100, 480),
            ..chart
        };
        assert!(matches!(tiny.to_png(), Err(PictureError::ChartSize { .. })));
    }
}
