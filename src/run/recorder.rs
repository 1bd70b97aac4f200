//! Recorder of a run: a journal while the run is under way, and the files that writers make of it.
//!
//! Every step becomes an [`Entry`] of the journal, which is on the disk before a checkpoint relies
//! on it. Some writers see the entries as they come; frames are drawn while the next steps are
//! computed. The other writers see them at the end, read back from the journal. A file can
//! therefore state in its head how many entries it has, and a run that resumes needs no
//! half-written file: it shows the entries of the journal again.

use super::super::CommandError;
use super::report::{outdated_friction, pressed_flat, wide_gap_at_rest};
use super::shown::Shown;
use super::thinning::{Sampled, Thinned};
use super::writers::{self, Context, Totals, When, Writer};
use ipcsim::scene::Setup;
use ipcsim::solve::{Timings, Touching};
use ipcsim::time::{Record, State};
use ipcsim_store::checkpoint::Checkpoint;
use ipcsim_store::folder::{JOURNAL, RunFolder};
use ipcsim_store::journal::{Entry, Journal, JournalReader};
use ipcsim_store::measured::Tallies;
use ipcsim_store::part::Part;
use ipcsim_store::place::Layout;
use ipcsim_store::report::{RunOptions, RunReport};
use ipcsim_store::residual_work::ResidualWork;
use ipcsim_store::run_files::{note_new, note_saved, write_report};
use std::time::{Duration, Instant};

/// Journal and writers of a run.
pub(super) struct Recorder<'s> {
    /// Folder of the run.
    folder: RunFolder,
    /// Options of the run, by which writers decide whether they write.
    options: RunOptions,
    /// Names of the potentials, in the order of their columns.
    potentials: Vec<&'static str>,
    /// Numbers of vertices and turns that a stored state has.
    layout: Layout,
    /// Journal, open for the next entry.
    journal: Journal,
    /// Writers that see entries as they come.
    writers: Vec<Box<dyn Writer + 's>>,
    /// Counts of the entries so far.
    totals: Totals,
    /// Steps of the tables whose rows are limited.
    thinned: Thinned,
    /// True if the last entry has no positions, since the scene does not ask for that state.
    is_last_hidden: bool,
    /// Report of the unfinished run, with the checksums of all files so far.
    report: RunReport,
    /// Start of this process's part of the run.
    started: Instant,
}

impl<'s> Recorder<'s> {
    /// Begins the files of a run, or reopens those that reach to `checkpoint`.
    ///
    /// Entries of the journal after the checkpoint are cut off. Those before it are shown to the
    /// writers again, so that a resumed run writes the same files as an uninterrupted one.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if the journal is damaged before the checkpoint.
    pub(super) fn start(
        folder: &RunFolder,
        setup: &'s Setup,
        options: &RunOptions,
        checkpoint: Option<&Checkpoint>,
        report: RunReport,
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
            thinned: Thinned::new(&setup.scene.output),
            is_last_hidden: false,
            report,
            started: Instant::now(),
        };
        recorder.writers = writers::begin(When::During, &recorder.context(setup))?;

        // A resumed run shows its earlier entries again.
        for entry in JournalReader::open(&path)? {
            recorder.show(&entry?)?;
        }
        recorder.note()?;
        Ok(recorder)
    }

    /// Writes the report of the unfinished run, with the checksums of all that is recorded so far.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    fn note(&mut self) -> Result<(), CommandError> {
        for writer in &mut self.writers {
            writer.so_far(&mut self.report)?;
        }
        note_saved(&self.folder, self.journal.so_far()?, &mut self.report)?;
        note_new(&self.folder, &[], &mut self.report.checksums)?;
        Ok(write_report(&self.folder, &self.report)?)
    }

    /// Facts that a writer may use when it begins. The totals are those of the entries so far.
    fn context<'a>(&'a self, setup: &'s Setup) -> Context<'a, 's> {
        Context {
            folder: &self.folder,
            setup,
            options: &self.options,
            layout: &self.layout,
            potentials: &self.potentials,
            totals: self.totals,
            strides: self.thinned.strides(),
        }
    }

    /// Rows of a state at the end of a step that ended with `last`, for the tables that have it.
    pub(super) fn sample(&self, setup: &Setup, state: &State, last: &Touching) -> Sampled {
        self.thinned.sample(setup, state, last)
    }

    /// Records a step, or the start.
    ///
    /// # Errors
    /// If the journal or a file of a writer cannot be written.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), CommandError> {
        self.journal.add(entry)?;
        self.show(entry)
    }

    /// Counts an entry and shows it to the writers that see entries as they come.
    ///
    /// # Errors
    /// If the file of a writer cannot be written.
    fn show(&mut self, entry: &Entry) -> Result<(), CommandError> {
        self.totals.count(entry);
        self.thinned.count(entry);
        self.is_last_hidden = entry.x.is_none();
        for writer in &mut self.writers {
            writer.entry(entry)?;
        }
        Ok(())
    }

    /// Completes `checkpoint` by the end of the journal, and writes it after the entries that it
    /// relies on; with `durably` both are on the disk then.
    ///
    /// # Errors
    /// If the journal or the checkpoint cannot be written.
    pub(super) fn checkpoint(
        &mut self,
        mut checkpoint: Checkpoint,
        durably: bool,
    ) -> Result<(), CommandError> {
        if durably {
            self.journal.sync()?;
        }
        checkpoint.journal = self.journal.end();
        checkpoint.write(&self.folder, durably)?;
        self.note()
    }

    /// True if the state of the last entry is not written, since the scene does not ask for it.
    pub(super) fn is_last_hidden(&self) -> bool {
        self.is_last_hidden
    }

    /// Makes all files of the journal and completes the report, which is written last.
    ///
    /// The state `last` is written too, although the scene does not ask for it.
    ///
    /// # Errors
    /// If the journal cannot be read back, or if a file cannot be written.
    pub(super) fn finish(
        mut self,
        setup: &'s Setup,
        mut report: RunReport,
        last: Option<&Shown>,
    ) -> Result<RunReport, CommandError> {
        let elapsed = self.started.elapsed();
        self.totals.states += usize::from(last.is_some());
        self.totals.contacts += last.map_or(0, |last| last.contacts.len());
        let mut at_end = writers::begin(When::AtEnd, &self.context(setup))?;

        // Each entry goes to the writers and into the sums of the report.
        let (_, records) = self.journal.end();
        let mut timings = Timings::default();
        let mut tallies = Tallies::default();
        let mut before = Duration::ZERO;
        for (entry, number) in self.journal.read_back()?.zip(1..) {
            let mut entry = entry?;
            if let Some(shown) = last.filter(|_| number == records) {
                shown.clone().put_into(&mut entry);
                for writer in &mut self.writers {
                    writer.entry(&entry)?;
                }
            }
            for writer in &mut at_end {
                writer.entry(&entry)?;
            }

            match entry.report.record.step {
                0 => report.count(&entry.report.record),
                _ => report.count_step(&entry.report, &setup.world.model.joints),
            }
            tallies.add(&entry.report);
            timings.add(&entry.timings);
            before = before.saturating_add(entry.whole);
        }

        report.measures = tallies.results(&setup.measures.list);
        report.notices.extend(pressed_flat(&report, setup));
        report.notices.extend(wide_gap_at_rest(&report, setup));
        report.notices.extend(outdated_friction(&report, setup));
        let left_over = report.residual_work.as_ref();
        let warning = left_over.and_then(ResidualWork::warning);
        report.notices.extend(warning);

        // Files are complete before the report says so.
        report.checksums = std::mem::take(&mut self.report.checksums);
        for writer in self.writers.into_iter().chain(at_end) {
            writer.finish(&mut report)?;
        }
        note_new(&self.folder, &writers::guarded(), &mut report.checksums)?;
        let journal = Part::whole(self.journal.so_far()?.checksum);
        note_saved(&self.folder, journal, &mut report)?;

        // The steps of a resumed run took longer in all than this process did.
        report.time(&timings, before.max(elapsed));
        write_report(&self.folder, &report)?;
        Ok(report)
    }
}
