//! The folder of a run: files appear in it whole or not at all.
//!
//! A folder is a run's if the report of a run is in it ([`existing_run`](super::existing_run)); a command
//! that would write into any other folder refuses, so that no file of the user is lost by a wrong
//! path. Replacing a run removes the scene first and the report last: at every moment in between,
//! the folder is known as a run that cannot be resumed.

use super::error::{FolderError, failed};
use super::field_names::{FIELDS, only_fields};
use super::file::{PartialFile, write_whole};
use super::lock::{lock_folder, place_of, refuse_busy};
use super::names;
pub use super::names::partial;
use super::report::{RunOptions, RunStatus};
use super::sealed_text;
use ipcsim::files::read_text;
use serde::Deserialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Report of the run. It is written first: a folder without it holds no run.
pub const RUN: &str = "run.json";
/// The effective scene.
pub const SCENE: &str = "scene.json";
/// All steps so far, until the run has completed.
pub const JOURNAL: &str = "journal.bin";
/// Folder of the frames.
pub const FRAMES: &str = "frames";

/// What every version has written into the report of a run.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    /// Name of the scene.
    pub(super) scene: String,
    /// Version of the program.
    #[serde(rename = "version")]
    _version: String,
    /// End of the run.
    pub(super) status: RunStatus,
    /// Number of steps done.
    pub(super) steps: usize,
    /// Hash of the last state.
    #[serde(rename = "hash")]
    _hash: String,
    /// Options of the run.
    #[serde(default)]
    pub(super) options: RunOptions,
}

/// A folder for the files of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    /// Path of the folder, as the user gave it.
    path: PathBuf,
    /// The folder itself, locked by this process as long as it writes a run; `None` in a folder that is
    /// only read.
    lock: Option<Arc<fs::File>>,
}

impl RunFolder {
    /// Makes `path` an empty folder for a run.
    ///
    /// A run in it is replaced: its files are those called `written`, and those that every run has.
    /// Other files are refused, or left alone with `force`.
    ///
    /// # Errors
    /// - [`FolderError::Busy`] if another process writes a run into the folder,
    /// - [`FolderError::Foreign`] if an entry is no run's, without `force`,
    /// - [`FolderError::Io`] if the folder cannot be created, listed or emptied.
    ///
    /// No file has been removed then, unless removing itself failed.
    pub fn create(path: &Path, written: &[&str], force: bool) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(failed("create", path))?;
        let folder = Self::locked(path)?;

        // Entries of a run, and entries that no run has written.
        let mut own = Vec::new();
        let mut foreign = Vec::new();
        for entry in fs::read_dir(path).map_err(failed("read", path))? {
            let entry = entry.map_err(failed("read", path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_of_a_run(&entry.path(), &name, written) {
                own.push(name);
            } else {
                foreign.push(name);
            }
        }
        foreign.sort_unstable();

        // Files with the right names are no run without a run's report, except partial ones.
        if !is_run(path) && own.iter().any(|name| names::completed(name).is_none()) {
            own.sort_unstable();
            foreign.append(&mut own);
        }
        if let (Some(entry), false) = (foreign.first(), force) {
            return Err(FolderError::Foreign {
                folder: path.to_path_buf(),
                entry: entry.clone(),
            });
        }

        // If this is interrupted, a folder without a scene cannot be resumed, and one with a report
        // is still known as a run: the scene goes first, the report last.
        own.sort_unstable_by_key(|name| (name == RUN, name != SCENE));
        for name in own {
            remove(&path.join(name))?;
        }
        Ok(folder)
    }

    /// The folder at `path`, locked for this process.
    ///
    /// # Errors
    /// [`FolderError::Busy`] if another process writes a run into it.
    fn locked(path: &Path) -> Result<Self, FolderError> {
        refuse_busy(&path.join(JOURNAL))?;
        Ok(Self {
            path: path.to_path_buf(),
            lock: lock_folder(path)?.map(Arc::new),
        })
    }

    /// The folder at `path`, which holds a run already; nothing is read or checked.
    pub fn existing(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            lock: None,
        }
    }

    /// Reopens the folder of an unfinished run and removes partial files.
    ///
    /// # Errors
    /// [`FolderError::Busy`] if another process writes the run; [`FolderError::Io`] if a partial
    /// file cannot be removed.
    pub fn reopen(path: &Path) -> Result<Self, FolderError> {
        let own = Self::locked(path)?;
        // Partial files are in the folder itself and among frames and fields.
        for folder in [path.to_path_buf(), path.join(FRAMES), path.join(FIELDS)] {
            if !folder.is_dir() {
                continue;
            }

            for entry in fs::read_dir(&folder).map_err(failed("read", &folder))? {
                let entry = entry.map_err(failed("read", &folder))?;
                if names::completed(&entry.file_name().to_string_lossy()).is_some() {
                    remove(&entry.path())?;
                }
            }
        }

        Ok(own)
    }

    /// Place of the folder now, if somebody has moved it and the system tells; `None` otherwise.
    pub fn moved_to(&self) -> Option<PathBuf> {
        if self.path.is_dir() {
            return None;
        }
        place_of(self.lock.as_ref()?).filter(|place| place.is_dir())
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder called `name` in this one, if it does not exist, and returns its path.
    ///
    /// # Errors
    /// [`FolderError::Outside`] if it is a link that leads out of this folder; [`FolderError::Io`] if it
    /// cannot be created.
    pub fn begin_inner(&self, name: &str) -> Result<PathBuf, FolderError> {
        inner(&self.path, name)
    }

    /// Begins the file called `name`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the partial file cannot be created.
    pub fn begin(&self, name: &str) -> Result<PartialFile, FolderError> {
        PartialFile::create(&self.path.join(name))
    }

    /// Writes a file by `fill`, under another name until it is complete.
    ///
    /// # Errors
    /// [`FolderError::Io`] if `fill` or the file fails; then no file is left.
    pub fn write(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), fill)
    }

    /// Writes a file that is complete on the disk before it gets its name.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file or the folder cannot be written.
    pub fn write_durably(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let mut file = self.begin(name)?;
        file.add(bytes)?;
        file.sync()?;
        file.finish()?;
        self.sync(&[])
    }

    /// Waits until the files called `names`, and the folder itself, are on the disk.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the operating system reports that one is not.
    pub fn sync(&self, names: &[&str]) -> Result<(), FolderError> {
        for name in names {
            sync(&self.path.join(name))?;
        }
        // A folder is a file that can be opened on Unix only.
        if cfg!(unix) {
            sync(&self.path)?;
        }
        Ok(())
    }

    /// Path of the file called `name` while it is not complete.
    pub fn partial(&self, name: &str) -> PathBuf {
        names::partial(&self.path.join(name))
    }
}

/// Makes the folder called `name` in the folder `path`, if it does not exist, and returns its path.
///
/// # Errors
/// [`FolderError::Outside`] if it is a link that leads out of `path`; [`FolderError::Io`] if it cannot be
/// created.
pub fn inner(path: &Path, name: &str) -> Result<PathBuf, FolderError> {
    let inner = path.join(name);
    fs::create_dir_all(&inner).map_err(failed("create", &inner))?;
    let real = fs::canonicalize(&inner).map_err(failed("read", &inner))?;
    let own = fs::canonicalize(path).map_err(failed("read", path))?;
    if real.starts_with(&own) {
        Ok(inner)
    } else {
        Err(FolderError::Outside { path: inner, real })
    }
}

/// Waits until the file or folder `path` is on the disk.
///
/// # Errors
/// [`FolderError::Io`] if it cannot be opened, or if the operating system reports that it is not.
fn sync(path: &Path) -> Result<(), FolderError> {
    let file = fs::File::open(path);
    file.and_then(|file| file.sync_all())
        .map_err(failed("write", path))
}

/// Removes a file, or a folder with all in it.
///
/// # Errors
/// [`FolderError::Io`] if the operating system refuses.
fn remove(path: &Path) -> Result<(), FolderError> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.map_err(failed("remove", path))
}

/// Beginning of the report in the folder `path`; `None` if there is none, or if it is something
/// else.
pub(super) fn head(path: &Path) -> Option<Head> {
    let text = read_text(&path.join(RUN)).ok()?;
    sealed_text::open(&text).ok()?;
    serde_json::from_str(&text).ok()
}

/// True if the folder `path` is that of a run: it has the report of one or, where that is lost, a
/// checkpoint.
fn is_run(path: &Path) -> bool {
    let is_checkpoint = |entry: fs::DirEntry| {
        let is_named = names::step_of(&entry.file_name().to_string_lossy()).is_some();
        is_named
            && fs::read(entry.path()).is_ok_and(|bytes| bytes.starts_with(b"ipcsim checkpoint"))
    };
    head(path).is_some()
        || fs::read_dir(path).is_ok_and(|entries| entries.flatten().any(is_checkpoint))
}

/// True if the entry `name` at `path` belongs to a run, complete or partial; `written` are the
/// names that this kind of run may have besides those of every run.
fn is_of_a_run(path: &Path, name: &str, written: &[&str]) -> bool {
    if name == FRAMES {
        return only_frames(path);
    }
    if name == FIELDS {
        return only_fields(path);
    }
    let name = names::completed(name).unwrap_or(name);
    [RUN, SCENE, JOURNAL].contains(&name)
        || written.contains(&name)
        || names::step_of(name).is_some()
}

/// True if a folder holds nothing but numbered pictures; also if it is empty.
fn only_frames(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| is_frame(&entry.file_name().to_string_lossy())))
    })
}

/// True if `name` is that of a numbered picture (digits and `.png`), complete or partial.
fn is_frame(name: &str) -> bool {
    let name = names::completed(name).unwrap_or(name);
    name.strip_suffix(".png")
        .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
