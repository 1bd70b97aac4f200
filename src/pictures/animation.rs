//! The animation of a run and its video, each in its format.

use super::args::Format;
use ipcsim_pictures::apng::ApngWriter;
use ipcsim_pictures::error::PictureError;
use ipcsim_pictures::gif::{GifStyle, GifWriter};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tiny_skia::Pixmap;

/// Writer of an animation, frame by frame.
pub(super) enum Animation {
    /// 256 colours, and the changes from frame to frame.
    Gif(GifWriter<BufWriter<File>>),
    /// All colours, whole frames.
    Apng(ApngWriter<BufWriter<File>>),
}

/// Name of an animation in the folder of a run; `None` for none.
pub(super) fn name(format: Format) -> Option<&'static str> {
    match format {
        Format::Gif => Some("animation.gif"),
        Format::Apng => Some("animation.png"),
        Format::None => None,
    }
}

impl Animation {
    /// Begins an animation in `file` of frames of a size (pixels) at `times` (s); `None` for none.
    ///
    /// # Errors
    /// [`PictureError`] if the size does not fit the format, or if the file cannot be written.
    pub(super) fn begin(
        format: Format,
        file: File,
        size: (u32, u32),
        pace: GifStyle,
        times: &[f64],
    ) -> Result<Option<Self>, PictureError> {
        let out = BufWriter::new(file);
        Ok(match format {
            Format::Gif => Some(Self::Gif(GifWriter::new(out, size, pace)?)),
            Format::Apng => {
                let count = pace.count(times.iter().copied());
                Some(Self::Apng(ApngWriter::new(out, count, pace)))
            }
            Format::None => None,
        })
    }

    /// Adds the frame of a time (s), unless it comes too soon after the one before.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be written.
    pub(super) fn add(&mut self, picture: &Pixmap, time: f64) -> Result<(), PictureError> {
        match self {
            Self::Gif(gif) => gif.add(picture, time),
            Self::Apng(apng) => apng.add(picture, time),
        }
    }

    /// Writes the end of the animation.
    ///
    /// # Errors
    /// [`PictureError`] if it cannot be written.
    pub(super) fn finish(self) -> Result<(), PictureError> {
        match self {
            Self::Gif(gif) => {
                let flushed = gif.finish()?.flush();
                flushed.map_err(|error| PictureError::Gif(error.into()))
            }
            Self::Apng(apng) => apng.finish(),
        }
    }
}

/// True if a name is that of a numbered frame, `000012.png`.
pub(super) fn is_frame(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_png = path.extension().is_some_and(|end| end == "png");
    is_png && stem.len() >= 6 && stem.bytes().all(|byte| byte.is_ascii_digit())
}
