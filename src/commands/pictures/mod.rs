//! Frames of a run and their animation, drawn while the run is under way or again later.
//!
//! [`view`] chooses the part of the world that pictures show, [`painter`] makes a picture of a
//! state, [`values`] chooses its colours, [`speeds`] tells how fast vertices are, [`arrows`] finds
//! the forces that it may show, and [`sketch`] the symbols of loads and supports. [`Pictures`]
//! writes each one as a numbered PNG into `frames/` and adds it to the animation, which has its
//! name only when it is complete.

pub(super) mod arrows;
mod joined;
mod live;
pub(super) mod painter;
pub(super) mod sketch;
pub(super) mod speeds;
pub(super) mod values;
pub(super) mod view;

pub use live::{Look, Picture, frame_view, picture};
pub use values::ColorBy;

use super::CommandError;
use crate::pictures::error::PictureError;
use crate::pictures::frame::Style;
use crate::pictures::gif::{GifStyle, GifWriter};
use crate::pictures::png;
use crate::scene::Scene;
use crate::store::error::failed;
use crate::store::file::write_whole;
use crate::store::folder::{FRAMES, RunFolder};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Name of the animation in the folder of a run.
pub(super) const ANIMATION: &str = "animation.gif";

/// Style of the frames of `scene` at a size in pixels.
///
/// Times have two decimals, or as many as tell one step from the next, at most seven.
pub(super) fn style(scene: &Scene, width: u32, height: u32) -> Style {
    let digits = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
        .into_iter()
        .take_while(|&unit| scene.time.step < 0.999 * unit)
        .count();
    Style {
        width,
        height,
        time_decimals: 2 + digits,
    }
}

/// Numbered pictures and an animation of them, in the folder of a run. If it is dropped before its
/// end, the partial animation is removed.
pub(super) struct Pictures {
    /// Folder of the pictures.
    frames: PathBuf,
    /// Animation, until it is complete.
    animation: Option<GifWriter<BufWriter<File>>>,
    /// Folder of the run.
    folder: RunFolder,
    /// Number of pictures so far.
    count: usize,
}

impl Pictures {
    /// Begins pictures of `size` pixels in the folder of a run.
    ///
    /// # Errors
    /// If a file or folder cannot be created.
    pub(super) fn create(folder: &RunFolder, size: (u32, u32)) -> Result<Self, CommandError> {
        let frames = folder.path().join(FRAMES);
        std::fs::create_dir_all(&frames).map_err(failed("create", &frames))?;

        // The animation gets its own name when it is complete.
        let path = folder.partial(ANIMATION);
        let file = File::create(&path).map_err(failed("write", &path))?;
        let animation = GifWriter::new(BufWriter::new(file), size, GifStyle::default())
            .map_err(in_file(folder))
            .inspect_err(|_| remove_partial(folder))?;
        Ok(Self {
            frames,
            animation: Some(animation),
            folder: folder.clone(),
            count: 0,
        })
    }

    /// Adds the picture of `time` (s), after `step` steps. The animation leaves out pictures that
    /// follow each other too fast.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn add(
        &mut self,
        picture: &tiny_skia::Pixmap,
        time: f64,
        step: usize,
    ) -> Result<(), CommandError> {
        let bytes = png::encode(picture)?;
        let path = self.frames.join(format!("{step:06}.png"));
        write_whole(&path, |out| out.write_all(&bytes))?;

        // Formats of animations limit how many pictures a second they show.
        if let Some(animation) = &mut self.animation
            && animation.wants(time)
        {
            animation
                .add(picture, time)
                .map_err(in_file(&self.folder))?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes the animation and returns the number of pictures.
    ///
    /// # Errors
    /// If the animation cannot be written. No partial file remains.
    pub(super) fn finish(mut self) -> Result<usize, CommandError> {
        if let Some(animation) = self.animation.take() {
            complete(&self.folder, animation).inspect_err(|_| remove_partial(&self.folder))?;
        }
        Ok(self.count)
    }
}

/// Writes the end of the animation and gives the file its name.
///
/// # Errors
/// If the file cannot be written or renamed.
fn complete(folder: &RunFolder, animation: GifWriter<BufWriter<File>>) -> Result<(), CommandError> {
    let path = folder.partial(ANIMATION);
    let mut file = animation.finish().map_err(in_file(folder))?;
    let named = file
        .flush()
        .and_then(|()| std::fs::rename(&path, folder.path().join(ANIMATION)));
    Ok(named.map_err(failed("write", &path))?)
}

impl Drop for Pictures {
    /// Removes the partial animation of a run that ended with an error.
    fn drop(&mut self) {
        if self.animation.take().is_some() {
            remove_partial(&self.folder);
        }
    }
}

/// Removes the partial animation. An error of this is ignored, since another one came first.
fn remove_partial(folder: &RunFolder) {
    let _ = std::fs::remove_file(folder.partial(ANIMATION));
}

/// Adds the path of the animation to an error of the operating system, for `map_err`.
fn in_file(folder: &RunFolder) -> impl FnOnce(PictureError) -> CommandError {
    let path = folder.partial(ANIMATION);
    move |error| match error {
        PictureError::Gif(gif::EncodingError::Io(source)) => failed("write", &path)(source).into(),
        other => other.into(),
    }
}
