//! Checkpoints, from which a run resumes with the same bits.
//!
//! A checkpoint holds the state after a step with everything that the next step reads: positions
//! and velocities, what the solver remembers, and how far the journal and the recorded queries had
//! come. A resumed run cuts these files back to that place and computes on as if nothing had
//! happened.
//!
//! A file is sealed: a line that names it, the format's number, the contents, and a checksum of all
//! of that. It is complete on the disk before it gets its name. The last two are kept, so that the
//! older one remains if the newer one is damaged. A checkpoint is refused if another version wrote
//! it, or if it is of another scene.

use super::checksummed::{self, Broken, Seal};
use super::error::{FolderError, failed};
use super::folder::RunFolder;
use super::names;
use super::report::RunOptions;
use ipcsim::files::read_bytes;
use ipcsim::scene::Scene;
use ipcsim::solve::SolverMemory;
use ipcsim::time::{SavedState, State};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use thiserror::Error;

/// State of a run after a step, and how far the run's other files had come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Version of the program that wrote the checkpoint. It is the first field, so that it can be
    /// read before the others.
    pub version: String,
    /// Checksum of what the run computes, see [`identity`].
    pub identity: u32,
    /// Options of the run, for the day on which its report is lost.
    pub options: RunOptions,
    /// State with everything that its last step left to the next one.
    pub state: SavedState,
    /// Values that the solver keeps from step to step.
    pub memory: SolverMemory,
    /// Byte where the journal ends, and its number of records.
    pub journal: (u64, usize),
    /// Byte where the recorded collision queries end, and their number.
    pub queries: Option<(u64, u64)>,
}

/// A checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The checksum does not agree.
    #[error("{} is damaged: its checksum does not agree with its contents", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
    },
    /// Another version or build wrote it.
    #[error(
        "{} was written by {other}, this is version {own}; resume with the program that wrote it",
        path.display()
    )]
    Version {
        /// Path of the file.
        path: PathBuf,
        /// The program that wrote it.
        other: String,
        /// Version of this program.
        own: &'static str,
    },
    /// The checkpoint is of another run.
    #[error(
        "{} is of another scene or other options than those stored in the folder; undo the changes \
         of scene.json and run.json", path.display()
    )]
    Scene {
        /// Path of the file.
        path: PathBuf,
    },
    /// The journal does not reach the checkpoint.
    #[error(
        "{} cannot be used: the journal beside it is damaged, of another run, or was cut before \
         step {step}", path.display()
    )]
    Journal {
        /// Path of the file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: usize,
    },
    /// The numbers are not of the scene's world.
    #[error(
        "{} cannot be used: its numbers do not fit the scene, or this machine's memory",
        path.display()
    )]
    World {
        /// Path of the file.
        path: PathBuf,
    },
}

/// First bytes of a checkpoint. The format's number grows with every change of the contents.
const SEAL: Seal = Seal {
    magic: b"ipcsim checkpoint\n",
    format: 14,
};
/// Version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Number of checkpoints that are kept.
const KEPT: usize = 2;

/// Checksum of what decides a run's journal: two runs of one identity compute and record the same.
///
/// The number of steps does not count: a longer run begins with the steps of a shorter one. Nor do
/// options that only decide which files are made of the journal, so a run can resume after they
/// were changed or extended.
pub fn identity(scene: &Scene, options: &RunOptions) -> u32 {
    let mut endless = scene.clone();
    endless.time.steps = 0;
    let decisive = (endless.to_json(), options.certify, &options.record_ccd);
    // Scenes and options were read from JSON, so they can be written as JSON.
    crc32fast::hash(&serde_json::to_vec(&decisive).unwrap_or_default())
}

impl Checkpoint {
    /// Checkpoint of a state. The places of the other files are still to be set.
    pub fn of(state: &State, memory: SolverMemory, identity: u32, options: RunOptions) -> Self {
        Self {
            version: VERSION.to_owned(),
            identity,
            options,
            state: state.save(),
            memory,
            journal: (0, 0),
            queries: None,
        }
    }

    /// Writes the checkpoint and removes all but the last two.
    ///
    /// With `durably` the new file is on the disk before an earlier one is removed. That takes
    /// time, and a run that has completed has other files.
    ///
    /// # Errors
    /// [`FolderError::Io`]; then the earlier checkpoints are still there.
    pub fn write(&self, folder: &RunFolder, durably: bool) -> Result<(), FolderError> {
        let name = names::checkpoint(self.state.step);
        let mut bytes = postcard::to_extend(self, SEAL.begin())
            .map_err(std::io::Error::other)
            .map_err(failed("write", &folder.path().join(&name)))?;
        checksummed::close(&mut bytes, 0);
        if durably {
            folder.write_durably(&name, &bytes)?;
        } else {
            folder.write(&name, |out| out.write_all(&bytes))?;
        }

        // Earlier checkpoints, but for the last two.
        let steps = steps(folder)?;
        for &step in &steps[..steps.len().saturating_sub(KEPT)] {
            remove(folder, step)?;
        }
        Ok(())
    }

    /// Reads the checkpoint of `step`, which must be of the run with this identity.
    ///
    /// # Errors
    /// - [`CheckpointError::Scene`] if it is of another scene or of other options,
    /// - another [`CheckpointError`] as [`Checkpoint::open`].
    pub fn read(folder: &RunFolder, step: usize, identity: u32) -> Result<Self, CheckpointError> {
        let read = Self::open(folder, step)?;
        if read.identity == identity {
            Ok(read)
        } else {
            let path = path(folder, step);
            Err(CheckpointError::Scene { path })
        }
    }

    /// Reads the checkpoint of `step`, of whatever run it is.
    ///
    /// # Errors
    /// - [`CheckpointError::Folder`] if the file cannot be read,
    /// - [`CheckpointError::Damaged`] if its checksum, its contents or its step do not agree,
    /// - [`CheckpointError::Version`] if another version, build or format wrote it.
    pub fn open(folder: &RunFolder, step: usize) -> Result<Self, CheckpointError> {
        let path = path(folder, step);
        let bytes = read_bytes(&path).map_err(failed("read", &path))?;

        let damaged = || CheckpointError::Damaged { path: path.clone() };
        let other = |other: String| CheckpointError::Version {
            path: path.clone(),
            other,
            own: VERSION,
        };

        let contents = SEAL.contents(&bytes).map_err(|broken| match broken {
            Broken::Damaged => damaged(),
            Broken::Format(format) => {
                other(format!("a program with format {format} of checkpoints"))
            }
        })?;

        // The version comes first: what follows depends on it.
        let (version, _) = postcard::take_from_bytes::<String>(contents).map_err(|_| damaged())?;
        if version != VERSION {
            return Err(other(format!("version {version}")));
        }
        let read: Self = postcard::from_bytes(contents)
            .map_err(|_| other(format!("another build of {version}")))?;

        if read.state.step != step {
            return Err(damaged());
        }
        Ok(read)
    }
}

/// Steps that have a checkpoint in the folder, ascending.
///
/// # Errors
/// [`FolderError::Io`] if the folder cannot be listed.
pub fn steps(folder: &RunFolder) -> Result<Vec<usize>, FolderError> {
    let path = folder.path();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed("read", path))? {
        let entry = entry.map_err(failed("read", path))?;
        found.extend(names::step_of(&entry.file_name().to_string_lossy()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Removes the checkpoint of `step`.
///
/// # Errors
/// [`FolderError::Io`] if there is none, or if it cannot be removed.
pub fn remove(folder: &RunFolder, step: usize) -> Result<(), FolderError> {
    let path = path(folder, step);
    std::fs::remove_file(&path).map_err(failed("remove", &path))
}

/// Path of the checkpoint of `step`.
pub fn path(folder: &RunFolder, step: usize) -> PathBuf {
    folder.path().join(names::checkpoint(step))
}

#[cfg(test)]
mod tests;
