//! Files that are text.
//!
//! The encodings are as "Extensible Markup Language (XML) 1.0" names them, appendix F: a mark at the
//! head says UTF-16, valid UTF-8 is taken as such, and otherwise the declaration in the first line
//! counts. Bytes of Windows 1252 from 128 to 159 become control characters, which are in no number.

use super::ReadError;
use std::borrow::Cow;

/// Bytes as the text of an XML file: UTF-8, UTF-16 with a mark, or what the file declares.
///
/// # Errors
/// If they are in an encoding that is not known.
pub(super) fn xml(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    for (mark, is_big) in [([0xff, 0xfe], false), ([0xfe, 0xff], true)] {
        if let Some(rest) = bytes.strip_prefix(&mark) {
            let units = rest.chunks_exact(2).map(|pair| {
                let pair = [pair[0], pair[1]];
                if is_big {
                    u16::from_be_bytes(pair)
                } else {
                    u16::from_le_bytes(pair)
                }
            });
            let text: String = char::decode_utf16(units)
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            return Ok(Cow::Owned(text));
        }
    }

    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text.trim_start_matches('\u{feff}')));
    }

    // Old programs write the code page of Western Europe, whose bytes are characters.
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_lowercase();
    let is_western = [
        "iso-8859-1",
        "iso-8859-15",
        "windows-1252",
        "latin1",
        "us-ascii",
    ];
    if head.starts_with("<?xml") && is_western.iter().any(|name| head.contains(name)) {
        return Ok(Cow::Owned(
            bytes.iter().map(|&byte| char::from(byte)).collect(),
        ));
    }

    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(ReadError::new(
            "it is compressed by gzip; unpack it first (gunzip, or save as plain SVG)",
        ));
    }
    Err(ReadError::new(
        "it is not text in UTF-8, UTF-16 or the encoding that it declares; save it as UTF-8",
    ))
}
