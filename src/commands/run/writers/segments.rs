//! Step segments, with `run --certify`; their checksums are in the report.

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::store::journal::Entry;
use crate::store::report::RunReport;
use crate::store::segments::{FORMER, SEGMENTS, SegmentsWriter};

pub(super) const KIND: Kind = Kind {
    files: &[SEGMENTS[0], SEGMENTS[1], SEGMENTS[2], FORMER],
    when: When::AtEnd,
    begin,
};

struct Segments {
    writer: SegmentsWriter,
    places: usize,
}

fn begin(context: &Context) -> Begun {
    if !context.options.certify {
        return Ok(None);
    }
    let places = context.totals.places;
    let writer = SegmentsWriter::create(context.folder, context.layout, places)?;
    Ok(Some(Box::new(Segments { writer, places })))
}

impl Writer for Segments {
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        for place in &entry.way {
            self.writer.add(entry.report.record.step, place)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        report.segments = self.places.saturating_sub(1);
        report.checksums.extend(self.writer.finish()?);
        Ok(())
    }
}
