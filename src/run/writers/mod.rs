//! Writers: one for each kind of file that a run writes.
//!
//! A writer begins with the [`Context`] of the run, sees every entry of the journal once, in order,
//! and completes its file at the end. It may decline if the options do not ask for its file.
//!
//! A new writer is a file here, its `mod` line and its line in [`KINDS`].

mod chart;
mod contacts;
mod energies;
mod flow;
mod forces;
mod frames;
mod ledger;
mod mesh;
mod samples;
mod segments;
mod timings;
mod trajectory;
mod velocities;
mod vtu;

use super::super::CommandError;
use ipcsim::scene::Setup;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::journal::Entry;
use ipcsim_store::place::Layout;
use ipcsim_store::report::{RunOptions, RunReport};

pub(crate) use frames::FrameWriter;

/// Writer of one kind of file, which it makes entry by entry.
pub(super) trait Writer {
    /// Adds a step of the run, or its start.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError>;

    /// Completes the file, and notes in the report what belongs there: counts and checksums.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError>;
}

/// Writer, which may refer to the scene and its world, or `None` if the options of the run do not
/// ask for its file.
pub(super) type Begun<'s> = Result<Option<Box<dyn Writer + 's>>, CommandError>;

/// Facts that a writer knows when it begins.
pub(super) struct Context<'a, 's> {
    /// Folder of the run.
    pub(super) folder: &'a RunFolder,
    /// Scene and world, with the initial state.
    pub(super) setup: &'s Setup,
    /// Options of the command line.
    pub(super) options: &'a RunOptions,
    /// Numbers of vertices and turns that all states have.
    pub(super) layout: &'a Layout,
    /// Names of the potentials, in the order of their columns.
    pub(super) potentials: &'a [&'static str],
    /// Numbers of entries to come. All are 0 for a writer that begins with the run.
    pub(super) totals: Totals,
}

impl Context<'_, '_> {
    /// Names of all bodies, obstacles last.
    fn names(&self) -> Vec<String> {
        let bodies = self.setup.world.bodies.iter();
        bodies.map(|body| body.name.clone()).collect()
    }
}

/// Amount that a run writes in all, which is known at its end. Array files state it in their heads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Number of written states.
    pub(super) states: usize,
    /// Number of ends of step segments.
    pub(super) places: usize,
    /// Number of contacts.
    pub(super) contacts: usize,
    /// Number of rows of the table of forces.
    pub(super) force_rows: usize,
    /// True if a step has no forces any more: the table is full, or there is none.
    pub(super) forces_end: bool,
}

impl Totals {
    /// Counts an entry: its state, if it is written, the ends of its segments, its contacts and
    /// forces.
    pub(super) fn count(&mut self, entry: &Entry) {
        self.states += usize::from(entry.x.is_some());
        self.places += entry.way.len();
        self.contacts += entry.contacts.len();
        match &entry.forces {
            Some(sums) => self.force_rows += sums.rows(),
            None => self.forces_end |= entry.report.record.step > 0,
        }
    }
}

/// Time at which a writer sees the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// As they come. A run that resumes shows its earlier entries again.
    During,
    /// At the end of the run, read back from the journal.
    AtEnd,
}

/// Kind of file that a run writes: its names, and how its writer begins.
pub(super) struct Kind {
    /// Names of the files, former ones too. A new run in the same folder removes them.
    pub(super) files: &'static [&'static str],
    /// Time at which the writer sees the entries.
    pub(super) when: When,
    /// Function that begins the writer.
    pub(super) begin: for<'s> fn(&Context<'_, 's>) -> Begun<'s>,
}

/// All kinds of files. Writers that see entries at the same time begin and finish in this order.
pub(super) const KINDS: [Kind; 14] = [
    mesh::KIND,
    frames::KIND,
    vtu::KIND,
    trajectory::KIND,
    velocities::KIND,
    flow::KIND,
    energies::KIND,
    forces::KIND,
    contacts::KIND,
    samples::KIND,
    chart::KIND,
    ledger::KIND,
    timings::KIND,
    segments::KIND,
];

/// Names of all files that writers write.
pub(crate) fn files() -> Vec<&'static str> {
    KINDS.iter().flat_map(|kind| kind.files).copied().collect()
}

/// Begins the writers that see the entries at the given time, without those that decline.
///
/// # Errors
/// If a file cannot be created.
pub(super) fn begin<'s>(
    when: When,
    context: &Context<'_, 's>,
) -> Result<Vec<Box<dyn Writer + 's>>, CommandError> {
    let mut writers: Vec<Box<dyn Writer + 's>> = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.when == when) {
        writers.extend((kind.begin)(context)?);
    }
    Ok(writers)
}
