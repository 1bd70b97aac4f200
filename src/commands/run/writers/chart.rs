//! `energies.png`: chart of the energies over time, a curve for each, with the total in front.
//!
//! The chart shows the states that the scene asks for, as does `energies.csv`.

use super::{Begun, Context, Kind, When, Writer};
use crate::commands::CommandError;
use crate::pictures::chart::{Chart, Series};
use crate::store::folder::RunFolder;
use crate::store::journal::Entry;
use crate::store::report::RunReport;

/// Name of the file.
const CHART: &str = "energies.png";
/// Size of the chart (pixels).
const SIZE: (u32, u32) = (1280, 720);

/// Registration of the chart.
pub(super) const KIND: Kind = Kind {
    files: &[CHART],
    when: When::AtEnd,
    begin,
};

/// Collector of a curve for each energy.
struct EnergyChart {
    /// Folder of the run.
    folder: RunFolder,
    /// Name of the scene.
    title: String,
    /// Times of the states (s).
    times: Vec<f64>,
    /// Curves: kinetic energy, then the potentials, then the total.
    curves: Vec<Curve>,
    /// Number of states seen so far.
    seen: usize,
    /// Number of states for each point of the curves.
    stride: usize,
}

/// Number of points from which on every second one is left out, so that a long run takes no more
/// memory than a short one. A curve is drawn on a thousand pixels.
const POINTS: usize = 1 << 14;

/// Energies of one name, state by state.
struct Curve {
    /// Name of the curve.
    name: &'static str,
    /// Energy at each time (J).
    values: Vec<f64>,
}

/// Begins a chart without points.
#[allow(
    clippy::unnecessary_wraps,
    reason = "all writers begin with this signature"
)]
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let mut names = vec!["kinetic"];
    names.extend(context.potentials);
    names.push("total");

    let mut curves = Vec::new();
    for name in names {
        let values = Vec::new();
        curves.push(Curve { name, values });
    }
    Ok(Some(Box::new(EnergyChart {
        folder: context.folder.clone(),
        title: context.setup.scene.name.clone().unwrap_or_default(),
        times: Vec::new(),
        curves,
        seen: 0,
        stride: 1,
    })))
}

impl EnergyChart {
    /// Leaves out every second point.
    fn thin_out(&mut self) {
        self.stride *= 2;
        let curves = self.curves.iter_mut().map(|curve| &mut curve.values);
        for numbers in curves.chain([&mut self.times]) {
            let mut number = 0;
            numbers.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
    }
}

impl Writer for EnergyChart {
    /// Adds a point to each curve, if the state is written.
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_none() {
            return Ok(());
        }

        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.stride) {
            return Ok(());
        }
        if self.times.len() >= POINTS {
            self.thin_out();
            if !(self.seen - 1).is_multiple_of(self.stride) {
                return Ok(());
            }
        }

        // One point for each curve, in the order of their names.
        let record = &entry.report.record;
        let energies = std::iter::once(record.kinetic)
            .chain(record.potentials.iter().copied())
            .chain([record.total]);

        self.times.push(record.time);
        for (curve, energy) in self.curves.iter_mut().zip(energies) {
            curve.values.push(energy);
        }
        Ok(())
    }

    /// Draws the chart and writes it.
    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        let series = self.curves.iter().map(|curve| Series {
            name: curve.name,
            values: &curve.values,
            strong: curve.name == "total",
        });

        // The picture is drawn in memory and written at once.
        let chart = Chart {
            title: &self.title,
            x_axis: ("time", "s"),
            y_axis: ("energy", "J"),
            x: &self.times,
            layers: Vec::new(),
            series: series.collect(),
            size: SIZE,
        };
        let png = chart.to_png()?;
        Ok(self.folder.write(CHART, |out| out.write_all(&png))?)
    }
}
