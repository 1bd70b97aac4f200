//! Files that are text.

use ipcsim_scene::ReadError;

/// Bytes as a text.
///
/// # Errors
/// If they are not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|_| {
        ReadError::new("it is not text (UTF-8); save it as text, not in a binary format")
    })
}
