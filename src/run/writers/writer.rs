//! The form of a writer, and what it knows when it begins.

use super::super::thinning::Strides;
use crate::CommandError;
use ipcsim::scene::Setup;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::journal::Entry;
use ipcsim_store::place::Layout;
use ipcsim_store::report::{RunOptions, RunReport};

/// Writer of one kind of file, which it makes entry by entry.
pub(in crate::run) trait Writer {
    /// Adds a step of the run, or its start.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError>;

    /// Shows readers what is complete so far, and notes its checksums in the report. A file without a
    /// name yet has none.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn so_far(&mut self, _report: &mut RunReport) -> Result<(), CommandError> {
        Ok(())
    }

    /// Completes the file, and notes in the report what belongs there: counts and checksums.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError>;
}

/// Writer, which may refer to the scene and its world, or `None` if the options of the run do not
/// ask for its file.
pub(in crate::run) type Begun<'s> = Result<Option<Box<dyn Writer + 's>>, CommandError>;

/// Facts that a writer knows when it begins.
pub(in crate::run) struct Context<'a, 's> {
    /// Folder of the run.
    pub(in crate::run) folder: &'a RunFolder,
    /// Scene and world, with the initial state.
    pub(in crate::run) setup: &'s Setup,
    /// Options of the command line.
    pub(in crate::run) options: &'a RunOptions,
    /// Numbers of vertices and turns that all states have.
    pub(in crate::run) layout: &'a Layout,
    /// Names of the potentials, in the order of their columns.
    pub(in crate::run) potentials: &'a [&'static str],
    /// Numbers of entries to come. All are 0 for a writer that begins with the run.
    pub(in crate::run) totals: Totals,
    /// Steps between those that tables with limited rows have. All are 1 for a writer that begins with
    /// the run.
    pub(in crate::run) strides: Strides,
}

impl Context<'_, '_> {
    /// Names of all bodies, obstacles last.
    pub(super) fn names(&self) -> Vec<String> {
        let bodies = self.setup.world.bodies.iter();
        bodies.map(|body| body.name.clone()).collect()
    }
}

/// Amount that a run writes in all, which is known at its end. Array files state it in their heads.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::run) struct Totals {
    /// Number of written states.
    pub(in crate::run) states: usize,
    /// Number of ends of step segments.
    pub(in crate::run) places: usize,
    /// Number of contacts.
    pub(in crate::run) contacts: usize,
}

impl Totals {
    /// Counts an entry: its state, if it is written, the ends of its segments and its contacts.
    pub(in crate::run) fn count(&mut self, entry: &Entry) {
        self.states += usize::from(entry.x.is_some());
        self.places += entry.way.len();
        self.contacts += entry.contacts.len();
    }
}

/// Time at which a writer sees the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum When {
    /// As they come. A run that resumes shows its earlier entries again.
    During,
    /// At the end of the run, read back from the journal.
    AtEnd,
}

/// Kind of file that a run writes: its names, and how its writer begins.
pub(in crate::run) struct Kind {
    /// Names of the files, former ones too. A new run in the same folder removes them.
    pub(in crate::run) files: &'static [&'static str],
    /// Time at which the writer sees the entries.
    pub(in crate::run) when: When,
    /// Function that begins the writer.
    pub(in crate::run) begin: for<'s> fn(&Context<'_, 's>) -> Begun<'s>,
}
