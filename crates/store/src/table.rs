//! `energies.csv`: energies and sums of every written state.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time (s) |
//! | `kinetic`, one for each potential, `total` | energies (J) |
//! | `momentum_x`, `momentum_y` | linear momentum (kg m/s) |
//! | `newton_iterations`, `contacts` | counts of the step |
//! | `min_gap` | smallest distance of a contact (m), empty without contacts |
//! | `imbalance` | speed that the forces left over would give a body in a step (m/s) |
//! | `stiffening` | energy that barriers gain by becoming stiffer after the step (J) |
//! | `asleep` | where bodies may sleep: number of those that the step left where they were |
//! | `unstable` | with arc length: number of negative eigenvalues of the stiffness, empty at the start |
//!
//! A run with a ledger has the columns of [`super::ledger`] after these. Which potentials a run has
//! depends on its scene, so readers find columns by name.

use super::ledger::{self, Books};
use ipcsim::files::read_text;
use ipcsim::quantities::of_scene;
use ipcsim::time::{Record, World};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the table's file.
pub const ENERGIES: &str = "energies.csv";

/// Column of the first energy.
const KINETIC: &str = "kinetic";
/// Column of the sum of energies.
const TOTAL: &str = "total";
/// Columns before the energies.
const FIRST: [&str; 2] = ["step", "time"];
/// Columns after the energies: quantities of the scene.
pub(super) const LAST: [&str; 7] = [
    "momentum_x",
    "momentum_y",
    "newton_iterations",
    "contacts",
    "min_gap",
    "imbalance",
    "stiffening",
];

/// Column of a run along a path of equilibria.
pub(super) const UNSTABLE: &str = "unstable";

/// Column of a run in which bodies may sleep.
pub(super) const ASLEEP: &str = "asleep";

/// Lines of the table, in the order of states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    /// True if the table says how stable each equilibrium is.
    of_path: bool,
    /// True if the table says how many bodies sleep.
    of_sleepers: bool,
    /// Sums of a ledger, if the table has one.
    books: Option<Books>,
}

impl Lines {
    /// Lines of a run, with the columns of a ledger if its world keeps one, and with that of a path of
    /// equilibria if it follows one.
    pub fn new(world: &World) -> Self {
        Self {
            of_path: world.options.arc_length.is_some(),
            of_sleepers: world.options.sleep.is_some(),
            books: world.options.ledger.then(Books::default),
        }
    }

    /// First line of the table, with its line feed, for a world with the given potentials.
    pub fn header(&self, potentials: &[&str]) -> String {
        let mut columns = FIRST.to_vec();
        columns.push(KINETIC);
        columns.extend(potentials);
        columns.push(TOTAL);
        columns.extend(LAST);
        for name in self.optional() {
            columns.push(name);
        }

        let mut line = columns.join(",");
        for column in self.books.iter().flat_map(|_| ledger::columns()) {
            line = line + "," + &column;
        }
        line + "\n"
    }

    /// Columns that only some runs have.
    fn optional(&self) -> impl Iterator<Item = &'static str> {
        let of_path = self.of_path.then_some(UNSTABLE);
        of_path
            .into_iter()
            .chain(self.of_sleepers.then_some(ASLEEP))
    }

    /// Enters the next state, written or not, whose work counts in all later lines.
    pub fn enter(&mut self, record: &Record) {
        if let Some(books) = &mut self.books {
            books.enter(record);
        }
    }

    /// Line of the state that was entered last, with its line feed.
    pub fn line(&self, record: &Record) -> String {
        let ledger = self.books.as_ref();
        let mut line = row(record);
        for name in self.optional() {
            put(&mut line, name, record);
        }
        line + &ledger.map_or(String::new(), |books| ledger::fields(books, record)) + "\n"
    }
}

/// Appends a comma and the quantity of the scene called `name`, if it is defined.
fn put(text: &mut String, name: &str, record: &Record) {
    text.push(',');
    let Some(quantity) = of_scene(name) else {
        return;
    };

    // Writing to a string cannot fail.
    if let Some(value) = quantity.in_record(record) {
        let _ = if quantity.is_count {
            write!(text, "{value}")
        } else {
            write!(text, "{value:?}")
        };
    }
}

/// Fields of one state. Numbers are in the shortest form that reads back to the same bits; a field
/// is empty where its number is undefined.
fn row(record: &Record) -> String {
    let mut text = format!("{},{:?}", record.step, record.time);
    put(&mut text, KINETIC, record);

    // Writing to a string cannot fail.
    for potential in &record.potentials {
        let _ = write!(text, ",{potential:?}");
    }
    for name in [TOTAL].into_iter().chain(LAST) {
        put(&mut text, name, record);
    }
    text
}

/// A file is not a table of energies.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A line has other fields than the table needs.
    #[error("{} line {line}: {message}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Sentence that says what is wrong.
        message: String,
    },
}

/// A table of numbers with named columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Numbers of each row; `None` where a field is empty.
    pub rows: Vec<Vec<Option<f64>>>,
}

impl Table {
    /// Reads a table that begins with a line as [`Lines::header`] gives it.
    ///
    /// # Errors
    /// [`TableError::Read`] if the file cannot be read; [`TableError::Line`] if it is empty, has
    /// other first columns, a line of another length, or a field that is no number.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let text = read_text(path).map_err(|source| TableError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        Self::parse(&text, path)
    }

    /// Reads the table of a run under way, whose last line may be cut off.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn read_growing(path: &Path) -> Result<Self, TableError> {
        let text = read_text(path).map_err(|source| TableError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        Self::parse(whole, path)
    }

    /// Table of a text that begins with a line as [`Lines::header`] gives it; errors name the file
    /// `path`.
    ///
    /// # Errors
    /// [`TableError::Line`] if it is empty, has other first columns, a line of another length, or a
    /// field that is no number.
    pub fn parse(text: &str, path: &Path) -> Result<Self, TableError> {
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
        if columns.len() < FIRST.len() || columns[..FIRST.len()] != FIRST {
            let message = format!("the columns must begin with {}", FIRST.join(","));
            return Err(wrong(1, message));
        }

        // Rows of as many fields as columns; line numbers count from 1.
        let mut rows = Vec::new();
        for (line, number) in lines.zip(2..) {
            let row = numbers(line).map_err(|message| wrong(number, message))?;
            if row.len() != columns.len() {
                let message = format!("{} fields, but {} columns", row.len(), columns.len());
                return Err(wrong(number, message));
            }
            rows.push(row);
        }
        Ok(Self { columns, rows })
    }

    /// Indices of the columns that are energies of a state (J): all between those of the table's
    /// own beginning and end.
    pub fn energies(&self) -> impl Iterator<Item = usize> {
        (FIRST.len()..self.columns.len()).take_while(|&k| self.columns[k] != LAST[0])
    }

    /// Step number and time (s) of each row.
    pub fn moments(&self) -> Vec<Moment> {
        self.rows.iter().map(|row| Moment::of(row)).collect()
    }
}

/// Step and time of a written state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Number of the step.
    pub step: usize,
    /// Simulated time (s).
    pub time: f64,
}

impl Moment {
    /// Moment of a row of the table; 0 for an empty field.
    pub(super) fn of(row: &[Option<f64>]) -> Self {
        // Step numbers are written as whole numbers and are far below 2^53.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, small and not negative"
        )]
        let step = row[0].unwrap_or_default() as usize;
        Self {
            step,
            time: row[1].unwrap_or_default(),
        }
    }
}

/// Numbers of a line's fields, `None` for an empty field; or a sentence about the first field that
/// is no number.
fn numbers(line: &str) -> Result<Vec<Option<f64>>, String> {
    let mut row = Vec::new();
    for field in line.split(',') {
        row.push(if field.is_empty() {
            None
        } else {
            let number = field.parse();
            Some(number.map_err(|_| format!("\"{field}\" is not a number"))?)
        });
    }
    Ok(row)
}
