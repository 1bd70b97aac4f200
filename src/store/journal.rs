//! The journal of a run under way: a record per step, from which the files of the run are made at its end.
//!
//! A record is the length of its contents (u32), a checksum of that length, the contents, and a checksum of them: a length
//! is known to be good before anything is read by it. Records are only ever added. A process that is killed leaves a record
//! cut off at most, which is not read.

use super::folder::{FolderError, failed};
use super::segments::{Layout, Place};
use crate::math::Vec2;
use crate::solve::Timings;
use crate::time::StepReport;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// What is known of a step, or of the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What the step did; of the start, its energies and sums.
    pub report: StepReport,
    /// Where the step's time went.
    pub timings: Timings,
    /// The whole step's time.
    pub whole: Duration,
    /// Positions of all vertices (m), where the run writes them.
    pub x: Option<Vec<Vec2>>,
    /// The ends of the segments that were accepted on the way, where the run stores them; of the start, the start.
    pub way: Vec<Place>,
}

impl Entry {
    /// Whether it can be of a world with states of this layout and so many potentials.
    pub fn fits(&self, layout: &Layout, potentials: usize) -> bool {
        let whole = |place: &Place| {
            place.x.len() == layout.vertices && place.turns.len() == layout.turning.len()
        };
        self.report.record.potentials.len() == potentials
            && self.x.as_ref().is_none_or(|x| x.len() == layout.vertices)
            && self.way.iter().all(whole)
    }
}

/// A journal cannot be written or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// By the operating system.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A step is too large to be recorded.
    #[error("{}: a step of {bytes} bytes is more than a journal can hold", path.display())]
    TooLarge {
        /// The journal.
        path: PathBuf,
        /// Size of the step.
        bytes: usize,
    },
    /// What was written cannot be read back.
    #[error(
        "{} is damaged after byte {end}: {found} of {expected} records can be read; go on from an earlier checkpoint with \
         ipcsim run --resume, or run the scene again", path.display()
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Where the last good record ends.
        end: u64,
        /// Records that can be read.
        found: usize,
        /// Records that were written.
        expected: usize,
    },
}

/// A journal that is written.
#[derive(Debug)]
pub struct Journal {
    file: BufWriter<File>,
    path: PathBuf,
    /// Where the last record ends.
    end: u64,
    records: usize,
    buffer: Vec<u8>,
}

/// Bytes that wait for the operating system.
const BUFFER: usize = 1 << 16;
/// Bytes before the contents of a record.
const HEAD: usize = 8;

impl Journal {
    /// Starts the journal `path`.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn create(path: &Path) -> Result<Self, FolderError> {
        Self::open(path, 0, 0)
    }

    /// Goes on with the journal `path` after its first `records` records, which end at byte `end`.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(path: &Path, end: u64, records: usize) -> Result<Self, FolderError> {
        let opened = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path);
        let mut file = opened.map_err(failed("write", path))?;
        lock(&file, path)?;
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(failed("write", path))?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Self {
            file,
            path: path.to_path_buf(),
            end,
            records,
            buffer: Vec::new(),
        })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`JournalError::Folder`] or [`JournalError::TooLarge`].
    pub fn add(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.buffer.clear();
        self.buffer.resize(HEAD, 0);
        let contents = postcard::to_extend(entry, std::mem::take(&mut self.buffer));
        self.buffer = contents
            .map_err(io::Error::other)
            .map_err(failed("write", &self.path))?;
        let bytes = self.buffer.len() - HEAD;
        let path = || self.path.clone();
        let length = u32::try_from(bytes)
            .map_err(|_| JournalError::TooLarge {
                path: path(),
                bytes,
            })?
            .to_le_bytes();
        self.buffer[..4].copy_from_slice(&length);
        self.buffer[4..HEAD].copy_from_slice(&crc32fast::hash(&length).to_le_bytes());
        let checksum = crc32fast::hash(&self.buffer[HEAD..]);
        self.buffer.extend(checksum.to_le_bytes());
        self.file
            .write_all(&self.buffer)
            .map_err(failed("write", &self.path))?;
        self.end += self.buffer.len() as u64;
        self.records += 1;
        Ok(())
    }

    /// Hands everything to the operating system and waits until it is on the disk.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn sync(&mut self) -> Result<(), FolderError> {
        let synced = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(failed("write", &self.path))
    }

    /// Where the last record ends, and how many there are.
    pub fn end(&self) -> (u64, usize) {
        (self.end, self.records)
    }

    /// Reads all records from the first one on.
    ///
    /// # Errors
    /// [`JournalError::Folder`].
    pub fn read_back(
        &mut self,
    ) -> Result<impl Iterator<Item = Result<Entry, JournalError>> + use<>, JournalError> {
        self.file.flush().map_err(failed("write", &self.path))?;
        let (expected, path) = (self.records, self.path.clone());
        let mut reader = JournalReader::open(&path)?;
        let mut found = 0;
        Ok(std::iter::from_fn(move || {
            (found < expected).then(|| {
                let next = reader.next();
                let damaged = || JournalError::Damaged {
                    path: path.clone(),
                    end: reader.end,
                    found,
                    expected,
                };
                let next = next.unwrap_or_else(|| Err(damaged()));
                found += 1;
                next
            })
        }))
    }
}

/// Takes the journal for this process, which only one can have.
fn lock(file: &File, path: &Path) -> Result<(), FolderError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FolderError::Busy {
            folder: path.parent().unwrap_or(path).to_path_buf(),
        }),
        // Not every file system has locks; they guard against a mistake only.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Refuses a journal that a process writes to.
///
/// # Errors
/// [`FolderError::Busy`].
pub fn refuse_busy(path: &Path) -> Result<(), FolderError> {
    File::open(path).map_or(Ok(()), |file| lock(&file, path))
}

/// Reads the records of a journal up to the first that is cut off or damaged.
#[derive(Debug)]
pub struct JournalReader {
    file: BufReader<File>,
    path: PathBuf,
    end: u64,
}

impl JournalReader {
    /// Opens the journal `path`.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let file = File::open(path).map_err(failed("read", path))?;
        Ok(Self {
            file: BufReader::with_capacity(BUFFER, file),
            path: path.to_path_buf(),
            end: 0,
        })
    }

    /// Where the last record that was read ends.
    pub fn end(&self) -> u64 {
        self.end
    }

    fn contents(&mut self) -> io::Result<Vec<u8>> {
        let mut head = [0; HEAD];
        self.file.read_exact(&mut head)?;
        let ([a, b, c, d, ..], [.., e, f, g, h]) = (head, head);
        let length = [a, b, c, d];
        if crc32fast::hash(&length).to_le_bytes() != [e, f, g, h] {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut contents = Vec::new();
        let length = u64::from(u32::from_le_bytes(length));
        let read = self.file.by_ref().take(length).read_to_end(&mut contents)?;
        let mut checksum = [0; 4];
        self.file.read_exact(&mut checksum)?;
        if read as u64 != length || crc32fast::hash(&contents).to_le_bytes() != checksum {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(contents)
    }
}

impl Iterator for JournalReader {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.contents() {
            Ok(contents) => {
                let entry = postcard::from_bytes(&contents).ok()?;
                self.end += (HEAD + contents.len() + 4) as u64;
                Some(Ok(entry))
            }
            Err(error)
                if [io::ErrorKind::UnexpectedEof, io::ErrorKind::InvalidData]
                    .contains(&error.kind()) =>
            {
                None
            }
            Err(error) => Some(Err(failed("read", &self.path)(error).into())),
        }
    }
}

#[cfg(test)]
mod tests;
