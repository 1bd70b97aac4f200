//! `energies.csv`: energies and sums of every written state, a row for each.
//!
//! The table grows during the run, so that it can be looked at. The names of the columns are in
//! `store::table`, which also reads the file.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::append::GrowingFile;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use ipcsim_store::table::{ENERGIES, Lines};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[ENERGIES],
    when: When::During,
    begin,
};

/// Table that is being written.
struct Energies {
    /// File with the rows so far.
    file: GrowingFile,
    /// Names of the columns.
    header: Vec<u8>,
    /// Lines that are being added.
    lines: Lines,
}

/// Begins the table with its header.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let lines = Lines::new(&context.setup.world);
    let header = lines.header(context.potentials).into_bytes();
    let file = GrowingFile::create(&context.folder.path().join(ENERGIES), header.clone())?;
    Ok(Some(Box::new(Energies {
        file,
        header,
        lines,
    })))
}

impl Writer for Energies {
    /// Adds a row, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        self.lines.enter(record);
        if entry.x.is_some() {
            self.file.add(self.lines.line(record).as_bytes())?;
            if self.file.is_due() {
                self.file.renew(self.header.clone())?;
            }
        }
        Ok(())
    }

    /// Shows all rows, and notes their checksum.
    fn so_far(&mut self, report: &mut RunReport) -> Result<(), CommandError> {
        let part = self.file.so_far()?;
        report.saved.insert(ENERGIES.to_owned(), part);
        Ok(())
    }

    /// Completes the table, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = self.file.finish(self.header)?;
        report.checksums.insert(ENERGIES.to_owned(), checksum);
        Ok(())
    }
}
