//! Step segments, with `run --certify`: the ends of the paths on which the solver moved all
//! vertices.
//!
//! `verify` proves from them that nothing intersects between the stored states. Their checksums are
//! in the report.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use ipcsim_store::segments::{FORMER, SEGMENTS, SegmentsWriter};

/// Registration of the segments, with the name of the file of former versions.
pub(super) const KIND: Kind = Kind {
    files: &[SEGMENTS[0], SEGMENTS[1], SEGMENTS[2], FORMER],
    when: When::AtEnd,
    begin,
};

/// Files that are being written.
struct Segments {
    /// Writer of the three files.
    writer: SegmentsWriter,
    /// Number of ends that the files hold. There is one segment less.
    places: usize,
}

/// Begins the files, unless the run stores no segments.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    if !context.options.certify {
        return Ok(None);
    }
    let places = context.totals.places;
    let writer = SegmentsWriter::create(context.folder, context.layout, places)?;
    Ok(Some(Box::new(Segments { writer, places })))
}

impl Writer for Segments {
    /// Adds the ends of the segments of a step.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        for place in &entry.way {
            self.writer.add(entry.report.record.step, place)?;
        }
        Ok(())
    }

    /// Completes the files; notes the number of segments and the checksums.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        report.segments = self.places.saturating_sub(1);
        report.checksums.extend(self.writer.finish()?);
        Ok(())
    }
}
