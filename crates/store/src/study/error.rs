//! Errors of studies.

use crate::error::FolderError;
use ipcsim::scene::SceneError;
use std::path::PathBuf;
use thiserror::Error;

/// A study that cannot be read, or a folder that is not its own.
#[derive(Debug, Error)]
pub enum StudyError {
    /// An entry of the plan is wrong.
    #[error("{0}")]
    Plan(String),
    /// The text of the plan is wrong.
    #[error(transparent)]
    Text(SceneError),
    /// A file that the plan names cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the system.
        source: std::io::Error,
    },
    /// The scene, or a value for one of its keys, is wrong.
    #[error("{}: {source}", path.display())]
    Scene {
        /// Path of the scene, as the plan gives it.
        path: PathBuf,
        /// Reason.
        source: SceneError,
    },
    /// The folder holds rows of another study.
    #[error(
        "{} holds runs of another plan, scene or version of the program; choose another folder with \
         --out, or remove it", folder.display()
    )]
    Other {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// The folder holds something else.
    #[error(
        "{} holds \"{entry}\", which no sweep has written; choose another folder with --out",
        folder.display()
    )]
    Foreign {
        /// Path of the folder.
        folder: PathBuf,
        /// First foreign entry by name.
        entry: String,
    },
    /// A file of the folder cannot be written or read.
    #[error(transparent)]
    Folder(#[from] FolderError),
}
