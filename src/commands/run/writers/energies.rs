//! `energies.csv`: energies and sums of every written state, a row for each.
//!
//! The names of the columns are in `store::table`, which also reads the file.

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::store::file::PartialFile;
use crate::store::journal::Entry;
use crate::store::report::RunReport;
use crate::store::table::{ENERGIES, header, row};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[ENERGIES],
    when: When::AtEnd,
    begin,
};

/// Table that is being written.
struct Energies {
    /// File, which has its name only when it is complete.
    file: PartialFile,
}

/// Begins the table with its header.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let mut file = context.folder.begin(ENERGIES)?;
    file.add(header(context.potentials).as_bytes())?;
    Ok(Some(Box::new(Energies { file })))
}

impl Writer for Energies {
    /// Adds a row, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_some() {
            self.file.add(row(&entry.report.record).as_bytes())?;
        }
        Ok(())
    }

    /// Gives the file its name.
    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        self.file.finish()?;
        Ok(())
    }
}
