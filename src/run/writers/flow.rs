//! `flow.npy`: plastic flow of every written state, if a material of the scene may flow.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::flow::{FLOW, FlowWriter};
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Registration of the flow.
pub(super) const KIND: Kind = Kind {
    files: &[FLOW],
    when: When::AtEnd,
    begin,
};

/// Flow that is being written.
struct Flowed {
    /// File, whose head states the number of states.
    file: FlowWriter,
}

/// Begins the file, unless nothing may flow.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let points = context.setup.world.model.flowing();
    if points == 0 {
        return Ok(None);
    }
    let file = FlowWriter::create(context.folder, context.totals.states, points)?;
    Ok(Some(Box::new(Flowed { file })))
}

impl Writer for Flowed {
    /// Adds the flow, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_some() {
            self.file.add(&entry.flowed)?;
        }
        Ok(())
    }

    /// Completes the file, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = self.file.finish()?;
        report.checksums.insert(FLOW.to_owned(), checksum);
        Ok(())
    }
}
