//! Errors of folders and files of a run.
//!
//! Every message names the path and, where the operating system's error has a usual remedy, the
//! remedy.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A folder or a file in it cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder holds an entry that no run has written.
    #[error(
        "{} holds \"{entry}\", which no run has written; choose another folder with --out, or \
         write into it, leaving other files alone, with --force", folder.display()
    )]
    Foreign {
        /// Path of the folder.
        folder: PathBuf,
        /// First foreign entry by name.
        entry: String,
    },
    /// The folder holds a run that has not ended, which a new one would replace.
    #[error(
        "{} holds an unfinished run, saved up to step {step}; continue it with: {resume}; or start \
         again, which removes it, with --force", folder.display()
    )]
    Unfinished {
        /// Path of the folder.
        folder: PathBuf,
        /// Step up to which it is saved.
        step: usize,
        /// Command that continues it.
        resume: String,
    },
    /// The folder holds the run of another scene.
    #[error(
        "{} holds the run of another scene, {other}; choose another folder with --out, or replace that \
         run with --force", folder.display()
    )]
    OtherScene {
        /// Path of the folder.
        folder: PathBuf,
        /// File or name of that scene.
        other: String,
    },
    /// Another process is running a simulation into the folder.
    #[error(
        "a run under way writes to {}; wait for its end, or end it with SIGTERM",
        folder.display()
    )]
    Busy {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// A folder within the folder of a run is a link that leads out of it.
    #[error(
        "{} is a link to {}, and nothing is written outside of the folder; remove the link",
        path.display(), real.display()
    )]
    Outside {
        /// Path of the link.
        path: PathBuf,
        /// Folder that it leads to.
        real: PathBuf,
    },
    /// A file cannot be read, written or removed.
    #[error("cannot {action} {}: {source}{}", path.display(), cure(source))]
    Io {
        /// Verb for the message: "read", "write", "remove".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}

/// Advice against an error of the operating system; empty if no usual remedy exists.
fn cure(error: &io::Error) -> &'static str {
    use io::ErrorKind::{
        FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    match error.kind() {
        StorageFull | QuotaExceeded => "; make room on the disk",
        FileTooLarge => "; raise the limit of the size of files (ulimit -f)",
        PermissionDenied | ReadOnlyFilesystem => "; choose a folder that can be written",
        _ => "",
    }
}

/// Turns an error of the operating system into a [`FolderError::Io`] with action and path, for
/// `map_err`.
pub fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    move |source| FolderError::Io {
        action,
        path: path.to_path_buf(),
        source,
    }
}
