//! Charts: curves over a common axis with a legend beside them, drawn by plotters.
//!
//! A chart is laid out from the outside in: the legend takes the width of its longest name, at most
//! what leaves half of the picture to the plot; the heading takes a strip at the top; the plot has
//! the rest. Axes choose their units and marks themselves, and curves are thinned to what a column
//! of pixels can show.

mod axis;
mod backend;
mod curve;
mod legend;
pub mod panels;
mod stack;

use plotters::{
    chart::{ChartBuilder, ChartContext},
    coord::{Shift, cartesian::Cartesian2d, ranged1d::Ranged},
    drawing::{DrawingArea, IntoDrawingArea},
    element::Polygon,
    series::LineSeries,
    style::{
        FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use self::{
    axis::Scale,
    backend::{Backend, pixels, units},
    legend::Swatch,
};
use super::{
    canvas::Canvas,
    error::PictureError,
    palette::{self, Rgb},
    png,
};

/// Shortest and longest side of a chart (pixels).
const SIDES: std::ops::RangeInclusive<u32> = 160..=8192;
/// Font size of the heading (pixels).
const HEADING: f64 = 22.0;
/// Font size of labels (pixels).
const LABEL: f64 = 15.0;
/// Room above the plot, for the heading (pixels).
const TOP: f64 = 60.0;
/// Room for labels below the plot (pixels).
const BELOW: f64 = 50.0;
/// Room for labels left of the plot (pixels).
const LEFT: f64 = 76.0;
/// Margin around the labels (pixels).
const MARGIN: f64 = 14.0;
/// Length of the marks outside the axes (pixels).
const TICK: f64 = 4.0;

/// Width of a layer's line in the legend (pixels).
const LAYER: f64 = 12.0;

/// Part of a chart that plotters draws on.
type Area<'a> = DrawingArea<Backend<'a>, Shift>;
/// The plot: an area with two axes.
type Plot<'a> = ChartContext<'a, Backend<'a>, Cartesian2d<Scale, Scale>>;

/// A chart of several curves.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Heading of the chart; may be empty.
    pub title: &'a str,
    /// Name and SI unit of the abscissa.
    pub x_axis: (&'a str, &'a str),
    /// Name and SI unit of the ordinate.
    pub y_axis: (&'a str, &'a str),
    /// Abscissae of all curves, increasing.
    pub x: &'a [f64],
    /// Areas that are stacked from zero, in this order, behind all curves.
    pub layers: Vec<Series<'a>>,
    /// Curves, drawn in this order.
    pub series: Vec<Series<'a>>,
    /// Width and height (pixels).
    pub size: (u32, u32),
}

/// One curve. It is broken where a value is not finite.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// Name of the curve in the legend.
    pub name: &'a str,
    /// Ordinates, one for each abscissa.
    pub values: &'a [f64],
    /// True if the curve is drawn strong and in ink, as totals are.
    pub strong: bool,
}

/// Canvas of a chart of this width and height (pixels).
///
/// # Errors
/// [`PictureError::ChartSize`] if a side is below 160 or above 8192 pixels.
fn blank((width, height): (u32, u32)) -> Result<Canvas, PictureError> {
    if SIDES.contains(&width) && SIDES.contains(&height) {
        return Canvas::new(width, height);
    }
    Err(PictureError::ChartSize {
        width,
        height,
        least: *SIDES.start(),
        limit: *SIDES.end(),
    })
}

impl Chart<'_> {
    /// The chart as the bytes of a PNG file.
    ///
    /// # Errors
    /// [`PictureError::ChartSize`] if a side is below 160 or above 8192 pixels;
    /// [`PictureError::Chart`] if the parts cannot be laid out; [`PictureError::Png`] if the
    /// picture cannot be encoded.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut canvas = blank(self.size)?;
        self.draw(&Backend::new(&mut canvas, self.size).into_drawing_area())?;
        png::encode(&canvas.finish())
    }

    /// Draws heading, legend and plot into the area of the whole chart.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw(&self, area: &Area<'_>) -> Result<(), PictureError> {
        let most = 0.5 * f64::from(self.size.0) - LEFT - MARGIN;
        let room = legend::width(area, self.named())?.min(most);
        let (left, right) = area.split_horizontally(units(f64::from(self.size.0) - room));

        let heading = text(HEADING, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(
            self.title,
            &heading,
            (units(LEFT + MARGIN), units(0.53 * TOP)),
        )?;
        legend::draw(&right, TOP, self.swatches())?;
        self.draw_plot_from(&left, Layout::WHOLE, &[], 0)
    }

    /// Draws the axes, upright lines at the abscissae of `marks`, and all curves into the area left of
    /// the legend. The first curve that is not strong has the colour of body `first`.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw_plot_from(
        &self,
        area: &Area<'_>,
        layout: Layout,
        marks: &[(f64, Rgb)],
        first: usize,
    ) -> Result<(), PictureError> {
        let bands = stack::bands(&self.layers, self.x.len());
        let edges = bands.iter().flatten().flat_map(|band| &band.outer);
        let values = self.series.iter().flat_map(|series| series.values);
        let ordinates = values.chain(edges).copied();
        let x = Scale::of(self.x_axis, self.x.iter().copied(), 8, false);
        let y = if layout.is_log {
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
        draw_axes(&mut plot, &x, &y)?;
        for (at, color) in marks {
            let at = x.scaled(&[*at])[0];
            let ends = [(at, y.range().start), (at, y.range().end)];
            plot.draw_series(LineSeries::new(ends, pen(*color, 1.2)))?;
        }

        // Curves, thinned to what a column of pixels can show.
        let column =
            (x.range().end - x.range().start) / pixels(plot.plotting_area().dim_in_pixel().0);
        let abscissae = x.scaled(self.x);
        for (pair, color) in bands.iter().zip(self.colors(first)) {
            for band in pair.iter().filter(|band| !band.is_empty()) {
                let side = |values| curve::runs(&abscissae, &y.scaled(values), column).concat();
                let mut outline = side(&band.outer);
                outline.extend(side(&band.inner).into_iter().rev());
                let fill = pen(layer_tone(color), 0.0).filled();
                plot.draw_series([Polygon::new(outline, fill)])?;
            }
        }
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

    /// Layers, then curves.
    fn named(&self) -> impl Iterator<Item = &Series<'_>> {
        self.layers.iter().chain(&self.series)
    }

    /// Entries of the legend: layers, from the first one up, then curves.
    fn swatches(&self) -> impl Iterator<Item = Swatch<'_>> {
        let layers = self.layers.len();
        let all = self.named().zip(self.colors(0)).enumerate();
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
}

/// Layout of a plot within its area.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Room above the plot (pixels).
    top: f64,
    /// Room below the plot for labels (pixels).
    below: f64,
    /// Room below the labels (pixels).
    margin: f64,
    /// Wanted number of marks of the ordinate.
    marks: usize,
    /// True if the ordinate is logarithmic.
    is_log: bool,
}

impl Layout {
    /// A plot that has the picture to itself.
    const WHOLE: Self = Self {
        top: TOP,
        below: BELOW,
        margin: MARGIN,
        marks: 6,
        is_log: false,
    };
}

impl Series<'_> {
    /// Width of the line (pixels).
    fn width(&self) -> f64 {
        if self.strong { 2.6 } else { 1.9 }
    }
}

/// Tone of a layer in `color`: lighter, so that curves can be seen on it.
fn layer_tone(color: Rgb) -> Rgb {
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

/// Style of a line of the given width (pixels).
fn pen([r, g, b]: Rgb, width: f64) -> ShapeStyle {
    ShapeStyle {
        color: RGBColor(r, g, b).into(),
        filled: false,
        stroke_width: units(width).unsigned_abs(),
    }
}

/// Style of text of a font size (pixels).
fn text(size: f64, [r, g, b]: Rgb) -> TextStyle<'static> {
    let font = FontDesc::new(
        FontFamily::SansSerif,
        f64::from(units(size)),
        FontStyle::Normal,
    );
    font.color(&RGBColor(r, g, b))
}

#[cfg(test)]
mod tests;
