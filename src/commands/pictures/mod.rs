//! Frames of a run and their animation, drawn while the run goes on or again later.

pub(super) mod painter;
pub(super) mod view;

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

/// Name of the animation.
pub(super) const ANIMATION: &str = "animation.gif";

/// Style of the frames of `scene` at a size in pixels. Times get as many decimals as steps need.
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

/// Numbered pictures and an animation of them.
pub(super) struct Pictures {
    frames: PathBuf,
    /// The animation, until it is complete.
    animation: Option<GifWriter<BufWriter<File>>>,
    folder: RunFolder,
    count: usize,
}

impl Pictures {
    /// Begins pictures of `size` pixels in the folder of a run.
    pub(super) fn create(folder: &RunFolder, size: (u32, u32)) -> Result<Self, CommandError> {
        let frames = folder.path().join(FRAMES);
        std::fs::create_dir_all(&frames).map_err(failed("create", &frames))?;

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

    /// Adds the picture of `time` (s), after `step` steps.
    pub(super) fn add(
        &mut self,
        picture: &tiny_skia::Pixmap,
        time: f64,
        step: usize,
    ) -> Result<(), CommandError> {
        let bytes = png::encode(picture)?;
        let path = self.frames.join(format!("{step:06}.png"));
        write_whole(&path, |out| out.write_all(&bytes))?;

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
    pub(super) fn finish(mut self) -> Result<usize, CommandError> {
        if let Some(animation) = self.animation.take() {
            complete(&self.folder, animation).inspect_err(|_| remove_partial(&self.folder))?;
        }
        Ok(self.count)
    }
}

/// Writes the end of the animation and gives the file its name.
fn complete(folder: &RunFolder, animation: GifWriter<BufWriter<File>>) -> Result<(), CommandError> {
    let path = folder.partial(ANIMATION);
    let mut file = animation.finish().map_err(in_file(folder))?;
    let named = file
        .flush()
        .and_then(|()| std::fs::rename(&path, folder.path().join(ANIMATION)));
    Ok(named.map_err(failed("write", &path))?)
}

impl Drop for Pictures {
    fn drop(&mut self) {
        if self.animation.take().is_some() {
            remove_partial(&self.folder);
        }
    }
}

/// Removes the partial animation. An error of this is ignored: another one came first.
fn remove_partial(folder: &RunFolder) {
    let _ = std::fs::remove_file(folder.partial(ANIMATION));
}

/// Adds the animation's path to an error of the operating system.
fn in_file(folder: &RunFolder) -> impl FnOnce(PictureError) -> CommandError {
    let path = folder.partial(ANIMATION);
    move |error| match error {
        PictureError::Gif(gif::EncodingError::Io(source)) => failed("write", &path)(source).into(),
        other => other.into(),
    }
}
