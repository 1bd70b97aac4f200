//! A picture being painted: plain triangles, smooth lines and shapes, and text.
//!
//! All positions are in pixels, with the origin in the upper left corner and `y` down. Shapes are
//! smoothed by `tiny_skia`; only triangles are not, since neighbours would show a seam between them
//! (see [`raster`]). Later shapes cover earlier ones.
//!
//! Positions come from a simulation and may be far outside the picture, infinite or NaN. Each
//! method drops such points or clamps them, so that no picture fails because of its contents.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8,
    Stroke, Transform,
};

use super::{
    error::PictureError,
    font::Font,
    palette::{self, Rgb},
    pen::{Anchor, Pen, TextStyle},
    raster,
};
use ipcsim_math::Vec2;

/// Longest side of a picture (pixels).
const LONGEST_SIDE: u32 = 16_384;

/// Smallest size of letters over their size in a picture of 1280 x 720 pixels: smaller ones cannot be
/// read.
const LEAST_LETTERS: f64 = 0.62;

/// A picture being painted, with the font for its labels.
///
/// Widths of pens and sizes of letters are those of a picture of 1280 x 720 pixels; the canvas
/// multiplies them by its unit. Places and radii are in its own pixels.
#[derive(Debug)]
pub struct Canvas {
    /// Pixels painted so far, `[width height]`.
    pixmap: Pixmap,
    /// Size of lines over their size in a picture of 1280 x 720 pixels (1).
    unit: f64,
    /// Font of all text.
    font: Font,
}

impl Canvas {
    /// An empty picture of `width` x `height` pixels in the colour of the background.
    ///
    /// # Errors
    /// [`PictureError::Size`] if a side is zero or above 16384; [`PictureError::Font`] if the
    /// bundled font cannot be read.
    pub fn new(width: u32, height: u32) -> Result<Self, PictureError> {
        let size = PictureError::Size {
            width,
            height,
            limit: LONGEST_SIDE,
        };
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            return Err(size);
        }

        // A side of zero gives no picture.
        let mut pixmap = Pixmap::new(width, height).ok_or(size)?;
        pixmap.fill(color(palette::BACKGROUND, 1.0));
        Self::over(pixmap)
    }

    /// A canvas over a picture that exists already; its pixels are kept.
    ///
    /// # Errors
    /// [`PictureError::Font`] if the bundled font cannot be read.
    pub fn over(pixmap: Pixmap) -> Result<Self, PictureError> {
        Ok(Self {
            pixmap,
            unit: 1.0,
            font: Font::bundled()?,
        })
    }

    /// The canvas without paint, so that what is behind the picture is seen.
    #[must_use]
    pub fn cleared(mut self) -> Self {
        self.pixmap.fill(Color::TRANSPARENT);
        self
    }

    /// Draws lines and letters from here on in another size, and returns the size before. It is over
    /// the one in a picture of 1280 x 720 pixels.
    pub fn resize(&mut self, unit: f64) -> f64 {
        std::mem::replace(&mut self.unit, unit)
    }

    /// Size of lines over their size in a picture of 1280 x 720 pixels (1).
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Size of letters over their size in a picture of 1280 x 720 pixels (1). It shrinks less than that
    /// of lines, so that letters can be read.
    pub fn letters(&self) -> f64 {
        self.unit.max(LEAST_LETTERS)
    }

    /// The finished picture; every pixel is opaque if the canvas began empty.
    pub fn finish(self) -> Pixmap {
        self.pixmap
    }

    /// Paints a triangle (pixels) without smoothing, see [`raster`]. A triangle with a corner that
    /// is not finite is left out.
    pub fn triangle(&mut self, corners: [Vec2; 3], [r, g, b]: Rgb) {
        if let Some(color) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
            raster::fill_triangle(&mut self.pixmap, corners, color);
        }
    }

    /// Paints a triangle (pixels) without smoothing, in the colours of a value that is linear in it and
    /// has `values` at its corners. One with a corner that is not finite is left out.
    pub fn shaded_triangle(
        &mut self,
        corners: [Vec2; 3],
        values: [f64; 3],
        color: impl Fn(f64) -> Rgb,
    ) {
        raster::shade_triangle(&mut self.pixmap, corners, values, |value| {
            let [r, g, b] = color(value);
            PremultipliedColorU8::from_rgba(r, g, b, 255)
        });
    }

    /// Paints another picture over this one, with its upper left corner at a place (pixels).
    pub fn picture(&mut self, other: &Pixmap, (x, y): (i32, i32)) {
        self.pixmap.draw_pixmap(
            x,
            y,
            other.as_ref(),
            &tiny_skia::PixmapPaint::default(),
            Transform::identity(),
            None,
        );
    }

    /// Paints the inside of the polygon with the given corners (pixels).
    pub fn polygon(&mut self, corners: &[Vec2], color: Rgb) {
        self.region([corners.iter().copied()], color);
    }

    /// Paints the area that closed curves (pixels) enclose; holes run in the opposite direction.
    ///
    /// A point has paint where the winding number of the curves is not zero. Points that are not
    /// finite are left out.
    pub fn region<C: IntoIterator<Item = Vec2>>(
        &mut self,
        curves: impl IntoIterator<Item = C>,
        color: Rgb,
    ) {
        let mut path = PathBuilder::new();
        for curve in curves {
            // Points that are not finite are left out.
            let points = curve.into_iter().filter(|p| is_finite(*p)).map(near);
            for (k, (x, y)) in points.enumerate() {
                if k == 0 {
                    path.move_to(x, y);
                } else {
                    path.line_to(x, y);
                }
            }
            path.close();
        }

        self.fill(path.finish(), color, 1.0);
    }

    /// Paints a disk with an outline; nothing if its box is not finite or is outside the picture.
    ///
    /// `center` and `radius` are in pixels.
    pub fn disk(&mut self, center: Vec2, radius: f64, color: Rgb, pen: Pen) {
        if !self.shows([center.add_scalar(-radius), center.add_scalar(radius)]) {
            return;
        }
        let mut path = PathBuilder::new();
        let (x, y) = near(center);
        path.push_circle(x, y, near(Vec2::repeat(radius)).0);
        if let Some(path) = path.finish() {
            self.fill(Some(path.clone()), color, 1.0);
            self.stroke(&path, pen);
        }
    }

    /// Draws the outline of a circle; `center` and `radius` are in pixels.
    pub fn ring(&mut self, center: Vec2, radius: f64, pen: Pen) {
        let mut path = PathBuilder::new();
        let (x, y) = near(center);
        path.push_circle(x, y, single(radius));
        if let Some(path) = path.finish() {
            self.stroke(&path, pen);
        }
    }

    /// Paints dots of one radius (pixels). Dots outside the picture are left out.
    pub fn dots(&mut self, centers: impl IntoIterator<Item = Vec2>, radius: f64, color: Rgb) {
        let mut path = PathBuilder::new();
        for (x, y) in centers
            .into_iter()
            .filter(|p| self.shows([*p, *p]))
            .map(near)
        {
            path.push_circle(x, y, single(radius));
        }
        self.fill(path.finish(), color, 1.0);
    }

    /// Draws straight lines with one pen. Lines outside the picture are left out.
    ///
    /// All lines are one path, so crossings are not darker if the pen is wider than a pixel.
    pub fn segments(&mut self, segments: impl IntoIterator<Item = [Vec2; 2]>, pen: Pen) {
        let mut path = PathBuilder::new();
        for [a, b] in segments.into_iter().filter(|s| self.shows(*s)) {
            let ((ax, ay), (bx, by)) = (near(a), near(b));
            path.move_to(ax, ay);
            path.line_to(bx, by);
        }
        if let Some(path) = path.finish() {
            self.stroke(&path, pen);
        }
    }

    /// Draws a line through `points` (pixels), with round bends. Points that are not finite are
    /// left out.
    pub fn polyline(&mut self, points: impl IntoIterator<Item = Vec2>, pen: Pen) {
        let mut path = PathBuilder::new();
        for (x, y) in points.into_iter().filter(|p| is_finite(*p)).map(near) {
            if path.is_empty() {
                path.move_to(x, y);
            } else {
                path.line_to(x, y);
            }
        }

        if let Some(path) = path.finish() {
            self.stroke(&path, pen);
        }
    }

    /// Writes `text` at `at` (pixels), on a faint halo that keeps it legible on any background.
    ///
    /// `at` is the point of the base line that [`TextStyle::anchor`] names. A text without visible
    /// letters paints nothing.
    pub fn text(&mut self, text: &str, at: Vec2, style: TextStyle) {
        let (x, y) = near(at);
        let part = match style.anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => 0.5,
            Anchor::Right => 1.0,
        };

        // Outlines of the letters, laid out to the right and then turned.
        let size = single(style.size * self.letters());
        let left = x - part * self.font.width(text, size);
        let turn = Transform::from_rotate_at(if style.upwards { -90.0 } else { 0.0 }, x, y);
        let outline = self.font.outline(text, size, (left, y));

        // The halo first, the letters over it.
        if let Some(path) = outline.and_then(|path| path.transform(turn)) {
            self.stroke(
                &path,
                Pen {
                    color: palette::BACKGROUND,
                    opacity: 0.75,
                    width: 4.0,
                },
            );
            self.fill(Some(path), style.color, 1.0);
        }
    }

    /// Covers a polygon (pixels) with a veil, through which what is behind is seen faintly.
    pub fn veil(&mut self, corners: &[Vec2]) {
        let mut path = PathBuilder::new();
        for (k, (x, y)) in corners.iter().copied().map(near).enumerate() {
            if k == 0 {
                path.move_to(x, y);
            } else {
                path.line_to(x, y);
            }
        }
        path.close();
        self.fill(path.finish(), palette::BACKGROUND, 0.7);
    }

    /// Width (pixels) of `text` in a font size, without the halo.
    pub fn text_width(&self, text: &str, size: f64) -> f64 {
        f64::from(self.font.width(text, single(size * self.letters())))
    }

    /// Fills a path with one colour, if there is one; `opacity` is from 0 to 1.
    fn fill(&mut self, path: Option<Path>, color: Rgb, opacity: f64) {
        if let Some(path) = path {
            self.pixmap.fill_path(
                &path,
                &paint(color, opacity),
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }

    /// Draws a path with a pen; ends and bends are round.
    fn stroke(&mut self, path: &Path, pen: Pen) {
        let stroke = Stroke {
            width: single(pen.width * self.unit),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };

        self.pixmap.stroke_path(
            path,
            &paint(pen.color, pen.opacity),
            &stroke,
            Transform::identity(),
            None,
        );
    }

    /// True if the box around a segment (pixels) is finite and meets the picture.
    ///
    /// A margin of 16 pixels leaves room for the width of the pen.
    fn shows(&self, [a, b]: [Vec2; 2]) -> bool {
        let low = a.inf(&b);
        let high = a.sup(&b);
        let margin = 16.0 * self.unit.max(1.0);

        is_finite(a)
            && is_finite(b)
            && high.min() > -margin
            && low.x < f64::from(self.pixmap.width()) + margin
            && low.y < f64::from(self.pixmap.height()) + margin
    }
}

/// True if both components of `p` are finite.
fn is_finite(p: Vec2) -> bool {
    p.x.is_finite() && p.y.is_finite()
}

/// The point `p` (pixels) in single precision.
///
/// Components are limited to 30000 pixels from the origin, within the range of the rasterizer's
/// fixed-point numbers. A NaN stays NaN.
fn near(p: Vec2) -> (f32, f32) {
    (single(p.x.clamp(-3e4, 3e4)), single(p.y.clamp(-3e4, 3e4)))
}

/// The nearest number in single precision.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the rasterizer counts pixels in single precision"
)]
fn single(value: f64) -> f32 {
    value as f32
}

/// Paint of one colour; `opacity` is from 0 to 1.
fn paint(rgb: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(rgb, opacity));
    paint
}

/// The colour with an opacity from 0 to 1; other opacities are limited to this range.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the clamped product lies between 0 and 255"
)]
fn color([r, g, b]: Rgb, opacity: f64) -> Color {
    Color::from_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last column with a pixel that differs from the upper left one.
    fn painted(canvas: Canvas) -> (u32, u32) {
        let picture = canvas.finish();
        let ground = picture.pixel(0, 0).unwrap();
        let mut columns = Vec::new();
        for x in 0..picture.width() {
            if (0..picture.height()).any(|y| picture.pixel(x, y).unwrap() != ground) {
                columns.push(x);
            }
        }
        (columns[0], columns[columns.len() - 1])
    }

    #[test]
    fn a_text_keeps_to_its_anchor() {
        let at = |anchor, upwards| {
            let mut canvas = Canvas::new(200, 200).unwrap();
            let style = TextStyle {
                upwards,
                ..TextStyle::new(20.0, palette::INK, anchor)
            };
            canvas.text("HHHH", Vec2::new(100.0, 100.0), style);
            (canvas.text_width("HHHH", 20.0), painted(canvas))
        };

        let (width, left) = at(Anchor::Left, false);
        let (_, middle) = at(Anchor::Middle, false);
        let (_, right) = at(Anchor::Right, false);
        assert!(left.0 >= 99 && right.1 <= 101 && (f64::from(left.1) - 100.0 - width).abs() < 3.0);
        assert!(middle.0.abs_diff(200 - middle.1) <= 2);

        // Upwards, the text ends at its position.
        let (_, upwards) = at(Anchor::Left, true);
        assert!(upwards.0 >= 80 && upwards.1 <= 102);
    }

    #[test]
    fn a_line_has_its_colour_and_width() {
        let mut canvas = Canvas::new(30, 30).unwrap();
        canvas.polyline(
            [Vec2::new(15.0, 0.0), Vec2::new(15.0, 30.0)],
            Pen::new([10, 20, 30], 4.0),
        );
        let color = canvas.pixmap.pixel(15, 15).unwrap();
        assert_eq!((color.red(), color.green(), color.blue()), (10, 20, 30));
        // Four columns around x = 15.
        assert_eq!(painted(canvas), (13, 16));
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        for (width, height) in [(0, 10), (10, 0), (LONGEST_SIDE + 1, 1)] {
            assert!(matches!(
                Canvas::new(width, height),
                Err(PictureError::Size { .. })
            ));
        }
    }
}
