//! The frames of a run and their animation, drawn while it goes on or again later.

pub(super) mod painter;
pub(super) mod view;

use super::CommandError;
use crate::pictures::error::PictureError;
use crate::pictures::frame::Style;
use crate::pictures::gif::{GifStyle, GifWriter};
use crate::pictures::png;
use crate::scene::Scene;
use crate::store::folder::{self, RunFolder};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// How frames of `scene` look at a size in pixels: times are shown as finely as steps are taken.
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
    /// The animation, while it is not complete.
    animation: Option<GifWriter<BufWriter<File>>>,
    folder: RunFolder,
    count: usize,
}

impl Pictures {
    /// Pictures of `size` pixels in the folder of a run.
    pub(super) fn create(folder: &RunFolder, size: (u32, u32)) -> Result<Self, CommandError> {
        let frames = folder.path().join(folder::FRAMES);
        std::fs::create_dir_all(&frames).map_err(folder::failed("create", &frames))?;
        let path = folder.partial(folder::ANIMATION);
        let file = File::create(&path).map_err(folder::failed("write", &path))?;
        let animation = GifWriter::new(BufWriter::new(file), size, GifStyle::default());
        let animation = animation
            .map_err(in_file(folder))
            .inspect_err(|_| remove(folder))?;
        Ok(Self {
            frames,
            animation: Some(animation),
            folder: folder.clone(),
            count: 0,
        })
    }

    /// Adds the picture after `step` steps.
    pub(super) fn add(
        &mut self,
        picture: &tiny_skia::Pixmap,
        time: f64,
        step: usize,
    ) -> Result<(), CommandError> {
        let bytes = png::encode(picture)?;
        folder::write_whole(&self.frames.join(format!("{step:06}.png")), |out| {
            out.write_all(&bytes)
        })?;
        if let Some(animation) = self
            .animation
            .as_mut()
            .filter(|animation| animation.wants(time))
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
        let (path, whole) = (
            self.folder.partial(folder::ANIMATION),
            self.folder.path().join(folder::ANIMATION),
        );
        if let Some(animation) = self.animation.take() {
            let mut file = animation
                .finish()
                .map_err(in_file(&self.folder))
                .inspect_err(|_| remove(&self.folder))?;
            let done = file.flush().and_then(|()| std::fs::rename(&path, whole));
            done.map_err(folder::failed("write", &path))
                .inspect_err(|_| remove(&self.folder))?;
        }
        Ok(self.count)
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        if self.animation.take().is_some() {
            remove(&self.folder);
        }
    }
}

/// Removes the animation that is not complete. That it fails is less than the error before it.
fn remove(folder: &RunFolder) {
    let _ = std::fs::remove_file(folder.partial(folder::ANIMATION));
}

/// An error of the operating system while the animation is written names its file.
fn in_file(folder: &RunFolder) -> impl FnOnce(PictureError) -> CommandError {
    let path = folder.partial(folder::ANIMATION);
    move |error| match error {
        PictureError::Gif(gif::EncodingError::Io(source)) => {
            folder::failed("write", &path)(source).into()
        }
        other => other.into(),
    }
}
