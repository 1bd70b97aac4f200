//! Frames: records that are only ever appended to a file, each with its length and checksums.
//!
//! A frame is the length of its contents (u32), a checksum of that length, the contents, and a
//! checksum of these: no length is trusted before it is checked. Numbers are little-endian, the
//! contents are in the format of `postcard`. A process that is killed leaves at most one incomplete
//! frame at the end of a file, and a reader stops before it.

use super::checksummed::{self, CHECKSUM};
use serde::Serialize;
use std::io::{self, Read};

/// Bytes of the length of a frame.
const LENGTH: usize = 4;
/// Bytes before the contents: the length and its checksum.
const HEAD: usize = LENGTH + CHECKSUM;

/// A value that cannot become a frame.
#[derive(Debug)]
pub(crate) enum FrameError {
    /// The value cannot be serialised.
    Io(io::Error),
    /// The contents have this many bytes, more than 32 bits count.
    TooLarge(usize),
}

/// Bytes that a frame with `contents` bytes takes in the file.
pub(super) fn size(contents: usize) -> u64 {
    (HEAD + contents + CHECKSUM) as u64
}

/// Appends a value to `buffer` as a frame.
///
/// # Errors
/// [`FrameError`]; then `buffer` may have part of a frame at its end.
pub(crate) fn append<T: Serialize>(mut buffer: Vec<u8>, value: &T) -> Result<Vec<u8>, FrameError> {
    // The contents first, behind room for the head.
    let start = buffer.len();
    let contents = start + HEAD;
    buffer.resize(contents, 0);
    let mut buffer = postcard::to_extend(value, buffer)
        .map_err(io::Error::other)
        .map_err(FrameError::Io)?;
    let bytes = buffer.len() - contents;
    checksummed::close(&mut buffer, contents);

    // The head: the length, and a checksum of it.
    let length = u32::try_from(bytes).map_err(|_| FrameError::TooLarge(bytes))?;
    let length = length.to_le_bytes();
    buffer[start..start + LENGTH].copy_from_slice(&length);
    buffer[start + LENGTH..contents].copy_from_slice(&checksummed::checksum(&length));
    Ok(buffer)
}

/// Reads the contents of the next frame and checks both checksums.
///
/// # Errors
/// `UnexpectedEof` if fewer bytes are left than a head has, `InvalidData` if a checksum does not
/// agree or the contents are cut off, or the system's error.
fn contents(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let damaged = || io::Error::from(io::ErrorKind::InvalidData);
    // The length, if its own checksum agrees.
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    let length = checksummed::open(&head)
        .and_then(|length| length.first_chunk().copied())
        .ok_or_else(damaged)?;

    // The contents and their checksum, all of them or none.
    let whole = u64::from(u32::from_le_bytes(length)) + CHECKSUM as u64;
    let mut record = Vec::new();
    let read = file.by_ref().take(whole).read_to_end(&mut record)?;
    if read as u64 != whole || checksummed::open(&record).is_none() {
        return Err(damaged());
    }
    record.truncate(record.len() - CHECKSUM);
    Ok(record)
}

/// Contents of the next frame; `None` at the end, or where a frame is cut off or damaged.
///
/// # Errors
/// The system's error.
pub(crate) fn next(file: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    match contents(file) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if [UnexpectedEof, InvalidData].contains(&error.kind()) => Ok(None),
        Err(error) => Err(error),
    }
}
