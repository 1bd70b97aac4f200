//! The bundled font, whose letters are filled as outlines.
//!
//! The font is part of the program, so labels look alike on every machine and no font needs to be
//! installed. Letters are paths like any other shape: the canvas smooths, turns and outlines them.
//! It has Latin, Greek and Cyrillic letters; a character that it lacks is drawn as an empty box, so
//! that a name never loses a letter in silence. There is no kerning and no hinting; each letter follows the one before by its advance width.

use ab_glyph::{Font as _, FontRef, OutlineCurve, Point};
use tiny_skia::{Path, PathBuilder};

use super::error::PictureError;

/// File of the font, an excerpt of Roboto in the TrueType format.
pub(crate) const BYTES: &[u8] = include_bytes!("font/Roboto-Subset.ttf");

/// Height of a capital letter as a fraction of the font size.
pub(crate) const CAP_HEIGHT: f64 = 0.711;

/// The bundled font with its scale.
#[derive(Debug)]
pub(crate) struct Font {
    /// Glyphs and advance widths, in units of the font.
    face: FontRef<'static>,
    /// Number of the font's units in one font size.
    units_per_em: f32,
}

impl Font {
    /// Reads the bundled font.
    ///
    /// # Errors
    /// [`PictureError::Font`] if its bytes are damaged.
    pub(crate) fn bundled() -> Result<Self, PictureError> {
        let face = FontRef::try_from_slice(BYTES).map_err(|_| PictureError::Font)?;
        let units_per_em = face.units_per_em().ok_or(PictureError::Font)?;
        Ok(Self { face, units_per_em })
    }

    /// Width (pixels) of `text` in the font size `size` (pixels): the sum of the advance widths. A
    /// character that the font lacks counts as the font's replacement glyph.
    pub(crate) fn width(&self, text: &str, size: f32) -> f32 {
        let units: f32 = text
            .chars()
            .map(|c| self.face.h_advance_unscaled(self.face.glyph_id(c)))
            .sum();
        units * size / self.units_per_em
    }

    /// Outline of `text` in the font size `size`, with the left end of its base line at `(x, y)`;
    /// all in pixels, `y` down. `None` if the text has no visible letter.
    pub(crate) fn outline(&self, text: &str, size: f32, (x, y): (f32, f32)) -> Option<Path> {
        let scale = size / self.units_per_em;
        let mut pen = x;
        let mut path = PathBuilder::new();
        for id in text.chars().map(|c| self.face.glyph_id(c)) {
            // The font's axis points up, the picture's down.
            if let Some(outline) = self.face.outline(id) {
                add_curves(&mut path, &outline.curves, |p: Point| {
                    (p.x.mul_add(scale, pen), p.y.mul_add(-scale, y))
                });
            }
            pen += self.face.h_advance_unscaled(id) * scale;
        }

        path.finish()
    }
}

/// Adds the curves of one letter to a path; `at` maps the font's units to pixels.
///
/// The font lists curves without saying where contours begin: a curve that starts elsewhere than
/// the last one ended opens a new contour.
fn add_curves(path: &mut PathBuilder, curves: &[OutlineCurve], at: impl Fn(Point) -> (f32, f32)) {
    let mut last = None;
    for curve in curves {
        let (OutlineCurve::Line(start, end)
        | OutlineCurve::Quad(start, _, end)
        | OutlineCurve::Cubic(start, _, _, end)) = *curve;

        // A curve that does not begin where the last one ended opens a new contour.
        if last != Some(start) {
            let (x, y) = at(start);
            path.move_to(x, y);
        }
        last = Some(end);

        let (x, y) = at(end);
        match *curve {
            OutlineCurve::Line(..) => path.line_to(x, y),
            OutlineCurve::Quad(_, b, _) => path.quad_to(at(b).0, at(b).1, x, y),
            OutlineCurve::Cubic(_, b, c, _) => {
                path.cubic_to(at(b).0, at(b).1, at(c).0, at(c).1, x, y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_a_label_has_a_glyph() {
        let font = Font::bundled().unwrap();
        let languages = "Reibung auf der Schräge, çéàœ, Łódź, žščř, ğış, ăâîșț, őű, þð, ĉĝĥ";
        let greek = "αβγδεζηθικλμνξοπρστυφχψως ΓΔΘΛΞΠΣΦΨΩ ϑϕ άέή";
        let cyrillic = "абвгдежзийклмнопрстуфхцчшщъыьэюяё АБВ ґєії ђћџ";
        let signs = "°²³µ·×Δμ–—− „“”‘’« » … € ₂ ⁻ ≈ ≤ ≥ ∞ √ ∂ ∫ ‰ №";
        let used = (' '..='~').chain(
            [languages, greek, cyrillic, signs]
                .concat()
                .chars()
                .collect::<Vec<_>>(),
        );
        let missing: String = used.filter(|c| font.face.glyph_id(*c).0 == 0).collect();
        assert_eq!(missing, "");
    }

    #[test]
    fn a_character_that_is_missing_is_an_empty_box() {
        let font = Font::bundled().unwrap();
        assert_eq!(font.face.glyph_id('★').0, 0);
        let bounds = font.outline("★", 100.0, (0.0, 200.0)).unwrap().bounds();
        assert!(
            bounds.width() > 20.0 && bounds.height() > 50.0,
            "{bounds:?}"
        );
    }

    #[test]
    fn a_capital_stands_on_the_base_line_and_is_a_cap_height_tall() {
        let font = Font::bundled().unwrap();
        let bounds = font.outline("H", 100.0, (10.0, 200.0)).unwrap().bounds();
        assert!(
            (bounds.bottom() - 200.0).abs() < 0.1
                && (f64::from(bounds.height()) - 100.0 * CAP_HEIGHT).abs() < 0.1
        );
        assert!(bounds.left() > 10.0 && bounds.right() < 10.0 + font.width("H", 100.0));
        assert!(font.outline("  ", 12.0, (0.0, 0.0)).is_none());
    }
}
