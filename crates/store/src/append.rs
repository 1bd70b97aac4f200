//! Files that can be read while a run goes on: the table of energies and the trajectory.
//!
//! They have their names from the beginning and grow at their ends. A few times a second all that
//! is buffered goes to the file, and then the head is renewed, which may say how much follows. A
//! reader finds a whole table or array at any moment, up to a last line or state that is cut off.
//! What these files hold is in the journal too, from which a run that resumes writes them again.

use super::checksummed;
use super::error::{FolderError, failed};
use super::file::create_new;
use super::part::Part;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between renewals. A shorter one costs time in runs with fast steps; with a longer one
/// readers are further behind.
const INTERVAL: Duration = Duration::from_millis(250);

/// A file that is being written and can be read at any moment.
#[derive(Debug)]
pub struct GrowingFile {
    /// Buffered file, at its end.
    file: BufWriter<File>,
    /// Path of the file.
    path: PathBuf,
    /// Head, in front of everything else.
    head: Vec<u8>,
    /// Checksum of all bytes after the head.
    body: crc32fast::Hasher,
    /// Number of bytes after the head.
    length: u64,
    /// Time of the last renewal; `None` before the first one.
    renewed: Option<Instant>,
}

impl GrowingFile {
    /// Begins the file `path` with a `head`, in place of one of an earlier part of the run. A link
    /// is replaced and not followed.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written.
    pub fn create(path: &Path, head: Vec<u8>) -> Result<Self, FolderError> {
        let file = create_new(path).map_err(failed("write", path))?;
        let mut growing = Self {
            file: BufWriter::new(file),
            path: path.to_path_buf(),
            head,
            body: crc32fast::Hasher::new(),
            length: 0,
            renewed: None,
        };

        // Readers need a head from the first moment on, so that it does not wait in the buffer.
        let written = growing.file.write_all(&growing.head);
        written
            .and_then(|()| growing.file.flush())
            .map_err(failed("write", path))?;
        Ok(growing)
    }

    /// Appends `bytes`: whole lines or states.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        self.body.update(bytes);
        self.length += bytes.len() as u64;
        self.file
            .write_all(bytes)
            .map_err(failed("write", &self.path))
    }

    /// True if readers have waited long enough for a renewal.
    pub fn is_due(&self) -> bool {
        self.renewed.is_none_or(|time| time.elapsed() >= INTERVAL)
    }

    /// Shows readers all that was added, and then the `head` that says so, which has as many bytes
    /// as the first one.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be written.
    pub fn renew(&mut self, head: Vec<u8>) -> Result<(), FolderError> {
        self.renewed = Some(Instant::now());
        let mut shown = self.file.flush();
        if head != self.head {
            self.head = head;
            shown = shown
                .and_then(|()| self.file.seek(SeekFrom::Start(0)))
                .and_then(|_| self.file.write_all(&self.head))
                .and_then(|()| self.file.seek(SeekFrom::End(0)))
                .map(|_| ());
        }
        shown.map_err(failed("write", &self.path))
    }

    /// Shows readers all that was added, and the `head` that says so; returns what was added as a part
    /// of the file.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be written.
    pub fn added(&mut self, head: Vec<u8>) -> Result<Part, FolderError> {
        self.renew(head)?;
        // Readers wait for the first bytes.
        self.renewed = self.renewed.filter(|_| self.length > 0);
        let from = self.head.len() as u64;
        Ok(Part {
            from,
            to: Some(from + self.length),
            checksum: checksummed::text(self.body.clone().finalize()),
        })
    }

    /// As [`GrowingFile::added`], with the head, which is the same for good.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be written.
    pub fn so_far(&mut self) -> Result<Part, FolderError> {
        let added = self.added(self.head.clone())?;
        Ok(Part {
            from: 0,
            checksum: self.checksum(),
            ..added
        })
    }

    /// Checksum of the head and all that was added.
    fn checksum(&self) -> String {
        let mut whole = crc32fast::Hasher::new();
        whole.update(&self.head);
        whole.combine(&self.body);
        checksummed::text(whole.finalize())
    }

    /// Completes the file with a last `head`; returns the checksum of all of it (CRC-32,
    /// hexadecimal).
    ///
    /// # Errors
    /// [`FolderError::Io`] if the file cannot be written.
    pub fn finish(mut self, head: Vec<u8>) -> Result<String, FolderError> {
        self.renew(head)?;
        Ok(self.checksum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_finds_what_was_added_before_a_renewal_and_the_checksum_is_that_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "of an earlier run").unwrap();

        let mut file = GrowingFile::create(&path, b"0;".to_vec()).unwrap();
        let read = || std::fs::read_to_string(&path).unwrap();
        assert_eq!(read(), "0;");

        file.add(b"first;").unwrap();
        file.renew(b"1;".to_vec()).unwrap();
        assert_eq!(read(), "1;first;");

        file.add(b"second;").unwrap();
        let checksum = file.finish(b"2;".to_vec()).unwrap();
        assert_eq!(read(), "2;first;second;");
        assert_eq!(checksum, checksummed::of_file(&path).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_its_file_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let [link, other] = ["link", "other"].map(|name| dir.path().join(name));
        std::fs::write(&other, "kept").unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let file = GrowingFile::create(&link, b"head".to_vec()).unwrap();
        file.finish(b"head".to_vec()).unwrap();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "kept");
        assert_eq!(std::fs::read_to_string(&link).unwrap(), "head");
    }
}
