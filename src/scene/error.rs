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
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The text is not a scene.
    #[cfg(feature = "scene")]
    #[error("line {line}, column {column}{}: {message}", at(path))]
    Parse {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// JSON path of the value.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// An override from the command line does not fit.
    #[cfg(feature = "scene")]
    #[error("--set {setting}: {message}")]
    Override {
        /// The override as given.
        setting: String,
        /// What is wrong.
        message: String,
    },
    /// The scene is well-formed, but means nothing that can be simulated.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<Problem>),
}

#[cfg(feature = "scene")]
fn at(path: &str) -> String {
    match path.trim_end_matches(['.', '?']) {
        "" => String::new(),
        path => format!(" ({path})"),
    }
}
