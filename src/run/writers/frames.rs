//! Frames and animation, drawn on a thread of their own while the simulation computes the next
//! steps.
//!
//! The simulation hands each written state to a queue of 16 places. If all are taken it waits, so
//! that states do not pile up in memory. An error of the thread ends the run at the next state.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use crate::pictures::args::PictureArgs;
use crate::pictures::painter::{Painter, Shown};
use crate::pictures::sketch::Sketch;
use crate::pictures::{ANIMATIONS_AND_SHEET, Drawn, Pictures, style};
use crate::scene_view::scene_view;
use ipcsim::math::Vec2;
use ipcsim::scene::Setup;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::journal::Entry;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::report::RunReport;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Registration of the frames and of their animation.
pub(super) const KIND: Kind = Kind {
    files: &ANIMATIONS_AND_SHEET,
    when: When::During,
    begin,
};

/// Starts the thread, unless the run writes no frames.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    if !context.options.frames || context.options.frames_later {
        return Ok(None);
    }
    Ok(Some(Box::new(Frames {
        writer: FrameWriter::start(context.folder, context.setup)?,
        every: context.setup.scene.output.frames_every,
        written: 0,
        left_out: None,
    })))
}

/// Frames of a run: some of its written states, and the last one.
struct Frames {
    /// Thread that draws.
    writer: FrameWriter,
    /// Written states from one frame to the next.
    every: usize,
    /// Number of states so far.
    written: usize,
    /// The last state if it has no frame yet: positions (m), time (s), step.
    left_out: Option<(Vec<Vec2>, f64, usize)>,
}

impl Writer for Frames {
    /// Queues the state, if it is written and has a frame.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        let Some(x) = &entry.x else {
            return Ok(());
        };

        let has_frame = self.written.is_multiple_of(self.every);
        self.written += 1;
        if has_frame {
            self.left_out = None;
            return self.writer.add(x, record.time, record.step);
        }
        // This may be the last state, which has a frame in any case.
        self.left_out = Some((x.clone(), record.time, record.step));
        Ok(())
    }

    /// Draws the last state, completes the animation, and notes the number of frames.
    fn finish(mut self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        if let Some((x, time, step)) = self.left_out.take() {
            self.writer.add(&x, time, step)?;
        }
        report.frames = self.writer.finish()?;
        Ok(())
    }
}

/// Thread that draws frames while the simulation is under way.
pub(crate) struct FrameWriter {
    /// Queue and thread; `None` after the thread has ended and was waited for.
    thread: Option<Thread>,
}

/// Thread with the queue that it takes its tasks from.
struct Thread {
    /// Queue of tasks, which the thread leaves when this end is dropped.
    queue: SyncSender<Task>,
    /// Handle to wait for the thread.
    painting: Painting,
}

/// Handle of the thread, whose result is the number of frames.
type Painting = JoinHandle<Result<usize, CommandError>>;

/// Task of the thread, which it does in the order of the queue.
enum Task {
    /// Draws a frame of the state.
    Draw {
        /// Positions of all vertices (m).
        x: Vec<Vec2>,
        /// Time of the state (s).
        time: f64,
        /// Number of the step that led to the state.
        step: usize,
    },
    /// Completes the animation. Without this task the partial animation is removed.
    Finish,
}

/// Number of states that may wait to be drawn. More of them take memory; fewer let the simulation
/// wait for a slow frame.
const WAITING: usize = 16;

impl FrameWriter {
    /// Starts the thread, with the view and the colours of the scene.
    ///
    /// # Errors
    /// If the files cannot be created.
    pub(crate) fn start(folder: &RunFolder, setup: &Setup) -> Result<Self, CommandError> {
        let Setup { scene, world, .. } = setup;
        let mesh = MeshFile::of(world);
        let style = style(scene, scene.output.width, scene.output.height);
        let title = scene.name.clone().unwrap_or_default();
        let moves = |vertex| world.moves(vertex);
        let view = scene_view(scene, world, &setup.state.x);
        let painter = Painter::new(&mesh, moves, view, style, &title);
        let sketch = scene.output.diagram.then(|| Sketch::of(setup));
        let usual = PictureArgs::default();
        let pictures = Pictures::create(folder.path(), painter.size(), &usual, (&scene.time, &[]))?;

        // Painter and files belong to the thread from here on.
        let (queue, waiting) = sync_channel(WAITING);
        let painting =
            std::thread::spawn(move || draw_all(&waiting, &painter, sketch.as_ref(), pictures));
        Ok(Self {
            thread: Some(Thread { queue, painting }),
        })
    }

    /// Queues a state with positions `x` (m) at `time` (s).
    ///
    /// # Errors
    /// If the thread has stopped: the error that stopped it.
    pub(crate) fn add(&mut self, x: &[Vec2], time: f64, step: usize) -> Result<(), CommandError> {
        let task = Task::Draw {
            x: x.to_vec(),
            time,
            step,
        };
        if let Some(thread) = &self.thread
            && thread.queue.send(task).is_ok()
        {
            return Ok(());
        }

        // The thread has stopped: waiting for it returns its error.
        self.wait().map(|_| ())
    }

    /// Completes the animation, and returns the number of frames. Waits for all frames in the
    /// queue.
    ///
    /// # Errors
    /// If a frame or the animation could not be drawn or written.
    pub(crate) fn finish(mut self) -> Result<usize, CommandError> {
        if let Some(thread) = &self.thread {
            // A thread that does not listen has failed; waiting for it returns its error.
            let _ = thread.queue.send(Task::Finish);
        }
        self.wait()
    }

    /// Waits for the thread, and returns the number of frames. A second call is an error.
    fn wait(&mut self) -> Result<usize, CommandError> {
        let stopped = || {
            let message = "the thread that draws frames has stopped".to_owned();
            Err(CommandError::Threads(message))
        };
        let Some(Thread { queue, painting }) = self.thread.take() else {
            return stopped();
        };

        // Without a queue the thread ends after its last task.
        drop(queue);
        painting.join().unwrap_or_else(|_| stopped())
    }
}

/// Draws the queued states, with the symbols of a sketch, until the task [`Task::Finish`], and
/// returns the number of frames.
///
/// # Errors
/// If a frame or the animation cannot be drawn or written.
fn draw_all(
    waiting: &Receiver<Task>,
    painter: &Painter,
    sketch: Option<&Sketch>,
    mut pictures: Pictures,
) -> Result<usize, CommandError> {
    for task in waiting {
        match task {
            Task::Draw { x, time, step } => {
                let drawn = painter.drawn(&x);
                let diagram = sketch.map(|sketch| sketch.at(&drawn, Some(time)));
                let shown = Shown {
                    diagram: diagram.as_ref(),
                    ..Shown::default()
                };
                let picture = painter.paint(&x, time, step, shown)?;
                pictures.add(&Drawn::of(picture)?, time, step)?;
            }
            Task::Finish => return pictures.finish(),
        }
    }

    // The queue was closed without that task: the run ends with an error.
    Ok(0)
}

impl Drop for FrameWriter {
    /// Waits for the thread, so that no partial file is left.
    fn drop(&mut self) {
        let _ = self.wait();
    }
}
