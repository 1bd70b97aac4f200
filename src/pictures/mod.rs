//! Frames of a run and their animation, drawn while the run is under way or again later.
//!
//! [`args`] has the options of pictures, [`view`] and [`camera`] choose the part of the world that
//! they show, [`painter`] makes a picture of a state, `cell_sides` finds the sides of a cell that repeats, [`values`] chooses its colours, [`speeds`] tells
//! how fast vertices are, [`arrows`] finds the forces that it may show, and [`sketch`] the symbols of
//! loads and supports. [`Pictures`] writes each one as a numbered PNG into `frames/` and adds it to
//! the [`animation`] and the [`video`]. The animation has its name only when it is complete.

mod animation;
pub(super) mod args;
pub(super) mod arrows;
pub(super) mod camera;
pub(super) mod carried;
pub(crate) mod cell_sides;
mod grounded;
pub(crate) mod home_cell;
mod joined;
mod live;
pub(super) mod painter;
mod palette_name;
pub(super) mod sketch;
pub(super) mod speeds;
pub(super) mod values;
mod video;

pub use live::{Look, Picture, frame_view, picture, picture_png};
pub use values::ColorBy;

use super::CommandError;
use animation::{Animation, is_frame, name};
use args::{Format, PictureArgs};
use ipcsim::scene::Scene;
use ipcsim::scene::schema::Time;
use ipcsim_pictures::error::PictureError;
use ipcsim_pictures::frame::Style;
use ipcsim_pictures::png;
use ipcsim_store::error::failed;
use ipcsim_store::file::{create_new, write_whole};
use ipcsim_store::folder::{FRAMES, inner, partial};
use ipcsim_store::table::Moment;
use std::path::{Path, PathBuf};
use tiny_skia::Pixmap;
use video::Video;

/// Names of animations in the folder of a run.
pub(super) const ANIMATIONS: [&str; 2] = ["animation.gif", "animation.png"];

/// Name of the picture of many moments in the folder of a run.
pub(super) const SHEET: &str = "sheet.png";

/// Names of the files beside the frames.
pub(super) const ANIMATIONS_AND_SHEET: [&str; 3] = [ANIMATIONS[0], ANIMATIONS[1], SHEET];

/// Style of the frames of `scene` at a size in pixels.
///
/// Times have two decimals, or as many as tell one step from the next, at most seven.
pub(super) fn style(scene: &Scene, width: u32, height: u32) -> Style {
    let digits = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
        .into_iter()
        .take_while(|&unit| scene.time.step < 0.999 * unit)
        .count();
    Style {
        time_decimals: 2 + digits,
        ..Style::of_size(width, height)
    }
}

/// A picture with the bytes of its file. Many are made at once on all cores.
pub(super) struct Drawn {
    /// The picture.
    picture: Pixmap,
    /// Bytes of its PNG file.
    bytes: Vec<u8>,
}

impl Drawn {
    /// Encodes a picture.
    ///
    /// # Errors
    /// [`PictureError::Png`] if that fails.
    pub(super) fn of(picture: Pixmap) -> Result<Self, PictureError> {
        let bytes = png::encode(&picture)?;
        Ok(Self { picture, bytes })
    }
}

/// Numbered pictures, an animation of them and a video, in a folder. If it is dropped before its end,
/// the partial animation is removed.
pub(super) struct Pictures {
    /// Folder of the pictures.
    frames: PathBuf,
    /// Animation, until it is complete.
    animation: Option<Animation>,
    /// Video, until it is complete.
    video: Option<Video>,
    /// Path of the animation, if there is one.
    path: Option<PathBuf>,
    /// Number of pictures so far.
    count: usize,
    /// Steps of the run, which say when animation and video show a picture.
    steps: Time,
}

impl Pictures {
    /// Begins pictures of `size` pixels of a run with these `steps` in a folder, at its `moments` as far
    /// as they are known. Frames and animations that are
    /// there are removed: those of other steps must not remain among the new ones.
    ///
    /// # Errors
    /// If a file or folder cannot be created or removed, or if ffmpeg is missing.
    pub(super) fn create(
        folder: &Path,
        size: (u32, u32),
        args: &PictureArgs,
        (steps, moments): (&Time, &[Moment]),
    ) -> Result<Self, CommandError> {
        // What may fail at once comes before anything is removed.
        let pace = args.pace();
        let video = match &args.video {
            Some(file) => Some(Video::begin(file, size, args.fps, pace)?),
            None => None,
        };

        let frames = inner(folder, FRAMES)?;
        remove_frames(&frames)?;
        for old in ANIMATIONS.map(|name| folder.join(name)) {
            if old.exists() {
                std::fs::remove_file(&old).map_err(failed("remove", &old))?;
            }
        }

        // A GIF has no opacity. The animation gets its own name when it is complete.
        let format = match args.animation.unwrap_or_default() {
            Format::Gif if args.transparent => Format::None,
            format => format,
        };
        let mut pictures = Self {
            frames,
            animation: None,
            video,
            path: name(format).map(|name| folder.join(name)),
            count: 0,
            steps: steps.clone(),
        };

        if let Some(path) = &pictures.path {
            let path = partial(path);
            let file = create_new(&path).map_err(failed("write", &path))?;
            let times = moments.iter().map(|at| steps.shown(at.step, at.time));
            let times: Vec<f64> = times.collect();
            let begun = Animation::begin(format, file, size, pace, &times);
            let begun = begun.map_err(|error| pictures.explained(error));
            pictures.animation = begun.inspect_err(|_| pictures.remove_partial())?;
        }
        Ok(pictures)
    }

    /// Adds the picture of `time` (s), after `step` steps. The animation leaves out pictures that
    /// follow each other too fast.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn add(
        &mut self,
        drawn: &Drawn,
        time: f64,
        step: usize,
    ) -> Result<(), CommandError> {
        let path = self.frames.join(format!("{step:06}.png"));
        write_whole(&path, |out| out.write_all(&drawn.bytes))?;
        let time = self.steps.shown(step, time);

        if let Some(animation) = &mut self.animation {
            let added = animation.add(&drawn.picture, time);
            added.map_err(|error| self.explained(error))?;
        }
        if let Some(video) = &mut self.video {
            video.add(&drawn.picture, time)?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes animation and video, and returns the number of pictures.
    ///
    /// # Errors
    /// If one of them cannot be written. No partial animation remains.
    pub(super) fn finish(mut self) -> Result<usize, CommandError> {
        if let Some(animation) = self.animation.take()
            && let Some(path) = self.path.clone()
        {
            let written = animation.finish();
            let complete = written
                .map_err(|error| self.explained(error))
                .and_then(|()| {
                    let from = partial(&path);
                    Ok(std::fs::rename(&from, &path).map_err(failed("write", &path))?)
                });
            complete.inspect_err(|_| self.remove_partial())?;
        }

        self.video.take().map_or(Ok(()), Video::finish)?;
        Ok(self.count)
    }

    /// Error of the animation with the path of its file, if the operating system is its cause.
    fn explained(&self, error: PictureError) -> CommandError {
        let path = self.path.as_deref().unwrap_or(&self.frames);
        match error.into_io() {
            Ok(source) => failed("write", &partial(path))(source).into(),
            Err(error) => error.into(),
        }
    }

    /// Removes the partial animation. An error of this is ignored, since another one came first.
    fn remove_partial(&self) {
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(partial(path));
        }
    }
}

impl Drop for Pictures {
    /// Removes the partial animation of a run that ended with an error.
    fn drop(&mut self) {
        if self.animation.take().is_some() {
            self.remove_partial();
        }
    }
}

/// Removes the numbered pictures in a folder, and the folder if nothing else is in it.
///
/// # Errors
/// If the folder cannot be read, or a picture cannot be removed.
fn remove_frames(frames: &Path) -> Result<(), CommandError> {
    if !frames.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(frames).map_err(failed("read", frames))? {
        let path = entry.map_err(failed("read", frames))?.path();
        if is_frame(&path) {
            std::fs::remove_file(&path).map_err(failed("remove", &path))?;
        }
    }
    Ok(())
}
