//! A completed or stopped run as its folder holds it, for every command that reads one.
//!
//! `verify`, `render` and `export` open a run in the same way: the report, then the mesh against
//! its checksum, then the table, then the head of the trajectory, whose shape must fit the mesh and
//! the table. States themselves are read one by one, since a trajectory may be longer than memory.

use super::error::FolderError;
use super::folder::RUN;
use super::mesh_file::{MESH, MeshFile};
use super::npy::NpyError;
use super::report::RunReport;
use super::sealed;
use super::segments::{FORMER, SEGMENTS, SegmentsError, SegmentsReader};
use super::table::{ENERGIES, Moment, Table, TableError};
use super::trajectory::{TRAJECTORY, TrajectoryReader};
use crate::files::read_text;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A stored run cannot be read.
#[derive(Debug, Error)]
pub enum StoredError {
    /// A file does not hold what it should.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Sentence that says what is wrong.
        message: String,
    },
    /// The run is under way, or was killed.
    #[error(
        "{}: the run is still running or was killed, and this command needs files that are written at \
         the end of a run; wait for it, or resume with: ipcsim run --resume {}",
        dir.display(),
        dir.display()
    )]
    Unfinished {
        /// Folder of the run.
        dir: PathBuf,
    },
    /// A file cannot be read by the operating system.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The trajectory cannot be read.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// The table of energies cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The step segments cannot be read.
    #[error(transparent)]
    Segments(#[from] SegmentsError),
}

impl StoredError {
    /// Error that the file `path` does not hold what it should.
    pub fn malformed(path: &Path, message: impl Into<String>) -> Self {
        Self::Malformed {
            path: path.to_path_buf(),
            message: message.into(),
        }
    }
}

/// The files of a run, apart from the trajectory, which is read state by state.
#[derive(Debug)]
pub struct StoredRun {
    /// Folder of the run.
    pub dir: PathBuf,
    /// Mesh that the trajectory belongs to.
    pub mesh: MeshFile,
    /// Energies of every state.
    pub energies: Table,
    /// Step and time of every state.
    pub moments: Vec<Moment>,
    /// Report, if it can be read; states are verified without one.
    report: Option<RunReport>,
}

impl StoredRun {
    /// Opens the run in the folder `dir` and checks that its files fit together.
    ///
    /// # Errors
    /// - [`StoredError::Unfinished`] if the run is under way or was killed,
    /// - [`StoredError::Malformed`] if the mesh is damaged, or the files have different numbers of
    ///   states or vertices,
    /// - [`StoredError::Table`], [`StoredError::Npy`] or [`StoredError::Folder`] if a file cannot
    ///   be read.
    pub fn open(dir: &Path) -> Result<Self, StoredError> {
        let report = read_report(dir).ok();
        if report.as_ref().is_some_and(RunReport::is_unfinished) {
            return Err(StoredError::Unfinished {
                dir: dir.to_path_buf(),
            });
        }

        let mesh = read_mesh(dir, report.as_ref())?;
        let energies = Table::read(&dir.join(ENERGIES))?;

        // As many states as rows, each with the vertices of the mesh.
        let path = dir.join(TRAJECTORY);
        let trajectory = TrajectoryReader::open(&path)?;
        let vertices = mesh.vertices_rest.len();
        let rows = energies.rows.len();
        if trajectory.vertices() != vertices || trajectory.entries() != rows {
            let message = format!(
                "has {} entries of {} vertices, but {ENERGIES} has {rows} rows and {MESH} \
                 {vertices} vertices",
                trajectory.entries(),
                trajectory.vertices()
            );
            return Err(StoredError::malformed(&path, message));
        }
        Ok(Self {
            dir: dir.to_path_buf(),
            mesh,
            moments: energies.moments(),
            energies,
            report,
        })
    }

    /// Number of the last step, 0 without any state.
    pub fn last_step(&self) -> usize {
        self.moments.last().map_or(0, |moment| moment.step)
    }

    /// Opens the trajectory at its first state.
    ///
    /// # Errors
    /// [`NpyError`] if the file cannot be read or holds another array.
    pub fn trajectory(&self) -> Result<TrajectoryReader, NpyError> {
        TrajectoryReader::open(&self.dir.join(TRAJECTORY))
    }

    /// Report of the run. If it could not be read when the run was opened, it is read again for the
    /// error.
    ///
    /// # Errors
    /// [`StoredError::Malformed`] if it cannot be read.
    pub fn report(&self) -> Result<RunReport, StoredError> {
        self.report
            .clone()
            .map_or_else(|| read_report(&self.dir), Ok)
    }

    /// Opens the step segments, or returns `None` if the run has stored none.
    ///
    /// # Errors
    /// [`SegmentsError::Former`] if an older version has stored them, [`SegmentsError::Damaged`]
    /// also if a file is missing that the report promises, or another [`SegmentsError`] if a file
    /// cannot be read.
    pub fn segments(&self) -> Result<Option<SegmentsReader>, SegmentsError> {
        // Without any file, a promise in the report decides.
        let is_there = |name: &str| self.dir.join(name).exists();
        let is_promised = self
            .report
            .as_ref()
            .is_some_and(|report| report.options.certify);
        if !SEGMENTS.into_iter().any(is_there) {
            if is_there(FORMER) {
                let path = self.dir.join(FORMER);
                return Err(SegmentsError::Former { path });
            }
            if !is_promised {
                return Ok(None);
            }
        }

        let checksums = self
            .report
            .as_ref()
            .map(|report| report.checksums.clone())
            .unwrap_or_default();
        SegmentsReader::open(&self.dir, self.mesh.layout(), &checksums).map(Some)
    }
}

/// Reads the report of the run in the folder `dir`.
///
/// # Errors
/// [`StoredError::Malformed`] if there is none, or if it is no report.
pub fn read_report(dir: &Path) -> Result<RunReport, StoredError> {
    read_json(&dir.join(RUN))
}

/// Reads a JSON file.
///
/// # Errors
/// [`StoredError::Malformed`] if it cannot be read, is no JSON, or holds something else than a `T`.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoredError> {
    let text = read_text(path)
        .map_err(|error| StoredError::malformed(path, format!("cannot be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| StoredError::malformed(path, error.to_string()))
}

/// Reads the mesh, and compares its checksum with that in the report if there is one.
///
/// # Errors
/// [`StoredError::Malformed`] if the checksum differs, if the file is no mesh, or if an index in it
/// is out of range; [`StoredError::Folder`] if the operating system cannot read it.
fn read_mesh(dir: &Path, report: Option<&RunReport>) -> Result<MeshFile, StoredError> {
    let path = dir.join(MESH);

    // The checksum comes first: damaged bytes may still be JSON.
    if let Some(expected) = report.and_then(|report| report.checksums.get(MESH)) {
        let found = sealed::of_file(&path)?;
        if found != *expected {
            let message = format!(
                "is damaged: its checksum is {found}, but {RUN} has {expected}; run the scene again"
            );
            return Err(StoredError::malformed(&path, message));
        }
    }

    let mesh: MeshFile = read_json(&path)?;
    if mesh.is_consistent() {
        Ok(mesh)
    } else {
        let message =
            "names a vertex or body that it does not have, or a triangle of several bodies";
        Err(StoredError::malformed(&path, message))
    }
}
