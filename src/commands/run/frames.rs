//! Frames drawn on a thread of their own, so that the simulation does not wait for pictures.

use super::super::CommandError;
use super::super::pictures::{Pictures, style};
use crate::commands::pictures::painter::Painter;
use crate::commands::pictures::view::default_view;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::scene::Setup;
use crate::store::folder::RunFolder;
use crate::store::mesh_file::MeshFile;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Draws frames while the simulation goes on.
pub(in crate::commands) struct FrameWriter {
    /// `None` when the thread has been waited for.
    thread: Option<(SyncSender<Job>, Painting)>,
}

/// The thread, which returns the number of frames.
type Painting = JoinHandle<Result<usize, CommandError>>;

/// What the thread does next.
enum Job {
    /// Draws these positions at this time (s) and step.
    Draw(Vec<Vec2>, f64, usize),
    /// Completes the animation. Without that, what there is of it is removed.
    Finish,
}

/// States that may wait to be drawn.
const WAITING: usize = 16;

impl FrameWriter {
    pub(in crate::commands) fn start(
        folder: &RunFolder,
        setup: &Setup,
        mesh: &MeshFile,
    ) -> Result<Self, CommandError> {
        let Setup {
            scene,
            world,
            state,
            ..
        } = setup;
        let end = scene.time.step * scene.time.steps as f64;
        let view = scene.output.view.map_or_else(
            || default_view(world, &state.x, end),
            |view| Aabb {
                min: view.min.into(),
                max: view.max.into(),
            },
        );
        let style = style(scene, scene.output.width, scene.output.height);
        let title = scene.name.clone().unwrap_or_default();
        let painter = Painter::new(mesh, |vertex| world.moves(vertex), view, style, &title);
        let mut pictures = Pictures::create(folder, painter.size())?;
        let (queue, waiting) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || {
            for job in waiting {
                match job {
                    Job::Draw(x, time, step) => {
                        pictures.add(&painter.paint(&x, time, step, None)?, time, step)?;
                    }
                    Job::Finish => return pictures.finish(),
                }
            }
            Ok(0)
        });
        Ok(Self {
            thread: Some((queue, thread)),
        })
    }

    /// Queues a state. If the thread has stopped, its error is returned.
    pub(in crate::commands) fn add(
        &mut self,
        x: &[Vec2],
        time: f64,
        step: usize,
    ) -> Result<(), CommandError> {
        let job = Job::Draw(x.to_vec(), time, step);
        if self
            .thread
            .as_ref()
            .is_some_and(|(queue, _)| queue.send(job).is_ok())
        {
            return Ok(());
        }
        self.wait().map(|_| ())
    }

    /// Completes the animation, and returns the number of frames.
    pub(in crate::commands) fn finish(mut self) -> Result<usize, CommandError> {
        if let Some((queue, _)) = &self.thread {
            // A thread that does not listen has an error, which is told below.
            let _ = queue.send(Job::Finish);
        }
        self.wait()
    }

    fn wait(&mut self) -> Result<usize, CommandError> {
        let stopped = || {
            Err(CommandError::Threads(
                "the frame writer has stopped".to_owned(),
            ))
        };
        let Some((queue, thread)) = self.thread.take() else {
            return stopped();
        };
        drop(queue);
        thread.join().unwrap_or_else(|_| stopped())
    }
}

impl Drop for FrameWriter {
    /// Whatever has ended the run, no file is left that is not complete.
    fn drop(&mut self) {
        let _ = self.wait();
    }
}
