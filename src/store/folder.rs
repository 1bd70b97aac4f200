//! The folder of a run: files appear in it whole or not at all.

use super::checkpoint::step_of;
use super::journal::refuse_busy;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A folder or a file in it cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder holds something that no run has written.
    #[error(
        "{} holds \"{entry}\", which no run has written; choose another folder with --out, or replace the run in it, leaving \
         other files alone, with --force", folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The first entry that is foreign.
        entry: String,
    },
    /// A run under way writes to it.
    #[error("a run under way writes to {}; wait for its end, or end it with SIGTERM", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be read, written or removed.
    #[error("cannot {action} {}: {source}{}", path.display(), cure(source))]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

/// What helps against an error of the operating system.
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

/// The files that a run writes. `run.json` comes first: a folder without it holds no run.
pub const RUN: &str = "run.json";
/// The effective scene.
pub const SCENE: &str = "scene.json";
/// The mesh.
pub const MESH: &str = "mesh.json";
/// Positions.
pub const TRAJECTORY: &str = "trajectory.npy";
/// Energies and sums.
pub const ENERGIES: &str = "energies.csv";
/// Chart of the energies.
pub const CHART: &str = "energies.png";
/// Seconds per phase.
pub const TIMINGS: &str = "timings.csv";
/// Accepted step segments.
pub const SEGMENTS: &str = "segments.bin";
/// Animation.
pub const ANIMATION: &str = "animation.gif";
/// All steps so far, while a run goes on and until it has completed.
pub const JOURNAL: &str = "journal.bin";
/// Folder of the frames.
pub const FRAMES: &str = "frames";

const FILES: [&str; 10] = [
    RUN, SCENE, MESH, TRAJECTORY, ENERGIES, CHART, TIMINGS, SEGMENTS, ANIMATION, JOURNAL,
];

/// Start and end of the name of a file that is not complete yet.
const PARTIAL: [&str; 2] = [".", ".partial"];

/// A folder for the files of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes `path` an empty folder for a run. A run in it is replaced; foreign files are refused, or left alone with
    /// `force`.
    ///
    /// # Errors
    /// [`FolderError`]; then nothing has been removed unless removing itself failed.
    pub fn create(path: &Path, force: bool) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(failed("create", path))?;
        refuse_busy(&path.join(JOURNAL))?;
        let mut own = Vec::new();
        let mut foreign = Vec::new();
        for entry in fs::read_dir(path).map_err(failed("read", path))? {
            let entry = entry.map_err(failed("read", path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_of_a_run(&entry.path(), &name) {
                own.push(name);
            } else {
                foreign.push(name);
            }
        }
        foreign.sort_unstable();
        let no_run =
            !own.is_empty() && !path.join(RUN).exists() && own.iter().any(|name| !is_partial(name));
        if no_run {
            own.sort_unstable();
            foreign.append(&mut own);
        }
        if let (Some(entry), false) = (foreign.first(), force) {
            return Err(FolderError::Foreign {
                folder: path.to_path_buf(),
                entry: entry.clone(),
            });
        }
        // Should this be interrupted: without a scene there is nothing to resume, and with a report it is known as a run.
        own.sort_unstable_by_key(|name| (name == RUN, name != SCENE));
        for name in own {
            let file = path.join(name);
            let removed = if file.is_dir() {
                fs::remove_dir_all(&file)
            } else {
                fs::remove_file(&file)
            };
            removed.map_err(failed("remove", &file))?;
        }
        Ok(Self {
            path: path.to_path_buf(),
        })
    }

    /// A folder that holds a run already.
    pub fn existing(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
        }
    }

    /// A folder that holds a run which is gone on with: files that are not complete are removed.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn reopen(path: &Path) -> Result<Self, FolderError> {
        refuse_busy(&path.join(JOURNAL))?;
        for folder in [path.to_path_buf(), path.join(FRAMES)]
            .iter()
            .filter(|folder| folder.is_dir())
        {
            for entry in fs::read_dir(folder).map_err(failed("read", folder))? {
                let entry = entry.map_err(failed("read", folder))?;
                if is_partial(&entry.file_name().to_string_lossy()) {
                    fs::remove_file(entry.path()).map_err(failed("remove", &entry.path()))?;
                }
            }
        }
        Ok(Self::existing(path))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file by `fill`, under another name until it is complete.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), fill)
    }

    /// Writes a file that is on the disk when this returns, and was not there before it was complete.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn write_durably(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        let written = complete(&path, |file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(failed("write", &path))?;
        self.sync(&[])
    }

    /// Waits until files, and the folder itself, are on the disk.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn sync(&self, names: &[&str]) -> Result<(), FolderError> {
        let synced = |path: &Path| {
            fs::File::open(path)
                .and_then(|file| file.sync_all())
                .map_err(failed("write", path))
        };
        names
            .iter()
            .try_for_each(|name| synced(&self.path.join(name)))?;
        // Only on Unix a folder is a file that can be opened.
        if cfg!(unix) {
            synced(&self.path)
        } else {
            Ok(())
        }
    }

    /// Where a file called `name` is while it is not complete.
    pub fn partial(&self, name: &str) -> PathBuf {
        partial(&self.path.join(name))
    }
}

/// Writes the file `path` by `fill`, under another name until it is complete.
///
/// # Errors
/// [`FolderError::Io`].
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FolderError> {
    let written = complete(path, |file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        file.flush()
    });
    written.map_err(failed("write", path))
}

/// Gives the file `path` its name when `fill` has completed it.
fn complete(path: &Path, fill: impl FnOnce(&mut fs::File) -> io::Result<()>) -> io::Result<()> {
    let temporary = partial(path);
    let written = fs::File::create(&temporary).and_then(|mut file| fill(&mut file));
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The error that matters is the first one; there may be nothing to remove.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// An error of the operating system with what was tried.
pub fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    move |source| FolderError::Io {
        action,
        path: path.to_path_buf(),
        source,
    }
}

fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{name}{}", PARTIAL[0], PARTIAL[1]))
}

fn is_partial(name: &str) -> bool {
    name.starts_with(PARTIAL[0]) && name.ends_with(PARTIAL[1])
}

fn is_of_a_run(path: &Path, name: &str) -> bool {
    if name == FRAMES {
        return only_frames(path);
    }
    let is_own = |name: &str| FILES.contains(&name) || step_of(name).is_some();
    let whole = name
        .strip_prefix(PARTIAL[0])
        .and_then(|name| name.strip_suffix(PARTIAL[1]));
    is_own(name) || whole.is_some_and(is_own)
}

/// Whether a folder holds nothing but numbered pictures.
fn only_frames(path: &Path) -> bool {
    let numbered = |name: &str| {
        let name = name
            .strip_prefix(PARTIAL[0])
            .and_then(|name| name.strip_suffix(PARTIAL[1]))
            .unwrap_or(name);
        name.strip_suffix(".png")
            .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit()))
    };
    fs::read_dir(path).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| numbered(&entry.file_name().to_string_lossy())))
    })
}

#[cfg(test)]
mod tests;
