//! How lines and words look.

use super::palette::Rgb;

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
        Self {
            color,
            opacity: 1.0,
            width,
        }
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

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Font size in pixels.
    pub size: f64,
    /// Colour of the letters.
    pub color: Rgb,
    /// The point that stays where it is told.
    pub anchor: Anchor,
    /// Whether it reads upwards, turned by a quarter around that point.
    pub upwards: bool,
}

impl TextStyle {
    /// A text that reads to the right.
    pub fn new(size: f64, color: Rgb, anchor: Anchor) -> Self {
        Self {
            size,
            color,
            anchor,
            upwards: false,
        }
    }
}
