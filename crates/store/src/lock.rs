//! One process writes a run: it holds a lock on the folder from the beginning, and one on the journal,
//! which earlier versions look at.
//!
//! The operating system releases the lock when the process ends, however it ends, so no stale lock
//! has to be cleaned up.

use super::error::FolderError;
use ipcsim::files::open as open_file;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

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

/// Locks the folder at `path` for this process, as long as the file lives. `None` if the system opens no
/// folders; then the journal alone has a lock.
///
/// # Errors
/// [`FolderError::Busy`] if another process holds the lock.
pub(super) fn lock_folder(path: &Path) -> Result<Option<File>, FolderError> {
    let Ok(folder) = open_file(path) else {
        return Ok(None);
    };
    lock(&folder, &path.join("folder"))?;
    Ok(Some(folder))
}

/// Path by which the system knows an open folder, wherever it was moved; `None` if it does not tell.
#[cfg(target_os = "linux")]
pub(super) fn place_of(folder: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", folder.as_raw_fd())).ok()
}

/// Path by which the system knows an open folder: other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn place_of(_folder: &File) -> Option<PathBuf> {
    None
}
