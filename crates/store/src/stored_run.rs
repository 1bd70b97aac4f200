//! A completed or stopped run as its folder holds it, for every command that reads one.
//!
//! `verify`, `render` and `export` open a run in the same way: the report, then the mesh against
//! its checksum, then the table, then the head of the trajectory, whose shape must fit the mesh and
//! the table. A run that is under way is read as far as its files reach. States themselves are read
//! one by one, since a trajectory may be longer than memory.

use super::checksummed;
use super::error::FolderError;
use super::events::{EVENTS, Events};
use super::flow::{FLOW, FlowError, FlowReader};
use super::folder::RUN;
use super::mesh_file::{MESH, MeshFile};
use super::npy::NpyError;
use super::report::RunReport;
use super::segments::{FORMER, SEGMENTS, SegmentsError, SegmentsReader};
use super::table::{ENERGIES, Moment, Table, TableError};
use super::trajectory::{TRAJECTORY, TrajectoryReader};
use ipcsim::files::read_text;
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
        "{}: the run is under way or was killed, and has stored no state yet that could be looked at; \
         wait for it, or resume with: ipcsim run --resume {}",
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
    /// The plastic flow cannot be read.
    #[error(transparent)]
    Flow(#[from] FlowError),
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
    /// True if the run has not ended: the states are those that could be read when it was opened.
    grows: bool,
}

impl StoredRun {
    /// Opens the run in the folder `dir` and checks that its files fit together.
    ///
    /// # Errors
    /// - [`StoredError::Unfinished`] if the run has not ended and has no state yet,
    /// - [`StoredError::Malformed`] if a file is damaged or was changed, or the files have
    ///   different numbers of states or vertices,
    /// - [`StoredError::Table`], [`StoredError::Npy`] or [`StoredError::Folder`] if a file cannot
    ///   be read.
    pub fn open(dir: &Path) -> Result<Self, StoredError> {
        if ![RUN, MESH].iter().any(|file| dir.join(file).exists()) {
            let message = "holds no run; give the folder that ipcsim run has written, for example \
                           output/two_squares";
            return Err(StoredError::malformed(dir, message));
        }
        // States can be shown without a report, so that one that cannot be read is not an error
        // yet.
        let report = read_report(dir).ok();
        let grows = report.as_ref().is_some_and(RunReport::is_unfinished);
        let unfinished = || StoredError::Unfinished {
            dir: dir.to_path_buf(),
        };

        if grows
            && [MESH, ENERGIES, TRAJECTORY]
                .iter()
                .any(|file| !dir.join(file).exists())
        {
            return Err(unfinished());
        }

        let [mesh_path, energies_path, path] =
            [MESH, ENERGIES, TRAJECTORY].map(|file| dir.join(file));
        let mesh = read_mesh(&mesh_path, report.as_ref())?;
        compare_checksum(&energies_path, ENERGIES, report.as_ref())?;
        compare_checksum(&path, TRAJECTORY, report.as_ref())?;
        let mut energies = if grows {
            Table::read_growing(&energies_path)?
        } else {
            Table::read(&energies_path)?
        };

        // As many states as rows, each with the vertices of the mesh. Two files that grow may
        // differ by their last states.
        let trajectory = TrajectoryReader::open(&path, grows)?;
        if grows {
            energies.rows.truncate(trajectory.entries());
            if energies.rows.is_empty() {
                return Err(unfinished());
            }
        }

        let vertices = mesh.vertices_rest.len();
        let rows = energies.rows.len();
        let has_states = trajectory.entries() == rows || (grows && trajectory.entries() > rows);
        if trajectory.vertices() != vertices || !has_states {
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
            grows,
        })
    }

    /// True if the run is under way or was killed: there may be more states than were read.
    pub fn is_unfinished(&self) -> bool {
        self.grows
    }

    /// True if the mesh, the table and the trajectory were compared with their checksums.
    pub fn is_compared(&self) -> bool {
        let files = [MESH, ENERGIES, TRAJECTORY];
        let report = self.report.as_ref();
        report.is_some_and(|report| {
            files
                .iter()
                .all(|file| report.checksums.contains_key(*file))
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
        TrajectoryReader::open(&self.dir.join(TRAJECTORY), self.grows)
    }

    /// Opens the plastic flow at the first state, of a world with this number of points that may flow.
    ///
    /// # Errors
    /// [`StoredError`] if points may flow but the file is missing, damaged, or of another run.
    pub fn flow(&self, points: usize) -> Result<FlowReader, StoredError> {
        let path = self.dir.join(FLOW);
        if points > 0 && path.exists() {
            compare_checksum(&path, FLOW, self.report.as_ref())?;
        }
        Ok(FlowReader::open(&self.dir, self.moments.len(), points)?)
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

    /// What happened within steps. A run of an earlier version has it in its report alone.
    ///
    /// # Errors
    /// [`StoredError`] if the file of events is damaged.
    pub fn events(&self) -> Result<Events, StoredError> {
        let path = self.dir.join(EVENTS);
        if path.exists() {
            compare_checksum(&path, EVENTS, self.report.as_ref())?;
            return Events::read(&path, self.grows);
        }
        Ok(self.report.as_ref().map(Events::of).unwrap_or_default())
    }

    /// Opens the step segments, or returns `None` if the run has stored none.
    ///
    /// # Errors
    /// [`SegmentsError::Former`] if an older version has stored them, [`SegmentsError::Damaged`]
    /// also if a file is missing that the report promises, or another [`SegmentsError`] if a file
    /// cannot be read.
    pub fn segments(&self) -> Result<Option<SegmentsReader>, SegmentsError> {
        // They are written at the end of a run.
        if self.grows {
            return Ok(None);
        }

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

/// Compares the checksum of the file `path` with that of `name` in the report, if there is one.
///
/// # Errors
/// [`StoredError::Malformed`] if they differ; [`StoredError::Folder`] if the file cannot be read.
fn compare_checksum(
    path: &Path,
    name: &str,
    report: Option<&RunReport>,
) -> Result<(), StoredError> {
    let Some(expected) = report.and_then(|report| report.checksums.get(name)) else {
        return Ok(());
    };

    let found = checksummed::of_file(path)?;
    if found == *expected {
        return Ok(());
    }
    let message = format!(
        "is damaged or was changed: its checksum is {found}, but {RUN} has {expected}; run the scene \
         again"
    );
    Err(StoredError::malformed(path, message))
}

/// Reads the mesh, and compares its checksum with that in the report if there is one.
///
/// # Errors
/// [`StoredError::Malformed`] if the checksum differs, if the file is no mesh, or if an index in it
/// is out of range; [`StoredError::Folder`] if the operating system cannot read it.
fn read_mesh(path: &Path, report: Option<&RunReport>) -> Result<MeshFile, StoredError> {
    // The checksum comes first: damaged bytes may still be JSON.
    compare_checksum(path, MESH, report)?;
    let mesh: MeshFile = read_json(path)?;
    if mesh.is_consistent() {
        Ok(mesh)
    } else {
        let message =
            "names a vertex or body that it does not have, or a triangle of several bodies";
        Err(StoredError::malformed(path, message))
    }
}
