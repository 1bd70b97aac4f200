//! Checksum of a part of a file that grows while a run is under way.

use super::checksummed;
use super::error::{FolderError, failed};
use ipcsim::files::open as open_file;
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The bytes of a file from one place to another, and their checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Byte where the part begins. What comes before is written again while the file grows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from: u64,
    /// Byte where it ends; `None` for the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// Checksum (CRC-32, hexadecimal).
    pub checksum: String,
}

/// True for the first byte of a file.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_zero(byte: &u64) -> bool {
    *byte == 0
}

impl Part {
    /// A whole file with this checksum.
    pub fn whole(checksum: String) -> Self {
        Self {
            from: 0,
            to: None,
            checksum,
        }
    }

    /// Number of bytes of the part; `None` for one up to the end of the file.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.to.map(|to| to.saturating_sub(self.from))
    }

    /// Checksum that the part has in the file `path`, which may have become longer. That of a shorter
    /// file differs.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be read.
    pub(super) fn found(&self, path: &Path) -> Result<String, FolderError> {
        let mut file = open_file(path).map_err(failed("read", path))?;
        let length = file.metadata().map_err(failed("read", path))?.len();
        file.seek(SeekFrom::Start(self.from))
            .map_err(failed("read", path))?;
        let bytes = self.bytes().unwrap_or(u64::MAX);
        let hasher = checksummed::hasher_of(file.take(bytes)).map_err(failed("read", path))?;
        // A checksum of nothing could agree with nothing.
        let is_cut = self.to.is_some_and(|to| length < to);
        Ok(if is_cut {
            "that of a shorter file".to_owned()
        } else {
            checksummed::text(hasher.finalize())
        })
    }
}
