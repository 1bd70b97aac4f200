//! Styles of lines and of text: plain values that every drawing passes to the canvas.

use super::palette::Rgb;

/// Colour and width of a line.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Colour of the line.
    pub color: Rgb,
    /// Opacity, from 0 (invisible) to 1.
    pub opacity: f64,
    /// Width of the line (pixels of a picture of 1280 x 720).
    pub width: f64,
}

impl Pen {
    /// A solid line, `width` pixels wide in a picture of 1280 x 720.
    pub fn new(color: Rgb, width: f64) -> Self {
        Self {
            color,
            opacity: 1.0,
            width,
        }
    }
}

/// Point of a text that is placed at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end of the base line.
    Left,
    /// The middle of the base line.
    Middle,
    /// The right end of the base line.
    Right,
}

/// Size, colour and placement of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Font size (pixels of a picture of 1280 x 720).
    pub size: f64,
    /// Colour of the letters.
    pub color: Rgb,
    /// Point of the text that is placed at its position.
    pub anchor: Anchor,
    /// True if the text reads upwards, turned by a quarter around its anchor.
    pub upwards: bool,
}

impl TextStyle {
    /// Style of a text that reads to the right.
    pub fn new(size: f64, color: Rgb, anchor: Anchor) -> Self {
        Self {
            size,
            color,
            anchor,
            upwards: false,
        }
    }
}
