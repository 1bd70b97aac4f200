//! Results of measures: the part of `run.json` about them, and the table `measures.csv`.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | each measure, by its name | its value at the end of the step; empty where it is undefined |
//! | its name with `.x` and `.y` | place of a largest or smallest value (m) |
//!
//! The start has a row. Numbers are in the shortest form that reads back to the same bits.

use super::body_table::put;
use ipcsim::measures::{Extreme, Measure, Tally};
use ipcsim::time::StepReport;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Name of the table's file.
pub const MEASURES: &str = "measures.csv";

/// Result of a measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name in the scene.
    pub name: String,
    /// Reduction in time: `last`, `max`, `min`, `mean`, `sum` or `rate`.
    pub over: String,
    /// Reduced value; none if it is undefined.
    pub value: Option<f64>,
    /// Unit of the reduced value.
    pub unit: String,
    /// Unit of the values at steps.
    pub unit_of_steps: String,
    /// Time of the value (s): of reductions over all steps the end.
    pub time: Option<f64>,
    /// Place of the value (m), if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<[f64; 2]>,
    /// Value at the end.
    pub last: Option<f64>,
    /// Mean of all steps.
    pub mean: Option<f64>,
    /// Largest value, with its time and place.
    pub max: Option<Extreme>,
    /// Smallest value, with its time and place.
    pub min: Option<Extreme>,
}

impl Measured {
    /// Result of a measure whose readings have this tally.
    pub fn of(measure: &Measure, tally: &Tally) -> Self {
        let reduced = tally.reduced(measure.over, measure.counts());
        Self {
            name: measure.name.clone(),
            over: measure.over.name().to_owned(),
            value: reduced.map(|own| own.value),
            unit: measure.over.unit(&measure.unit),
            unit_of_steps: measure.unit.clone(),
            time: reduced.map(|own| own.time),
            place: reduced.and_then(|own| own.place).map(Into::into),
            last: tally.last.map(|own| own.value),
            mean: tally.mean(),
            max: tally.max,
            min: tally.min,
        }
    }

    /// The result in a line for people.
    pub fn sentence(&self) -> String {
        let Self { name, unit, .. } = self;
        let Some(value) = self.value else {
            return format!("{name} was undefined at all steps");
        };
        let time = self.time.unwrap_or_default();
        let when = match self.over.as_str() {
            "max" => format!(", largest at {time:.6} s"),
            "min" => format!(", smallest at {time:.6} s"),
            "mean" => ", mean of all steps".to_owned(),
            "sum" => ", sum of all steps".to_owned(),
            "rate" => ", over the whole time".to_owned(),
            _ => format!(" at the end, {time:.6} s"),
        };

        // Plain numbers have no unit.
        let unit = if unit == "1" {
            String::new()
        } else {
            format!(" {unit}")
        };
        let place = self.place.map_or_else(String::new, |[x, y]| {
            format!(" at ({}, {}) m", significant(x), significant(y))
        });
        format!("{name} {}{unit}{place}{when}", significant(value))
    }
}

/// Number with six significant digits.
pub fn significant(value: f64) -> String {
    const DIGITS: usize = 6;
    if value == 0.0 {
        return "0".to_owned();
    }

    // Between a ten-thousandth and ten millions without a power of ten.
    let size = value.abs();
    if !(1e-4..1e7).contains(&size) {
        return format!("{value:.5e}");
    }
    let decades = [1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4, 1e5];
    let above = decades.iter().filter(|decade| size >= **decade).count();
    let decimals = (DIGITS + 3).saturating_sub(above);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// Tallies of all measures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tallies(Vec<Tally>);

impl Tallies {
    /// Adds the readings of a step, or of the start.
    pub fn add(&mut self, report: &StepReport) {
        let readings = &report.measures;
        self.0
            .resize(readings.len().max(self.0.len()), Tally::default());
        for (tally, reading) in self.0.iter_mut().zip(readings) {
            tally.add(report.record.time, *reading);
        }
    }

    /// Results of these measures, in their order.
    pub fn results(&self, measures: &[Measure]) -> Vec<Measured> {
        let missing = std::iter::repeat(Tally::default());
        let tallies = self.0.iter().copied().chain(missing);
        let both = measures.iter().zip(tallies);
        both.map(|(measure, tally)| Measured::of(measure, &tally))
            .collect()
    }
}

/// First line of the table, with its line feed.
pub fn header(measures: &[Measure]) -> String {
    let mut line = "step,time".to_owned();
    for Measure { name, .. } in measures {
        line = line + "," + name;
    }
    for measure in measures.iter().filter(|own| own.has_place()) {
        let name = &measure.name;
        // Writing to a string cannot fail.
        let _ = write!(line, ",{name}.x,{name}.y");
    }
    line + "\n"
}

/// Line of a step, with its line feed.
pub fn row(measures: &[Measure], report: &StepReport) -> String {
    let record = &report.record;
    let mut line = format!("{},{:?}", record.step, record.time);
    let reading = |k: usize| report.measures.get(k).copied().flatten();
    for k in 0..measures.len() {
        put(&mut line, reading(k).map(|own| own.value));
    }
    for (k, _) in measures
        .iter()
        .enumerate()
        .filter(|(_, own)| own.has_place())
    {
        let place = reading(k).and_then(|own| own.place);
        put(&mut line, place.map(|place| place.x));
        put(&mut line, place.map(|place| place.y));
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_zeros_at_their_end() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-200.000_000_01, "-200"),
            (364_895_123.0, "3.64895e8"),
            (36_296.64, "36296.6"),
            (1_234_567.0, "1234567"),
            (0.000_259_054_12, "0.000259054"),
            (1e-5, "1.00000e-5"),
            (0.628_318_53, "0.628319"),
        ];
        for (value, expected) in cases {
            assert_eq!(significant(value), expected);
        }
    }
}
