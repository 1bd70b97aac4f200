//! Matrix Market files, read and written through `nalgebra_sparse`.
//!
//! The format is text that most libraries of numerics read. Systems of a run can be handed to other
//! solvers, and systems of other programs to this one.

use super::{BlockMatrix, ConversionError};
use nalgebra_sparse::io::{load_coo_from_matrix_market_str, save_to_matrix_market_str};
use nalgebra_sparse::{CooMatrix, CscMatrix};
use std::path::Path;

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
    let mut lower = CooMatrix::new(n, n);
    for column in 0..n {
        for (row, value) in matrix.scalar_column(column) {
            lower.push(row, column, value);
        }
    }

    // nalgebra-sparse declares every matrix as general, in letters that SciPy does not accept.
    let text = save_to_matrix_market_str(&lower);
    let entries = text.split_once('\n').map_or("", |(_, entries)| entries);
    std::fs::write(path, format!("{BANNER}\n{entries}"))
}

/// Reads a symmetric matrix of real numbers. The file may store one triangle or both.
///
/// # Errors
/// If the file cannot be read, is malformed, or holds no symmetric matrix of even size.
pub fn read(path: &Path) -> Result<BlockMatrix, ReadError> {
    let text = std::fs::read_to_string(path)?;
    let entries = load_coo_from_matrix_market_str::<f64>(&text)
        .map_err(|error| ReadError::Format(error.to_string()))?;
    Ok(BlockMatrix::try_from(&CscMatrix::from(&entries))?)
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
    }
}
