//! A sheet to paint on: plain triangles, smooth lines and shapes, words.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform,
};

use super::{error::OutputError, font::Font, palette, palette::Rgb, raster};
use crate::math::Vec2;

/// The longest side of a picture in pixels.
const LONGEST_SIDE: u32 = 16_384;

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Its colour.
    pub color: Rgb,
    /// From 0, not to be seen, to 1.
    pub opacity: f64,
    /// In pixels.
    pub width: f64,
}

impl Pen {
    /// A solid line, `width` pixels wide.
    pub fn new(color: Rgb, width: f64) -> Self {
        Self { color, opacity: 1.0, width }
    }
}

/// Which point of a text its position tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end of the base line.
    Left,
    /// The middle of the base line.
    Middle,
    /// The right end of the base line.
    Right,
}

/// A picture being painted.
#[derive(Debug)]
pub struct Canvas {
    pixmap: Pixmap,
    font: Font,
}

impl Canvas {
    /// An empty sheet of `width` x `height` pixels.
    ///
    /// # Errors
    /// [`OutputError::Size`] if a side is zero or above 16384.
    pub fn new(width: u32, height: u32) -> Result<Self, OutputError> {
        let size = OutputError::Size { width, height, limit: LONGEST_SIDE };
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            return Err(size);
        }
        let mut pixmap = Pixmap::new(width, height).ok_or(size)?;
        pixmap.fill(color(palette::BACKGROUND, 1.0));
        Ok(Self { pixmap, font: Font::bundled()? })
    }

    /// The finished picture.
    pub fn finish(self) -> Pixmap {
        self.pixmap
    }

    /// Paints a triangle without smoothing, see [`raster`].
    pub fn triangle(&mut self, corners: [Vec2; 3], [r, g, b]: Rgb) {
        if let Some(color) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
            raster::fill_triangle(&mut self.pixmap, corners, color);
        }
    }

    /// Paints the inside of the polygon with the given corners.
    pub fn polygon(&mut self, corners: &[Vec2], color: Rgb) {
        let mut path = PathBuilder::new();
        for (k, &p) in corners.iter().filter(|p| is_finite(**p)).enumerate() {
            let (x, y) = near(p);
            if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
        self.fill(path.finish(), color, 1.0);
    }

    /// Paints disks of one radius.
    pub fn dots(&mut self, centers: impl IntoIterator<Item = Vec2>, radius: f64, color: Rgb) {
        let mut path = PathBuilder::new();
        for (x, y) in centers.into_iter().filter(|p| self.shows([*p, *p])).map(near) {
            path.push_circle(x, y, single(radius));
        }
        self.fill(path.finish(), color, 1.0);
    }

    /// Draws straight lines with one pen; crossings are not darker than the lines if the pen is wider than a pixel.
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

    /// Writes `text` at `(x, y)` on a faint halo that keeps it legible on any ground; returns its width in pixels.
    pub fn text(&mut self, text: &str, at: Vec2, anchor: Anchor, (size, color): (f64, Rgb)) -> f64 {
        let width = self.font.width(text, single(size));
        let (x, y) = near(at);
        let left = match anchor {
            Anchor::Left => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::Right => x - width,
        };
        if let Some(path) = self.font.outline(text, single(size), (left, y)) {
            self.stroke(&path, Pen { color: palette::BACKGROUND, opacity: 0.75, width: 4.0 });
            self.fill(Some(path), color, 1.0);
        }
        f64::from(width)
    }

    fn fill(&mut self, path: Option<Path>, color: Rgb, opacity: f64) {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(color, opacity), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn stroke(&mut self, path: &Path, pen: Pen) {
        let stroke = Stroke {
            width: single(pen.width),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixmap.stroke_path(path, &paint(pen.color, pen.opacity), &stroke, Transform::identity(), None);
    }

    /// Whether the box around a segment is finite and meets the picture.
    fn shows(&self, [a, b]: [Vec2; 2]) -> bool {
        let (low, high, margin) = (a.inf(&b), a.sup(&b), 16.0);
        is_finite(a)
            && is_finite(b)
            && high.min() > -margin
            && low.x < f64::from(self.pixmap.width()) + margin
            && low.y < f64::from(self.pixmap.height()) + margin
    }
}

fn is_finite(p: Vec2) -> bool {
    p.x.is_finite() && p.y.is_finite()
}

/// A point as the painter wants it, kept within the range of its fixed-point numbers.
fn near(p: Vec2) -> (f32, f32) {
    (single(p.x.clamp(-3e4, 3e4)), single(p.y.clamp(-3e4, 3e4)))
}

#[allow(clippy::cast_possible_truncation, reason = "the painter counts pixels in single precision")]
fn single(value: f64) -> f32 {
    value as f32
}

fn paint(rgb: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(color(rgb, opacity));
    paint
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the clamped product lies between 0 and 255"
)]
fn color([r, g, b]: Rgb, opacity: f64) -> Color {
    Color::from_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8)
}
