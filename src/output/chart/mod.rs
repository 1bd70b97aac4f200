//! Curves over a common axis, as a picture of their own.
//!
//! The chart is drawn three times as large and shrunk, which smooths all its lines.

use plotters::{
    coord::Shift,
    prelude::*,
    style::{
        register_font,
        text_anchor::{HPos, Pos, VPos},
    },
};

use self::axis::Scale;
use super::{
    error::OutputError,
    font::{self, Font},
    palette::{self, Rgb},
    png, shrink,
};

mod axis;
mod curve;

/// Pixels drawn for a pixel's side.
const ZOOM: u32 = 3;
/// The longest side of a chart, pixels.
const LONGEST_SIDE: u32 = 4096;
const FONT: &str = "Roboto";
/// Font size of labels, in pixels of the finished chart.
const LABEL: u32 = 17;
/// Height of a line of the legend, likewise.
const LINE: u32 = 26;

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

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Plot<'a, 'b> = ChartContext<'a, BitMapBackend<'b>, Cartesian2d<Scale, Scale>>;

impl Chart<'_> {
    /// The chart as the bytes of a PNG file.
    ///
    /// # Errors
    /// [`OutputError::ChartSize`] if a side is below 160 or above 4096 pixels, [`OutputError::Png`] and
    /// [`OutputError::Chart`] if it cannot be encoded or laid out.
    pub fn to_png(&self) -> Result<Vec<u8>, OutputError> {
        let (width, height) = self.size;
        if !(160..=LONGEST_SIDE).contains(&width) || !(160..=LONGEST_SIDE).contains(&height) {
            return Err(OutputError::ChartSize { width, height, limit: LONGEST_SIDE });
        }
        register_font(FONT, FontStyle::Normal, font::BYTES).map_err(|_| OutputError::Font)?;
        let large = (width * ZOOM, height * ZOOM);
        let mut bytes = vec![0; 3 * large.0 as usize * large.1 as usize];
        self.paint(&BitMapBackend::with_buffer(&mut bytes, large).into_drawing_area())?;
        png::encode_image(&shrink::shrink(&bytes, large, 3, ZOOM))
    }

    fn paint(&self, area: &Area<'_>) -> Result<(), OutputError> {
        area.fill(&color(palette::BACKGROUND)).map_err(chart_error)?;
        let (head, below) = area.split_vertically(ZOOM * 52);
        let title = text(24, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));
        head.draw_text(self.title, &title, (zoomed(24), zoomed(30))).map_err(chart_error)?;
        let (left, right) = below.split_horizontally(ZOOM * self.size.0.saturating_sub(self.legend_width()?));
        self.paint_legend(&right)?;
        self.paint_plot(&left)
    }

    /// The room that the longest name needs, at most two fifths of the width.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width in pixels is small")]
    fn legend_width(&self) -> Result<u32, OutputError> {
        let font = Font::bundled()?;
        let widths = self.series.iter().map(|series| font.width(series.name, LABEL as f32));
        Ok((widths.fold(0.0, f32::max) as u32 + 64).min(self.size.0 * 2 / 5))
    }

    fn paint_legend(&self, area: &Area<'_>) -> Result<(), OutputError> {
        for (row, (series, color)) in self.series.iter().zip(self.colors()).enumerate() {
            let y = zoomed(LINE) * i32::try_from(row).unwrap_or(i32::MAX / 1000) + zoomed(16);
            let pen = ShapeStyle { color: color.into(), filled: true, stroke_width: stroke(series) };
            area.draw(&PathElement::new([(zoomed(8), y), (zoomed(32), y)], pen)).map_err(chart_error)?;
            let style = text(LABEL, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw_text(series.name, &style, (zoomed(40), y)).map_err(chart_error)?;
        }
        Ok(())
    }

    fn paint_plot(&self, area: &Area<'_>) -> Result<(), OutputError> {
        let x = Scale::of(self.x_axis, self.x.iter().copied(), 8, false);
        let ordinates = self.series.iter().flat_map(|series| series.values.iter().copied());
        let y = Scale::of(self.y_axis, ordinates, 6, true);
        let mut plot = ChartBuilder::on(area)
            .margin_right(ZOOM * 22)
            .margin_bottom(ZOOM * 10)
            .margin_left(ZOOM * 12)
            .x_label_area_size(ZOOM * 52)
            .y_label_area_size(ZOOM * 76)
            .build_cartesian_2d(x.clone(), y.clone())
            .map_err(chart_error)?;
        paint_axes(&mut plot, &x, &y)?;
        for (series, color) in self.series.iter().zip(self.colors()) {
            self.paint_curve(&plot, series, color, (&x, &y))?;
        }
        Ok(())
    }

    /// Draws segments with a disk at every joint: plotters' own wide lines are ragged at sharp bends.
    fn paint_curve(
        &self,
        plot: &Plot<'_, '_>,
        series: &Series<'_>,
        color: RGBColor,
        (x, y): (&Scale, &Scale),
    ) -> Result<(), OutputError> {
        let pen = ShapeStyle { color: color.into(), filled: true, stroke_width: stroke(series) };
        let scaled = |values: &[f64], scale: &Scale| -> Vec<f64> { values.iter().map(|v| v / scale.factor).collect() };
        let columns = f64::from(self.size.0 * ZOOM);
        let area = plot.plotting_area();
        for run in curve::runs(&scaled(self.x, x), &scaled(series.values, y), (x.min, x.max), columns) {
            let radius = if run.len() == 1 { pen.stroke_width + ZOOM } else { pen.stroke_width / 2 };
            for &point in &run {
                area.draw(&Circle::new(point, radius, pen)).map_err(chart_error)?;
            }
            for pair in run.windows(2) {
                area.draw(&PathElement::new([pair[0], pair[1]], pen)).map_err(chart_error)?;
            }
        }
        Ok(())
    }

    /// Ink for strong curves, the colours of bodies in turn for the others.
    fn colors(&self) -> impl Iterator<Item = RGBColor> {
        let mut next = 0;
        self.series.iter().map(move |series| {
            next += usize::from(!series.strong);
            color(if series.strong { palette::INK } else { palette::body(next - 1) })
        })
    }
}

fn paint_axes(plot: &mut Plot<'_, '_>, x: &Scale, y: &Scale) -> Result<(), OutputError> {
    let line = |rgb, width| ShapeStyle { color: color(rgb).into(), filled: false, stroke_width: width };
    plot.configure_mesh()
        .bold_line_style(line(palette::GRID, ZOOM))
        .light_line_style(TRANSPARENT)
        .axis_style(line(palette::MUTED, ZOOM))
        .set_all_tick_mark_size(ZOOM * 4)
        .label_style(text(LABEL, palette::MUTED))
        .axis_desc_style(text(LABEL, palette::INK))
        .x_desc(x.label.as_str())
        .y_desc(y.label.as_str())
        .draw()
        .map_err(chart_error)
}

fn stroke(series: &Series<'_>) -> u32 {
    if series.strong { ZOOM * 8 / 3 } else { ZOOM * 2 }
}

fn text(size: u32, rgb: Rgb) -> TextStyle<'static> {
    TextStyle { color: color(rgb).to_backend_color(), ..TextStyle::from((FONT, ZOOM * size).into_font()) }
}

fn color([r, g, b]: Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

fn zoomed(pixels: u32) -> i32 {
    i32::try_from(pixels * ZOOM).unwrap_or(i32::MAX)
}

fn chart_error(error: impl std::error::Error) -> OutputError {
    OutputError::Chart(error.to_string())
}

#[cfg(test)]
mod tests;
