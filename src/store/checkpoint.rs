//! Checkpoints: from what a run goes on with the same bits.
//!
//! A file is a line that says what it is, the format's number, the contents, and a checksum of all of that. It is complete
//! on the disk before it gets its name. Two are kept, so that there is one to go back to.

use super::folder::{FolderError, RunFolder, failed};
use crate::files::read_bytes;
use crate::solve::SolverMemory;
use crate::time::{SavedState, State};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use thiserror::Error;

/// Where a run was, and how far its other files had come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Version of the program that wrote it.
    pub version: String,
    /// What the run computes: see [`identity`].
    pub identity: u32,
    /// The state, with all that its last step left to the next one.
    pub state: SavedState,
    /// What the solver remembers.
    pub memory: SolverMemory,
    /// Where the journal ends, and how many records it has.
    pub journal: (u64, usize),
    /// Where the recorded collision queries end, and how many there are.
    pub queries: Option<(u64, u64)>,
}

/// A checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A bit is not as it was written.
    #[error("{} is damaged: its checksum does not agree with its contents", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// It was written in another way.
    #[error("{} was written by {other}, this is version {own}; resume with the program that wrote it", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// What wrote it.
        other: String,
        /// This program's version.
        own: &'static str,
    },
    /// It is of another run.
    #[error(
        "{} is of another scene or other options than those stored in the folder; undo the changes of scene.json and run.json",
        path.display()
    )]
    Scene {
        /// The file.
        path: PathBuf,
    },
    /// The journal does not reach it.
    #[error(
        "{} cannot be used: the journal beside it is damaged, of another run, or was cut before step {step}", path.display()
    )]
    Journal {
        /// The file.
        path: PathBuf,
        /// Its step.
        step: usize,
    },
    /// Its numbers are not of the scene's world.
    #[error("{} cannot be used: its numbers do not fit the scene, or this machine's memory", path.display())]
    World {
        /// The file.
        path: PathBuf,
    },
}

/// The first line of a checkpoint.
const MAGIC: &[u8] = b"ipcsim checkpoint\n";
/// The number of the format. Another one cannot be read.
const FORMAT: u32 = 3;
/// This program's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Checkpoints that are kept.
const KEPT: usize = 2;
/// Start and end of a checkpoint's name, with the step between.
const NAME: [&str; 2] = ["checkpoint-", ".bin"];

/// A number that two runs share if they compute the same: a checksum of what their scene and options are written as.
pub fn identity(described: &impl Serialize) -> u32 {
    // What can be deserialized from JSON can be written as JSON.
    crc32fast::hash(&serde_json::to_vec(described).unwrap_or_default())
}

impl Checkpoint {
    /// The checkpoint of a state.
    pub fn of(state: &State, memory: SolverMemory, identity: u32) -> Self {
        Self {
            version: VERSION.to_owned(),
            identity,
            state: state.save(),
            memory,
            journal: (0, 0),
            queries: None,
        }
    }

    /// Writes the checkpoint and removes all but the last two.
    ///
    /// # Errors
    /// [`FolderError::Io`]; then the checkpoints before are still there.
    pub fn write(&self, folder: &RunFolder) -> Result<(), FolderError> {
        let name = name(self.state.step);
        let bytes = [MAGIC, &FORMAT.to_le_bytes()].concat();
        let encoded = postcard::to_extend(self, bytes).map_err(std::io::Error::other);
        let mut bytes = encoded.map_err(failed("write", &folder.path().join(&name)))?;
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        folder.write_durably(&name, &bytes)?;
        let steps = steps(folder)?;
        steps[..steps.len().saturating_sub(KEPT)]
            .iter()
            .try_for_each(|&step| remove(folder, step))
    }

    /// Reads the checkpoint of `step`, which must be of the run with this identity.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn read(folder: &RunFolder, step: usize, identity: u32) -> Result<Self, CheckpointError> {
        let path = path(folder, step);
        let bytes = read_bytes(&path).map_err(failed("read", &path))?;
        let damaged = || CheckpointError::Damaged { path: path.clone() };
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(damaged());
        }
        let other = |other: String| CheckpointError::Version {
            path: path.clone(),
            other,
            own: VERSION,
        };
        let contents = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (format, contents) = contents.split_first_chunk::<4>().ok_or_else(damaged)?;
        if u32::from_le_bytes(*format) != FORMAT {
            return Err(other(format!(
                "a program with format {} of checkpoints",
                u32::from_le_bytes(*format)
            )));
        }
        let (version, _) = postcard::take_from_bytes::<String>(contents).map_err(|_| damaged())?;
        if version != VERSION {
            return Err(other(format!("version {version}")));
        }
        let read: Self = postcard::from_bytes(contents)
            .map_err(|_| other(format!("another build of {version}")))?;
        if read.identity != identity {
            return Err(CheckpointError::Scene { path });
        }
        if read.state.step == step {
            Ok(read)
        } else {
            Err(damaged())
        }
    }
}

/// The steps of which the folder has checkpoints, ascending.
///
/// # Errors
/// [`FolderError::Io`].
pub fn steps(folder: &RunFolder) -> Result<Vec<usize>, FolderError> {
    let path = folder.path();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed("read", path))? {
        let entry = entry.map_err(failed("read", path))?;
        found.extend(step_of(&entry.file_name().to_string_lossy()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Removes the checkpoint of `step`.
///
/// # Errors
/// [`FolderError::Io`].
pub fn remove(folder: &RunFolder, step: usize) -> Result<(), FolderError> {
    let path = path(folder, step);
    std::fs::remove_file(&path).map_err(failed("remove", &path))
}

/// Where the checkpoint of `step` is.
pub fn path(folder: &RunFolder, step: usize) -> PathBuf {
    folder.path().join(name(step))
}

fn name(step: usize) -> String {
    format!("{}{step:06}{}", NAME[0], NAME[1])
}

/// The step of a checkpoint's file.
pub(super) fn step_of(file: &str) -> Option<usize> {
    let step = file
        .strip_prefix(NAME[0])?
        .strip_suffix(NAME[1])?
        .parse()
        .ok()?;
    (name(step) == file).then_some(step)
}

#[cfg(test)]
mod tests;
