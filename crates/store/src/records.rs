//! Tables with named columns as `.npy` files of records, which `NumPy` reads directly.
//!
//! A file is a header with names and types of the columns and the number of rows, then the rows,
//! with eight bytes for each number, little-endian. The number of rows is known before the first
//! one is written. A reader takes files with exactly the header that the writer would have written.

use super::error::{FolderError, failed};
use super::folder::RunFolder;
use super::npy::{NpyWriter, header_of};
use super::stored_error::StoredError;
use ipcsim::files::open as open_file;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// Whole numbers of 64 bits.
    Whole,
    /// Floating-point numbers of 64 bits.
    Real,
}

/// Name and type of a column.
pub(super) type Column = (&'static str, Number);

/// Header of a table with these columns and `rows` rows.
fn header(columns: &[Column], rows: u64) -> Vec<u8> {
    let fields = columns.iter().map(|(name, number)| match number {
        Number::Whole => format!("('{name}', '<i8'), "),
        Number::Real => format!("('{name}', '<f8'), "),
    });
    header_of(&format!("[{}]", fields.collect::<String>()), &[rows])
}

/// Begins the file `name` of a table with these columns and `rows` rows, to which the numbers are
/// added row by row.
///
/// # Errors
/// [`FolderError::Io`] if the file cannot be created.
pub(super) fn begin(
    folder: &RunFolder,
    name: &str,
    columns: &[Column],
    rows: usize,
) -> Result<NpyWriter, FolderError> {
    let numbers = rows * columns.len();
    NpyWriter::begin(folder, name, &header(columns, rows as u64), numbers as u64)
}

/// Reads a table of records, row by row.
pub(super) struct RecordReader {
    /// File, after the last row that was read.
    file: BufReader<File>,
    /// Number of columns.
    columns: usize,
    /// Number of rows that are left.
    rows: u64,
}

impl RecordReader {
    /// Opens the table `path`, which must have these columns.
    ///
    /// # Errors
    /// [`StoredError::Folder`] if the file cannot be read; [`StoredError::Malformed`] if its header
    /// or its length is not that of such a table.
    pub(super) fn open(path: &Path, columns: &[Column]) -> Result<Self, StoredError> {
        let mut file = BufReader::new(open_file(path).map_err(failed("read", path))?);
        let bytes = file.get_ref().metadata().map_err(failed("read", path))?;
        let other = || StoredError::malformed(path, "is cut off, or no table of contacts");

        // The number of rows follows from the length of the header, which is at bytes 8 and 9.
        let mut head = vec![0; 10];
        file.read_exact(&mut head).map_err(failed("read", path))?;
        let length = 10 + (u64::from(head[8]) | u64::from(head[9]) << 8);
        let body = bytes.len().checked_sub(length).ok_or_else(other)?;
        let rows = body / (8 * columns.len() as u64);
        let expected = header(columns, rows);

        head.resize(expected.len(), 0);
        let rest = file.read_exact(&mut head[10..]);
        let whole = 8 * columns.len() as u64 * rows;
        if rest.is_err() || head != expected || body != whole {
            return Err(other());
        }
        Ok(Self {
            file,
            columns: columns.len(),
            rows,
        })
    }

    /// Reads the next row: eight bytes for each column; `None` after the last one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn row(&mut self) -> io::Result<Option<Vec<[u8; 8]>>> {
        let Some(rows) = self.rows.checked_sub(1) else {
            return Ok(None);
        };
        self.rows = rows;
        let mut words = vec![[0; 8]; self.columns];
        self.file.read_exact(words.as_flattened_mut())?;
        Ok(Some(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 2] = [("step", Number::Whole), ("gap", Number::Real)];

    #[test]
    fn rows_come_back_and_damage_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::existing(dir.path());
        for (rows, is_complete) in [(2, true), (1, false), (3, false)] {
            let mut writer = begin(&folder, "a.npy", &COLUMNS, rows).unwrap();
            let mut added = Ok(());
            for (step, gap) in [(1, 0.5), (-2, 1e-300)] {
                added = added
                    .and_then(|()| writer.add_whole(&[step]))
                    .and_then(|()| writer.add([gap]));
            }
            assert_eq!(added.and_then(|()| writer.finish()).is_ok(), is_complete);
        }

        let path = dir.path().join("a.npy");
        let bytes = std::fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains("('gap', '<f8')"));
        assert_eq!(bytes.len() % 16, 0);
        let mut reader = RecordReader::open(&path, &COLUMNS).unwrap();
        assert_eq!(reader.row().unwrap().unwrap()[1], 0.5_f64.to_le_bytes());
        assert_eq!(reader.row().unwrap().unwrap()[0], (-2_i64).to_le_bytes());
        assert!(reader.row().unwrap().is_none());

        // Cut anywhere, or with another column.
        for length in [0, 9, 40, bytes.len() - 16, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(RecordReader::open(&path, &COLUMNS).is_err(), "{length}");
        }
        std::fs::write(&path, &bytes).unwrap();
        let other = [COLUMNS[0], ("slip", Number::Real)];
        assert!(RecordReader::open(&path, &other).is_err());
    }
}
