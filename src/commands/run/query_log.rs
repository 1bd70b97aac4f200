//! `run --record-ccd`: the continuous collision queries of a run, in the form that `ipcsim ccd` reads.

use crate::commands::ccd::Line;
use crate::contact::ccd::Query;
use crate::store::error::{FolderError, failed};
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of queries, one per line.
pub(super) struct QueryLog {
    file: BufWriter<File>,
    path: PathBuf,
    bytes: u64,
    count: u64,
}

impl QueryLog {
    /// Starts the file `path`, or reopens it after its first `count` queries, which end at byte
    /// `bytes`; later ones are removed.
    pub(super) fn open(path: &Path, (bytes, count): (u64, u64)) -> Result<Self, FolderError> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(failed("write", path))?;
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

    /// Appends queries.
    pub(super) fn add(&mut self, queries: impl Iterator<Item = Query>) -> Result<(), FolderError> {
        for query in queries {
            let line = Line::of(self.count, &query);
            let mut text = serde_json::to_vec(&line)
                .map_err(io::Error::from)
                .map_err(failed("write", &self.path))?;
            text.push(b'\n');

            self.file
                .write_all(&text)
                .map_err(failed("write", &self.path))?;
            self.bytes += text.len() as u64;
            self.count += 1;
        }
        Ok(())
    }

    /// Waits until all queries are on the disk; returns the byte where they end, and their number.
    pub(super) fn sync(&mut self) -> Result<(u64, u64), FolderError> {
        self.file.flush().map_err(failed("write", &self.path))?;
        let file = self.file.get_ref();
        if is_plain(file) {
            file.sync_data().map_err(failed("write", &self.path))?;
        }
        Ok((self.bytes, self.count))
    }

    /// Completes the file.
    pub(super) fn finish(mut self) -> Result<(), FolderError> {
        self.file.flush().map_err(failed("write", &self.path))
    }
}

/// Removes what comes after the first `bytes` bytes, which the file must have.
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

/// True if it is a file on a disk, not a pipe or a device.
fn is_plain(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.is_file())
}
