//! Plastic flow over time: `flow.npy`, `[states][points][5]`.
//!
//! Stress and plastic strain of a state do not follow from its positions where metals have flowed. The
//! file has the flow of every state that the run writes, at each point where a material may flow:
//! those of the bodies in the order of the model's energies, one for a linear triangle and three for a
//! quadratic one. The five numbers are the plastic deformation `F_p` in the plane, column by column,
//! and the equivalent plastic strain.

use super::error::FolderError;
use super::folder::RunFolder;
use super::npy::{Axis, NpyError, NpyReader, NpyWriter};
use ipcsim::material::Flow;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the file.
pub const FLOW: &str = "flow.npy";

/// The flow of a run cannot be read.
#[derive(Debug, Error)]
pub enum FlowError {
    /// There is no file, until a run has ended.
    #[error(
        "{}: is missing, without which nobody knows the stress of metals that have flowed; wait for \
         the end of the run, or run the scene again", path.display()
    )]
    Missing {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file holds another array.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// Numbers cannot be those of a flow.
    #[error(
        "{}: is damaged: {numbers:?} at point {point} is no flow, which has a positive volume; run the \
         scene again", path.display()
    )]
    NoFlow {
        /// Path of the file.
        path: PathBuf,
        /// Number of the point.
        point: usize,
        /// Its numbers.
        numbers: [f64; Flow::NUMBERS],
    },
}

/// Writes the flow of a run, state by state.
pub struct FlowWriter {
    /// Numbers, point by point.
    numbers: NpyWriter,
    /// Number of points in each state.
    points: usize,
}

impl FlowWriter {
    /// Begins the file of `states` states with this number of points each.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be created.
    pub fn create(folder: &RunFolder, states: usize, points: usize) -> Result<Self, FolderError> {
        let numbers = NpyWriter::create::<f64>(folder, FLOW, &[states, points, Flow::NUMBERS])?;
        Ok(Self { numbers, points })
    }

    /// Adds the flow of a state, `[points]`, or none if nothing has flowed yet.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, or is more than announced.
    pub fn add(&mut self, flowed: &[Flow]) -> Result<(), FolderError> {
        for point in 0..self.points {
            let flow = flowed.get(point).copied().unwrap_or_default();
            self.numbers.add(flow.numbers())?;
        }
        Ok(())
    }

    /// Completes the file and gives it its name; returns its checksum.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written, also if states are missing.
    pub fn finish(self) -> Result<String, FolderError> {
        self.numbers.finish()
    }
}

/// Reads the flow of a run, state by state. A run in which nothing may flow has no file.
pub struct FlowReader {
    /// Numbers, and the path of their file; `None` if nothing may flow.
    file: Option<(NpyReader<f64>, PathBuf)>,
    /// Number of points in each state.
    points: usize,
}

impl FlowReader {
    /// Opens the flow of a finished run in the folder `dir` at the first of its `states`.
    ///
    /// # Errors
    /// [`FlowError`] if points may flow but the file is missing, or has other states or points.
    pub fn open(dir: &Path, states: usize, points: usize) -> Result<Self, FlowError> {
        if points == 0 {
            let file = None;
            return Ok(Self { file, points });
        }
        let path = dir.join(FLOW);
        if !path.exists() {
            return Err(FlowError::Missing { path });
        }

        let axes = [Axis::Is(states), Axis::Is(points), Axis::Is(Flow::NUMBERS)];
        let numbers = NpyReader::open(&path, &axes)?;
        let file = Some((numbers, path));
        Ok(Self { file, points })
    }

    /// Reads the flow of the next state, `[points]`, into `flowed`, whose contents are replaced.
    ///
    /// # Errors
    /// [`FlowError`] if it cannot be read, or if numbers cannot be those of a flow.
    pub fn next(&mut self, flowed: &mut Vec<Flow>) -> Result<(), FlowError> {
        flowed.clear();
        let Some((numbers, path)) = &mut self.file else {
            return Ok(());
        };

        for point in 0..self.points {
            let mut own = [0.0; Flow::NUMBERS];
            for number in &mut own {
                *number = numbers.number()?;
            }
            // A file that was damaged or edited may hold any numbers.
            let Some(flow) = Flow::of_numbers(own) else {
                return Err(FlowError::NoFlow {
                    path: path.clone(),
                    point,
                    numbers: own,
                });
            };
            flowed.push(flow);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim::math::Mat2;

    #[test]
    fn flow_is_read_back_and_what_is_none_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::existing(dir.path());
        let sheared = Flow {
            plane: Mat2::new(1.0, 0.25, 0.0, 1.0),
            hardened: 0.125,
        };
        let mut writer = FlowWriter::create(&folder, 2, 2).unwrap();
        writer.add(&[]).unwrap();
        writer.add(&[Flow::default(), sheared]).unwrap();
        writer.finish().unwrap();

        let mut flowed = vec![sheared];
        let mut reader = FlowReader::open(dir.path(), 2, 2).unwrap();
        reader.next(&mut flowed).unwrap();
        assert_eq!(flowed, [Flow::default(); 2]);
        reader.next(&mut flowed).unwrap();
        assert_eq!(flowed, [Flow::default(), sheared]);
        assert!(reader.next(&mut flowed).is_err());

        // Other points, no file, and numbers that were changed.
        assert!(FlowReader::open(dir.path(), 2, 3).is_err());
        let path = dir.path().join(FLOW);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 8;
        bytes[last..].copy_from_slice(&(-1.0_f64).to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let mut reader = FlowReader::open(dir.path(), 2, 2).unwrap();
        reader.next(&mut flowed).unwrap();
        let error = reader.next(&mut flowed).unwrap_err().to_string();
        assert!(error.contains("at point 1 is no flow"), "{error}");
        std::fs::remove_file(&path).unwrap();
        assert!(FlowReader::open(dir.path(), 2, 2).is_err());

        // Where nothing may flow there is nothing to read.
        let mut reader = FlowReader::open(dir.path(), 2, 0).unwrap();
        reader.next(&mut flowed).unwrap();
        assert!(flowed.is_empty());
    }
}
