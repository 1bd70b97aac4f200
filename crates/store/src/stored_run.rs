//! A completed or stopped run as its folder holds it, for every command that reads one.
//!
//! `verify`, `render` and `export` open a run in the same way: the report, then the mesh against
//! its checksum, then the table, then the head of the trajectory, whose shape must fit the mesh and
//! the table. A run that is under way is read as far as its files reach. States themselves are read
//! one by one, since a trajectory may be longer than memory.

use super::events::{EVENTS, Events};
use super::flow::{FLOW, FlowReader};
use super::folder::{RUN, SCENE};
use super::mesh_file::{MESH, MeshFile};
use super::npy::NpyError;
use super::report::RunReport;
use super::run_files::{RunFiles, read_report};
use super::segments::{FORMER, SEGMENTS, SegmentsError, SegmentsReader};
use super::stored_error::StoredError;
use super::table::{ENERGIES, Moment, Table};
use super::trajectory::{TRAJECTORY, TrajectoryReader};
use ipcsim::files::read_text;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

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
    /// All files, with their checksums.
    pub files: RunFiles,
}

/// Files that are compared with their checksums when a run is opened.
const OPENED: [&str; 4] = [SCENE, MESH, ENERGIES, TRAJECTORY];

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
        let files = RunFiles::open(dir)?;
        let grows = files.is_unfinished();
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

        // Checksums come first: damaged bytes may still be numbers.
        files.find(SCENE)?;
        let mesh = read_mesh(&files.compared(MESH)?)?;
        let energies_path = files.compared(ENERGIES)?;
        let path = files.compared(TRAJECTORY)?;
        let mut energies = if grows {
            Table::read_growing(&energies_path)?
        } else {
            Table::read(&energies_path)?
        };

        // As many states as rows, each with the vertices of the mesh. Two files that grow may
        // differ by their last states.
        let trajectory = TrajectoryReader::open(&path, grows)?;
        if grows {
            let saved = files
                .report()
                .and_then(|report| report.saved.get(TRAJECTORY));
            if saved.is_some_and(|saved| saved.bytes() > Some(trajectory.bytes())) {
                let message =
                    "is damaged or was changed: its head has fewer states than were saved";
                return Err(StoredError::malformed(&path, message));
            }
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
            files,
        })
    }

    /// True if the run is under way or was killed: there may be more states than were read.
    pub fn is_unfinished(&self) -> bool {
        self.files.is_unfinished()
    }

    /// True if the mesh, the table and the trajectory were compared with their checksums.
    pub fn is_compared(&self) -> bool {
        let files = [MESH, ENERGIES, TRAJECTORY];
        let report = self.files.report();
        report.is_some_and(|report| {
            files
                .iter()
                .all(|file| report.checksums.contains_key(*file))
        })
    }

    /// Compares the other files of the run with their checksums. Returns the names of missing files.
    ///
    /// # Errors
    /// [`StoredError`] about the first file that does not agree.
    pub fn compare_others(&self) -> Result<Vec<String>, StoredError> {
        // Segments are compared where they are read.
        let compared = [&OPENED[..], &SEGMENTS].concat();
        self.files.compare_all(&compared)
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
        TrajectoryReader::open(&self.dir.join(TRAJECTORY), self.is_unfinished())
    }

    /// Opens the plastic flow at the first state, of a world with this number of points that may flow.
    ///
    /// # Errors
    /// [`StoredError`] if points may flow but the file is missing, damaged, or of another run.
    pub fn flow(&self, points: usize) -> Result<FlowReader, StoredError> {
        if points > 0 {
            self.files.find(FLOW)?;
        }
        Ok(FlowReader::open(&self.dir, self.moments.len(), points)?)
    }

    /// Report of the run.
    ///
    /// # Errors
    /// [`StoredError::Malformed`] if the folder has none.
    pub fn report(&self) -> Result<RunReport, StoredError> {
        self.files
            .report()
            .cloned()
            .map_or_else(|| read_report(&self.dir), Ok)
    }

    /// What happened within steps. A run of an earlier version has it in its report alone.
    ///
    /// # Errors
    /// [`StoredError`] if the file of events is damaged.
    pub fn events(&self) -> Result<Events, StoredError> {
        if self.dir.join(EVENTS).exists() {
            let path = self.files.compared(EVENTS)?;
            return Events::read(&path, self.is_unfinished());
        }
        Ok(self.files.report().map(Events::of).unwrap_or_default())
    }

    /// Opens the step segments, or returns `None` if the run has stored none.
    ///
    /// # Errors
    /// [`SegmentsError::Former`] if an older version has stored them, [`SegmentsError::Damaged`]
    /// also if a file is missing that the report promises, or another [`SegmentsError`] if a file
    /// cannot be read.
    pub fn segments(&self) -> Result<Option<SegmentsReader>, SegmentsError> {
        // They are written at the end of a run.
        if self.is_unfinished() {
            return Ok(None);
        }

        // Without any file, a promise in the report decides.
        let is_there = |name: &str| self.dir.join(name).exists();
        let is_promised = self
            .files
            .report()
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
            .files
            .report()
            .map(|report| report.checksums.clone())
            .unwrap_or_default();
        SegmentsReader::open(&self.dir, self.mesh.layout(), &checksums).map(Some)
    }
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

/// Reads a mesh.
///
/// # Errors
/// [`StoredError::Malformed`] if the file is no mesh, or if an index in it is out of range.
fn read_mesh(path: &Path) -> Result<MeshFile, StoredError> {
    let mesh: MeshFile = read_json(path)?;
    if mesh.is_consistent() {
        Ok(mesh)
    } else {
        let message =
            "names a vertex or body that it does not have, or a triangle of several bodies";
        Err(StoredError::malformed(path, message))
    }
}
