//! Errors of `ipcsim ccd`.

use std::io;
use std::path::PathBuf;

/// Error of `ipcsim ccd`, which ends with exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CcdError {
    /// The file cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A line is not a query.
    #[error("line {number}: {found}; expected {expected}")]
    Line {
        /// Number of the line, from 1.
        number: usize,
        /// Description of the error.
        found: String,
        /// Description of a valid line.
        expected: &'static str,
    },
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
}
