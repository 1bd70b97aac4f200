//! `energies.png`: the chart of the energies.

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

pub(super) const KIND: Kind = Kind {
    files: &[CHART],
    when: When::AtEnd,
    begin,
};

/// Collects a curve for each energy.
struct EnergyChart {
    folder: RunFolder,
    title: String,
    times: Vec<f64>,
    curves: Vec<Curve>,
}

struct Curve {
    name: &'static str,
    values: Vec<f64>,
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "all writers begin with this signature"
)]
fn begin(context: &Context) -> Begun {
    let mut names = vec!["kinetic"];
    names.extend(context.potentials);
    names.push("total");
    let curve = |name| Curve {
        name,
        values: Vec::new(),
    };
    Ok(Some(Box::new(EnergyChart {
        folder: context.folder.clone(),
        title: context.setup.scene.name.clone().unwrap_or_default(),
        times: Vec::new(),
        curves: names.into_iter().map(curve).collect(),
    })))
}

impl Writer for EnergyChart {
    fn entry(&mut self, entry: &Entry) -> Result<(), CommandError> {
        if entry.x.is_none() {
            return Ok(());
        }
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

    fn finish(self: Box<Self>, _report: &mut RunReport) -> Result<(), CommandError> {
        let series = self.curves.iter().map(|curve| Series {
            name: curve.name,
            values: &curve.values,
            strong: curve.name == "total",
        });
        let chart = Chart {
            title: &self.title,
            x_axis: ("time", "s"),
            y_axis: ("energy", "J"),
            x: &self.times,
            series: series.collect(),
            size: SIZE,
        };
        let png = chart.to_png()?;
        Ok(self.folder.write(CHART, |out| out.write_all(&png))?)
    }
}
