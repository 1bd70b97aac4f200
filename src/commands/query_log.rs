//! `run --record-ccd`: the continuous collision queries of a run, in the form that `ipcsim ccd` reads.

use crate::contact::ccd::Query;
use crate::output::folder::{FolderError, failed};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of queries, one per line.
pub(super) struct QueryLog {
    file: BufWriter<File>,
    path: PathBuf,
    count: u64,
}

/// One line of the file.
#[derive(serde::Serialize)]
struct Line {
    id: u64,
    p0: [f64; 2],
    e00: [f64; 2],
    e10: [f64; 2],
    p1: [f64; 2],
    e01: [f64; 2],
    e11: [f64; 2],
}

impl QueryLog {
    /// Starts the file `path`.
    pub(super) fn create(path: &Path) -> Result<Self, FolderError> {
        let file = File::create(path).map_err(failed("write", path))?;
        Ok(Self { file: BufWriter::new(file), path: path.to_path_buf(), count: 0 })
    }

    /// Adds queries.
    pub(super) fn add(&mut self, queries: impl Iterator<Item = Query>) -> Result<(), FolderError> {
        for Query { start, end } in queries {
            let [p0, e00, e10] = start.map(Into::into);
            let [p1, e01, e11] = end.map(Into::into);
            let line = Line { id: self.count, p0, e00, e10, p1, e01, e11 };
            let written = serde_json::to_writer(&mut self.file, &line).map_err(std::io::Error::from);
            written.and_then(|()| self.file.write_all(b"\n")).map_err(failed("write", &self.path))?;
            self.count += 1;
        }
        Ok(())
    }

    /// Completes the file.
    pub(super) fn finish(mut self) -> Result<(), FolderError> {
        self.file.flush().map_err(failed("write", &self.path))
    }
}
