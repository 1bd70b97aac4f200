//! Positions over time: `trajectory.npy`, `[entries][vertices][2]`.
//!
//! An entry is a state that the run writes: the initial one, and those of the steps that its scene
//! asks for. The table of energies has one row for each, in the same order.

use super::append::GrowingFile;
use super::error::FolderError;
use super::folder::RunFolder;
use super::npy::{Axis, NpyError, NpyReader, NpyWriter, header_of};
use super::part::Part;
use ipcsim::math::Vec2;
use std::path::Path;

/// Name of the trajectory's file.
pub const TRAJECTORY: &str = "trajectory.npy";
/// Name of the file of velocities, which has the same layout (m/s).
pub const VELOCITIES: &str = "velocities.npy";

/// Writes a trajectory, state by state.
pub struct TrajectoryWriter {
    /// Abscissae and ordinates (m), vertex by vertex.
    numbers: NpyWriter,
}

impl TrajectoryWriter {
    /// Begins the file `name` of `entries` states with `vertices` vertices each.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub fn create(
        folder: &RunFolder,
        name: &str,
        entries: usize,
        vertices: usize,
    ) -> Result<Self, FolderError> {
        let numbers = NpyWriter::create::<f64>(folder, name, &[entries, vertices, 2])?;
        Ok(Self { numbers })
    }

    /// Adds the positions (m) of a state, `[vertices]`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written, or are more than announced.
    pub fn add(&mut self, x: &[Vec2]) -> Result<(), FolderError> {
        self.numbers.add(x.iter().flat_map(|p| [p.x, p.y]))
    }

    /// Completes the file and gives it its name; returns its checksum.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, also if states or vertices are missing.
    pub fn finish(self) -> Result<String, FolderError> {
        self.numbers.finish()
    }
}

/// Writes the trajectory of a run under way; readers find the states of a moment ago.
pub struct GrowingTrajectory {
    /// File with the states so far.
    file: GrowingFile,
    /// Number of states in it.
    states: usize,
    /// Number of vertices in each state.
    vertices: usize,
}

impl GrowingTrajectory {
    /// Begins the trajectory of a folder, of states with this number of vertices.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub fn create(folder: &RunFolder, vertices: usize) -> Result<Self, FolderError> {
        let path = folder.path().join(TRAJECTORY);
        Ok(Self {
            file: GrowingFile::create(&path, head(0, vertices))?,
            states: 0,
            vertices,
        })
    }

    /// Adds the positions (m) of a state, `[vertices]`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn add(&mut self, x: &[Vec2]) -> Result<(), FolderError> {
        let mut bytes = Vec::with_capacity(16 * x.len());
        for p in x {
            bytes.extend(p.x.to_le_bytes());
            bytes.extend(p.y.to_le_bytes());
        }
        self.file.add(&bytes)?;
        self.states += 1;
        if self.file.is_due() {
            self.file.renew(head(self.states, self.vertices))?;
        }
        Ok(())
    }

    /// Shows readers all states so far; returns them as a part of the file, without its head.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn so_far(&mut self) -> Result<Part, FolderError> {
        self.file.added(head(self.states, self.vertices))
    }

    /// Completes the file; returns its checksum.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written.
    pub fn finish(self) -> Result<String, FolderError> {
        self.file.finish(head(self.states, self.vertices))
    }
}

/// Head of a trajectory of this number of states. It has 128 bytes for any number of them.
fn head(states: usize, vertices: usize) -> Vec<u8> {
    header_of("'<f8'", &[states as u64, vertices as u64, 2])
}

/// Reads a trajectory, state by state.
pub struct TrajectoryReader {
    /// Abscissae and ordinates (m), vertex by vertex.
    numbers: NpyReader<f64>,
}

impl TrajectoryReader {
    /// Opens the file `path` at its first state. That of a run under way (`grows`) may be longer
    /// than its head says.
    ///
    /// # Errors
    /// [`NpyError`] if it cannot be read, or is no array of positions.
    pub fn open(path: &Path, grows: bool) -> Result<Self, NpyError> {
        let axes = [Axis::Any("entries"), Axis::Any("vertices"), Axis::Is(2)];
        let numbers = if grows {
            NpyReader::open_growing(path, &axes)?
        } else {
            NpyReader::open(path, &axes)?
        };
        Ok(Self { numbers })
    }

    /// Number of states.
    pub fn entries(&self) -> usize {
        self.numbers.length(0)
    }

    /// Number of vertices in each state.
    pub fn vertices(&self) -> usize {
        self.numbers.length(1)
    }

    /// Bytes that all states take.
    pub(super) fn bytes(&self) -> u64 {
        16 * (self.entries() as u64).saturating_mul(self.vertices() as u64)
    }

    /// Reads the positions (m) of the next state into `x`, whose contents are replaced.
    ///
    /// # Errors
    /// [`NpyError::Read`], also after the last state.
    pub fn next(&mut self, x: &mut Vec<Vec2>) -> Result<(), NpyError> {
        x.clear();
        for _ in 0..self.vertices() {
            let first = self.numbers.number()?;
            let second = self.numbers.number()?;
            x.push(Vec2::new(first, second));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_begins_as_numpy_expects() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::existing(dir.path());
        let states = [
            [Vec2::new(1.0, -2.5), Vec2::new(0.1, 1e-300)],
            [Vec2::new(3.0, 4.0), Vec2::new(-0.0, 1e300)],
        ];
        // Only a file that gets all its states gets its name.
        for (entries, is_complete) in [(2, true), (3, false)] {
            let mut writer = TrajectoryWriter::create(&folder, TRAJECTORY, entries, 2).unwrap();
            for x in &states {
                writer.add(x).unwrap();
            }
            assert_eq!(writer.finish().is_ok(), is_complete);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);

        let path = dir.path().join(TRAJECTORY);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"\x93NUMPY"));
        assert!(bytes.ends_with(&1e300_f64.to_le_bytes()));
        assert!(String::from_utf8_lossy(&bytes[..128]).contains("(2, 2, 2"));

        // States come back with their bits.
        let mut reader = TrajectoryReader::open(&path, false).unwrap();
        assert_eq!((reader.entries(), reader.vertices()), (2, 2));
        let mut x = Vec::new();
        for state in states {
            reader.next(&mut x).unwrap();
            assert_eq!(x, state);
        }
        assert!(reader.next(&mut x).is_err());
    }
}
