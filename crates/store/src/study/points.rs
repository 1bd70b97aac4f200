//! The values of each run, by its number.
//!
//! Every entry of a plan's `vary` becomes a [`Factor`] with a number of points. A run is a number
//! in mixed radix: its digits choose a point of each factor, the last one fastest.

use super::error::StudyError;
use super::plan::{Axis, Interval, RandomPoints, Scale};
use crate::csv::lines;
use ipcsim::math::random::Stream;
use ipcsim::scene::Setting;
use serde_json::Value;
use std::collections::BTreeSet;

/// A varied quantity: one column of the table, one or several keys of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in the table.
    pub name: String,
    /// Keys that get the value.
    pub keys: Vec<String>,
}

/// Points of all runs of a study.
#[derive(Clone, Debug)]
pub struct Points {
    /// Columns of all factors, in order.
    columns: Vec<Column>,
    /// Factors, the last one fastest.
    factors: Vec<Factor>,
    /// Number of runs, the product of all factors.
    count: u64,
}

/// Quantities that vary together.
#[derive(Clone, Debug)]
struct Factor {
    /// Number of points.
    count: u64,
    /// Values of each point.
    source: Source,
}

/// Where the values of a factor come from.
#[derive(Clone, Debug)]
enum Source {
    /// Values of each point, `[points][columns]`.
    Listed(Vec<Vec<Value>>),
    /// Equal parts of an interval.
    Range(Interval),
    /// Independent random numbers in intervals.
    Random(Vec<Draws>),
    /// Random numbers, one in each of `count` equal parts of every interval.
    LatinHypercube(Vec<Draws>),
}

/// Random values of a key.
#[derive(Clone, Debug)]
struct Draws {
    /// Random numbers.
    stream: Stream,
    /// Interval of the values.
    over: Interval,
}

impl Points {
    /// Points of the entries of a plan. `tables` are the texts of its CSV files, in order.
    ///
    /// # Errors
    /// [`StudyError::Plan`] for an entry without points, an interval that is none, a key that
    /// varies twice, or a table whose lines differ in length.
    pub(super) fn new(vary: &[Axis], tables: &[String]) -> Result<Self, StudyError> {
        let mut tables = tables.iter();
        let mut columns = Vec::new();
        let mut factors = Vec::new();
        let mut count = 1_u64;
        for (index, axis) in vary.iter().enumerate() {
            let reading = Reading { index };
            let factor = Factor::new(axis, &mut tables, &mut columns, reading)?;
            if factor.count == 0 {
                return Err(reading.wrong("it has no values"));
            }
            let product = count.checked_mul(factor.count);
            count = product.ok_or_else(|| reading.wrong("there are more than 2^64 runs"))?;
            factors.push(factor);
        }

        let mut seen = BTreeSet::new();
        for key in columns.iter().flat_map(|column: &Column| &column.keys) {
            if !seen.insert(key.clone()) {
                return Err(StudyError::Plan(format!("vary: \"{key}\" varies twice")));
            }
        }
        Ok(Self {
            columns,
            factors,
            count,
        })
    }

    /// Number of runs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Varied quantities, in the order of their columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Values of a run, `[columns]`.
    pub fn values(&self, run: u64) -> Vec<Value> {
        let mut rest = run;
        let mut parts = Vec::with_capacity(self.factors.len());
        for factor in self.factors.iter().rev() {
            parts.push(factor.values(rest % factor.count));
            rest /= factor.count;
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// Settings of a run: each key with its value.
    pub fn settings(&self, run: u64) -> Vec<Setting> {
        let mut settings = Vec::new();
        for (column, value) in self.columns.iter().zip(self.values(run)) {
            for key in &column.keys {
                settings.push(Setting {
                    key: key.clone(),
                    value: value.clone(),
                });
            }
        }
        settings
    }
}

impl Factor {
    /// Factor of an entry of a plan, whose columns are appended to `columns`.
    ///
    /// # Errors
    /// [`StudyError::Plan`], see [`Points::new`].
    fn new<'a>(
        axis: &Axis,
        tables: &mut impl Iterator<Item = &'a String>,
        columns: &mut Vec<Column>,
        reading: Reading,
    ) -> Result<Self, StudyError> {
        match axis {
            Axis::List {
                key,
                also,
                name,
                values,
            } => {
                columns.push(column(key, also, name.as_ref()));
                let rows: Vec<Vec<Value>> =
                    values.iter().map(|value| vec![value.clone()]).collect();
                Ok(Self::listed(rows))
            }
            Axis::Range(range) => {
                let over = range.interval();
                reading.interval(&over)?;
                columns.push(column(&over.key, &over.also, over.name.as_ref()));
                Ok(Self {
                    count: range.count,
                    source: Source::Range(over),
                })
            }
            Axis::Random(sample) => Ok(Self {
                count: sample.runs,
                source: Source::Random(draws(sample, columns, reading)?),
            }),
            Axis::LatinHypercube(sample) => Ok(Self {
                count: sample.runs,
                source: Source::LatinHypercube(draws(sample, columns, reading)?),
            }),
            Axis::Table(_) => {
                let text = tables.next().map_or("", String::as_str);
                let mut rows = lines(text).into_iter();
                let keys = rows.next().unwrap_or_default();
                let rows = rows.map(|row| row.into_iter().map(given).collect());
                Self::table(&keys, rows.collect(), columns, reading)
            }
            Axis::Points { keys, values } => Self::table(keys, values.clone(), columns, reading),
        }
    }

    /// Factor of listed values.
    fn listed(rows: Vec<Vec<Value>>) -> Self {
        Self {
            count: rows.len() as u64,
            source: Source::Listed(rows),
        }
    }

    /// Factor of a table, `[points][keys]`.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if a row has another length.
    fn table(
        keys: &[String],
        rows: Vec<Vec<Value>>,
        columns: &mut Vec<Column>,
        reading: Reading,
    ) -> Result<Self, StudyError> {
        for (number, row) in rows.iter().enumerate() {
            if row.len() != keys.len() {
                return Err(reading.wrong(&format!(
                    "point {number} has {} values, but there are {} keys",
                    row.len(),
                    keys.len()
                )));
            }
        }
        columns.extend(keys.iter().map(|key| column(key, &[], None)));
        Ok(Self::listed(rows))
    }

    /// Values of point `i`, `[columns]`.
    fn values(&self, i: u64) -> Vec<Value> {
        let count = self.count as f64;
        match &self.source {
            Source::Listed(rows) => {
                let row = usize::try_from(i).ok().and_then(|i| rows.get(i));
                row.cloned().unwrap_or_default()
            }
            Source::Range(over) => vec![over.value(i as f64 / (count - 1.0).max(1.0))],
            Source::Random(keys) => keys
                .iter()
                .map(|key| key.over.value(key.stream.uniform(i)))
                .collect(),
            Source::LatinHypercube(keys) => keys
                .iter()
                .map(|key| {
                    let part = key.stream.place(i, self.count) as f64;
                    key.over.value((part + key.stream.uniform(i)) / count)
                })
                .collect(),
        }
    }
}

/// Column of a key and those that get the same value.
fn column(key: &str, also: &[String], name: Option<&String>) -> Column {
    let keys = std::iter::once(key.to_owned()).chain(also.iter().cloned());
    Column {
        name: name.map_or(key, String::as_str).to_owned(),
        keys: keys.collect(),
    }
}

/// Random numbers of each key of a sample, whose columns are appended to `columns`.
///
/// # Errors
/// [`StudyError::Plan`] if an interval is none.
fn draws(
    sample: &RandomPoints,
    columns: &mut Vec<Column>,
    reading: Reading,
) -> Result<Vec<Draws>, StudyError> {
    let mut keys = Vec::new();
    for over in &sample.over {
        reading.interval(over)?;
        columns.push(column(&over.key, &over.also, over.name.as_ref()));
        keys.push(Draws {
            stream: Stream::new(sample.seed, &over.key),
            over: over.clone(),
        });
    }
    Ok(keys)
}

/// Value of a field of a table: JSON, or text.
fn given(field: String) -> Value {
    serde_json::from_str(&field).unwrap_or(Value::String(field))
}

/// An entry of `vary` that is being read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// Number of the entry, from 0.
    index: usize,
}

impl Reading {
    /// Error of this entry.
    fn wrong(self, message: &str) -> StudyError {
        StudyError::Plan(format!("vary[{}]: {message}", self.index))
    }

    /// Refuses an interval without numbers.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if an end is not finite, or not above 0 on a scale of ratios.
    fn interval(self, over: &Interval) -> Result<(), StudyError> {
        let Interval { from, to, key, .. } = over;
        if !(from.is_finite() && to.is_finite()) {
            return Err(self.wrong(&format!("the ends of \"{key}\" must be finite")));
        }
        if over.scale == Scale::Log && !(*from > 0.0 && *to > 0.0) {
            return Err(self.wrong(&format!(
                "\"{key}\" goes from {from} to {to}; on the scale \"log\" both must be above 0"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
