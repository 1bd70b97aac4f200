//! Pairs of a code and a value, the contents of a DXF file, as text or binary.
//!
//! In a text a pair has two lines: the code, a whole number, and the value. The code says what the
//! value is and its type: 0 begins an entity, 2 is a name, 8 a layer, 10 to 39 are coordinates, 40 to 59
//! other numbers, 60 to 79 flags and counts.
//!
//! A binary file begins with a line of text. A code has two bytes there, or one byte in files before
//! release 13, where 255 stands before a longer one. Values are texts up to a zero, doubles of 8 bytes or
//! whole numbers of 1 to 8 bytes, by ranges of the code.
//!
//! The format is described in the "DXF Reference", sections "ASCII DXF Files", "Binary DXF Files" and
//! "Group Code Value Types". A text may be in any code page that extends ASCII: bytes that are not
//! UTF-8 are read as the one of Western Europe, so that names stay distinct.

use crate::ReadError;
use std::borrow::Cow;

/// Text at the head of a binary file.
const BINARY: &[u8] = b"AutoCAD Binary DXF";

/// Ends of that text: the second is what programs leave that take it for the end of a line.
const ENDS: [&[u8]; 2] = [b"\r\n\x1a\0", b"\n\x1a\0"];

/// A code and its value.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    /// What the value is.
    pub(super) code: i32,
    /// The value as text.
    pub(super) value: Cow<'a, str>,
    /// Number of the line of the value, from 1; of the pair if the file is binary.
    pub(super) line: usize,
}

/// All pairs of a file.
///
/// Values borrow from the file where they can. Pairs after `EOF` are not read, and a text without
/// `EOF` ends with its last line.
///
/// # Errors
/// If the bytes are not such a file.
pub(super) fn pairs(bytes: &[u8]) -> Result<Vec<Pair<'_>>, ReadError> {
    if let Some(rest) = bytes.strip_prefix(BINARY) {
        let own = ENDS.iter().find_map(|end| rest.strip_prefix(*end));
        return own.map_or_else(
            || {
                Err(ReadError::new(
                    "its binary head is damaged; copy the file again without changing line ends",
                ))
            },
            binary,
        );
    }

    if bytes.starts_with(b"AC10") || bytes.starts_with(b"AC1.") {
        return Err(ReadError::new(
            "it is a DWG drawing; save it as DXF (in LibreCAD or FreeCAD, or by dwg2dxf of LibreDWG)",
        ));
    }

    // Lines in pairs.
    let mut pairs = Vec::new();
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let mut line = 0;
    while let Some(code) = lines.next() {
        line += 2;
        let code = trimmed(code);
        let Some(value) = lines.next() else {
            if code.is_empty() {
                break;
            }
            return Err(ReadError::new(format!(
                "the file ends after line {}, where a value should be",
                line - 1
            )));
        };

        let Ok(code) = code.parse::<i32>() else {
            // A blank line at the end is not a pair.
            if code.is_empty() && trimmed(value).is_empty() {
                continue;
            }
            let message = format!(
                "line {}: \"{}\" stands where a code should be, so that it is not a DXF drawing",
                line - 1,
                short_of(&code)
            );
            return Err(ReadError::new(message));
        };

        let value = trimmed(value);
        // What stands after the end does not count.
        if code == 0 && value == "EOF" {
            break;
        }
        pairs.push(Pair { code, value, line });
    }

    Ok(pairs)
}

/// A line without the spaces around it, in UTF-8 or else in the code page of Western Europe.
fn trimmed(line: &[u8]) -> Cow<'_, str> {
    let line = line.trim_ascii();
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(line.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The beginning of a word.
/// Messages quote it, and a binary file may have no end of a line for long.
fn short_of(word: &str) -> String {
    word.chars().take(20).collect()
}

/// Kind of the value of a binary pair.
enum Value {
    /// A text that ends with a zero.
    Text,
    /// A number with a fraction, of 8 bytes.
    Double,
    /// A whole number of this many bytes.
    Whole(usize),
    /// Bytes after their number.
    Bytes,
}

/// Kind of the value of a code (DXF Reference, "Group Code Value Types").
///
/// The ranges are given in decimal numbers there; codes outside of all are texts.
fn kind(code: i32) -> Value {
    match code {
        10..=59 | 110..=149 | 210..=239 | 460..=469 | 1010..=1059 => Value::Double,
        60..=79 | 170..=179 | 270..=289 | 370..=389 | 400..=409 | 1060..=1070 => Value::Whole(2),
        90..=99 | 420..=429 | 440..=459 | 1071 => Value::Whole(4),
        160..=169 => Value::Whole(8),
        290..=299 => Value::Whole(1),
        310..=319 | 1004 => Value::Bytes,
        _ => Value::Text,
    }
}

/// Pairs of a binary file. Codes have one byte in old files and two in others.
///
/// Every value becomes a text, so that all that follows is the same for both forms.
///
/// # Errors
/// If the bytes end within a pair.
fn binary(bytes: &[u8]) -> Result<Vec<Pair<'_>>, ReadError> {
    // The first pair is 0 and SECTION, and a code of two bytes has a second zero.
    let is_old = bytes.get(1) != Some(&0);
    let mut rest = bytes;
    let mut pairs: Vec<Pair> = Vec::new();
    while !rest.is_empty() {
        let line = pairs.len() + 1;
        let pair = binary_pair(&mut rest, is_old, line).ok_or_else(|| {
            ReadError::new(format!(
                "the file ends within pair {line} of its binary values"
            ))
        })?;

        if pair.code == 0 && pair.value == "EOF" {
            break;
        }
        pairs.push(pair);
    }

    Ok(pairs)
}

/// The next pair of a binary file.
///
/// `line` is the number of the pair, which messages give. `None` if the bytes end before the value
/// does. Whole numbers of 2 and 4 bytes have a sign, and all have their least byte first. Chunks of
/// bytes, such as pictures, have no use here and become empty texts.
fn binary_pair<'a>(rest: &mut &'a [u8], is_old: bool, line: usize) -> Option<Pair<'a>> {
    let mut code = i32::from(*take(rest, 1)?.first()?);
    if !is_old {
        code += i32::from(*take(rest, 1)?.first()?) << 8;
    } else if code == 255 {
        let [low, high] = *take(rest, 2)?.first_chunk::<2>()?;
        code = i32::from(u16::from_le_bytes([low, high]));
    }

    let value = match kind(code) {
        Value::Text => {
            let end = rest.iter().position(|&byte| byte == 0)?;
            let text = take(rest, end + 1)?;
            trimmed(&text[..end])
        }
        Value::Double => {
            let bytes = take(rest, 8)?.first_chunk::<8>()?;
            Cow::Owned(f64::from_le_bytes(*bytes).to_string())
        }
        Value::Whole(width) => {
            let bytes = take(rest, width)?;
            let mut whole = bytes
                .iter()
                .rev()
                .fold(0_i64, |sum, &byte| sum << 8 | i64::from(byte));
            if width == 2 && whole > 0x7fff {
                whole -= 0x1_0000;
            } else if width == 4 && whole > 0x7fff_ffff {
                whole -= 0x1_0000_0000;
            }
            Cow::Owned(whole.to_string())
        }
        Value::Bytes => {
            let count = usize::from(*take(rest, 1)?.first()?);
            take(rest, count)?;
            Cow::Borrowed("")
        }
    };

    Some(Pair { code, value, line })
}

/// The next bytes.
///
/// They are removed from `rest`; `None`, and nothing is removed, if there are fewer.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (own, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(own)
}
