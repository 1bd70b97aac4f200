//! Files read whole, unless their contents do not fit into memory.
//!
//! A scene or a table turns into about sixteen times its length in memory. A file longer than a
//! sixteenth of the free memory is refused at once, with a message, where the program would
//! otherwise be killed halfway without one. Only regular files are opened.

mod memory;

use crate::number::bytes as in_bytes;
use crate::tuning::MEMORY_PER_BYTE;
use std::fs::{File, metadata};
use std::io::{Error, ErrorKind, Read, Result, stdin};
use std::path::Path;

pub use memory::available;

/// Opens a regular file for reading. A pipe would be waited for without end, and a device may have no
/// end.
///
/// # Errors
/// The system's error, or that the file is a pipe or a device.
pub fn open(path: &Path) -> Result<File> {
    let kind = metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "it is a pipe or a device, and only regular files are read",
        ));
    }
    File::open(path)
}

/// Reads a text file (UTF-8), unless its contents would not fit into memory.
///
/// # Errors
/// The system's error; or the file is too long, or not UTF-8. The message does not name the path.
pub fn read_text(path: &Path) -> Result<String> {
    as_text(read_bytes(path)?)
}

/// Reads all of standard input as text (UTF-8), unless it would not fit into memory.
///
/// # Errors
/// As [`read_text`].
pub fn read_stdin() -> Result<String> {
    let limit = limit();
    let mut bytes = Vec::new();
    stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    fits(bytes.len() as u64, limit)?;
    as_text(bytes)
}

/// Text of bytes, without a mark of their order.
///
/// # Errors
/// If they are not UTF-8.
fn as_text(mut bytes: Vec<u8>) -> Result<String> {
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|_| Error::other("it is not text (UTF-8)"))
}

/// Mark of the order of bytes, with which some editors begin a text. It means nothing in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a file, unless its contents would not fit into memory.
///
/// # Errors
/// The system's error; or the file is too long. The message does not name the path.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let limit = limit();
    let file = open(path)?;
    let reported = file.metadata()?.len();

    // The reported length may be wrong: some systems report none.
    let mut bytes = Vec::new();
    if reported <= limit {
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }

    fits(reported.max(bytes.len() as u64), limit)?;
    Ok(bytes)
}

/// Largest number of bytes whose contents the free memory holds.
fn limit() -> u64 {
    available().map_or(u64::MAX - 1, |bytes| bytes / MEMORY_PER_BYTE)
}

/// Refuses a text of more bytes than the limit.
///
/// # Errors
/// A message with both numbers.
fn fits(length: u64, limit: u64) -> Result<()> {
    if length > limit {
        return Err(Error::other(format!(
            "its length is {}, but the memory that is free holds the contents of {} at most; \
             make it shorter, or use a machine with more memory",
            in_bytes(length as f64),
            in_bytes(limit as f64)
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_device_is_not_opened() {
        let error = read_bytes(Path::new("/dev/zero")).unwrap_err();
        assert!(error.to_string().contains("device"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_that_is_longer_than_memory_is_refused_at_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 42).unwrap();

        let message = read_text(file.path()).unwrap_err().to_string();
        assert!(
            message.starts_with("its length is 4398.0 GB, but the memory that is free holds "),
            "{message}"
        );
    }
}
