//! Any table of a run by its columns: `forces.csv`, `joints.csv`, `bodies.csv`, `measures.csv` and the
//! others.

use super::csv::{lines, name};
use super::run_files::RunFiles;
use super::stored_error::StoredError;
use ipcsim::files::read_text;
use std::path::PathBuf;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Path of its file.
    pub path: PathBuf,
    /// Names of its columns.
    pub names: Vec<String>,
    /// Fields, `[rows][columns]`.
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Reads the table of this file name, which agrees with its checksum; `None` if the run has none.
    ///
    /// # Errors
    /// [`StoredError`] if the file cannot be read or is damaged.
    pub fn read(files: &RunFiles, file: &str) -> Result<Option<Self>, StoredError> {
        let Some(path) = files.find(file)? else {
            return Ok(None);
        };
        let text = read_text(&path)
            .map_err(|error| StoredError::malformed(&path, format!("cannot be read: {error}")))?;
        let mut rows = lines(&text);
        if rows.is_empty() {
            return Err(StoredError::malformed(&path, "is empty"));
        }

        // Names, and rows that have a field for each.
        let names = rows.remove(0);
        if let Some(row) = rows.iter().position(|row| row.len() != names.len()) {
            let message = format!("row {} has other fields than the table needs", row + 2);
            return Err(StoredError::malformed(&path, message));
        }
        Ok(Some(Self { path, names, rows }))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of the column of this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// Text of a field.
    pub fn text(&self, row: usize, column: usize) -> &str {
        name(&self.rows[row][column])
    }

    /// Number of a field; NaN if it is empty or text.
    pub fn number(&self, row: usize, column: usize) -> f64 {
        self.rows[row][column].parse().unwrap_or(f64::NAN)
    }

    /// True if all fields of a column that are not empty are numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        let mut fields = self.rows.iter().map(|row| &row[column]);
        fields.all(|field| field.is_empty() || field.parse::<f64>().is_ok())
    }
}
