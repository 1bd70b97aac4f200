//! Errors of a scene: a file that cannot be read, a text that is no scene, or a scene with
//! problems.

use super::problem::Problem;
use std::path::PathBuf;
use thiserror::Error;

/// Error of a scene that cannot be used.
///
/// The message of [`SceneError::Invalid`] has one line for each problem, warnings included.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Reason given by the system.
        source: std::io::Error,
    },
    /// The text is not JSON, or a key or a type in it is wrong.
    #[error("line {line}, column {column}{}: {message}", at(path))]
    Parse {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the column, from 1.
        column: usize,
        /// JSON path of the value; `.` for the whole text.
        path: String,
        /// Description of the error.
        message: String,
    },
    /// An override from the command line does not fit.
    #[error("--set {setting}: {message}")]
    Override {
        /// The override as given.
        setting: String,
        /// Description of the error.
        message: String,
    },
    /// A value that replaces one of a [`Template`](super::Template) does not fit.
    #[error("{setting}: {message}")]
    Setting {
        /// Key and value.
        setting: String,
        /// Description of the error.
        message: String,
    },
    /// The scene is well-formed but cannot be simulated.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Problem>),
}

/// The path in parentheses after a space; empty for the whole text.
fn at(path: &str) -> String {
    match path.trim_end_matches(['.', '?']) {
        "" => String::new(),
        path => format!(" ({path})"),
    }
}
