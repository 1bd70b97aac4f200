//! What can go wrong while a picture is made.

use std::convert::Infallible;

use plotters::drawing::DrawingAreaErrorKind;
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// A side of the picture is zero, or too long for memory or for the format.
    #[error(
        "a picture of {width} x {height} pixels cannot be made: each side must be between 1 and {limit}"
    )]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The longest side allowed.
        limit: u32,
    },
    /// A chart has no room for its labels, or is too large for memory.
    #[error(
        "a chart of {width} x {height} pixels cannot be made: each side must be between {least} and {limit}"
    )]
    ChartSize {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The shortest side allowed.
        least: u32,
        /// The longest side allowed.
        limit: u32,
    },
    /// The chart's parts cannot be laid out in its size.
    #[error("the chart cannot be drawn: {0}; make it larger")]
    Chart(#[from] DrawingAreaErrorKind<Infallible>),
    /// A frame of an animation has not the size of the first one.
    #[error(
        "this frame has {width} x {height} pixels, but the animation began with {first_width} x {first_height}: \
         draw all frames in one size"
    )]
    FrameSize {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Pixels across in the first frame.
        first_width: u32,
        /// Pixels down in the first frame.
        first_height: u32,
    },
    /// The bundled font is damaged.
    #[error("the bundled font cannot be read: build the program again from clean sources")]
    Font,
    /// The PNG encoder failed.
    #[error("the picture cannot be encoded as PNG: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF encoder, or what it writes to, failed.
    #[error("the animation cannot be encoded as GIF: {0}")]
    Gif(#[from] gif::EncodingError),
}
