//! `ledger.png`: where energy comes from and where it goes, if the scene keeps a ledger.
//!
//! Work since the start is stacked, what bodies have gained above zero and what they have lost
//! below, so that no curve hides another one. The line is their sum: the energy that bodies have
//! more than at the start.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_pictures::chart::{Chart, Panel, Series};
use ipcsim_store::folder::RunFolder;
use ipcsim_store::journal::Entry;
use ipcsim_store::ledger::Books;
use ipcsim_store::report::RunReport;

/// Name of the file.
const LEDGER: &str = "ledger.png";
/// Size of the chart (pixels).
const SIZE: (u32, u32) = (1280, 720);
/// Share of the largest source below which a source cannot be seen, and is left out (1).
const VISIBLE: f64 = 1e-3;

/// Names of the sources for readers, in the order of [`Work::NAMES`](ipcsim::time::Work::NAMES).
const SOURCES: [&str; 24] = [
    "loads",
    "hands",
    "gas",
    "prescribed motion",
    "friction",
    "restitution",
    "impacts",
    "falling asleep",
    "time step, joints",
    "dampers",
    "brakes",
    "motors",
    "limits of joints",
    "springs of broken joints",
    "changes of gravity",
    "damping",
    "temperature",
    "plastic flow",
    "stiffer barriers",
    "time step, inertia",
    "time step, elasticity",
    "time step, contact",
    "tolerance of the solver",
    "restored energy",
];

/// Registration of the chart.
pub(super) const KIND: Kind = Kind {
    files: &[LEDGER],
    when: When::AtEnd,
    begin,
};

/// Collector of the work of each source.
struct LedgerChart {
    /// Folder of the run.
    folder: RunFolder,
    /// Name of the scene.
    title: String,
    /// Sums over steps.
    books: Books,
    /// Times of the states (s).
    times: Vec<f64>,
    /// Work of each source since the start, state by state (J).
    sources: [Vec<f64>; SOURCES.len()],
    /// Energy gained since the start, state by state (J).
    gained: Vec<f64>,
}

/// Begins a chart without points, unless the scene keeps no ledger.
#[allow(
    clippy::unnecessary_wraps,
    reason = "all writers begin with this signature"
)]
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    if !context.setup.world.options.ledger || !context.options.frames {
        return Ok(None);
    }

    let scene = context.setup.scene.name.clone().unwrap_or_default();
    Ok(Some(Box::new(LedgerChart {
        folder: context.folder.clone(),
        title: format!("{scene}: where energy comes from and goes"),
        books: Books::default(),
        times: Vec::new(),
        sources: <[Vec<f64>; SOURCES.len()]>::default(),
        gained: Vec::new(),
    })))
}

impl Writer for LedgerChart {
    /// Adds the work of the step, and a point to each source if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let record = &entry.report.record;
        self.books.enter(record);
        if entry.x.is_none() {
            return Ok(());
        }
        self.times.push(record.time);
        self.gained.push(self.books.gained());
        for (source, work) in self.sources.iter_mut().zip(self.books.work.values()) {
            source.push(work);
        }
        Ok(())
    }

    /// Draws the chart and writes it.
    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        let all = self.sources.iter().map(|source| largest(source));
        let visible = VISIBLE * all.fold(0.0, f64::max);

        let mut layers = Vec::new();
        for (name, values) in SOURCES.into_iter().zip(&self.sources) {
            // Sources that are too small to be seen would only fill the legend.
            if largest(values) > visible {
                layers.push(Series {
                    name,
                    values,
                    strong: false,
                });
            }
        }
        let gained = Series {
            name: "gained by all bodies",
            values: &self.gained,
            strong: true,
        };

        let panel = Panel {
            layers,
            ..Panel::new(("energy since the start", "J"), vec![gained])
        };
        let chart = Chart {
            title: &self.title,
            x_axis: ("time", "s"),
            x: &self.times,
            panels: vec![panel],
            marks: Vec::new(),
            size: SIZE,
        };
        let png = chart.to_png()?;
        Ok(self.folder.write(LEDGER, |out| out.write_all(&png))?)
    }
}

/// Largest magnitude of some values; 0 if there are none.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}
