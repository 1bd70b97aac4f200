//! One process writes a run: it holds a lock on the journal.
//!
//! The operating system releases the lock when the process ends, however it ends, so no stale lock
//! has to be cleaned up.

use super::error::FolderError;
use ipcsim::files::open as open_file;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Locks the journal `file` at `path` for this process.
///
/// # Errors
/// [`FolderError::Busy`] if another process holds the lock.
pub(super) fn lock(file: &File, path: &Path) -> Result<(), FolderError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy {
            folder: path.parent().unwrap_or(path).to_path_buf(),
        }),
        // Not every file system has locks; they only guard against a mistake.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Refuses the journal at `path` if another process writes it. A journal that does not exist, or
/// cannot be opened, is not refused.
///
/// # Errors
/// [`FolderError::Busy`] if another process holds the lock.
pub(super) fn refuse_busy(path: &Path) -> Result<(), FolderError> {
    open_file(path).map_or(Ok(()), |file| lock(&file, path))
}
