//! Videos by ffmpeg, if it is installed: frames go to its standard input, and it writes the file.
//!
//! A video has a fixed number of frames a second. A frame of a run stays until the next one is due,
//! so that the video keeps time whatever the steps of the run are.

use super::super::CommandError;
use ipcsim_pictures::gif::GifStyle;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tiny_skia::Pixmap;

/// Program that writes videos.
const FFMPEG: &str = "ffmpeg";

/// Usual number of frames a second of a video.
const RATE: f64 = 30.0;

/// A video being written.
pub(super) struct Video {
    /// The process of ffmpeg, which reads frames; `None` after its end.
    child: Option<Child>,
    /// File of the video.
    file: PathBuf,
    /// Number of frames a second.
    rate: f64,
    /// Simulated time per second of play (s).
    speed: f64,
    /// Simulated time (s) and colours of the last frame, which waits for its duration.
    waiting: Option<(f64, Vec<u8>)>,
}

impl Video {
    /// Starts ffmpeg for frames of a size (pixels).
    ///
    /// # Errors
    /// [`CommandError::Video`] if the name has no known ending, or ffmpeg cannot be started.
    pub(super) fn begin(
        file: &Path,
        (width, height): (u32, u32),
        fps: Option<u32>,
        pace: GifStyle,
    ) -> Result<Self, CommandError> {
        let failed = |message: &str| CommandError::Video {
            file: file.to_path_buf(),
            message: message.to_owned(),
        };

        let ending = file.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let codec: &[&str] = match ending.as_deref().and_then(|end| end.to_str()) {
            Some("mp4") => &["-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"],
            Some("webm") => &["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0"],
            _ => return Err(failed("the name of a video ends in .mp4 or .webm")),
        };

        // Players want an even width and height.
        let rate = fps.map_or(RATE, f64::from);
        let child = Command::new(FFMPEG)
            .args(["-y", "-loglevel", "error", "-f", "rawvideo"])
            .args(["-pixel_format", "rgba", "-video_size"])
            .arg(format!("{width}x{height}"))
            .args(["-framerate", &rate.to_string(), "-i", "-", "-vf"])
            .args(["pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"])
            .args(codec)
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        let child = child.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => failed(
                "ffmpeg writes videos, and it is not installed or not in PATH; install it, or use \
                 --animation gif or apng",
            ),
            _ => failed(&format!("ffmpeg cannot be started: {error}")),
        })?;
        Ok(Self {
            child: Some(child),
            file: file.to_path_buf(),
            rate,
            speed: pace.speed,
            waiting: None,
        })
    }

    /// Number of the frame of the video at a simulated time (s).
    fn number(&self, time: f64) -> f64 {
        (time / self.speed * self.rate).round()
    }

    /// Adds the frame of the simulated `time` (s). The frame before is written now, as often as it is
    /// shown.
    ///
    /// # Errors
    /// [`CommandError::Video`] if ffmpeg has stopped.
    pub(super) fn add(&mut self, picture: &Pixmap, time: f64) -> Result<(), CommandError> {
        if let Some((shown, frame)) = self.waiting.take() {
            self.write(&frame, self.number(time) - self.number(shown))?;
        }
        self.waiting = Some((time, picture.data().to_vec()));
        Ok(())
    }

    /// Writes the last frame, which stays for a second, and waits for ffmpeg.
    ///
    /// # Errors
    /// [`CommandError::Video`] if ffmpeg could not write the file.
    pub(super) fn finish(mut self) -> Result<(), CommandError> {
        if let Some((_, frame)) = self.waiting.take() {
            self.write(&frame, self.rate.round())?;
        }
        self.close()
    }

    /// Writes a frame a number of times.
    ///
    /// # Errors
    /// [`CommandError::Video`] if ffmpeg has stopped.
    fn write(&mut self, frame: &[u8], times: f64) -> Result<(), CommandError> {
        let mut left = times;
        while left >= 1.0 {
            let pipe = self.child.as_mut().and_then(|child| child.stdin.as_mut());
            if pipe.is_none_or(|pipe| pipe.write_all(frame).is_err()) {
                self.close()?;
                return Err(self.failed());
            }
            left -= 1.0;
        }
        Ok(())
    }

    /// Ends the frames and waits for ffmpeg, which has said on standard error what went wrong.
    ///
    /// # Errors
    /// [`CommandError::Video`] if it ends with an error.
    fn close(&mut self) -> Result<(), CommandError> {
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        drop(child.stdin.take());
        match child.wait() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(self.failed()),
        }
    }

    /// Error after ffmpeg has stopped.
    fn failed(&self) -> CommandError {
        CommandError::Video {
            file: self.file.clone(),
            message: "ffmpeg has stopped before its end; its reason stands above".to_owned(),
        }
    }
}

impl Drop for Video {
    /// Ends ffmpeg, so that no process is left behind.
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
