//! Animations as GIF: 256 colours of the theme, times in hundredths of a second, and only the
//! changes from frame to frame.
//!
//! A GIF shows each frame for a whole number of hundredths of a second, and players slow down below
//! two hundredths. So the writer leaves out frames that come too soon and holds each frame back
//! until the next one is known: only then is its duration. Moments are rounded, not durations, and
//! the animation keeps time however long it is.
//!
//! Each frame passes three stages: `shrink` reduces its size by a whole factor, `Quantizer`
//! replaces colours by indices into one fixed table, and `changes` keeps the smallest rectangle
//! that differs from the frame before.

use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tiny_skia::Pixmap;

use super::{error::PictureError, quantize::Quantizer, shrink};

/// Size and speed of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GifStyle {
    /// Largest width (pixels); larger frames are shrunk by a whole factor.
    pub max_width: u32,
    /// Largest number of frames per second; above 50, players slow down.
    pub max_rate: f64,
    /// Simulated time per second of play (s).
    pub speed: f64,
    /// Time that the last frame stays before the animation repeats (s).
    pub hold: f64,
}

impl Default for GifStyle {
    fn default() -> Self {
        Self {
            max_width: 640,
            max_rate: 50.0,
            speed: 1.0,
            hold: 1.0,
        }
    }
}

impl GifStyle {
    /// True if a frame at `time` comes late enough after the one at `shown` (both simulated, s).
    ///
    /// Without a frame before, any finite time does. A time that is not finite is never wanted.
    pub fn wants(&self, shown: Option<f64>, time: f64) -> bool {
        let gap = (100.0 / self.max_rate.clamp(0.01, 50.0)).ceil();
        time.is_finite()
            && shown.is_none_or(|shown| self.hundredths(time) - self.hundredths(shown) >= gap)
    }

    /// Number of the frames at `times` (s) that an animation has.
    pub fn count(&self, times: impl IntoIterator<Item = f64>) -> u32 {
        let mut shown = None;
        let mut count = 0;
        for time in times {
            if self.wants(shown, time) {
                shown = Some(time);
                count += 1;
            }
        }
        count
    }

    /// Moment of play of a simulated time (s), in the format's unit of 10 ms. Moments are rounded
    /// and not durations, so that errors do not add up.
    pub(super) fn hundredths(&self, time: f64) -> f64 {
        (100.0 * time / self.speed).round()
    }
}

/// Writes an endlessly repeating animation, frame by frame.
pub struct GifWriter<W: Write> {
    /// Encoder of the format, over the output.
    encoder: Encoder<W>,
    /// Size and speed of the animation.
    style: GifStyle,
    /// Finds the index of each colour.
    quantizer: Quantizer,
    /// Width and height of every frame given to [`GifWriter::add`] (pixels).
    size: (u32, u32),
    /// Whole factor by which frames are shrunk.
    factor: u32,
    /// Indices of the last frame that was added, row by row; empty before the first.
    shown: Vec<u8>,
    /// Simulated time (s) and changes of the last frame, which waits for its duration.
    waiting: Option<(f64, Frame<'static>)>,
}

impl<W: Write> GifWriter<W> {
    /// Begins an animation whose frames will be given in `size` (width and height in pixels).
    ///
    /// # Errors
    /// [`PictureError::Size`] if a side is zero or, shrunk, above 65535; [`PictureError::Gif`] if
    /// `out` cannot be written.
    pub fn new(out: W, size: (u32, u32), style: GifStyle) -> Result<Self, PictureError> {
        // The least whole factor that keeps the width, and leaves a row.
        let factor = size.0.div_ceil(style.max_width.max(1)).min(size.1).max(1);
        let width = u16::try_from(size.0 / factor).unwrap_or(0);
        let height = u16::try_from(size.1 / factor).unwrap_or(0);
        if width == 0 || height == 0 {
            return Err(PictureError::Size {
                width: size.0,
                height: size.1,
                limit: u32::from(u16::MAX),
            });
        }

        // One table of colours serves all frames.
        let quantizer = Quantizer::new();
        let mut encoder = Encoder::new(out, width, height, &quantizer.table())?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            style,
            quantizer,
            size,
            factor,
            shown: Vec::new(),
            waiting: None,
        })
    }

    /// True if [`GifWriter::add`] would use a frame at `time` (s); ask before drawing it.
    pub fn wants(&self, time: f64) -> bool {
        self.style
            .wants(self.waiting.as_ref().map(|(shown, _)| *shown), time)
    }

    /// Adds the frame of the simulated `time` (s), unless it comes too soon after the one before.
    ///
    /// The frame before is written now; this one waits for the next.
    ///
    /// # Errors
    /// [`PictureError::FrameSize`] if the frame has another size; [`PictureError::Gif`] if it
    /// cannot be written.
    pub fn add(&mut self, picture: &Pixmap, time: f64) -> Result<(), PictureError> {
        if (picture.width(), picture.height()) != self.size {
            return Err(PictureError::FrameSize {
                width: picture.width(),
                height: picture.height(),
                first_width: self.size.0,
                first_height: self.size.1,
            });
        }
        if !self.wants(time) {
            return Ok(());
        }

        // The frame before can be written now that its duration is known.
        if let Some((shown, frame)) = self.waiting.take() {
            let duration = self.style.hundredths(time) - self.style.hundredths(shown);
            self.write(frame, duration)?;
        }

        let small = shrink::shrink(picture, self.factor as usize);
        let indices: Vec<u8> = self.quantizer.indices(&small.rgb);
        self.waiting = Some((time, changes(&self.shown, &indices, small.width)));
        self.shown = indices;
        Ok(())
    }

    /// Writes the last frame and the end of the file; returns the output.
    ///
    /// The last frame stays for [`GifStyle::hold`].
    ///
    /// # Errors
    /// [`PictureError::Gif`] if it cannot be written.
    pub fn finish(mut self) -> Result<W, PictureError> {
        if let Some((_, frame)) = self.waiting.take() {
            self.write(frame, 100.0 * self.style.hold)?;
        }
        Ok(self.encoder.into_inner()?)
    }

    /// Writes a frame that stays for a number of `hundredths` of a second, rounded and at most
    /// 65535.
    ///
    /// # Errors
    /// [`PictureError::Gif`] if the output cannot be written.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, as intended"
    )]
    fn write(&mut self, mut frame: Frame<'static>, hundredths: f64) -> Result<(), PictureError> {
        frame.delay = hundredths.round() as u16;
        Ok(self.encoder.write_frame(&frame)?)
    }
}

/// Smallest rectangle with every pixel of `new` that differs from `old`; the other pixels in it are
/// transparent.
///
/// Both are indices of colours, row by row, `[height width]`. If `old` is empty, every pixel
/// differs. If nothing differs, the rectangle is the first pixel.
fn changes(old: &[u8], new: &[u8], width: usize) -> Frame<'static> {
    let differs = |k: usize| old.get(k) != Some(&new[k]);

    // Bounds of the rectangle.
    let rows: Vec<usize> = (0..new.len() / width)
        .filter(|y| (0..width).any(|x| differs(y * width + x)))
        .collect();
    let columns: Vec<usize> = (0..width)
        .filter(|x| rows.iter().any(|y| differs(y * width + x)))
        .collect();
    let top = rows.first().copied().unwrap_or(0);
    let bottom = rows.last().copied().unwrap_or(0);
    let left = columns.first().copied().unwrap_or(0);
    let right = columns.last().copied().unwrap_or(0);

    // Indices of the rectangle, transparent where nothing has changed.
    let mut buffer = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
    for y in top..=bottom {
        for x in left..=right {
            let k = y * width + x;
            buffer.push(if differs(k) {
                new[k]
            } else {
                Quantizer::TRANSPARENT
            });
        }
    }

    Frame {
        left: short(left),
        top: short(top),
        width: short(right - left + 1),
        height: short(bottom - top + 1),
        dispose: DisposalMethod::Keep,
        transparent: Some(Quantizer::TRANSPARENT),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

/// A length (pixels) in the format's 16 bits; sides are checked when an animation begins.
fn short(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::Color;

    /// A white picture with a square of ink, `x` pixels from the left.
    fn square(x: usize) -> Pixmap {
        let mut picture = Pixmap::new(64, 48).unwrap();
        picture.fill(Color::WHITE);
        for k in 0..100 {
            let at = 4 * ((10 + k / 10) * 64 + x + k % 10);
            picture.data_mut()[at..at + 3].copy_from_slice(&super::super::palette::INK);
        }
        picture
    }

    /// Delays, and whole frames as red, green, blue, alpha.
    fn play(bytes: &[u8]) -> (Vec<u16>, Vec<Vec<u8>>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let width = usize::from(decoder.width());
        let mut screen = vec![0; 4 * width * usize::from(decoder.height())];
        let mut delays = Vec::new();
        let mut screens = Vec::new();

        // Each frame changes the pixels that are opaque in it.
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (k, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                if pixel[3] != 255 {
                    continue;
                }
                let x = usize::from(frame.left) + k % usize::from(frame.width);
                let y = usize::from(frame.top) + k / usize::from(frame.width);
                let at = 4 * (y * width + x);
                screen[at..at + 4].copy_from_slice(pixel);
            }
            delays.push(frame.delay);
            screens.push(screen.clone());
        }
        (delays, screens)
    }

    /// An animation in which the square moves by two pixels a frame.
    fn animate(times: &[f64], style: GifStyle) -> Vec<u8> {
        let mut writer = GifWriter::new(Vec::new(), (64, 48), style).unwrap();
        for (k, &time) in times.iter().enumerate() {
            writer.add(&square(2 * k), time).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn every_frame_is_whole_when_played_and_has_its_colours() {
        let (delays, screens) = play(&animate(&[0.0, 0.1, 0.2, 0.5], GifStyle::default()));
        assert_eq!(delays, [10, 10, 30, 100]);
        for (k, screen) in screens.iter().enumerate() {
            assert_eq!(screen, square(2 * k).data());
        }
    }

    #[test]
    fn frames_that_come_too_soon_are_left_out_and_the_rest_keep_time() {
        let times: Vec<f64> = (0..=24).map(|k| f64::from(k) / 120.0).collect();
        let (delays, _) = play(&animate(
            &times,
            GifStyle {
                hold: 0.0,
                ..GifStyle::default()
            },
        ));
        assert!(delays[..delays.len() - 1].iter().all(|&d| d >= 2));
        // Together the delays are the 0.2 s that pass.
        assert_eq!(delays.iter().sum::<u16>(), 20);
    }

    #[test]
    fn slow_motion_stretches_the_delays() {
        let style = GifStyle {
            speed: 0.01,
            ..GifStyle::default()
        };
        assert_eq!(play(&animate(&[0.0, 0.001, 0.002], style)).0, [10, 10, 100]);
    }

    #[test]
    fn a_still_frame_and_a_time_that_is_no_number_do_no_harm() {
        let mut writer = GifWriter::new(Vec::new(), (64, 48), GifStyle::default()).unwrap();
        // A time that is not a number, and one that goes back, are left out.
        for time in [0.0, 0.1, f64::NAN, 0.05] {
            writer.add(&square(0), time).unwrap();
        }
        let (delays, screens) = play(&writer.finish().unwrap());
        assert_eq!((delays, &screens[1]), (vec![10, 100], &screens[0]));
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let new = |size| GifWriter::new(Vec::new(), size, GifStyle::default());
        assert!(matches!(new((0, 5)), Err(PictureError::Size { .. })));
        assert!(matches!(new((600, 70_000)), Err(PictureError::Size { .. })));
        let mut writer = new((10, 10)).unwrap();
        assert!(matches!(
            writer.add(&square(0), 0.0),
            Err(PictureError::FrameSize { .. })
        ));
    }
}
