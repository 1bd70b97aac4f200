//! Tables with a row for each pair, joint or body and step, which are thinned out where they would be
//! too long.

use super::{Begun, Context, Writer};
use crate::CommandError;
use ipcsim_store::file::PartialFile;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Lines of an entry; `None` if it has none of a table.
type Rows<'s> = Box<dyn Fn(&Entry) -> Option<String> + 's>;

/// A table that is thinned out.
pub(super) struct ThinnedTable<'s> {
    /// Name of the file.
    pub(super) name: &'static str,
    /// Key of the scene that limits its rows, and its value.
    pub(super) limit: (&'static str, usize),
    /// First line, with its line feed.
    pub(super) header: String,
    /// Steps from one to the next that the table has.
    pub(super) stride: usize,
    /// Lines of an entry; `None` if it has none of this table.
    pub(super) rows: Rows<'s>,
}

/// Table that is being written.
struct Writing<'s> {
    /// The table.
    table: ThinnedTable<'s>,
    /// File, which has its name only when it is complete.
    file: PartialFile,
}

impl<'s> ThinnedTable<'s> {
    /// Begins the table with its header.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn begin(self, context: &Context<'_, 's>) -> Begun<'s> {
        let mut file = context.folder.begin(self.name)?;
        file.add(self.header.as_bytes())?;
        Ok(Some(Box::new(Writing { table: self, file })))
    }
}

impl Writer for Writing<'_> {
    /// Adds the rows of a step, if the table has it.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let is_kept = entry.report.record.step.is_multiple_of(self.table.stride);
        if let Some(rows) = (self.table.rows)(entry).filter(|_| is_kept) {
            self.file.add(rows.as_bytes())?;
        }
        Ok(())
    }

    /// Gives the file its name; notes its checksum, and the steps that it leaves out.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let ThinnedTable {
            name,
            limit: (key, limit),
            stride,
            ..
        } = self.table;
        let checksum = self.file.finish()?;
        report.checksums.insert(name.to_owned(), checksum);

        // A table with all steps needs no words.
        if stride > 1 {
            report.thinned.insert(name.to_owned(), stride);
            report.notices.push(format!(
                "{name} has only the steps that are multiples of {stride}, since the scene allows \
                 {limit} rows; raise output.{key} for more"
            ));
        }
        Ok(())
    }
}
