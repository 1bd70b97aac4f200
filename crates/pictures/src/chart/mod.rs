//! Charts: curves over a common axis with a legend beside them, drawn by plotters.
//!
//! A chart is laid out from the outside in: the legend takes the width of its longest name, at most
//! what leaves half of the picture to the plot; the heading takes a strip at the top; panels have
//! the rest. Axes choose their units and marks themselves, and curves are thinned to what a column
//! of pixels can show.

mod axis;
mod backend;
mod curve;
mod legend;
mod panel;
mod stack;

pub use panel::Panel;

use plotters::{
    coord::Shift,
    drawing::{DrawingArea, IntoDrawingArea},
    style::{
        FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use self::{
    axis::Scale,
    backend::{Backend, units},
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
/// Room between panels (pixels).
const GAP: f64 = 16.0;
/// Room for the numbers below a panel that is not the last (pixels).
const NUMBERS: f64 = 26.0;
/// Width of the lines of marked moments (pixels).
const MARK: f64 = 1.2;

/// Part of a chart that plotters draws on.
type Area<'a> = DrawingArea<Backend<'a>, Shift>;

/// A chart of panels, one below the other, over a common abscissa.
///
/// Curves that differ by orders of magnitude hide each other in one panel: the small ones lie on zero.
/// Each panel has its own ordinate and its own legend.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// Heading of the chart; may be empty.
    pub title: &'a str,
    /// Name and SI unit of the abscissa.
    pub x_axis: (&'a str, &'a str),
    /// Abscissae of all curves, increasing.
    pub x: &'a [f64],
    /// The panels, from the top; at least one.
    pub panels: Vec<Panel<'a>>,
    /// Marked moments.
    pub marks: Vec<Marked<'a>>,
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

/// Moments of one kind, marked by upright lines of one colour through all panels.
#[derive(Clone, Debug)]
pub struct Marked<'a> {
    /// Name of the kind in the legend.
    pub name: &'a str,
    /// Colour of the lines.
    pub color: Rgb,
    /// Abscissae of the moments.
    pub at: Vec<f64>,
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

    /// Draws heading and panels into the area of the whole chart.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw(&self, area: &Area<'_>) -> Result<(), PictureError> {
        let marked = self.marks.iter().map(|marked| marked.name);
        let named = self.panels.iter().flat_map(Panel::named);
        let names = named.map(|series| series.name).chain(marked);
        let most = 0.5 * f64::from(self.size.0) - LEFT - MARGIN;
        let room = legend::width(area, names)?.min(most);

        let heading = text(HEADING, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));
        let place = (units(LEFT + MARGIN), units(0.53 * TOP));
        area.draw_text(self.title, &heading, place)?;

        // Colours continue from panel to panel.
        let mut first = 0;
        let mut rest = area.clone();
        for (k, layout) in self.layouts().enumerate() {
            let mut own = rest.clone();
            if k + 1 < self.panels.len() {
                (own, rest) = rest.split_vertically(units(layout.height));
            }
            self.draw_panel(&own, room, k, layout, first)?;
            let plain = self.panels[k].named().filter(|series| !series.strong);
            first += plain.count();
        }
        Ok(())
    }

    /// Layouts of all panels. Plots share the height that headings, gaps and labels leave.
    fn layouts(&self) -> impl Iterator<Item = Layout> {
        let shares: f64 = self.panels.iter().map(|panel| panel.share).sum();
        let last = self.panels.len().saturating_sub(1);
        let fixed = TOP + last as f64 * (GAP + NUMBERS) + BELOW + MARGIN;
        let free = (f64::from(self.size.1) - fixed).max(1.0);

        self.panels.iter().enumerate().map(move |(k, panel)| {
            let top = if k == 0 { TOP } else { GAP };
            let below = if k == last { BELOW } else { NUMBERS };
            let margin = if k == last { MARGIN } else { 0.0 };
            Layout {
                top,
                below,
                margin,
                marks: match panel.share {
                    _ if last == 0 => 6,
                    share if share < 0.9 => 3,
                    _ => 5,
                },
                height: top + free * panel.share / shares + below + margin,
            }
        })
    }

    /// Draws panel `k` with its legend in the `room` (pixels) at the right. Its first curve that is not
    /// strong has the colour of body `first`. Marks are named beside the first panel, and the abscissa
    /// below the last.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw_panel(
        &self,
        area: &Area<'_>,
        room: f64,
        k: usize,
        layout: Layout,
        first: usize,
    ) -> Result<(), PictureError> {
        let panel = &self.panels[k];
        let (left, right) = area.split_horizontally(units(f64::from(self.size.0) - room));
        let marks = self.marks.iter().filter(|_| k == 0);
        let swatches = panel.swatches(first).chain(marks.map(Marked::swatch));
        legend::draw(&right, layout.top, swatches)?;

        let is_last = k + 1 == self.panels.len();
        let name = if is_last { self.x_axis.0 } else { "" };
        let x = Scale::of((name, self.x_axis.1), self.x.iter().copied(), 8, false);
        panel.draw(&left, layout, (&x, self.x), &self.marks, first)
    }
}

impl<'a> Marked<'a> {
    /// Entry of the legend.
    fn swatch(&self) -> Swatch<'a> {
        Swatch {
            name: self.name,
            color: self.color,
            width: MARK,
        }
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
    /// Height of the panel with all of this (pixels).
    height: f64,
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
