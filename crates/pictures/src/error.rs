//! Errors of pictures, charts and animations.
//!
//! Each message says which limit was broken and what to do about it.

use std::convert::Infallible;

use plotters::drawing::DrawingAreaErrorKind;
use thiserror::Error;

/// A picture, a chart or an animation cannot be made.
#[derive(Debug, Error)]
pub enum PictureError {
    /// A side of the picture is zero, or too long for memory or for the format.
    #[error(
        "a picture of {width} x {height} pixels cannot be made: \
         each side must be between 1 and {limit}"
    )]
    Size {
        /// Width of the picture (pixels).
        width: u32,
        /// Height of the picture (pixels).
        height: u32,
        /// The longest side allowed.
        limit: u32,
    },
    /// A chart is too small for its labels, or too large for memory.
    #[error(
        "a chart of {width} x {height} pixels cannot be made: \
         each side must be between {least} and {limit}"
    )]
    ChartSize {
        /// Width of the picture (pixels).
        width: u32,
        /// Height of the picture (pixels).
        height: u32,
        /// The shortest side allowed.
        least: u32,
        /// The longest side allowed.
        limit: u32,
    },
    /// The parts of a chart cannot be laid out in its size.
    #[error("the chart cannot be drawn: {0}; make it larger")]
    Chart(#[from] DrawingAreaErrorKind<Infallible>),
    /// A frame of an animation has another size than the first one.
    #[error(
        "this frame has {width} x {height} pixels, but the animation began with \
         {first_width} x {first_height}: draw all frames in one size"
    )]
    FrameSize {
        /// Width of the picture (pixels).
        width: u32,
        /// Height of the picture (pixels).
        height: u32,
        /// Width of the first frame in pixels.
        first_width: u32,
        /// Height of the first frame in pixels.
        first_height: u32,
    },
    /// The bundled font is damaged.
    #[error("the bundled font cannot be read: build the program again from clean sources")]
    Font,
    /// The PNG encoder failed.
    #[error("the picture cannot be encoded as PNG: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF encoder, or its output, failed.
    #[error("the animation cannot be encoded as GIF: {0}")]
    Gif(#[from] gif::EncodingError),
}

impl PictureError {
    /// The error of the operating system, if that is the cause.
    ///
    /// # Errors
    /// The error itself, if it has another cause.
    pub fn into_io(self) -> Result<std::io::Error, Self> {
        match self {
            Self::Gif(gif::EncodingError::Io(source))
            | Self::Png(png::EncodingError::IoError(source)) => Ok(source),
            other => Err(other),
        }
    }
}
