//! Charts of several panels, one below the other, over a common abscissa.
//!
//! Curves that differ by orders of magnitude hide each other in one plot: the small ones lie on zero.
//! Each panel has its own ordinate, linear or logarithmic, and its own legend. Moments that matter are
//! marked by upright lines through all panels.

use plotters::drawing::IntoDrawingArea;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::backend::{Backend, units};
use super::legend::{self, Swatch};
use super::{Area, BELOW, Chart, HEADING, LEFT, Layout, MARGIN, Series, TOP, blank, text};
use crate::canvas::Canvas;
use crate::error::PictureError;
use crate::palette::{self, Rgb};
use crate::png;

/// Room between panels (pixels).
const GAP: f64 = 16.0;
/// Room for the numbers below a panel that is not the last (pixels).
const NUMBERS: f64 = 26.0;

/// A chart of several panels.
#[derive(Clone, Debug)]
pub struct Panels<'a> {
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

/// A panel of a chart.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// Name and SI unit of the ordinate.
    pub y_axis: (&'a str, &'a str),
    /// Curves, drawn in this order.
    pub series: Vec<Series<'a>>,
    /// True if the ordinate is logarithmic.
    pub is_log: bool,
    /// Height of the panel over that of the others.
    pub share: f64,
}

/// Moments of one kind, marked by upright lines of one colour.
#[derive(Clone, Debug)]
pub struct Marked<'a> {
    /// Name of the kind in the legend.
    pub name: &'a str,
    /// Colour of the lines.
    pub color: Rgb,
    /// Abscissae of the moments.
    pub at: Vec<f64>,
}

impl Panels<'_> {
    /// The chart as the bytes of a PNG file.
    ///
    /// # Errors
    /// As [`Chart::to_png`].
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut canvas = blank(self.size)?;
        self.draw(&mut canvas)?;
        png::encode(&canvas.finish())
    }

    /// Draws the heading and all panels.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw(&self, canvas: &mut Canvas) -> Result<(), PictureError> {
        let area = Backend::new(canvas, self.size).into_drawing_area();
        let most = 0.5 * f64::from(self.size.0) - LEFT - MARGIN;
        let all = self.panels.iter().flat_map(|panel| &panel.series);
        let named: Vec<Series<'_>> = self.marks.iter().map(Marked::as_series).collect();
        let room = legend::width(&area, all.chain(&named))?.min(most);

        let heading = text(HEADING, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));
        let place = (units(LEFT + MARGIN), units(0.53 * TOP));
        area.draw_text(self.title, &heading, place)?;

        self.draw_panels(area, room)
    }

    /// Draws all panels, each with its legend in the `room` (pixels) at the right.
    ///
    /// # Errors
    /// [`PictureError::Chart`] if the parts cannot be laid out.
    fn draw_panels(&self, area: Area<'_>, room: f64) -> Result<(), PictureError> {
        // Plots share the height that headings, gaps and labels leave.
        let shares: f64 = self.panels.iter().map(|panel| panel.share).sum();
        let last = self.panels.len().saturating_sub(1);
        let fixed = TOP + last as f64 * (GAP + NUMBERS) + BELOW + MARGIN;
        let free = (f64::from(self.size.1) - fixed).max(1.0);

        let mut rest = area;
        let mut next = 0;
        for (k, panel) in self.panels.iter().enumerate() {
            let layout = Layout {
                top: if k == 0 { TOP } else { GAP },
                below: if k == last { BELOW } else { NUMBERS },
                margin: if k == last { MARGIN } else { 0.0 },
                marks: if panel.share < 0.9 { 3 } else { 5 },
                is_log: panel.is_log,
            };
            let height = layout.top + free * panel.share / shares + layout.below + layout.margin;
            let own = if k == last {
                rest.clone()
            } else {
                let (own, below) = rest.split_vertically(units(height));
                rest = below;
                own
            };
            self.draw_panel(&own, room, k, layout, next)?;
            next += panel.series.iter().filter(|series| !series.strong).count();
        }
        Ok(())
    }

    /// Draws panel `k` with its legend. Colours go on from panel to panel: its first one is that of body
    /// `first`. Marks are named beside the first panel, and the abscissa below the last.
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
        let split = units(f64::from(self.size.0) - room);
        let (left, right) = area.split_horizontally(split);

        let mut swatches = panel.swatches(first);
        if k == 0 {
            swatches.extend(self.marks.iter().map(Marked::swatch));
        }
        legend::draw(&right, layout.top, swatches.into_iter())?;

        let is_last = k + 1 == self.panels.len();
        let name = if is_last { self.x_axis.0 } else { "" };
        let chart = Chart {
            title: "",
            x_axis: (name, self.x_axis.1),
            y_axis: panel.y_axis,
            x: self.x,
            layers: Vec::new(),
            series: panel.series.clone(),
            size: self.size,
        };
        let mut lines = Vec::new();
        for marked in &self.marks {
            lines.extend(marked.at.iter().map(|at| (*at, marked.color)));
        }
        chart.draw_plot_from(&left, layout, &lines, first)
    }
}

impl<'a> Panel<'a> {
    /// Entries of the legend; the first curve that is not strong has the colour of body `first`.
    fn swatches(&self, first: usize) -> Vec<Swatch<'a>> {
        let mut next = first;
        let mut swatches = Vec::new();
        for series in &self.series {
            swatches.push(Swatch {
                name: series.name,
                color: if series.strong {
                    palette::INK
                } else {
                    palette::body(next)
                },
                width: series.width(),
            });
            next += usize::from(!series.strong);
        }
        swatches
    }
}

impl<'a> Marked<'a> {
    /// Entry of the legend.
    fn swatch(&self) -> Swatch<'a> {
        Swatch {
            name: self.name,
            color: self.color,
            width: 1.2,
        }
    }

    /// A curve of this name, for the width of the legend.
    fn as_series(&self) -> Series<'a> {
        Series {
            name: self.name,
            values: &[],
            strong: false,
        }
    }
}

#[cfg(test)]
mod tests {
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
        let panel = |values, is_log| Panel {
            y_axis: ("energy", "J"),
            series: vec![Series {
                name: "curve",
                values,
                strong: false,
            }],
            is_log,
            share: 1.0,
        };
        let chart = Panels {
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

        let tiny = Panels {
            size: (100, 480),
            ..chart
        };
        assert!(matches!(tiny.to_png(), Err(PictureError::ChartSize { .. })));
    }
}
