//! Writers: one for each kind of file that a run writes.
//!
//! A new writer is a file here, its `mod` line and its line in [`KINDS`].

mod chart;
mod energies;
mod frames;
mod mesh;
mod segments;
mod timings;
mod trajectory;

use super::super::CommandError;
use crate::scene::Setup;
use crate::store::folder::RunFolder;
use crate::store::journal::Entry;
use crate::store::place::Layout;
use crate::store::report::{RunOptions, RunReport};

pub(in crate::commands) use frames::FrameWriter;

/// Writes one kind of file, entry by entry.
pub(super) trait Writer {
    /// Adds a step of the run, or its start.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError>;

    /// Completes the file, and notes in the report what the writer has to say.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError>;
}

/// A writer, or `None` if the options of the run do not ask for its file.
pub(super) type Begun = Result<Option<Box<dyn Writer>>, CommandError>;

/// What a writer knows when it begins.
pub(super) struct Context<'a> {
    pub(super) folder: &'a RunFolder,
    pub(super) setup: &'a Setup,
    pub(super) options: &'a RunOptions,
    /// Layout of all states.
    pub(super) layout: &'a Layout,
    /// Names of the potentials.
    pub(super) potentials: &'a [&'static str],
    /// Numbers of entries to come.
    pub(super) totals: Totals,
}

/// How much a run writes in all. During the run it is not known yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Number of written states.
    pub(super) states: usize,
    /// Number of ends of step segments.
    pub(super) places: usize,
}

impl Totals {
    /// Counts an entry.
    pub(super) fn count(&mut self, entry: &Entry) {
        self.states += usize::from(entry.x.is_some());
        self.places += entry.way.len();
    }
}

/// When a writer sees the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// While the run goes on; a run that resumes shows it the earlier entries again.
    During,
    /// At the end, from the journal.
    AtEnd,
}

/// A kind of file that a run writes.
pub(super) struct Kind {
    /// Names of the files, former ones too; a new run replaces them.
    pub(super) files: &'static [&'static str],
    pub(super) when: When,
    pub(super) begin: fn(&Context) -> Begun,
}

/// All kinds of files.
pub(super) const KINDS: [Kind; 7] = [
    mesh::KIND,
    frames::KIND,
    trajectory::KIND,
    energies::KIND,
    chart::KIND,
    timings::KIND,
    segments::KIND,
];

/// Names of all files that writers write.
pub(in crate::commands) fn files() -> Vec<&'static str> {
    KINDS.iter().flat_map(|kind| kind.files).copied().collect()
}

/// Begins the writers that see the entries at the given time.
pub(super) fn begin(when: When, context: &Context) -> Result<Vec<Box<dyn Writer>>, CommandError> {
    let mut writers = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.when == when) {
        writers.extend((kind.begin)(context)?);
    }
    Ok(writers)
}
