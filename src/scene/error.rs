//! Why a scene cannot be used.

use super::problem::Problem;
#[cfg(feature = "scene")]
use std::path::PathBuf;
use thiserror::Error;

/// Why a scene cannot be used.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[cfg(feature = "scene")]
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the system.
        source: std::io::Error,
    },
    /// The text is not a scene.
    #[cfg(feature = "scene")]
    #[error("line {line}, column {column}{}: {message}", at(path))]
    Parse {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the column, from 1.
        column: usize,
        /// JSON path of the value.
        path: String,
        /// Description of the error.
        message: String,
    },
    /// An override from the command line does not fit.
    #[cfg(feature = "scene")]
    #[error("--set {setting}: {message}")]
    Override {
        /// The override as given.
        setting: String,
        /// Description of the error.
        message: String,
    },
    /// The scene is well-formed but cannot be simulated.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Problem>),
}

/// The path in parentheses, if there is one.
#[cfg(feature = "scene")]
fn at(path: &str) -> String {
    match path.trim_end_matches(['.', '?']) {
        "" => String::new(),
        path => format!(" ({path})"),
    }
}
