//! `timings.csv`: time (s) that each step spent in each phase, and what became of its directions, a row
//! for each step.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim::solve::{Count, Phase};
use ipcsim_store::file::PartialFile;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::RunReport;
use std::fmt::Write;

/// Name of the file.
const TIMINGS: &str = "timings.csv";

/// Registration of the timings.
pub(super) const KIND: Kind = Kind {
    files: &[TIMINGS],
    when: When::AtEnd,
    begin,
};

/// Table that is being written.
struct TimingsTable {
    /// File, which has its name only when it is complete.
    file: PartialFile,
}

/// Begins the table with its header: the step, the phases, the whole and the counts.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let phases: Vec<&str> = Phase::ALL.iter().map(|(_, name)| *name).collect();
    let mut file = context.folder.begin(TIMINGS)?;
    let counts: Vec<&str> = Count::ALL.iter().map(|(_, name, _)| *name).collect();
    let header = format!("step,{},whole,{}\n", phases.join(","), counts.join(","));
    file.add(header.as_bytes())?;
    Ok(Some(Box::new(TimingsTable { file })))
}

impl Writer for TimingsTable {
    /// Adds the row of a step. The start is no step and has none.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let step = entry.report.record.step;
        if step == 0 {
            return Ok(());
        }

        // Writing to a string cannot fail.
        let mut line = step.to_string();
        for (phase, _) in Phase::ALL {
            let _ = write!(line, ",{:.9}", entry.timings.seconds(phase));
        }
        let _ = write!(line, ",{:.9}", entry.whole.as_secs_f64());

        // Counts stand behind the times, where readers of the times do not look.
        for (what, _, _) in Count::ALL {
            let _ = write!(line, ",{}", entry.counts.of(what));
        }
        line.push('\n');
        Ok(self.file.add(line.as_bytes())?)
    }

    /// Gives the file its name.
    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        self.file.finish()?;
        Ok(())
    }
}
