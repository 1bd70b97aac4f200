//! Axes: a range in a fitting unit, its marks, its name.

use std::ops::Range;

use plotters::{
    coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter},
    prelude::Ranged,
};

use crate::output::number::{self, Ticks};

/// An axis: its range in a prefixed unit, its marks and its name.
#[derive(Clone)]
pub(super) struct Scale {
    /// The unit in SI.
    pub(super) factor: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) ticks: Ticks,
    pub(super) label: String,
}

impl Scale {
    /// An axis around all finite `values`; one that is `round` ends at marks.
    pub(super) fn of((name, unit): (&str, &str), values: impl Iterator<Item = f64>, marks: usize, round: bool) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let (factor, unit) = number::prefixed_unit(low.abs().max(high.abs()), unit);
        let (mut min, mut max) = widened(low / factor, high / factor);
        let ticks = Ticks::between(min, max, marks);
        if round {
            (min, max) = ((min / ticks.step).floor() * ticks.step, (max / ticks.step).ceil() * ticks.step);
        }
        let label = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        Self { factor, min, max, ticks: Ticks::between(min, max, marks), label }
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[allow(clippy::cast_possible_truncation, reason = "the cast saturates far outside of the picture")]
    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let place = (value - self.min) / (self.max - self.min);
        (f64::from(from) + place * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.values.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.min..self.max
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        number::fixed(*value, self.ticks.decimals)
    }
}

/// The range, or one around it if it is too narrow to be divided.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > 1e-9 * size {
        (low, high)
    } else {
        let pad = if size > 0.0 { 0.1 * size } else { 1.0 };
        (low - pad, high + pad)
    }
}
