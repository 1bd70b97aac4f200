//! The backend of plotters that draws its lines, shapes and text on a [`Canvas`].
//!
//! Plotters lays a chart out and hands each element to a backend. Its coordinates are whole
//! numbers, in which a smooth curve would show steps, so this backend announces a picture sixteen
//! times as large and divides. With its own backend a chart has the font, the colours and the
//! smoothing of all other pictures.

use std::convert::Infallible;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
    text_anchor::{HPos, VPos},
};

use crate::{
    canvas::Canvas,
    font::CAP_HEIGHT,
    palette::{self, Rgb},
    pen::{Anchor, Pen, TextStyle},
};
use ipcsim_math::Vec2;

/// Units of plotters per pixel. Its coordinates are whole numbers, so smooth curves need units
/// finer than a pixel.
const UNITS: f64 = 16.0;

/// Result of a drawing call, which cannot fail: the canvas is in memory.
type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Distance in units of plotters, rounded, of a distance in pixels.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a picture is at most 16384 pixels long"
)]
pub(super) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Distance in pixels of a distance in units of plotters.
pub(super) fn pixels(units: impl Into<f64>) -> f64 {
    units.into() / UNITS
}

/// A canvas that plotters draws on, in units of a sixteenth of a pixel.
///
/// A text stands in a box as high as its font size, with its capitals in the middle. It reads to
/// the right, or upwards if turned by 270 degrees; other turns are ignored. Shapes are solid: a
/// transparent one takes a fainter colour.
#[derive(Debug)]
pub(super) struct Backend<'a> {
    /// Canvas under all elements.
    canvas: &'a mut Canvas,
    /// Width and height, in units of plotters.
    size: (u32, u32),
}

impl<'a> Backend<'a> {
    /// Backend on a `canvas` of the given width and height (pixels).
    pub(super) fn new(canvas: &'a mut Canvas, (width, height): (u32, u32)) -> Self {
        let size = (
            units(f64::from(width)).unsigned_abs(),
            units(f64::from(height)).unsigned_abs(),
        );
        Self { canvas, size }
    }
}

impl DrawingBackend for Backend<'_> {
    type ErrorType = Infallible;

    /// Width and height, in units of plotters.
    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    /// Nothing needs to be prepared.
    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    /// Nothing is delayed: the canvas is painted at once.
    fn present(&mut self) -> Drawn {
        Ok(())
    }

    /// Paints a square of one unit of plotters.
    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    /// Draws a line. A line along an axis is moved to the middle of the nearest row or column of
    /// pixels, so that it is crisp.
    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        // The middle of a row or column of pixels is at a half.
        let mut ends = [from, to].map(point);
        for end in &mut ends {
            if from.0 == to.0 {
                end.x = end.x.floor() + 0.5;
            }
            if from.1 == to.1 {
                end.y = end.y.floor() + 0.5;
            }
        }

        self.canvas.segments([ends], pen(style));
        Ok(())
    }

    /// Draws a rectangle between two opposite corners, filled or as a closed line.
    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [a, (b.0, a.1), b, (a.0, b.1)];
        if fill {
            self.fill_polygon(corners, style)
        } else {
            self.draw_path(corners.into_iter().chain([a]), style)
        }
    }

    /// Draws a line through points; two points are a line that may be made crisp.
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        match points[..] {
            [from, to] => self.draw_line(from, to, style)?,
            _ => self
                .canvas
                .polyline(points.into_iter().map(point), pen(style)),
        }

        Ok(())
    }

    /// Draws a circle of a radius in units of plotters: a dot, or a line of 64 pieces.
    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let center = point(center);
        let radius = pixels(radius);
        if !fill {
            // A closed line through 64 points.
            let angles = (0..=64).map(|k| f64::from(k) * std::f64::consts::TAU / 64.0);
            self.canvas.polyline(
                angles.map(|a| center + radius * Vec2::new(a.cos(), a.sin())),
                pen(style),
            );
        } else if let Some(color) = solid(style.color()) {
            self.canvas.dots([center], radius, color);
        }
        Ok(())
    }

    /// Paints the inside of a polygon; an invisible colour paints nothing.
    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        if let Some(color) = solid(style.color()) {
            let corners: Vec<Vec2> = vert.into_iter().map(point).collect();
            self.canvas.polygon(&corners, color);
        }
        Ok(())
    }

    /// Writes a text whose box has its anchor at `pos`; an invisible colour writes nothing.
    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Drawn {
        let Some(color) = solid(style.color()) else {
            return Ok(());
        };

        let size = pixels(style.size());
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Left,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::Right,
        };
        let below = match style.anchor().v_pos {
            VPos::Top => 0.5,
            VPos::Center => 0.0,
            VPos::Bottom => -0.5,
        };

        // Plotters places the box, the canvas the base line.
        let down = (below + 0.5 * CAP_HEIGHT) * size;
        let upwards = matches!(style.transform(), FontTransform::Rotate270);
        let to_base_line = if upwards {
            Vec2::new(down, 0.0)
        } else {
            Vec2::new(0.0, down)
        };
        self.canvas.text(
            text,
            point(pos) + to_base_line,
            TextStyle {
                size,
                color,
                anchor,
                upwards,
            },
        );
        Ok(())
    }

    /// Width of a text and its font size, in units of plotters.
    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = pixels(style.size());
        let width = self.canvas.text_width(text, size);
        Ok((units(width).unsigned_abs(), units(size).unsigned_abs()))
    }
}

/// Point in pixels of a point in units of plotters.
fn point((x, y): BackendCoord) -> Vec2 {
    Vec2::new(pixels(x), pixels(y))
}

/// Pen with the colour, opacity and width of a style of plotters.
fn pen(style: &impl BackendStyle) -> Pen {
    let color = style.color();
    let (r, g, b) = color.rgb;
    Pen {
        color: [r, g, b],
        opacity: color.alpha,
        width: pixels(style.stroke_width()),
    }
}

/// Colour as it looks on the background; `None` if it is invisible.
fn solid(color: BackendColor) -> Option<Rgb> {
    let (r, g, b) = color.rgb;
    (color.alpha > 0.0).then(|| palette::mix(palette::BACKGROUND, [r, g, b], color.alpha))
}

#[cfg(test)]
mod tests;
