//! Why a command could not do what it was asked.

use super::preflight::list;
use crate::output::energies::TableError;
use crate::output::error::OutputError;
use crate::output::folder::FolderError;
use crate::output::trajectory::TrajectoryError;
use crate::scene::SceneError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Bad input or usage, an unreadable or an unwritable file: exit code 2.
#[derive(Debug, Error)]
pub enum CommandError {
    /// A scene cannot be used.
    #[error("{}", told(scene, source))]
    Scene {
        /// The scene's file.
        scene: PathBuf,
        /// Why not.
        source: SceneError,
    },
    /// A folder or file cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A picture cannot be made.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A trajectory cannot be read.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file of a run is not as it should be.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Queries cannot be read or answers written.
    #[error(transparent)]
    Ccd(#[from] super::ccd::CcdError),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

fn told(scene: &Path, error: &SceneError) -> String {
    match error {
        SceneError::Invalid(problems) => list(scene, problems),
        SceneError::Read { source, .. } => format!("{}: cannot be read: {source}", scene.display()),
        other => format!("{}: {other}", scene.display()),
    }
}

impl CommandError {
    /// An error about a scene's file.
    pub(super) fn scene(scene: &Path) -> impl FnOnce(SceneError) -> Self {
        let scene = scene.to_path_buf();
        move |source| Self::Scene { scene, source }
    }
}
