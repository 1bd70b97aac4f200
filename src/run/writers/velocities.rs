//! `velocities.npy`: velocities of every written state, `[states, vertices, 2]` (m/s), if the scene
//! asks for them.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use ipcsim_store::trajectory::{TrajectoryWriter, VELOCITIES};

/// Registration of the velocities.
pub(super) const KIND: Kind = Kind {
    files: &[VELOCITIES],
    when: When::AtEnd,
    begin,
};

/// Velocities that are being written.
struct Velocities {
    /// File, whose head states the number of states.
    file: TrajectoryWriter,
}

/// Begins the file, unless the scene wants none.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    if !context.setup.scene.output.velocities {
        return Ok(None);
    }
    let states = context.totals.states;
    let vertices = context.layout.vertices;
    let file = TrajectoryWriter::create(context.folder, VELOCITIES, states, vertices)?;
    Ok(Some(Box::new(Velocities { file })))
}

impl Writer for Velocities {
    /// Adds the velocities, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if let (Some(_), Some(v)) = (&entry.x, &entry.v) {
            self.file.add(v)?;
        }
        Ok(())
    }

    /// Completes the file, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = self.file.finish()?;
        report.checksums.insert(VELOCITIES.to_owned(), checksum);
        Ok(())
    }
}
