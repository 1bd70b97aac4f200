//! `measures.csv`: values of the measures of the scene, a row for each step and one for the start.
//!
//! Columns are in `store::measured`. A scene without measures has no table.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim::measures::Measure;
use ipcsim_store::file::PartialFile;
use ipcsim_store::journal::Entry;
use ipcsim_store::measured::{MEASURES, header, row};
use ipcsim_store::report::RunReport;

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[MEASURES],
    when: When::AtEnd,
    begin,
};

/// Table that is being written.
struct MeasureTable<'s> {
    /// File, which has its name only when it is complete.
    file: PartialFile,
    /// Measures of the scene.
    measures: &'s [Measure],
}

/// Begins the table with its header, if the scene has measures.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let measures = &context.setup.measures.list;
    if measures.is_empty() {
        return Ok(None);
    }
    let mut file = context.folder.begin(MEASURES)?;
    file.add(header(measures).as_bytes())?;
    Ok(Some(Box::new(MeasureTable { file, measures })))
}

impl Writer for MeasureTable<'_> {
    /// Adds the row of a step.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let line = row(self.measures, &entry.report);
        Ok(self.file.add(line.as_bytes())?)
    }

    /// Gives the file its name, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let checksum = self.file.finish()?;
        report.checksums.insert(MEASURES.to_owned(), checksum);
        Ok(())
    }
}
