//! Animations as APNG: all colours and transparency, which GIF has not, in a larger file.
//!
//! Moments are those of a GIF ([`GifStyle`]), so that both play alike. Every frame is whole.

use super::{
    error::PictureError,
    gif::GifStyle,
    png::{Bytes, with_opacity},
    shrink,
};
use std::io::Write;
use tiny_skia::Pixmap;

/// Writes an endlessly repeating animation, frame by frame.
pub struct ApngWriter<W: Write> {
    /// Output, until the size of the frames is known.
    out: Option<W>,
    /// Encoder of the format, after the first frame.
    writer: Option<::png::Writer<W>>,
    /// Size and speed of the animation.
    style: GifStyle,
    /// Number of frames in all.
    count: u32,
    /// Simulated time (s) and colours of the last frame, which waits for its duration.
    waiting: Option<(f64, Bytes)>,
}

impl<W: Write> ApngWriter<W> {
    /// Begins an animation of `count` frames, which the format states at its beginning.
    pub fn new(out: W, count: u32, style: GifStyle) -> Self {
        Self {
            out: Some(out),
            writer: None,
            style,
            count,
            waiting: None,
        }
    }

    /// Adds the frame of the simulated `time` (s), unless it comes too soon after the one before.
    ///
    /// # Errors
    /// [`PictureError::Png`] if it cannot be written.
    pub fn add(&mut self, picture: &Pixmap, time: f64) -> Result<(), PictureError> {
        let shown = self.waiting.as_ref().map(|(shown, _)| *shown);
        if !self.style.wants(shown, time) {
            return Ok(());
        }

        // The frame before can be written now that its duration is known.
        if let Some((shown, frame)) = self.waiting.take() {
            let duration = self.style.hundredths(time) - self.style.hundredths(shown);
            self.write(&frame, duration)?;
        }
        let factor = picture.width().div_ceil(self.style.max_width.max(1)).max(1);
        self.waiting = Some((time, with_opacity(&shrink::averaged(picture, factor)?)));
        Ok(())
    }

    /// Writes the last frame, which stays for [`GifStyle::hold`], and the end of the file.
    ///
    /// # Errors
    /// [`PictureError::Png`] if it cannot be written.
    pub fn finish(mut self) -> Result<(), PictureError> {
        if let Some((_, frame)) = self.waiting.take() {
            self.write(&frame, 100.0 * self.style.hold)?;
        }
        match self.writer {
            Some(writer) => Ok(writer.finish()?),
            None => Ok(()),
        }
    }

    /// Writes a frame that stays for a number of `hundredths` of a second.
    ///
    /// # Errors
    /// [`PictureError::Png`] if the output cannot be written.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, as intended"
    )]
    fn write(&mut self, frame: &Bytes, hundredths: f64) -> Result<(), PictureError> {
        if let Some(out) = self.out.take() {
            let mut encoder = ::png::Encoder::new(out, frame.width, frame.height);
            encoder.set_color(frame.color);
            encoder.set_compression(::png::Compression::Fast);
            // With zero plays the animation repeats for ever.
            encoder.set_animated(self.count.max(1), 0)?;
            self.writer = Some(encoder.write_header()?);
        }

        if let Some(writer) = &mut self.writer {
            writer.set_frame_delay(hundredths.round() as u16, 100)?;
            writer.write_image_data(&frame.data)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::Color;

    #[test]
    fn frames_keep_their_colours_transparency_and_times() {
        let mut pictures = Vec::new();
        for k in 0..3_u8 {
            let mut picture = Pixmap::new(6, 4).unwrap();
            picture.fill(Color::from_rgba8(10 * k, 200, 30, 255));
            // A first pixel without opacity shows whether opacity is kept.
            picture.data_mut()[..4].fill(0);
            pictures.push(picture);
        }

        let mut out = Vec::new();
        let mut writer = ApngWriter::new(&mut out, 3, GifStyle::default());
        for (picture, time) in pictures.iter().zip([0.0, 0.1, 0.3]) {
            writer.add(picture, time).unwrap();
        }
        writer.finish().unwrap();

        let mut reader = ::png::Decoder::new(std::io::Cursor::new(out))
            .read_info()
            .unwrap();
        let control = reader.info().animation_control().unwrap();
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        let mut delays = Vec::new();
        for picture in &pictures {
            let mut data = vec![0; picture.data().len()];
            reader.next_frame(&mut data).unwrap();
            let control = reader.info().frame_control().unwrap();
            delays.push([control.delay_num, control.delay_den]);
            assert_eq!(data, picture.data());
        }
        // The last frame stays for the usual second.
        assert_eq!(delays, [[10, 100], [20, 100], [100, 100]]);
    }
}
