//! `forces.csv`: sums of forces of every step, a row per pair of bodies, joint, support and load.
//!
//! Columns are in `store::forces`, which also reads the file. A scene limits the number of rows. A
//! step that does not fit any more is left out, with all that follow, and the report says so.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::file::PartialFile;
use ipcsim_store::force_table::{FORCES, HEADER, Names, rows};
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[FORCES],
    when: When::AtEnd,
    begin,
};

/// Table that is being written.
struct Forces {
    /// File, which has its name only when it is complete.
    file: PartialFile,
    /// Names of bodies and loads.
    names: Names,
    /// Largest number of rows.
    limit: usize,
    /// Step at whose end the table stops; `None` while it has all steps.
    last: Option<usize>,
}

/// Begins the table with its header, unless the scene wants no rows.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let limit = context.setup.scene.output.force_rows;
    if limit == 0 {
        return Ok(None);
    }
    let mut file = context.folder.begin(FORCES)?;
    file.add(HEADER.as_bytes())?;
    Ok(Some(Box::new(Forces {
        file,
        names: Names::of(&context.setup.world),
        limit,
        last: None,
    })))
}

impl Writer for Forces {
    /// Adds the rows of a step. The start is no step and has none.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        if let Some(sums) = &entry.forces {
            let rows = rows(record.step, record.time, sums, &self.names);
            self.file.add(rows.as_bytes())?;
        } else if record.step > 0 {
            self.last.get_or_insert(record.step - 1);
        }
        Ok(())
    }

    /// Gives the file its name; notes its checksum, and where it stops.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        report
            .checksums
            .insert(FORCES.to_owned(), self.file.finish()?);
        if let Some(step) = self.last {
            let limit = self.limit;
            report.notices.push(format!(
                "{FORCES} ends after step {step}: the scene allows {limit} rows; raise \
                 output.force_rows for more"
            ));
        }
        Ok(())
    }
}
