//! `energies.png`: the chart of the energies.

use crate::pictures::chart::{Chart, Series};
use crate::pictures::error::PictureError;
use crate::time::Record;

/// A chart of the energies over time, as PNG.
///
/// # Errors
/// [`PictureError`] if it cannot be drawn.
pub(super) fn chart(
    title: &str,
    potentials: &[&str],
    records: &[Record],
) -> Result<Vec<u8>, PictureError> {
    let times: Vec<f64> = records.iter().map(|r| r.time).collect();
    let mut columns = vec![(
        "kinetic",
        records.iter().map(|r| r.kinetic).collect::<Vec<f64>>(),
    )];
    for (k, name) in potentials.iter().enumerate() {
        columns.push((name, records.iter().map(|r| r.potentials[k]).collect()));
    }
    columns.push(("total", records.iter().map(|r| r.total).collect()));
    let series = columns
        .iter()
        .map(|(name, values)| Series {
            name,
            values,
            strong: *name == "total",
        })
        .collect();
    let chart = Chart {
        title,
        x_axis: ("time", "s"),
        y_axis: ("energy", "J"),
        x: &times,
        series,
        size: (1280, 720),
    };
    chart.to_png()
}
