//! What a run writes: frames and a journal while it goes on, everything else from the journal at the end.

use super::super::CommandError;
use super::chart::chart;
use super::frames::FrameWriter;
use crate::math::Vec2;
use crate::scene::Setup;
use crate::solve::{Phase, Timings};
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::folder::{self, RunFolder};
use crate::store::journal::{Entry, Journal, JournalReader};
use crate::store::mesh_file::MeshFile;
use crate::store::report::RunReport;
use crate::store::segments::{self, Layout};
use crate::store::table;
use crate::store::trajectory;
use crate::time::Record;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// Writes a run's files.
pub(super) struct Recorder {
    folder: RunFolder,
    title: String,
    potentials: Vec<&'static str>,
    layout: Layout,
    journal: Journal,
    frames: Option<FrameWriter>,
    /// States written so far.
    entries: usize,
    /// What is known of the last step, where the run does not write its state.
    unshown: Option<Record>,
    started: Instant,
}

impl Recorder {
    /// Begins the files of a run, or goes on with those that reach to `checkpoint`.
    pub(super) fn start(
        folder: &RunFolder,
        setup: &Setup,
        frames: bool,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Self, CommandError> {
        let mesh = MeshFile::of(&setup.world);
        write_json(folder, folder::MESH, &mesh)?;
        let path = folder.path().join(folder::JOURNAL);
        let (end, records) = checkpoint.map_or((0, 0), |checkpoint| checkpoint.journal);
        let mut recorder = Self {
            journal: Journal::open(&path, end, records)?,
            folder: folder.clone(),
            title: setup.scene.name.clone().unwrap_or_default(),
            potentials: Record::columns(&setup.world),
            layout: Layout::of(&setup.world.model.coordinates, &setup.state.q),
            frames: frames
                .then(|| FrameWriter::start(folder, setup, &mesh))
                .transpose()?,
            entries: 0,
            unshown: None,
            started: Instant::now(),
        };
        for entry in JournalReader::open(&path)? {
            recorder.show(&entry?)?;
        }
        Ok(recorder)
    }

    /// Records a step, or the start.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), CommandError> {
        self.journal.add(entry)?;
        self.show(entry)
    }

    fn show(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        self.unshown = entry.x.is_none().then(|| record.clone());
        entry.x.as_ref().map_or(Ok(()), |x| self.draw(x, record))
    }

    fn draw(&mut self, x: &[Vec2], record: &Record) -> Result<(), CommandError> {
        self.entries += 1;
        self.frames
            .as_mut()
            .map_or(Ok(()), |frames| frames.add(x, record.time, record.step))
    }

    /// Completes `checkpoint` and writes it, after what it stands on.
    pub(super) fn checkpoint(&mut self, mut checkpoint: Checkpoint) -> Result<(), CommandError> {
        self.journal.sync()?;
        checkpoint.journal = self.journal.end();
        Ok(checkpoint.write(&self.folder)?)
    }

    /// Makes everything of the journal that is known only at the end, and completes the report, which is written last. The
    /// positions `last` are written even if their step is not one of those that the scene asks for.
    pub(super) fn finish(
        mut self,
        mut report: RunReport,
        last: Option<&[Vec2]>,
    ) -> Result<RunReport, CommandError> {
        let elapsed = self.started.elapsed();
        let last = last.zip(self.unshown.take());
        if let Some((x, record)) = &last {
            self.draw(x, record)?;
        }
        report.frames = self.frames.take().map_or(Ok(0), FrameWriter::finish)?;
        let (mut records, mut points) = (Vec::new(), 0);
        let (mut spent, mut before) = (Timings::default(), Duration::ZERO);
        for entry in self.journal.read_back()? {
            let Entry {
                report: done,
                timings,
                whole,
                x,
                way,
            } = entry?;
            points += way.len();
            match done.record.step {
                0 => report.count(&done.record),
                _ => report.count_step(&done),
            }
            spent.add(&timings);
            before = before.saturating_add(whole);
            records.extend(x.map(|_| done.record));
        }
        // A run that was resumed has taken longer than since then.
        report.time(&spent, before.max(elapsed));
        self.write_trajectory(last.as_ref().map(|(x, _)| *x))?;
        records.extend(last.map(|(_, record)| record));
        let text = table::csv(&self.potentials, &records);
        self.folder
            .write(folder::ENERGIES, |out| out.write_all(text.as_bytes()))?;
        let chart = chart(&self.title, &self.potentials, &records)?;
        self.folder
            .write(folder::CHART, |out| out.write_all(&chart))?;
        self.write_timings()?;
        if report.options.certify {
            report.segments = points.saturating_sub(1);
            self.write_segments(points)?;
        }
        write_json(&self.folder, folder::RUN, &report)?;
        Ok(report)
    }

    /// Removes what a completed run does not need. What takes its place is on the disk first, if it is worth a checkpoint.
    pub(super) fn remove_journal(folder: &RunFolder) -> Result<(), CommandError> {
        let steps = checkpoint::steps(folder)?;
        if !steps.is_empty() {
            folder.sync(&[
                folder::TRAJECTORY,
                folder::ENERGIES,
                folder::CHART,
                folder::TIMINGS,
                folder::RUN,
            ])?;
            if folder.path().join(folder::SEGMENTS).exists() {
                folder.sync(&[folder::SEGMENTS])?;
            }
        }
        steps
            .into_iter()
            .try_for_each(|step| checkpoint::remove(folder, step))?;
        let journal = folder.path().join(folder::JOURNAL);
        if journal.exists() {
            std::fs::remove_file(&journal).map_err(folder::failed("remove", &journal))?;
        }
        Ok(())
    }

    fn write_trajectory(&mut self, last: Option<&[Vec2]>) -> Result<(), CommandError> {
        let entries = self
            .journal
            .read_back()?
            .map(|entry| entry.map(|entry| entry.x.map(Cow::Owned)).transpose());
        let states = entries.flatten().map(|x| x.map_err(std::io::Error::other));
        let states = states.chain(last.map(|x| Ok(Cow::Borrowed(x))));
        Ok(trajectory::write(
            &self.folder,
            [self.entries, self.layout.vertices],
            states,
        )?)
    }

    fn write_segments(&mut self, points: usize) -> Result<(), CommandError> {
        let entries = self
            .journal
            .read_back()?
            .map(|entry| entry.map(|entry| (entry.report.record.step, entry.way)));
        let ways = entries.map(|entry| entry.map_err(std::io::Error::other));
        Ok(segments::write(&self.folder, &self.layout, points, ways)?)
    }

    fn write_timings(&mut self) -> Result<(), CommandError> {
        let entries = self.journal.read_back()?;
        let names: Vec<&str> = Phase::ALL.iter().map(|(_, name)| *name).collect();
        Ok(self.folder.write(folder::TIMINGS, |out| {
            writeln!(out, "step,{},whole", names.join(","))?;
            for entry in entries {
                let Entry {
                    report,
                    timings,
                    whole,
                    ..
                } = entry.map_err(std::io::Error::other)?;
                if report.record.step > 0 {
                    write!(out, "{}", report.record.step)?;
                    Phase::ALL.iter().try_for_each(|(phase, _)| {
                        write!(out, ",{:.9}", timings.seconds(*phase))
                    })?;
                    writeln!(out, ",{:.9}", whole.as_secs_f64())?;
                }
            }
            Ok(())
        })?)
    }
}

/// Writes `value` as JSON.
pub(super) fn write_json(
    folder: &RunFolder,
    name: &str,
    value: &impl serde::Serialize,
) -> Result<(), CommandError> {
    Ok(folder.write(name, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })?)
}
