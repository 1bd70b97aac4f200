//! `energies.csv`.

use crate::files::read_text;
use crate::time::Record;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Columns that are energies begin after these.
const FIRST: [&str; 2] = ["step", "time"];
/// Columns after the energies.
const LAST: [&str; 5] = [
    "momentum_x",
    "momentum_y",
    "newton_iterations",
    "contacts",
    "min_gap",
];

/// The text of `energies.csv`: a row per record, numbers in the shortest form that reads back to the same bits, empty
/// where undefined.
pub fn csv(potentials: &[&str], records: &[Record]) -> String {
    let energies = ["kinetic"].iter().chain(potentials).chain(&["total"]);
    let columns: Vec<&str> = FIRST.iter().chain(energies).chain(&LAST).copied().collect();
    let mut text = columns.join(",");
    text.push('\n');
    for r in records {
        let energies = std::iter::once(r.kinetic)
            .chain(r.potentials.iter().copied())
            .chain([r.total]);
        let gap = r.min_gap.map_or(String::new(), |gap| format!("{gap:?}"));
        let numbers: Vec<String> = energies
            .chain([r.momentum.x, r.momentum.y])
            .map(|value| format!("{value:?}"))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{:?},{},{},{},{gap}",
            r.step,
            r.time,
            numbers.join(","),
            r.newton_iterations,
            r.contacts
        );
    }
    text
}

/// A file is not as `energies.csv` should be.
#[derive(Debug, Error)]
pub enum TableError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line does not fit.
    #[error("{} line {line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// A table of numbers with named columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names.
    pub columns: Vec<String>,
    /// Rows; `None` where a field is empty.
    pub rows: Vec<Vec<Option<f64>>>,
}

impl Table {
    /// Reads a file such as [`csv`] writes.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let text = read_text(path).map_err(|source| TableError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let wrong = |line: usize, message: String| TableError::Line {
            path: path.to_path_buf(),
            line,
            message,
        };
        let mut lines = text.lines();
        let header = lines
            .next()
            .ok_or_else(|| wrong(1, "the file is empty".to_owned()))?;
        let columns: Vec<String> = header.split(',').map(str::to_owned).collect();
        if !columns
            .iter()
            .map(String::as_str)
            .take(FIRST.len())
            .eq(FIRST)
        {
            return Err(wrong(
                1,
                format!("the columns must begin with {}", FIRST.join(",")),
            ));
        }
        let mut rows = Vec::new();
        for (k, line) in lines.enumerate() {
            let field = |text: &str| {
                let number = || {
                    text.parse()
                        .map_err(|_| wrong(k + 2, format!("\"{text}\" is not a number")))
                };
                if text.is_empty() {
                    Ok(None)
                } else {
                    number().map(Some)
                }
            };
            let row: Vec<Option<f64>> = line.split(',').map(field).collect::<Result<_, _>>()?;
            if row.len() != columns.len() {
                return Err(wrong(
                    k + 2,
                    format!("{} fields, but {} columns", row.len(), columns.len()),
                ));
            }
            rows.push(row);
        }
        Ok(Self { columns, rows })
    }

    /// The columns that are energies (J), by index.
    pub fn energies(&self) -> impl Iterator<Item = usize> {
        let other = |name: &str| FIRST.contains(&name) || LAST.contains(&name);
        (0..self.columns.len()).filter(move |&k| !other(&self.columns[k]))
    }
}
