//! Journals of workers: rows in the order in which they were computed.
//!
//! Every worker of every process has a file of its own, which it alone appends to and which no
//! later process changes. So no lock is needed, on one machine or on many that share a folder. A
//! process that is killed leaves at most one incomplete frame at the end of each of its files,
//! which is not read. Rows wait in memory until [`JournalWriter::flush`].
//!
//! A journal says which runs it may have, so a task reads only the journals that concern it.

use super::error::StudyError;
use super::row::{Pause, Row};
use crate::error::{FolderError, failed};
use crate::frame::{self, FrameError};
use ipcsim::files::open as open_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A record of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StudyEntry {
    /// A run is done.
    Done(Row),
    /// A run was stopped on the way.
    Paused(Box<Pause>),
}

/// First record of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// Checksum of the study, of the plan, its files and the version of the program.
    identity: u32,
    /// Runs that the worker may compute. Who looks for others need not read the journal.
    runs: Range<u64>,
}

/// A journal that one worker appends to.
#[derive(Debug)]
pub struct JournalWriter {
    /// File, at its end.
    file: File,
    /// Path of the file, for messages.
    path: PathBuf,
    /// Frames that are not in the file yet.
    waiting: Vec<u8>,
}

impl JournalWriter {
    /// Creates a new journal in `folder` for some `runs`: the first name `TASK-NUMBER.bin` that no
    /// file has.
    ///
    /// # Errors
    /// [`FolderError::Io`] if no file can be created.
    pub(super) fn create(
        folder: &Path,
        task: u64,
        identity: u32,
        runs: &Range<u64>,
    ) -> Result<Self, FolderError> {
        let mut number = 0;
        loop {
            let path = folder.join(format!("{task:06}-{number:06}.bin"));
            match File::create_new(&path) {
                // Another worker has this name.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(failed("write", &path)(error)),
                Ok(file) => {
                    let mut journal = Self {
                        file,
                        path,
                        waiting: Vec::new(),
                    };
                    let runs = runs.clone();
                    journal.put(&Head { identity, runs })?;
                    journal.flush()?;
                    return Ok(journal);
                }
            }
        }
    }

    /// Appends an entry. It stays in memory until [`JournalWriter::flush`].
    ///
    /// # Errors
    /// [`FolderError::Io`] if it is too large for a journal.
    pub fn add(&mut self, entry: &StudyEntry) -> Result<(), FolderError> {
        self.put(entry)
    }

    /// Appends frames that another process has made, see [`StudyEntry::frame`].
    pub fn add_frames(&mut self, frames: &[u8]) {
        self.waiting.extend_from_slice(frames);
    }

    /// Appends a value as a frame.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be a frame.
    fn put(&mut self, value: &impl Serialize) -> Result<(), FolderError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting = frame::append(waiting, value).map_err(|error| {
            let error = match error {
                FrameError::Io(error) => error,
                FrameError::TooLarge(bytes) => {
                    io::Error::other(format!("a record of {bytes} bytes is too large"))
                }
            };
            failed("write", &self.path)(error)
        })?;
        Ok(())
    }

    /// Hands all entries to the operating system, which keeps them if the process is killed.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn flush(&mut self) -> Result<(), FolderError> {
        let written = self.file.write_all(&self.waiting);
        written.map_err(failed("write", &self.path))?;
        self.waiting.clear();
        Ok(())
    }
}

/// Entries of a journal after its head.
#[derive(Debug)]
pub struct Tail<R> {
    /// Bytes that are left.
    file: R,
    /// Runs that the journal may have.
    pub(super) runs: Range<u64>,
    /// Path of the file, for messages.
    path: PathBuf,
}

impl Tail<BufReader<File>> {
    /// Opens the journal `path` after its head; `None` if a killed process has left none.
    ///
    /// # Errors
    /// [`StudyError::Folder`] if it cannot be read; [`StudyError::Other`] if it is of another
    /// study.
    pub fn open(path: &Path, identity: u32) -> Result<Option<Self>, StudyError> {
        let file = open_file(path).map_err(failed("read", path))?;
        let mut file = BufReader::new(file);
        let Some(head) = frame::next(&mut file).map_err(failed("read", path))? else {
            return Ok(None);
        };

        // A head of another format is of another version.
        let head: Option<Head> = postcard::from_bytes(&head).ok();
        let Some(head) = head.filter(|head| head.identity == identity) else {
            let folder = path.ancestors().nth(2).unwrap_or(path);
            return Err(StudyError::Other {
                folder: folder.to_path_buf(),
            });
        };
        Ok(Some(Self {
            file,
            runs: head.runs,
            path: path.to_path_buf(),
        }))
    }
}

impl<'a> Tail<&'a [u8]> {
    /// Entries of frames in memory, see [`StudyEntry::frame`].
    pub fn frames(bytes: &'a [u8]) -> Self {
        Self {
            file: bytes,
            runs: 0..u64::MAX,
            path: PathBuf::from("frames in memory"),
        }
    }
}

impl<R: io::Read> Iterator for Tail<R> {
    type Item = Result<StudyEntry, FolderError>;

    /// Next entry; none at the end, or where an entry is cut off.
    fn next(&mut self) -> Option<Self::Item> {
        match frame::next(&mut self.file) {
            Ok(contents) => postcard::from_bytes(&contents?).ok().map(Ok),
            Err(error) => Some(Err(failed("read", &self.path)(error))),
        }
    }
}

impl StudyEntry {
    /// Number of the run.
    pub fn run(&self) -> u64 {
        match self {
            Self::Done(row) => row.run,
            Self::Paused(pause) => pause.run,
        }
    }

    /// Appends the entry to `frames`, for another process to append to a journal.
    ///
    /// # Errors
    /// A message, if the entry is too large.
    pub fn frame(&self, frames: Vec<u8>) -> Result<Vec<u8>, String> {
        frame::append(frames, self).map_err(|error| format!("{error:?}"))
    }
}
