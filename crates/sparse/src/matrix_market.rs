//! Matrix Market files of sparse matrices of real numbers.
//!
//! The format is text that most libraries of numerics read. Systems of a run can be handed to other
//! solvers, and systems of other programs to this one.
//!
//! After a first line with the kind of the matrix and comments, which begin with `%`, comes a line
//! with rows, columns and the number of entries, and then a line for each entry: row and column,
//! counted from 1, and value. A symmetric matrix has the entries of one triangle.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % two unit masses, joined by a spring
//! 2 2 3
//! 1 1 4e0
//! 2 1 -3e0
//! 2 2 4e0
//! ```
//!
//! Source: Boisvert, Pozo and Remington 1996, "The Matrix Market exchange formats", NISTIR 5935.

use super::{BlockMatrix, ConversionError};
use nalgebra_sparse::{CooMatrix, CscMatrix};
use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;

/// Error of reading a Matrix Market file, without its path.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Io(#[from] std::io::Error),
    /// The text is not in the format.
    #[error("not a Matrix Market file of real numbers: {0}")]
    Format(String),
    /// The matrix does not fit into 2x2 blocks.
    #[error(transparent)]
    Conversion(#[from] ConversionError),
}

/// First line of the files, which says that the lower triangle stands for the whole matrix.
const BANNER: &str = "%%MatrixMarket matrix coordinate real symmetric";

/// Writes the lower triangle of `matrix` as a symmetric matrix. Numbers are exact: a file that is
/// read back gives the same bits.
///
/// # Errors
/// If the file cannot be written.
pub fn write(matrix: &BlockMatrix, path: &Path) -> std::io::Result<()> {
    let n = 2 * matrix.nodes();

    // The number of entries stands before them, and is known after them.
    let mut entries = String::new();
    let mut count = 0;
    for column in 0..n {
        for (row, value) in matrix.scalar_column(column) {
            // Writing to a text cannot fail; these are the shortest digits that give the bits back.
            let _ = writeln!(entries, "{} {} {value:e}", row + 1, column + 1);
            count += 1;
        }
    }
    std::fs::write(path, format!("{BANNER}\n{n} {n} {count}\n{entries}"))
}

/// Reads a symmetric matrix of real numbers. The file may store one triangle or both.
///
/// # Errors
/// If the file cannot be read, is malformed, or holds no symmetric matrix of even size.
pub fn read(path: &Path) -> Result<BlockMatrix, ReadError> {
    let text = std::fs::read_to_string(path)?;
    let entries = parse(&text).map_err(ReadError::Format)?;
    Ok(BlockMatrix::try_from(&CscMatrix::from(&entries))?)
}

/// Entries of both triangles in a text of the format, or what is wrong with it.
///
/// Matrices of real and of whole numbers are read, general and symmetric ones. Complex numbers,
/// patterns without numbers and dense matrices are refused.
fn parse(text: &str) -> Result<CooMatrix<f64>, String> {
    // The kind of the matrix, in letters of any size.
    let mut lines = text.lines();
    let banner = lines.next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = banner.split_whitespace().collect();
    let is_symmetric = match words[..] {
        [
            "%%matrixmarket",
            "matrix",
            "coordinate",
            "real" | "integer",
            kind,
        ] => match kind {
            "general" => false,
            "symmetric" => true,
            _ => return Err(format!("{kind} matrices are not read")),
        },
        _ => return Err(format!("the first line is {banner:?}")),
    };

    // Comments and empty lines may stand anywhere.
    let mut lines = lines.filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let [rows, columns, count] = fields(lines.next().unwrap_or_default())?;
    let rows: usize = number(rows)?;
    let columns: usize = number(columns)?;
    let count: usize = number(count)?;
    if is_symmetric && rows != columns {
        return Err(format!("{rows} rows and {columns} columns, but symmetric"));
    }

    // The entries; of a symmetric matrix each stands for two.
    let mut matrix = CooMatrix::new(rows, columns);
    let mut seen = 0_usize;
    for line in lines {
        let [row, column, value] = fields(line)?;
        let row = place(row, rows)?;
        let column = place(column, columns)?;
        let value = number(value)?;
        matrix.push(row, column, value);
        if is_symmetric && row != column {
            matrix.push(column, row, value);
        }
        seen += 1;
    }

    // A file that was cut off has fewer entries than it says.
    if seen != count {
        return Err(format!("{seen} entries instead of {count}"));
    }
    Ok(matrix)
}

/// The three fields of a line.
fn fields(line: &str) -> Result<[&str; 3], String> {
    let all: Vec<&str> = line.split_whitespace().collect();
    all.try_into()
        .map_err(|_| format!("{line:?} has not three fields"))
}

/// A number of a file.
fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is not a number"))
}

/// Index of a row or column, which files count from 1, among `count`.
fn place(text: &str, count: usize) -> Result<usize, String> {
    let given: usize = number(text)?;
    if (1..=count).contains(&given) {
        Ok(given - 1)
    } else {
        Err(format!("{given} is not among 1 to {count}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_matrices::{grid, springs};

    #[test]
    fn a_matrix_that_was_written_is_read_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("springs.mtx");
        let matrix = springs(49, &grid(7));
        write(&matrix, &path).unwrap();
        let back = read(&path).unwrap();
        assert_eq!(CscMatrix::from(&back), CscMatrix::from(&matrix));
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.mtx");
        assert!(matches!(read(&path), Err(ReadError::Io(_))));
        std::fs::write(&path, "not a matrix").unwrap();
        assert!(matches!(read(&path), Err(ReadError::Format(_))));
        std::fs::write(&path, format!("{BANNER}\n3 3 1\n1 1 2.5\n")).unwrap();
        assert!(matches!(read(&path), Err(ReadError::Conversion(_))));
        for (body, fault) in [
            ("2 2 2\n1 1 2.5\n", "1 entries instead of 2"),
            ("2 2 1\n3 1 2.5\n", "3 is not among 1 to 2"),
            ("2 2 1\n1 1 2,5\n", "\"2,5\" is not a number"),
            ("2 2 1\n1 1\n", "\"1 1\" has not three fields"),
            ("2 4 0\n", "2 rows and 4 columns, but symmetric"),
        ] {
            std::fs::write(&path, format!("{BANNER}\n{body}")).unwrap();
            assert!(matches!(read(&path), Err(ReadError::Format(text)) if text == fault));
        }
    }

    #[test]
    fn general_files_with_comments_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("general.mtx");
        let banner = "%%MatrixMarket matrix coordinate integer general";
        let body = "% by hand\n 2 2 3\n1 1 4\n\n%\n2 1 -1\n1 2 -1\n";
        std::fs::write(&path, format!("{banner}\n{body}")).unwrap();
        let scalar = CscMatrix::from(&read(&path).unwrap());
        assert_eq!(scalar.get_entry(0, 1).unwrap().into_value(), -1.0);
        assert_eq!(scalar.get_entry(0, 0).unwrap().into_value(), 4.0);
    }
}
