//! `probes.csv` and `sections.csv`: motion and stress of the points that the scene names.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use crate::fields::tables::{PROBES, SECTIONS, SampleTable};
use crate::fields::{Sink, add_entry};
use ipcsim::scene::samples;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Registration of the tables.
pub(super) const KIND: Kind = Kind {
    files: &[PROBES[0], SECTIONS[0]],
    when: When::AtEnd,
    begin,
};

/// Tables that are being written.
struct Tables<'s> {
    /// That of probes, then that of sections, as far as the scene has any.
    tables: Vec<Box<dyn Sink + 's>>,
}

/// Begins the tables that the scene asks for.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let setup = context.setup;
    let output = &setup.scene.output;
    let mut tables: Vec<Box<dyn Sink + 's>> = Vec::new();
    if !output.probes.is_empty() {
        let samples = samples::probes(setup);
        let table = SampleTable::begin(context.folder, PROBES, setup, samples)?;
        tables.push(Box::new(table));
    }
    if !output.sections.is_empty() {
        let samples = samples::sections(output, &setup.world);
        let table = SampleTable::begin(context.folder, SECTIONS, setup, samples)?;
        tables.push(Box::new(table));
    }

    if tables.is_empty() {
        return Ok(None);
    }
    Ok(Some(Box::new(Tables { tables })))
}

impl Writer for Tables<'_> {
    /// Adds the rows of a state, if it is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        for table in &mut self.tables {
            add_entry(&mut **table, entry)?;
        }
        Ok(())
    }

    /// Gives the files their names, and notes their checksums.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        for table in self.tables {
            for written in table.finish()? {
                report.checksums.insert(written.name, written.checksum);
            }
        }
        Ok(())
    }
}
