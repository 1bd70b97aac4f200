//! `energies.csv`: energies and sums of every written state.

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::store::file::PartialFile;
use crate::store::journal::Entry;
use crate::store::report::RunReport;
use crate::store::table::{ENERGIES, header, row};

pub(super) const KIND: Kind = Kind {
    files: &[ENERGIES],
    when: When::AtEnd,
    begin,
};

struct Energies {
    file: PartialFile,
}

fn begin(context: &Context) -> Begun {
    let mut file = context.folder.begin(ENERGIES)?;
    file.add(header(context.potentials).as_bytes())?;
    Ok(Some(Box::new(Energies { file })))
}

impl Writer for Energies {
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_some() {
            self.file.add(row(&entry.report.record).as_bytes())?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        self.file.finish()?;
        Ok(())
    }
}
