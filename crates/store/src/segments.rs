//! Step segments that a solver accepted, written by `run --certify` and proved by `verify`.
//!
//! A step goes from one state to the next by segments, and the solver found each of them free of
//! intersections. They are stored so that `verify` can prove the same again without the solver.
//! Three arrays hold the initial state and then the end of each segment, so that every segment
//! begins where the one before ends ([`Place`] describes the motion between):
//!
//! | file | shape | contents |
//! |---|---|---|
//! | `segments_step.npy` | `[places]` | step that the segment belongs to (u64) |
//! | `segments_positions.npy` | `[places][vertices][2]` | x and y of each vertex (m) |
//! | `segments_turns.npy` | `[places][bodies][3]` | x and y of the centre (m) and angle (rad) of each body that turns |
//!
//! The bodies that turn are those with `"turns": true` in `mesh.json`. The checksums of the three
//! files are in `run.json`.

use super::checksummed;
use super::error::FolderError;
use super::folder::RunFolder;
use super::npy::{Axis, NpyError, NpyReader, NpyWriter};
use super::place::{Layout, Place};
use ipcsim::math::Vec2;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// File of the number of each segment's step.
const STEP: &str = "segments_step.npy";
/// File of the positions at the ends of the segments.
const POSITIONS: &str = "segments_positions.npy";
/// File of centres and angles at the ends of the segments.
const TURNS: &str = "segments_turns.npy";

/// Names of the three files: steps, positions, turns.
pub const SEGMENTS: [&str; 3] = [STEP, POSITIONS, TURNS];
/// Name of the one file that older versions wrote instead of the three.
pub const FORMER: &str = "segments.bin";

/// Checksum of each file by name, as in `run.json`.
pub type Checksums = BTreeMap<String, String>;

/// Writes segments, place by place.
pub struct SegmentsWriter {
    /// Step of each place.
    steps: NpyWriter,
    /// Positions of all vertices at each place (m).
    positions: NpyWriter,
    /// Centre (m) and angle (rad) of each turning body at each place.
    turns: NpyWriter,
}

impl SegmentsWriter {
    /// Begins the files of `places` places with the given layout.
    ///
    /// # Errors
    /// [`FolderError::Io`] if a file cannot be created.
    pub fn create(folder: &RunFolder, layout: &Layout, places: usize) -> Result<Self, FolderError> {
        let turning = layout.turning.len();
        let positions = [places, layout.vertices, 2];
        Ok(Self {
            steps: NpyWriter::create::<u64>(folder, STEP, &[places])?,
            positions: NpyWriter::create::<f64>(folder, POSITIONS, &positions)?,
            turns: NpyWriter::create::<f64>(folder, TURNS, &[places, turning, 3])?,
        })
    }

    /// Adds a place that a segment of `step` leads to, or the initial one.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, or if there are more places than announced.
    pub fn add(&mut self, step: usize, place: &Place) -> Result<(), FolderError> {
        self.steps.add_natural(step as u64)?;
        self.positions
            .add(place.x.iter().flat_map(|p| [p.x, p.y]))?;
        self.turns.add(place.turns.iter().flatten().copied())
    }

    /// Completes the files; returns their checksums.
    ///
    /// # Errors
    /// [`FolderError::Io`], also if there were fewer places than announced.
    pub fn finish(self) -> Result<Checksums, FolderError> {
        let files = [
            (STEP, self.steps),
            (POSITIONS, self.positions),
            (TURNS, self.turns),
        ];
        let mut checksums = Checksums::new();
        for (name, file) in files {
            checksums.insert(name.to_owned(), file.finish()?);
        }
        Ok(checksums)
    }
}

/// Stored segments cannot be read.
#[derive(Debug, Error)]
pub enum SegmentsError {
    /// A file cannot be read by the operating system.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file holds another array.
    #[error("{0}; run the scene again with --certify")]
    Npy(#[from] NpyError),
    /// A file is missing or not as it was written.
    #[error("{} is damaged: {what}; run the scene again with --certify", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Sentence that says what is wrong with it.
        what: String,
    },
    /// The folder is of an older version, which stored segments in one file.
    #[error(
        "{} holds step segments in an older format; run the scene again with --certify, or remove \
         the file to verify the stored states only", path.display()
    )]
    Former {
        /// Path of the file.
        path: PathBuf,
    },
}

/// Reads segments, place by place.
pub struct SegmentsReader {
    /// Step of each place.
    steps: NpyReader<u64>,
    /// Positions of all vertices at each place (m).
    positions: NpyReader<f64>,
    /// Centre (m) and angle (rad) of each turning body at each place.
    turns: NpyReader<f64>,
    /// Layout of all places.
    layout: Layout,
    /// Number of places that are not read yet.
    left: usize,
}

impl SegmentsReader {
    /// Opens the segments in the folder `dir`, whose layout follows from the mesh and whose
    /// checksums are in the report.
    ///
    /// # Errors
    /// - [`SegmentsError::Damaged`] if a file is missing, has another checksum than the report, or
    ///   another number of places than the others,
    /// - [`SegmentsError::Npy`] if a file holds another array,
    /// - [`SegmentsError::Folder`] if the operating system cannot read one.
    pub fn open(dir: &Path, layout: Layout, checksums: &Checksums) -> Result<Self, SegmentsError> {
        for name in SEGMENTS {
            check(&dir.join(name), checksums.get(name))?;
        }

        let places = || Axis::Any("places");
        let coordinates = [places(), Axis::Is(layout.vertices), Axis::Is(2)];
        let motions = [places(), Axis::Is(layout.turning.len()), Axis::Is(3)];
        let steps = NpyReader::open(&dir.join(STEP), &[places()])?;
        let positions = NpyReader::open(&dir.join(POSITIONS), &coordinates)?;
        let turns = NpyReader::open(&dir.join(TURNS), &motions)?;

        // Three arrays of as many places.
        let left = steps.length(0);
        for (name, length) in [(POSITIONS, positions.length(0)), (TURNS, turns.length(0))] {
            if length != left {
                return Err(SegmentsError::Damaged {
                    path: dir.join(name),
                    what: format!("it has {length} places, but {STEP} has {left}"),
                });
            }
        }
        Ok(Self {
            steps,
            positions,
            turns,
            layout,
            left,
        })
    }

    /// Layout of all places.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Reads the next place, with the number of the step that it belongs to.
    ///
    /// # Errors
    /// [`SegmentsError::Npy`] if a number cannot be read.
    fn place(&mut self) -> Result<(u64, Place), SegmentsError> {
        let step = self.steps.number()?;
        // Positions of all vertices, then centre and angle of each body that turns.
        let mut x = Vec::with_capacity(self.layout.vertices);
        for _ in 0..self.layout.vertices {
            let first = self.positions.number()?;
            let second = self.positions.number()?;
            x.push(Vec2::new(first, second));
        }

        let mut turns = Vec::with_capacity(self.layout.turning.len());
        for _ in &self.layout.turning {
            let mut turn = [0.0; 3];
            for number in &mut turn {
                *number = self.turns.number()?;
            }
            turns.push(turn);
        }
        Ok((step, Place { x, turns }))
    }
}

/// Places with the numbers of the steps that they belong to.
impl Iterator for SegmentsReader {
    type Item = Result<(u64, Place), SegmentsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        Some(self.place())
    }
}

/// Refuses the file `path` if it is missing or has another checksum than the report says.
///
/// # Errors
/// [`SegmentsError::Damaged`] then; [`SegmentsError::Folder`] if the file cannot be read.
fn check(path: &Path, expected: Option<&String>) -> Result<(), SegmentsError> {
    let what = match expected {
        _ if !path.exists() => "it is missing".to_owned(),
        // A report without a checksum cannot vouch for the file, which counts as damage.
        None => "run.json has no checksum of it".to_owned(),
        Some(expected) => {
            let found = checksummed::of_file(path)?;
            if found == *expected {
                return Ok(());
            }
            format!("its checksum is {found}, but run.json has {expected}")
        }
    };
    Err(SegmentsError::Damaged {
        path: path.to_path_buf(),
        what,
    })
}

#[cfg(test)]
mod tests;
