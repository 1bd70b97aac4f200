//! Writers: one for each kind of file that a run writes.
//!
//! A writer begins with the [`Context`] of the run, sees every entry of the journal once, in order,
//! and completes its file at the end. It may decline if the options do not ask for its file.
//!
//! A new writer is a file here, its `mod` line and its line in [`KINDS`].

mod bodies;
mod chambers;
mod chart;
mod contacts;
mod energies;
mod events;
mod flow;
mod forces;
mod frames;
mod joints;
mod ledger;
mod measures;
mod mesh;
mod samples;
mod segments;
mod thinned;
mod timings;
mod trajectory;
mod velocities;
mod vtu;
mod writer;

use super::super::CommandError;

pub(crate) use frames::FrameWriter;
pub(super) use writer::{Begun, Context, Kind, Totals, When, Writer};

/// All kinds of files. Writers that see entries at the same time begin and finish in this order.
pub(super) const KINDS: [Kind; 19] = [
    mesh::KIND,
    events::KIND,
    frames::KIND,
    vtu::KIND,
    trajectory::KIND,
    velocities::KIND,
    flow::KIND,
    energies::KIND,
    forces::KIND,
    joints::KIND,
    bodies::KIND,
    chambers::KIND,
    measures::KIND,
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

/// Names of the files that have a checksum: all but timings, which differ between equal runs.
pub(super) fn guarded() -> Vec<&'static str> {
    let mut files = files();
    files.retain(|file| !timings::KIND.files.contains(file));
    files
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
