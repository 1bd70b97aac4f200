//! `energies.png`: chart of the energies over time, a curve for each, with the total in front.
//!
//! The chart shows the states that the scene asks for, as does `energies.csv`.

use super::{Begun, Context, Kind, When, Writer};
use crate::CommandError;
use ipcsim_pictures::chart::{Chart, Marked, Panel, Series};
use ipcsim_pictures::palette::Rgb;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::journal::Entry;
use ipcsim_store::report::{RunReport, RunStatus};

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
    /// Time step (s).
    step: f64,
    /// Newton iterations of each step that has a point.
    iterations: Vec<f64>,
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
    if !context.options.frames {
        return Ok(None);
    }
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
        step: context.setup.scene.time.step,
        iterations: Vec::new(),
    })))
}

impl EnergyChart {
    /// Leaves out every second point.
    fn thin_out(&mut self) {
        self.stride *= 2;
        let curves = self.curves.iter_mut().map(|curve| &mut curve.values);
        for numbers in curves.chain([&mut self.times, &mut self.iterations]) {
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
        self.iterations.push(record.newton_iterations as f64);
        for (curve, energy) in self.curves.iter_mut().zip(energies) {
            curve.values.push(energy);
        }
        Ok(())
    }

    /// Draws the chart and writes it.
    fn finish(self: Box<Self>, report: &mut RunReport) -> Result<(), CommandError> {
        let chart = Chart {
            title: &self.title,
            x_axis: ("time", "s"),
            x: &self.times,
            panels: self.panels(),
            marks: self.marks(report),
            size: SIZE,
        };

        // The picture is drawn in memory and written at once.
        let png = chart.to_png()?;
        Ok(self.folder.write(CHART, |out| out.write_all(&png))?)
    }
}

/// Largest value of a curve over that of all curves, below which it is in a panel of its own.
const SMALL: f64 = 0.05;

/// Ratio of the largest to the smallest positive value of small energies from which on their ordinate
/// is logarithmic.
const WIDE: f64 = 300.0;

impl EnergyChart {
    /// Panels: the energies that matter for the total, then those that would lie on zero there, then
    /// the iterations of the steps.
    fn panels(&self) -> Vec<Panel<'_>> {
        let largest = |curve: &Curve| {
            let finite = curve.values.iter().filter(|value| value.is_finite());
            finite.fold(0.0, |most: f64, value| most.max(value.abs()))
        };
        let most = self.curves.iter().map(largest).fold(0.0, f64::max);
        let is_small = |curve: &&Curve| curve.name != "total" && largest(curve) < SMALL * most;
        let (small, large): (Vec<&Curve>, Vec<&Curve>) = self.curves.iter().partition(is_small);

        // Curves that are zero throughout tell nothing.
        let small: Vec<&Curve> = small.into_iter().filter(|c| largest(c) > 0.0).collect();
        let mut panels = vec![panel("energy", &large, false, 1.5)];
        if !small.is_empty() {
            panels.push(panel("small energies", &small, is_wide(&small), 1.0));
        }
        let iterations = Series {
            name: "Newton iterations",
            values: &self.iterations,
            strong: false,
        };
        panels.push(Panel {
            share: 0.6,
            ..Panel::new(("iterations", ""), vec![iterations])
        });
        panels
    }

    /// Steps that needed a fallback, and the one that failed.
    fn marks(&self, report: &RunReport) -> Vec<Marked<'static>> {
        let recovered = report.recoveries.iter();
        let recovered: Vec<f64> = recovered.map(|one| one.step as f64 * self.step).collect();
        let mut marks = Vec::new();
        if !recovered.is_empty() {
            marks.push(Marked {
                name: "recovered step",
                color: RECOVERED,
                at: recovered,
            });
        }

        if report.status == RunStatus::Failed
            && let Some(reason) = &report.reason
        {
            // The failed step has no state: the mark is at the last one.
            let last = self.times.last().copied().unwrap_or_default();
            marks.push(Marked {
                name: "failed step",
                color: FAILED,
                at: vec![(reason.step as f64 * self.step).min(last)],
            });
        }
        marks
    }
}

/// Colour of the marks of steps that needed a fallback.
const RECOVERED: Rgb = [240, 150, 20];
/// Colour of the mark of a failed step.
const FAILED: Rgb = [214, 22, 34];

/// Panel of some curves, the total strong.
fn panel<'a>(name: &'a str, curves: &[&'a Curve], is_log: bool, share: f64) -> Panel<'a> {
    let series = curves.iter().map(|curve| Series {
        name: curve.name,
        values: &curve.values,
        strong: curve.name == "total",
    });
    Panel {
        is_log,
        share,
        ..Panel::new((name, "J"), series.collect())
    }
}

/// True if only a logarithm shows curves that span orders of magnitude, and none of them is negative.
fn is_wide(curves: &[&Curve]) -> bool {
    let all = || curves.iter().flat_map(|curve| curve.values.iter().copied());
    let positive = || all().filter(|value| *value > 0.0);
    let least = positive().fold(f64::INFINITY, f64::min);
    let most = positive().fold(0.0, f64::max);
    !all().any(|value| value < 0.0) && most > WIDE * least
}
