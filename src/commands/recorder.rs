//! Everything that a run writes while it goes on, and what is made of it at the end.

use super::CommandError;
use crate::geometry::Aabb;
use crate::math::Vec2;
use crate::output::folder::{self, RunFolder};
use crate::output::frame::Style;
use crate::output::gif::{GifStyle, GifWriter};
use crate::output::mesh_file::MeshFile;
use crate::output::picture::{Painter, default_view};
use crate::output::report::RunReport;
use crate::output::trajectory::TrajectoryWriter;
use crate::output::{energies, png};
use crate::scene::{Scene, Setup};
use crate::solve::{Phase, Timings};
use crate::time::Record;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Writes a run's files.
pub(super) struct Recorder {
    folder: RunFolder,
    title: String,
    potentials: Vec<&'static str>,
    trajectory: TrajectoryWriter,
    frames: Option<FrameWriter>,
    records: Vec<Record>,
    timings: Vec<(usize, Timings, Duration)>,
}

impl Recorder {
    /// Writes what is known before the first step.
    pub(super) fn start(folder: RunFolder, setup: &Setup, frames: bool) -> Result<Self, CommandError> {
        let (scene, world) = (&setup.scene, &setup.world);
        let mesh = MeshFile::of(world);
        write_json(&folder, folder::SCENE, scene)?;
        write_json(&folder, folder::MESH, &mesh)?;
        let trajectory = TrajectoryWriter::create(&folder, world.rest.len())?;
        let title = scene.name.clone().unwrap_or_default();
        let frames = if frames {
            let end = scene.time.step * scene.time.steps as f64;
            let view = scene.output.view.map_or_else(
                || default_view(world, &setup.state.x, end),
                |view| Aabb { min: view.min.into(), max: view.max.into() },
            );
            let style = style(scene, scene.output.width, scene.output.height);
            let painter = Painter::new(&mesh, |vertex| world.moves(vertex), view, style, &title);
            Some(FrameWriter::start(&folder, painter)?)
        } else {
            None
        };
        let potentials = Record::columns(world);
        Ok(Self { folder, title, potentials, trajectory, frames, records: Vec::new(), timings: Vec::new() })
    }

    /// Writes a state and its record.
    pub(super) fn state(&mut self, x: &[Vec2], record: Record) -> Result<(), CommandError> {
        self.trajectory.add(x)?;
        if let Some(frames) = &mut self.frames {
            frames.add(x, record.time, record.step)?;
        }
        self.records.push(record);
        Ok(())
    }

    /// Notes where the time of a step went.
    pub(super) fn timing(&mut self, step: usize, timings: Timings, whole: Duration) {
        self.timings.push((step, timings, whole));
    }

    /// Waits until trajectory and frames are written, whose number it returns; all else is left out.
    pub(super) fn close(self) -> Result<usize, CommandError> {
        self.trajectory.finish()?;
        self.frames.map_or(Ok(0), FrameWriter::finish)
    }

    /// Writes everything that is known only at the end. The report is written last.
    pub(super) fn finish(self, mut report: RunReport) -> Result<RunReport, CommandError> {
        self.trajectory.finish()?;
        if let Some(frames) = self.frames {
            report.frames = frames.finish()?;
        }
        let table = energies::csv(&self.potentials, &self.records);
        self.folder.write(folder::ENERGIES, |out| out.write_all(table.as_bytes()))?;
        let chart = energies::chart(&self.title, &self.potentials, &self.records)?;
        self.folder.write(folder::CHART, |out| out.write_all(&chart))?;
        self.folder.write(folder::TIMINGS, |out| write_timings(out, &self.timings))?;
        write_json(&self.folder, folder::RUN, &report)?;
        Ok(report)
    }
}

/// How frames of `scene` look at a size in pixels: times are shown as finely as steps are taken.
pub(super) fn style(scene: &Scene, width: u32, height: u32) -> Style {
    let digits = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6].into_iter().take_while(|&unit| scene.time.step < 0.999 * unit).count();
    Style { width, height, time_decimals: 2 + digits }
}

/// Writes `value` as JSON.
pub(super) fn write_json(folder: &RunFolder, name: &str, value: &impl serde::Serialize) -> Result<(), CommandError> {
    Ok(folder.write(name, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })?)
}

fn write_timings(out: &mut dyn Write, rows: &[(usize, Timings, Duration)]) -> std::io::Result<()> {
    let names: Vec<&str> = Phase::ALL.iter().map(|(_, name)| *name).collect();
    writeln!(out, "step,{},whole", names.join(","))?;
    for (step, timings, whole) in rows {
        write!(out, "{step}")?;
        for (phase, _) in Phase::ALL {
            write!(out, ",{:.9}", timings.seconds(phase))?;
        }
        writeln!(out, ",{:.9}", whole.as_secs_f64())?;
    }
    Ok(())
}

/// Draws frames on a thread of its own, so that the simulation does not wait for pictures.
pub(super) struct FrameWriter {
    queue: SyncSender<(Vec<Vec2>, f64, usize)>,
    thread: JoinHandle<Result<usize, CommandError>>,
}

/// States that may wait to be drawn.
const WAITING: usize = 16;

impl FrameWriter {
    fn start(folder: &RunFolder, painter: Painter) -> Result<Self, CommandError> {
        let mut pictures = Pictures::create(folder, painter.size())?;
        let (queue, waiting) = sync_channel::<(Vec<Vec2>, f64, usize)>(WAITING);
        let thread = std::thread::spawn(move || {
            for (x, time, step) in waiting {
                pictures.add(&painter.paint(&x, time, step, None)?, time, step)?;
            }
            pictures.finish()
        });
        Ok(Self { queue, thread })
    }

    /// Queues a state. If the thread has stopped, its error is told by [`FrameWriter::finish`].
    fn add(&mut self, x: &[Vec2], time: f64, step: usize) -> Result<(), CommandError> {
        if self.queue.send((x.to_vec(), time, step)).is_err() && self.thread.is_finished() {
            return Err(CommandError::Threads("the frame writer has stopped".to_owned()));
        }
        Ok(())
    }

    fn finish(self) -> Result<usize, CommandError> {
        drop(self.queue);
        self.thread.join().unwrap_or_else(|_| Err(CommandError::Threads("the frame writer has stopped".to_owned())))
    }
}

/// Numbered pictures and an animation of them.
pub(super) struct Pictures {
    frames: PathBuf,
    animation: GifWriter<BufWriter<File>>,
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
        let animation = GifWriter::new(BufWriter::new(file), size, GifStyle::default())?;
        Ok(Self { frames, animation, folder: folder.clone(), count: 0 })
    }

    /// Adds the picture after `step` steps.
    pub(super) fn add(&mut self, picture: &tiny_skia::Pixmap, time: f64, step: usize) -> Result<(), CommandError> {
        let bytes = png::encode(picture)?;
        folder::write_whole(&self.frames.join(format!("{step:06}.png")), |out| out.write_all(&bytes))?;
        if self.animation.wants(time) {
            self.animation.add(picture, time)?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes the animation and returns the number of pictures.
    pub(super) fn finish(self) -> Result<usize, CommandError> {
        let path = self.folder.partial(folder::ANIMATION);
        self.animation.finish()?.flush().map_err(folder::failed("write", &path))?;
        std::fs::rename(&path, self.folder.path().join(folder::ANIMATION)).map_err(folder::failed("write", &path))?;
        Ok(self.count)
    }
}
