//! `trajectory.npy`: positions of every written state, `[states, vertices, 2]` (m).
//!
//! The array grows during the run, so that it can be looked at.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use ipcsim_store::trajectory::{GrowingTrajectory, TRAJECTORY};

/// Registration of the trajectory.
pub(super) const KIND: Kind = Kind {
    files: &[TRAJECTORY],
    when: When::During,
    begin,
};

/// Begins the file without a state.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let writer = GrowingTrajectory::create(context.folder, context.layout.vertices)?;
    Ok(Some(Box::new(writer)))
}

impl Writer for GrowingTrajectory {
    /// Adds the positions, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if let Some(x) = &entry.x {
            self.add(x)?;
        }
        Ok(())
    }

    /// Shows all states, and notes their checksum.
    fn so_far(&mut self, report: &mut RunReport) -> Result<(), CommandError> {
        let part = GrowingTrajectory::so_far(self)?;
        report.saved.insert(TRAJECTORY.to_owned(), part);
        Ok(())
    }

    /// Completes the file, and notes its checksum.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = GrowingTrajectory::finish(*self)?;
        report.checksums.insert(TRAJECTORY.to_owned(), checksum);
        Ok(())
    }
}
