//! Why a command could not do what it was asked.

use super::problems::list;
use crate::files::read_text;
use crate::pictures::error::PictureError;
use crate::scene::SceneError;
use crate::store::checkpoint::CheckpointError;
use crate::store::folder::{FolderError, RUN};
use crate::store::journal::JournalError;
use crate::store::report::RunReport;
use crate::store::segments::SegmentsError;
use crate::store::table::TableError;
use crate::store::trajectory::TrajectoryError;
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
    Output(#[from] PictureError),
    /// A trajectory cannot be read.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
    /// Stored segments cannot be read.
    #[error(transparent)]
    Segments(#[from] SegmentsError),
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
    /// A journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A run cannot go on from a checkpoint.
    #[error("{source}; {offer}")]
    Refused {
        /// Why not.
        source: CheckpointError,
        /// From what it can.
        offer: String,
    },
    /// There is no such checkpoint.
    #[error("{} has no checkpoint of step {step}; it has {}, and --from 0 starts again", dir.display(), listed(steps))]
    NoCheckpoint {
        /// Folder of the run.
        dir: PathBuf,
        /// The step.
        step: usize,
        /// Those that have one.
        steps: Vec<usize>,
    },
    /// A folder has no run that could go on.
    #[error("{} holds no scene.json, so there is nothing to resume; start with ipcsim run SCENE --out {}", dir.display(), dir.display())]
    NothingToResume {
        /// The folder.
        dir: PathBuf,
    },
    /// A run is under way, or was killed.
    #[error(
        "{}: the run is under way or was killed, and this needs the files that are made at its end; wait for it, or go on with: \
         ipcsim run --resume {}", dir.display(), dir.display()
    )]
    Unfinished {
        /// Folder of the run.
        dir: PathBuf,
    },
    /// A run had to end where it was.
    #[error("{source}; {}: {command}", kept(*step))]
    Kept {
        /// The last step that it need not do again.
        step: usize,
        /// What to type to go on.
        command: String,
        /// Why it ended.
        source: Box<CommandError>,
    },
    /// Signals cannot be watched.
    #[error("cannot watch for signals: {0}")]
    Signals(std::io::Error),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

fn kept(step: usize) -> String {
    match step {
        0 => "no checkpoint had been written, start again with".to_owned(),
        step => format!("the run is kept up to step {step}, go on with"),
    }
}

fn listed(steps: &[usize]) -> String {
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    if steps.is_empty() {
        "none".to_owned()
    } else {
        format!("those of {}", steps.join(" and "))
    }
}

fn told(scene: &Path, error: &SceneError) -> String {
    match error {
        SceneError::Invalid(problems) => list(scene, problems),
        SceneError::Read { source, .. } => format!("{}: cannot be read: {source}", scene.display()),
        other => format!("{}: {other}", scene.display()),
    }
}

impl CommandError {
    /// Reads the report of a run.
    pub(super) fn read_report(path: &Path) -> Result<RunReport, Self> {
        let malformed = |message: String| Self::Malformed {
            path: path.to_path_buf(),
            message,
        };
        let text =
            read_text(path).map_err(|error| malformed(format!("cannot be read: {error}")))?;
        serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))
    }

    /// Refuses the folder of a run whose files have not been made yet.
    pub(super) fn refuse_unfinished(dir: &Path) -> Result<(), Self> {
        // Whoever reads the files does not need a report.
        let unfinished =
            Self::read_report(&dir.join(RUN)).is_ok_and(|report| report.is_unfinished());
        if unfinished {
            Err(Self::Unfinished {
                dir: dir.to_path_buf(),
            })
        } else {
            Ok(())
        }
    }

    /// An error about a scene's file.
    pub(super) fn scene(scene: &Path) -> impl FnOnce(SceneError) -> Self {
        let scene = scene.to_path_buf();
        move |source| Self::Scene { scene, source }
    }
}
