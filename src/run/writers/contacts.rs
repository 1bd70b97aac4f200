//! `contacts.csv` and `contacts.npy`: all contacts of the written states, if the scene asks.
//!
//! Columns are in `store::contacts`, which also reads the files.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::contact_table::{CONTACTS_CSV, CONTACTS_NPY, ContactsWriter, begin_text, line};
use ipcsim_store::file::PartialFile;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Registration of the tables.
pub(super) const KIND: Kind = Kind {
    files: &[CONTACTS_CSV, CONTACTS_NPY],
    when: When::AtEnd,
    begin,
};

/// Tables that are being written.
struct ContactTables {
    /// Table as text.
    text: Option<PartialFile>,
    /// Table as an array of records.
    records: Option<ContactsWriter>,
    /// Names of the bodies, obstacles last.
    names: Vec<String>,
}

/// Begins the tables that the scene asks for.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let files = context.setup.scene.output.contacts;
    let text = files.csv().then(|| begin_text(context.folder));
    let records = files
        .npy()
        .then(|| ContactsWriter::create(context.folder, context.totals.contacts));

    if text.is_none() && records.is_none() {
        return Ok(None);
    }
    Ok(Some(Box::new(ContactTables {
        text: text.transpose()?,
        records: records.transpose()?,
        names: context.names(),
    })))
}

impl Writer for ContactTables {
    /// Adds the contacts of a state.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        for contact in &entry.contacts {
            if let Some(file) = &mut self.text {
                let line = line(record.step, record.time, contact, &self.names);
                file.add(line.as_bytes())?;
            }
            if let Some(records) = &mut self.records {
                records.add(record.step, record.time, contact)?;
            }
        }
        Ok(())
    }

    /// Gives the files their names, and notes their checksums.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let mut note = |name: &str, checksum| report.checksums.insert(name.to_owned(), checksum);
        if let Some(file) = self.text {
            note(CONTACTS_CSV, file.finish()?);
        }
        if let Some(records) = self.records {
            note(CONTACTS_NPY, records.finish()?);
        }
        Ok(())
    }
}
