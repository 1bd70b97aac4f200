//! The legend of a chart: line and name of every curve, one below the other.
//!
//! The legend stands right of the plot, which is as much narrower as the longest name needs.

use crate::error::PictureError;
use crate::palette::{self, Rgb};
use plotters::{
    element::PathElement,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{
    Area, LABEL,
    backend::{pixels, units},
    pen, text,
};

/// Distance between rows of the legend (pixels).
const LINE: f64 = 24.0;
/// Start of a curve's line (pixels from the plot).
const BEGIN: f64 = 24.0;
/// End of a curve's line (pixels from the plot).
const END: f64 = 46.0;
/// Start of a curve's name (pixels from the plot).
const NAME: f64 = 56.0;
/// Room to the right of the names, or of the plot without names (pixels).
const MARGIN: f64 = 32.0;

/// Entry of a legend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swatch<'a> {
    /// Name of the curve or layer.
    pub(super) name: &'a str,
    /// Colour of its line.
    pub(super) color: Rgb,
    /// Width of its line (pixels).
    pub(super) width: f64,
}

/// Width of the legend (pixels), by the longest name.
///
/// # Errors
/// [`PictureError::Chart`] if plotters cannot measure a name.
pub(super) fn width<'a>(
    area: &Area<'_>,
    names: impl Iterator<Item = &'a str>,
) -> Result<f64, PictureError> {
    let mut width = MARGIN;
    for name in names {
        let (name, _) = area.estimate_text_size(name, &text(LABEL, palette::INK))?;
        width = width.max(NAME + pixels(name) + MARGIN);
    }
    Ok(width)
}

/// Draws the legend from `top` (pixels) down, each entry with its line. Rows without room are
/// left out.
///
/// # Errors
/// [`PictureError::Chart`] if plotters cannot draw a row.
pub(super) fn draw<'a>(
    area: &Area<'_>,
    top: f64,
    swatches: impl Iterator<Item = Swatch<'a>>,
) -> Result<(), PictureError> {
    let name = text(LABEL, palette::INK).pos(Pos::new(HPos::Left, VPos::Center));

    // Rows down to the lower side of the picture.
    let bottom = f64::from(area.dim_in_pixel().1);
    let rows = (0..)
        .map(|row| units(top + LINE * (f64::from(row) + 0.3)))
        .take_while(|&y| f64::from(y) < bottom);
    for (swatch, y) in swatches.zip(rows) {
        area.draw(&PathElement::new(
            [(units(BEGIN), y), (units(END), y)],
            pen(swatch.color, swatch.width),
        ))?;
        area.draw_text(swatch.name, &name, (units(NAME), y))?;
    }
    Ok(())
}
