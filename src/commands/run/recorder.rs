//! Records a run: a journal while it goes on, and the files that writers make of its entries.

use super::super::CommandError;
use super::writers::{self, Context, Totals, When, Writer};
use crate::math::Vec2;
use crate::scene::Setup;
use crate::solve::Timings;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::error::failed;
use crate::store::folder::{JOURNAL, RUN, RunFolder};
use crate::store::journal::{Entry, Journal, JournalReader};
use crate::store::place::Layout;
use crate::store::report::{RunOptions, RunReport};
use crate::time::Record;
use std::time::{Duration, Instant};

/// Journal and writers of a run.
pub(super) struct Recorder {
    folder: RunFolder,
    options: RunOptions,
    potentials: Vec<&'static str>,
    layout: Layout,
    journal: Journal,
    /// Writers that see entries as they come.
    writers: Vec<Box<dyn Writer>>,
    totals: Totals,
    /// True if the last entry has no positions, as the run does not write its state.
    is_last_hidden: bool,
    started: Instant,
}

impl Recorder {
    /// Begins the files of a run, or reopens those that reach to `checkpoint`.
    pub(super) fn start(
        folder: &RunFolder,
        setup: &Setup,
        options: &RunOptions,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Self, CommandError> {
        let path = folder.path().join(JOURNAL);
        let (end, records) = checkpoint.map_or((0, 0), |checkpoint| checkpoint.journal);
        let mut recorder = Self {
            folder: folder.clone(),
            options: options.clone(),
            potentials: Record::columns(&setup.world),
            layout: Layout::of(&setup.world.model.coordinates, &setup.state.q),
            journal: Journal::open(&path, end, records)?,
            writers: Vec::new(),
            totals: Totals::default(),
            is_last_hidden: false,
            started: Instant::now(),
        };
        recorder.writers = writers::begin(When::During, &recorder.context(setup))?;

        for entry in JournalReader::open(&path)? {
            recorder.show(&entry?)?;
        }
        Ok(recorder)
    }

    fn context<'a>(&'a self, setup: &'a Setup) -> Context<'a> {
        Context {
            folder: &self.folder,
            setup,
            options: &self.options,
            layout: &self.layout,
            potentials: &self.potentials,
            totals: self.totals,
        }
    }

    /// Records a step, or the start.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), CommandError> {
        self.journal.add(entry)?;
        self.show(entry)
    }

    /// Shows an entry of the journal to the writers.
    fn show(&mut self, entry: &Entry) -> Result<(), CommandError> {
        self.totals.count(entry);
        self.is_last_hidden = entry.x.is_none();
        for writer in &mut self.writers {
            writer.entry(entry)?;
        }
        Ok(())
    }

    /// Completes `checkpoint` and writes it, after the entries that it relies on.
    pub(super) fn checkpoint(&mut self, mut checkpoint: Checkpoint) -> Result<(), CommandError> {
        self.journal.sync()?;
        checkpoint.journal = self.journal.end();
        Ok(checkpoint.write(&self.folder)?)
    }

    /// Makes all files of the journal and completes the report, which is written last.
    ///
    /// The positions `last` (m) are written even if the scene does not ask for that state.
    pub(super) fn finish(
        mut self,
        setup: &Setup,
        mut report: RunReport,
        last: Option<&[Vec2]>,
    ) -> Result<RunReport, CommandError> {
        let elapsed = self.started.elapsed();
        let last = last.filter(|_| self.is_last_hidden);
        self.totals.states += usize::from(last.is_some());
        let mut at_end = writers::begin(When::AtEnd, &self.context(setup))?;

        let (_, records) = self.journal.end();
        let mut timings = Timings::default();
        let mut before = Duration::ZERO;
        for (entry, number) in self.journal.read_back()?.zip(1..) {
            let mut entry = entry?;
            if let Some(x) = last.filter(|_| number == records) {
                entry.x = Some(x.to_vec());
                for writer in &mut self.writers {
                    writer.entry(&entry)?;
                }
            }
            for writer in &mut at_end {
                writer.entry(&entry)?;
            }

            match entry.report.record.step {
                0 => report.count(&entry.report.record),
                _ => report.count_step(&entry.report),
            }
            timings.add(&entry.timings);
            before = before.saturating_add(entry.whole);
        }

        for writer in self.writers.into_iter().chain(at_end) {
            writer.finish(&mut report)?;
        }
        // A run that was resumed has taken longer than since it was resumed.
        report.time(&timings, before.max(elapsed));
        write_json(&self.folder, RUN, &report)?;
        Ok(report)
    }
}

/// Removes what a completed run does not need: its journal and its checkpoints.
///
/// The files that replace them are on the disk first, if the run was worth a checkpoint.
pub(super) fn remove_journal(folder: &RunFolder) -> Result<(), CommandError> {
    let steps = checkpoint::steps(folder)?;
    if !steps.is_empty() {
        let mut files = writers::files();
        files.push(RUN);
        files.retain(|file| folder.path().join(file).exists());
        folder.sync(&files)?;
    }
    for step in steps {
        checkpoint::remove(folder, step)?;
    }

    let journal = folder.path().join(JOURNAL);
    if journal.exists() {
        std::fs::remove_file(&journal).map_err(failed("remove", &journal))?;
    }
    Ok(())
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
