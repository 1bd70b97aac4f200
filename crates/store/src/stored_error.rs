//! Reasons why the files of a stored run cannot be read.

use super::error::FolderError;
use super::flow::FlowError;
use super::npy::NpyError;
use super::segments::SegmentsError;
use super::table::TableError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A stored run cannot be read.
#[derive(Debug, Error)]
pub enum StoredError {
    /// A file does not hold what it should.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Sentence that says what is wrong.
        message: String,
    },
    /// The run is under way, or was killed.
    #[error(
        "{}: the run is under way or was killed, and has stored no state yet that could be looked at; \
         wait for it, or resume with: ipcsim run --resume {}",
        dir.display(),
        dir.display()
    )]
    Unfinished {
        /// Folder of the run.
        dir: PathBuf,
    },
    /// A file cannot be read by the operating system.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The trajectory cannot be read.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// The plastic flow cannot be read.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The table of energies cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The step segments cannot be read.
    #[error(transparent)]
    Segments(#[from] SegmentsError),
}

impl StoredError {
    /// Error that the file `path` does not hold what it should.
    pub fn malformed(path: &Path, message: impl Into<String>) -> Self {
        Self::Malformed {
            path: path.to_path_buf(),
            message: message.into(),
        }
    }
}
