//! Files that get their name when they are complete.
//!
//! A reader never sees half a file: bytes are written to a partial file beside it, whose name
//! begins with a dot, and renaming it is the last action. A run that is killed leaves partial files
//! only, which the next run into the folder removes.

use super::checksummed;
use super::error::{FolderError, failed};
use super::names::partial;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file under another name until it is complete.
///
/// A value that is dropped before [`PartialFile::finish`] removes its file.
#[derive(Debug)]
pub struct PartialFile {
    /// Buffered file under its partial name. The checksum is behind the buffer, since it is slow
    /// for a few bytes at a time.
    file: BufWriter<Checked>,
    /// Path of the complete file.
    path: PathBuf,
    /// True once the file has its name.
    is_complete: bool,
}

/// A file, and the checksum of all bytes that it got.
#[derive(Debug)]
struct Checked {
    /// File under its partial name.
    file: File,
    /// Checksum of all bytes written so far.
    checksum: crc32fast::Hasher,
}

impl Write for Checked {
    /// Writes some of `bytes` and adds these to the checksum.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.checksum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl PartialFile {
    /// Begins the file that will be called `path`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the partial file cannot be created.
    pub fn create(path: &Path) -> Result<Self, FolderError> {
        let file = create_new(&partial(path)).map_err(failed("write", path))?;
        Ok(Self {
            file: BufWriter::new(Checked {
                file,
                checksum: crc32fast::Hasher::new(),
            }),
            path: path.to_path_buf(),
            is_complete: false,
        })
    }

    /// Path of the complete file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if they cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        self.write_all(bytes).map_err(failed("write", &self.path))
    }

    /// Waits until all bytes are on the disk.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the operating system reports that they are not.
    pub fn sync(&mut self) -> Result<(), FolderError> {
        let flushed = self.file.flush();
        flushed
            .and_then(|()| self.file.get_ref().file.sync_all())
            .map_err(failed("write", &self.path))
    }

    /// Gives the file its name; returns its checksum (CRC-32, hexadecimal).
    ///
    /// # Errors
    /// [`FolderError::Io`] if the rest cannot be written or the file cannot be renamed; then no
    /// file is left.
    pub fn finish(mut self) -> Result<String, FolderError> {
        let flushed = self.file.flush();
        flushed
            .and_then(|()| fs::rename(partial(&self.path), &self.path))
            .map_err(failed("write", &self.path))?;

        self.is_complete = true;
        Ok(checksummed::text(
            self.file.get_ref().checksum.clone().finalize(),
        ))
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Hands buffered bytes to the operating system.
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PartialFile {
    /// Removes the partial file of a file that was not completed.
    fn drop(&mut self) {
        if !self.is_complete {
            // The error that matters came first.
            let _ = fs::remove_file(partial(&self.path));
        }
    }
}

/// Creates the file `path` in place of whatever has this name. A link is replaced and not followed.
///
/// # Errors
/// The system's error.
pub fn create_new(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }

    // A link that appears since is refused and not followed, because the file must be new.
    File::create_new(path)
}

/// Writes the file `path` by `fill`, under another name until it is complete.
///
/// # Errors
/// [`FolderError::Io`] if `fill` or the file fails; then no file is left.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FolderError> {
    let mut file = PartialFile::create(path)?;
    fill(&mut file).map_err(failed("write", path))?;
    file.finish().map(|_| ())
}
