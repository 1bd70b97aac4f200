//! `trajectory.npy`: positions of every written state, `[states, vertices, 2]` (m).

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::store::journal::Entry;
use crate::store::report::RunReport;
use crate::store::trajectory::{TRAJECTORY, TrajectoryWriter};

/// Registration of the trajectory.
pub(super) const KIND: Kind = Kind {
    files: &[TRAJECTORY],
    when: When::AtEnd,
    begin,
};

/// Begins the file, whose head states the number of states.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let states = context.totals.states;
    let writer =
        TrajectoryWriter::create(context.folder, TRAJECTORY, states, context.layout.vertices)?;
    Ok(Some(Box::new(writer)))
}

impl Writer for TrajectoryWriter {
    /// Adds the positions, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if let Some(x) = &entry.x {
            self.add(x)?;
        }
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        TrajectoryWriter::finish(*self)?;
        Ok(())
    }
}
