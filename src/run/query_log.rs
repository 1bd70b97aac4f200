//! `run --record-ccd`: the continuous collision queries of a run, in the form that `ipcsim ccd`
//! reads.
//!
//! Each query is one line of JSON. A checkpoint notes how many bytes and queries the file had, and
//! a run that resumes cuts off what came later. The file may also be a pipe, which is only written.

use crate::ccd::Line;
use ipcsim::contact::ccd::Query;
use ipcsim_store::error::{FolderError, failed};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// File of queries, one per line, which is written while the run is under way.
pub(super) struct QueryLog {
    /// Open file, which is written through a buffer.
    file: BufWriter<File>,
    /// Path of the file, for messages.
    path: PathBuf,
    /// Number of bytes written so far, also by the part of the run before a checkpoint.
    bytes: u64,
    /// Number of queries written so far, which is the identifier of the next one.
    count: u64,
}

impl QueryLog {
    /// Starts the file `path`, or reopens it after its first `count` queries, which end at byte
    /// `bytes`; later ones are removed.
    ///
    /// # Errors
    /// If the file cannot be written, or if it has fewer than `bytes` bytes.
    pub(super) fn open(path: &Path, bytes: u64, count: u64) -> Result<Self, FolderError> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(failed("write", path))?;

        // A pipe has nothing to cut off.
        if is_plain(&file) {
            cut(&mut file, bytes).map_err(failed("resume", path))?;
        }
        Ok(Self {
            file: BufWriter::new(file),
            path: path.to_path_buf(),
            bytes,
            count,
        })
    }

    /// Appends queries, one line each.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(&mut self, queries: impl Iterator<Item = Query>) -> Result<(), FolderError> {
        for query in queries {
            let line = Line::of(self.count, &query);
            let mut text = serde_json::to_vec(&line)
                .map_err(io::Error::from)
                .map_err(failed("write", &self.path))?;
            text.push(b'\n');

            // Bytes are counted for the next checkpoint.
            self.file
                .write_all(&text)
                .map_err(failed("write", &self.path))?;
            self.bytes += text.len() as u64;
            self.count += 1;
        }
        Ok(())
    }

    /// Waits until all queries are on the disk; returns the byte where they end, and their number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn sync(&mut self) -> Result<(u64, u64), FolderError> {
        self.file.flush().map_err(failed("write", &self.path))?;
        let file = self.file.get_ref();
        if is_plain(file) {
            file.sync_data().map_err(failed("write", &self.path))?;
        }
        Ok((self.bytes, self.count))
    }

    /// Completes the file. It has all queries then, but the system may not have moved them to the
    /// disk.
    ///
    /// # Errors
    /// If the last queries cannot be written.
    pub(super) fn finish(mut self) -> Result<(), FolderError> {
        self.file.flush().map_err(failed("write", &self.path))
    }
}

/// Removes all bytes after the first `bytes` bytes, and continues to write from there.
///
/// # Errors
/// If the file is shorter, or if the system refuses.
fn cut(file: &mut File, bytes: u64) -> io::Result<()> {
    let length = file.metadata()?.len();
    if length < bytes {
        return Err(io::Error::other(format!(
            "it has {length} bytes, but the run had written {bytes}"
        )));
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes)).map(|_| ())
}

/// True if the file is on a disk, not a pipe or a device.
fn is_plain(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.is_file())
}
