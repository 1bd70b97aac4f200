//! Columns of the tables of a run as curves: a number for each step.

use super::source::Subject;
use crate::CommandError;
use ipcsim::math::elementary::hypot;
use ipcsim::scene::nearest;
use ipcsim_store::columns::Columns;
use ipcsim_store::run_files::RunFiles;
use ipcsim_store::stored_error::StoredError;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of names in a message.
const MOST: usize = 12;

/// A number for each step.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// Name for the legend and axes.
    pub(super) label: String,
    /// Unit; empty for plain numbers.
    pub(super) unit: String,
    /// Numbers by steps.
    pub(super) values: BTreeMap<usize, f64>,
}

/// Tables of a run, read once each.
pub(super) struct Tables {
    /// Files of the run.
    files: RunFiles,
    /// Tables by the names of their files.
    read: BTreeMap<&'static str, Columns>,
}

impl Tables {
    /// Tables of a run.
    pub(super) fn new(files: RunFiles) -> Self {
        Self {
            files,
            read: BTreeMap::new(),
        }
    }

    /// Curve of a column, which has its full name or is of the `subject`.
    ///
    /// # Errors
    /// If the run has no such table, thing or column.
    pub(super) fn curve(
        &mut self,
        name: &str,
        subject: Option<&Subject>,
    ) -> Result<Curve, CommandError> {
        let (of, column, is_full) = match (Subject::parse(name), subject) {
            (Some((of, column)), _) => (of, column, true),
            (None, Some(of)) => (of.clone(), name, false),
            (None, None) => return Err(self.unnamed(name)),
        };
        let report = self.files.report().cloned();
        let table = self.table(&of)?;

        // Rows of the thing, and the columns that make its number.
        let rows = rows(&of, table)?;
        let parts = columns(&of, column, table)?;
        let time = table.column("step").unwrap_or_default();
        let kind = table.column("kind").zip(rows.first());
        let kind = kind
            .map_or("", |(kind, &row)| table.text(row, kind))
            .to_owned();

        // Several supports of a body add up.
        let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let is_contact = matches!(of, Subject::Pair(_));
        if is_contact {
            // A step without a row of the pair is one without contact.
            let steps = (0..table.len()).map(|row| step_of(table, row, time));
            sums.extend(steps.map(|step| (step, vec![0.0; parts.len()])));
        }
        for row in rows {
            let step = step_of(table, row, time);
            let own = sums.entry(step).or_insert_with(|| vec![0.0; parts.len()]);
            for (sum, &part) in own.iter_mut().zip(&parts) {
                *sum += table.number(row, part);
            }
        }

        // One number, or the size of a vector.
        let size = |own: Vec<f64>| match own[..] {
            [x, y] => hypot(x, y),
            _ => own[0],
        };
        let values: BTreeMap<usize, f64> = sums
            .into_iter()
            .map(|(step, own)| (step, size(own)))
            .collect();
        if values.values().all(|value| value.is_nan()) {
            let message = format!(
                "{} \"{}\" has no \"{column}\": all its fields are empty",
                of.word(),
                of.name()
            );
            return Err(StoredError::malformed(&table.path, message).into());
        }

        // Several things in one chart have their names in the legend.
        let label = match (&of, is_full) {
            (Subject::Measure | Subject::Energy, _) | (_, false) => column.to_owned(),
            (_, true) => format!("{column} of {}", of.name()),
        };
        Ok(Curve {
            label: label.replace('_', " "),
            unit: of.unit(column, &kind, report.as_ref()),
            values,
        })
    }

    /// True if a column has a number at some step.
    pub(super) fn has(&mut self, name: &str, subject: &Subject) -> bool {
        self.curve(name, Some(subject)).is_ok()
    }

    /// The table of a subject.
    ///
    /// # Errors
    /// If the run has none, or if it is damaged.
    fn table(&mut self, of: &Subject) -> Result<&Columns, CommandError> {
        let file = of.file();
        if !self.read.contains_key(file) {
            let Some(table) = Columns::read(&self.files, file)? else {
                let path = self.files.dir().join(file);
                let message = format!(
                    "does not exist; it is written at the end of a run with {}",
                    of.needs()
                );
                return Err(StoredError::malformed(&path, message).into());
            };
            self.read.insert(file, table);
        }
        Ok(&self.read[file])
    }

    /// Error of a column that is of nothing.
    fn unnamed(&self, name: &str) -> CommandError {
        let message = format!(
            "\"{name}\" is a column of nothing; name its owner by --joint, --body, --pair, --reaction or \
             --load, or in full, as in joint.shaft.angle, body.crank.x, measure.peak or energy.total"
        );
        StoredError::malformed(self.files.dir(), message).into()
    }
}

/// Step of a row.
fn step_of(table: &Columns, row: usize, column: usize) -> usize {
    table.text(row, column).parse().unwrap_or_default()
}

/// Rows of a subject in its table.
///
/// # Errors
/// If there are none.
fn rows(of: &Subject, table: &Columns) -> Result<Vec<usize>, CommandError> {
    // All names are kept for the message.
    let mut rows = Vec::new();
    let mut known = BTreeSet::new();
    for row in 0..table.len() {
        let names = of.names_of(table, row);
        if names.iter().any(|name| name == of.name()) {
            rows.push(row);
        }
        known.extend(names.into_iter().next());
    }
    if !rows.is_empty() {
        return Ok(rows);
    }
    let message = format!(
        "has no {} called \"{}\"; {}",
        of.word(),
        of.name(),
        offered(of.name(), &known)
    );
    Err(StoredError::malformed(&table.path, message).into())
}

/// Numbers of the columns whose sum of squares, or whose only one, is a column of a subject.
///
/// # Errors
/// If there is none.
fn columns(of: &Subject, column: &str, table: &Columns) -> Result<Vec<usize>, CommandError> {
    if let Some(parts) = of.parts(column) {
        return Ok(parts.iter().filter_map(|part| table.column(part)).collect());
    }
    if let Some(own) = table.column(column).filter(|&k| table.is_numeric(k)) {
        return Ok(vec![own]);
    }

    let sizes = ["force", "friction", "speed"];
    let sizes = sizes.into_iter().filter(|name| of.parts(name).is_some());
    let numeric = (0..table.names.len()).filter(|&k| table.is_numeric(k));
    let mut known: BTreeSet<String> = numeric
        .map(|k| table.names[k].clone())
        .chain(sizes.map(str::to_owned))
        .collect();
    let what = if matches!(of, Subject::Measure | Subject::Energy) {
        known.retain(|name| !["step", "time"].contains(&name.as_str()));
        of.word()
    } else {
        "column of numbers"
    };
    let message = format!(
        "has no {what} called \"{column}\"; {}",
        offered(column, &known)
    );
    Err(StoredError::malformed(&table.path, message).into())
}

/// Names to offer in place of one that does not exist.
fn offered(name: &str, known: &BTreeSet<String>) -> String {
    let all = known.iter().map(String::as_str);
    if let Some(near) = nearest(name, all.clone()) {
        return format!("did you mean \"{near}\"?");
    }
    let some: Vec<String> = all.take(MOST).map(|own| format!("\"{own}\"")).collect();
    let more = if known.len() > MOST { ", ..." } else { "" };
    if some.is_empty() {
        return "there are none".to_owned();
    }
    format!("there are {}{more}", some.join(", "))
}
