//! `events.csv`: joints that break, and steps that are divided or recovered, as they happen.
//!
//! The file begins with the first event. It is the first of those that grow, so that a reader of a
//! run under way finds the event of every state.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim::constraint::Joint;
use ipcsim_store::append::GrowingFile;
use ipcsim_store::error::failed;
use ipcsim_store::events::{EVENTS, HEADER, lines};
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use std::fs;
use std::path::PathBuf;

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[EVENTS],
    when: When::During,
    begin,
};

/// Table that is being written.
struct Events<'s> {
    /// Path of the file.
    path: PathBuf,
    /// File with the rows so far; none without events.
    file: Option<GrowingFile>,
    /// Joints of the scene.
    joints: &'s [Joint],
    /// Number of the last step; the last step of a run may come twice.
    step: usize,
}

/// Begins without a file; one of an earlier part of the run goes.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let path = context.folder.path().join(EVENTS);
    if path.exists() {
        fs::remove_file(&path).map_err(failed("remove", &path))?;
    }
    Ok(Some(Box::new(Events {
        path,
        file: None,
        joints: &context.setup.world.model.joints,
        step: 0,
    })))
}

impl Writer for Events<'_> {
    /// Adds the events of a step, and shows them at once.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let is_new = entry.report.record.step > self.step;
        self.step = entry.report.record.step;
        let lines = lines(&entry.report, self.joints);
        if !is_new || lines.is_empty() {
            return Ok(());
        }

        let head = || HEADER.as_bytes().to_vec();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(GrowingFile::create(&self.path, head())?),
        };
        file.add(lines.as_bytes())?;
        Ok(file.renew(head())?)
    }

    /// Completes the table, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        if let Some(file) = self.file {
            let checksum = file.finish(HEADER.as_bytes().to_vec())?;
            report.checksums.insert(EVENTS.to_owned(), checksum);
        }
        Ok(())
    }
}
