//! Magic line, format number and checksum: how files of runs say what they are and that they are
//! whole.
//!
//! A sealed file is a line of text that names its kind, the number of its format, the contents, and
//! a CRC-32 of all that comes before. The checksum is tested first, so nothing else is read from
//! damaged bytes. CRC-32 finds any single flipped bit, and misses other damage about once in four
//! billion cases. It is no protection against someone who changes a file on purpose.

use crate::error::{FolderError, failed};
use ipcsim::files::open as open_file;
use std::io::{self, Read};
use std::path::Path;

/// Length of a checksum in bytes.
pub(super) const CHECKSUM: usize = 4;

/// CRC-32 of `bytes`, little-endian.
pub(super) fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Appends to `bytes` the checksum of what begins at `start`.
pub(super) fn close(bytes: &mut Vec<u8>, start: usize) {
    let checksum = checksum(&bytes[start..]);
    bytes.extend(checksum);
}

/// Contents of `bytes` without the checksum at their end, or `None` if it does not agree or is
/// missing.
pub(super) fn open(bytes: &[u8]) -> Option<&[u8]> {
    let (contents, last) = bytes.split_last_chunk::<CHECKSUM>()?;
    (checksum(contents) == *last).then_some(contents)
}

/// Checksum as `run.json` writes it: eight hexadecimal digits.
pub(super) fn text(checksum: u32) -> String {
    format!("{checksum:08x}")
}

/// Checksum of the file `path`, as [`text`]. The file may be longer than memory.
///
/// # Errors
/// [`FolderError::Io`] if it cannot be read.
pub(super) fn of_file(path: &Path) -> Result<String, FolderError> {
    let hasher = open_file(path).and_then(hasher_of);
    Ok(text(hasher.map_err(failed("read", path))?.finalize()))
}

/// Checksum of all that can be read, open for what follows.
///
/// # Errors
/// The system's error.
pub(super) fn hasher_of(mut bytes: impl Read) -> io::Result<crc32fast::Hasher> {
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = bytes.read(&mut buffer)?;
        if count == 0 {
            return Ok(hasher);
        }
        hasher.update(&buffer[..count]);
    }
}

/// First bytes of a kind of file: a line that names it, and the number of its format.
pub(super) struct Seal {
    /// First line, with its line feed.
    pub(super) magic: &'static [u8],
    /// Number of the format. Files of another format cannot be read.
    pub(super) format: u32,
}

/// Reason why sealed bytes cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The magic line or the checksum does not agree.
    Damaged,
    /// The bytes are intact, but of this other format.
    Format(u32),
}

impl Seal {
    /// First bytes of a file; the contents follow, then [`close`] from 0.
    pub(super) fn begin(&self) -> Vec<u8> {
        [self.magic, &self.format.to_le_bytes()].concat()
    }

    /// Contents of a whole file, without magic line, format and checksum.
    ///
    /// # Errors
    /// [`Broken::Damaged`] if checksum or magic line do not agree; [`Broken::Format`] if the file
    /// is intact, but of another format.
    pub(super) fn contents<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], Broken> {
        let sealed = open(file).ok_or(Broken::Damaged)?;
        let named = sealed.strip_prefix(self.magic).ok_or(Broken::Damaged)?;
        let (format, contents) = named.split_first_chunk().ok_or(Broken::Damaged)?;

        let format = u32::from_le_bytes(*format);
        if format == self.format {
            Ok(contents)
        } else {
            Err(Broken::Format(format))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEAL: Seal = Seal {
        magic: b"a test\n",
        format: 3,
    };

    #[test]
    fn contents_come_back_and_damage_and_other_formats_are_named() {
        let mut file = SEAL.begin();
        file.extend(b"contents");
        close(&mut file, 0);
        assert_eq!(SEAL.contents(&file), Ok(&b"contents"[..]));
        assert_eq!(SEAL.contents(&file[1..]), Err(Broken::Damaged));

        let newer = Seal { format: 4, ..SEAL };
        // Another file is damaged to this seal, whatever its format says.
        assert_eq!(newer.contents(&file), Err(Broken::Format(3)));
        let other = Seal {
            magic: b"other\n",
            ..SEAL
        };
        assert_eq!(other.contents(&file), Err(Broken::Damaged));
    }

    #[test]
    fn a_file_has_the_checksum_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; 200_000];
        std::fs::write(file.path(), &bytes).unwrap();
        assert_eq!(of_file(file.path()).unwrap(), text(crc32fast::hash(&bytes)));
    }
}
