//! Errors of workers, before the command adds the name of its plan.

use crate::CommandError;
use ipcsim_store::error::FolderError;
use ipcsim_store::study::StudyError;
use std::path::Path;

/// Work that ended without all of its rows.
#[derive(Debug)]
pub(super) enum WorkError {
    /// The folder of the study cannot be used.
    Study(StudyError),
    /// Another file cannot be used.
    Command(CommandError),
}

impl From<StudyError> for WorkError {
    fn from(error: StudyError) -> Self {
        Self::Study(error)
    }
}

impl From<FolderError> for WorkError {
    fn from(error: FolderError) -> Self {
        Self::Study(error.into())
    }
}

impl From<CommandError> for WorkError {
    fn from(error: CommandError) -> Self {
        Self::Command(error)
    }
}

impl WorkError {
    /// Error of the command, which names the plan.
    pub(super) fn named(self, plan: &Path) -> CommandError {
        match self {
            Self::Study(source) => CommandError::Sweep {
                plan: plan.to_path_buf(),
                source,
            },
            Self::Command(error) => error,
        }
    }
}
