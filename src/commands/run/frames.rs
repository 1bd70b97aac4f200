//! Frames drawn on a thread of their own, so that the simulation does not wait for pictures.

use super::super::CommandError;
use super::super::pictures::{Pictures, style};
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::output::folder::RunFolder;
use crate::output::mesh_file::MeshFile;
use crate::output::picture::{Painter, default_view};
use crate::scene::Setup;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Draws frames while the simulation goes on.
pub(super) struct FrameWriter {
    /// `None` when the thread has been waited for.
    thread: Option<(SyncSender<Moment>, JoinHandle<Result<usize, CommandError>>)>,
}

/// Positions, time (s) and step.
type Moment = (Vec<Vec2>, f64, usize);

/// States that may wait to be drawn.
const WAITING: usize = 16;

impl FrameWriter {
    pub(super) fn start(folder: &RunFolder, setup: &Setup, mesh: &MeshFile) -> Result<Self, CommandError> {
        let Setup { scene, world, state } = setup;
        let end = scene.time.step * scene.time.steps as f64;
        let view = scene.output.view.map_or_else(
            || default_view(world, &state.x, end),
            |view| Aabb { min: view.min.into(), max: view.max.into() },
        );
        let style = style(scene, scene.output.width, scene.output.height);
        let title = scene.name.clone().unwrap_or_default();
        let painter = Painter::new(mesh, |vertex| world.moves(vertex), view, style, &title);
        let mut pictures = Pictures::create(folder, painter.size())?;
        let (queue, waiting) = sync_channel::<Moment>(WAITING);
        let thread = std::thread::spawn(move || {
            for (x, time, step) in waiting {
                pictures.add(&painter.paint(&x, time, step, None)?, time, step)?;
            }
            pictures.finish()
        });
        Ok(Self { thread: Some((queue, thread)) })
    }

    /// Queues a state. If the thread has stopped, its error is returned.
    pub(super) fn add(&mut self, x: &[Vec2], time: f64, step: usize) -> Result<(), CommandError> {
        let queued = self.thread.as_ref().is_some_and(|(queue, _)| queue.send((x.to_vec(), time, step)).is_ok());
        if queued { Ok(()) } else { self.finish().map(|_| ()) }
    }

    /// Waits for the last frame, and returns their number.
    pub(super) fn finish(&mut self) -> Result<usize, CommandError> {
        let stopped = || Err(CommandError::Threads("the frame writer has stopped".to_owned()));
        let Some((queue, thread)) = self.thread.take() else {
            return stopped();
        };
        drop(queue);
        thread.join().unwrap_or_else(|_| stopped())
    }
}
