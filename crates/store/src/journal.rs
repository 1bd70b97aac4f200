//! The journal of a run under way: a record per step, from which the other files are made at the
//! end.
//!
//! A record is a frame with an [`Entry`]: its length, its contents, and checksums
//! of both. Records are only ever appended, so a process that is killed leaves at most one
//! incomplete record, which is not read. A resumed run cuts the journal back to the record of its
//! checkpoint and appends from there. The writer holds a lock on the file, so that no two processes
//! write one run.
//!
//! The journal of a run is the beginning of the journal of a longer one. The number of steps is
//! therefore not part of the identity of a run, and the last state, which a run writes in any case,
//! is not in the journal unless the scene asks for it.

use super::body_table::BodyNumbers;
use super::checksummed;
use super::error::{FolderError, failed};
use super::frame::{self, FrameError};
use super::lock::lock;
use super::part::Part;
use super::place::{Layout, Place};
use ipcsim::files::open as open_file;
use ipcsim::forces::{Contact, JointState, Sums, VertexContact};
use ipcsim::material::Flow;
use ipcsim::math::Vec2;
use ipcsim::solve::{Counts, Timings};
use ipcsim::time::StepReport;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Record of a step, or of the initial state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Report of the step; for the initial state, its energies and sums.
    pub report: StepReport,
    /// Time spent in each phase of the step.
    pub timings: Timings,
    /// Directions of the step, and what became of them.
    pub counts: Counts,
    /// Time of the whole step.
    pub whole: Duration,
    /// Positions of all vertices (m), `[vertices]`, if the run writes this state.
    pub x: Option<Vec<Vec2>>,
    /// Ends of the segments that the step accepted, if the run stores them; for the initial state,
    /// where it is.
    pub way: Vec<Place>,
    /// Sums of forces, if the run still writes them; none at the start.
    pub forces: Option<Sums>,
    /// States of all joints, if the run still writes them; none at the start.
    pub joints: Option<Vec<JointState>>,
    /// Quantities of all bodies, `[bodies]`, if the run writes those of this state.
    pub bodies: Option<Vec<BodyNumbers>>,
    /// Contacts at the end of the step, if the run writes those of this state.
    pub contacts: Vec<Contact>,
    /// Velocities of all vertices (m/s), `[vertices]`, if the run writes what needs them.
    pub v: Option<Vec<Vec2>>,
    /// Contact forces on vertices, if the run writes what needs them.
    pub on_vertices: Option<Vec<VertexContact>>,
    /// Plastic flow of all points that may flow, `[points]`, if the run writes this state; empty
    /// where nothing has flowed.
    pub flowed: Vec<Flow>,
}

impl Entry {
    /// True if the entry can be of a world with this layout and these numbers of potentials and
    /// bodies: all lists have the lengths that the world asks for, and all numbers exist.
    pub fn fits(&self, layout: &Layout, potentials: usize, bodies: usize) -> bool {
        // A record may be of another scene, and numbers beyond a list would end the program.
        self.report.record.potentials.len() == potentials
            && [&self.x, &self.v]
                .into_iter()
                .flatten()
                .all(|list| list.len() == layout.vertices)
            && self
                .on_vertices
                .iter()
                .flatten()
                .all(|force| force.vertex < layout.vertices)
            && self.way.iter().all(|place| layout.fits(place))
            && self.forces.as_ref().is_none_or(|sums| sums.fit(bodies))
            && self.bodies.as_ref().is_none_or(|own| own.len() == bodies)
            && self
                .contacts
                .iter()
                .all(|contact| contact.fits(layout.vertices, bodies))
    }
}

/// A journal cannot be written or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The operating system reports an error.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A step is too large to be recorded.
    #[error("{}: a step of {bytes} bytes is more than a journal can hold", path.display())]
    TooLarge {
        /// Path of the journal.
        path: PathBuf,
        /// Size of the step.
        bytes: usize,
    },
    /// Records that were written cannot be read back.
    #[error(
        "{} is damaged after byte {end}: {found} of {expected} records can be read; resume from an \
         earlier checkpoint with ipcsim run --resume, or run the scene again", path.display()
    )]
    Damaged {
        /// Path of the journal.
        path: PathBuf,
        /// Byte where the last good record ends.
        end: u64,
        /// Number of records that can be read.
        found: usize,
        /// Number of records that were written.
        expected: usize,
    },
}

/// A journal open for appending, locked by this process.
#[derive(Debug)]
pub struct Journal {
    /// Buffered file, at its end.
    file: BufWriter<File>,
    /// Path of the file, for messages.
    path: PathBuf,
    /// Byte where the last record ends.
    end: u64,
    /// Number of records, those before a resumption included.
    records: usize,
    /// Checksum of all records.
    checksum: crc32fast::Hasher,
    /// Bytes of the record that is being written; kept to spare allocations.
    buffer: Vec<u8>,
}

/// Size of the buffers for writing and reading (bytes).
const BUFFER: usize = 1 << 16;

impl Journal {
    /// Starts the journal `path`; earlier contents are removed.
    ///
    /// # Errors
    /// [`FolderError::Busy`] if another process writes it; [`FolderError::Io`] if it cannot be
    /// written.
    pub fn create(path: &Path) -> Result<Self, FolderError> {
        Self::open(path, 0, 0)
    }

    /// Reopens the journal `path` after its first `records` records, which end at byte `end`; later
    /// ones are removed.
    ///
    /// # Errors
    /// [`FolderError::Busy`] if another process writes it; [`FolderError::Io`] if it cannot be
    /// written.
    pub fn open(path: &Path, end: u64, records: usize) -> Result<Self, FolderError> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(failed("write", path))?;
        lock(&file, path)?;

        // What comes after the last record is cut off.
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(failed("write", path))?;
        let checksum = open_file(path).and_then(checksummed::hasher_of);
        let checksum = checksum.map_err(failed("read", path))?;

        Ok(Self {
            file: BufWriter::with_capacity(BUFFER, file),
            path: path.to_path_buf(),
            end,
            records,
            checksum,
            buffer: Vec::new(),
        })
    }

    /// Appends a record. It may stay in memory until [`Journal::sync`].
    ///
    /// # Errors
    /// [`JournalError::Folder`] if it cannot be written; [`JournalError::TooLarge`] if its length
    /// does not fit 32 bits.
    pub fn add(&mut self, entry: &Entry) -> Result<(), JournalError> {
        // The buffer keeps its memory from one step to the next.
        self.buffer.clear();
        let buffer = std::mem::take(&mut self.buffer);
        self.buffer = frame::append(buffer, entry).map_err(|error| match error {
            FrameError::Io(error) => failed("write", &self.path)(error).into(),
            FrameError::TooLarge(bytes) => JournalError::TooLarge {
                path: self.path.clone(),
                bytes,
            },
        })?;

        self.file
            .write_all(&self.buffer)
            .map_err(failed("write", &self.path))?;
        // The end counts whole records only, so that it comes after the write.
        self.end += self.buffer.len() as u64;
        self.records += 1;
        self.checksum.update(&self.buffer);
        Ok(())
    }

    /// Waits until all records are on the disk.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the operating system reports that they are not.
    pub fn sync(&mut self) -> Result<(), FolderError> {
        let flushed = self.file.flush();
        flushed
            .and_then(|()| self.file.get_ref().sync_data())
            .map_err(failed("write", &self.path))
    }

    /// Shows readers all records so far; returns them as a part of the file.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn so_far(&mut self) -> Result<Part, FolderError> {
        self.file.flush().map_err(failed("write", &self.path))?;
        Ok(Part {
            from: 0,
            to: Some(self.end),
            checksum: checksummed::text(self.checksum.clone().finalize()),
        })
    }

    /// Byte where the last record ends, and the number of records.
    pub fn end(&self) -> (u64, usize) {
        (self.end, self.records)
    }

    /// Reads all records from the first one on.
    ///
    /// An item is [`JournalError::Damaged`] if fewer records can be read than were written.
    ///
    /// # Errors
    /// [`JournalError::Folder`] if the rest cannot be written, or the file cannot be opened again.
    pub fn read_back(
        &mut self,
    ) -> Result<impl Iterator<Item = Result<Entry, JournalError>> + use<>, JournalError> {
        self.file.flush().map_err(failed("write", &self.path))?;
        Ok(ReadBack {
            reader: JournalReader::open(&self.path)?,
            found: 0,
            expected: self.records,
        })
    }
}

/// Reads the records of a journal up to the first that is cut off or damaged.
#[derive(Debug)]
pub struct JournalReader {
    /// Buffered file, after the last record that was read.
    file: BufReader<File>,
    /// Path of the file, for messages.
    path: PathBuf,
    /// Byte where the last record that was read ends.
    end: u64,
}

impl JournalReader {
    /// Opens the journal `path` at its first record.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let file = open_file(path).map_err(failed("read", path))?;
        Ok(Self {
            file: BufReader::with_capacity(BUFFER, file),
            path: path.to_path_buf(),
            end: 0,
        })
    }

    /// Byte where the last record that was read ends.
    pub fn end(&self) -> u64 {
        self.end
    }
}

impl Iterator for JournalReader {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        match frame::next(&mut self.file) {
            // A record that is cut off or damaged is the end.
            Ok(contents) => {
                let contents = contents?;
                let entry = postcard::from_bytes(&contents).ok()?;
                self.end += frame::size(contents.len());
                Some(Ok(entry))
            }
            Err(error) => Some(Err(failed("read", &self.path)(error).into())),
        }
    }
}

/// Reads all records that were written; one that is missing is an error.
struct ReadBack {
    /// Reader of the file.
    reader: JournalReader,
    /// Number of records read so far.
    found: usize,
    /// Number of records that were written.
    expected: usize,
}

impl Iterator for ReadBack {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.found == self.expected {
            return None;
        }
        let next = self.reader.next().unwrap_or_else(|| {
            Err(JournalError::Damaged {
                path: self.reader.path.clone(),
                end: self.reader.end,
                found: self.found,
                expected: self.expected,
            })
        });

        self.found += 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests;
