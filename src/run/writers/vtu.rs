//! Files with fields for `ParaView`, if the scene asks for them.
//!
//! They are written while the run is under way. A run that resumes writes those of its earlier
//! states again, with the same bits.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use crate::fields::series::{LIST, Series};
use crate::fields::{Sink, add_entry, chosen};
use ipcsim::scene::schema::Output;
use ipcsim_store::error::failed;
use ipcsim_store::field_names::FIELDS;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;

/// Registration of the list; its files are in a folder of their own.
pub(super) const KIND: Kind = Kind {
    files: &[LIST],
    when: When::During,
    begin,
};

/// Files of the states so far.
struct Files<'s> {
    /// The files and their list.
    series: Box<Series<'s>>,
    /// What the scene says about its output.
    output: &'s Output,
    /// Written states from one file to the next.
    every: usize,
    /// Last step of the scene.
    last: usize,
    /// Number of written states so far.
    states: usize,
}

/// Begins the files that the scene asks for.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let scene = &context.setup.scene;
    let Some(vtu) = &scene.output.vtu else {
        return Ok(None);
    };

    // All files are written again when a run goes on: its last state may be another.
    let fields = context.folder.path().join(FIELDS);
    if fields.exists() {
        std::fs::remove_dir_all(&fields).map_err(failed("remove", &fields))?;
    }
    let series = Series::begin(context.folder, context.setup, chosen(&vtu.fields))?;
    Ok(Some(Box::new(Files {
        series: Box::new(series),
        output: &scene.output,
        every: vtu.every,
        last: scene.time.steps,
        states: 0,
    })))
}

impl Writer for Files<'_> {
    /// Writes the file of a state, if it has one.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_none() {
            return Ok(());
        }

        // A state that the scene does not ask for is the last one before a failure.
        let step = entry.report.record.step;
        let is_due = self.states.is_multiple_of(self.every);
        let is_last = step == self.last || !step.is_multiple_of(self.output.every);
        self.states += 1;
        if is_due || is_last {
            add_entry(&mut *self.series, entry)?;
        }
        Ok(())
    }

    /// Completes the list, and notes its checksum.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        for written in self.series.finish()? {
            report.checksums.insert(written.name, written.checksum);
        }
        Ok(())
    }
}
