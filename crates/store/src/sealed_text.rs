//! A JSON text with a checksum of itself: the form of `run.json`.
//!
//! The first key is the `format`, the last one the `checksum` (CRC-32) of all text before it. Damage
//! of one place leaves at least one of them, and then the other one must be there, too. A text with
//! neither is of an earlier version.

use super::checksummed;

/// Number of the format.
const FORMAT: u32 = 2;
/// Beginning of every text.
const HEAD: &str = "{\n  \"format\": ";
/// Text from the last value to the checksum.
const BEFORE: &str = ",\n  \"checksum\": \"";
/// Text after the checksum.
const AFTER: &str = "\"\n}\n";

/// The text of an object, as [`rows::to_text`](super::rows::to_text) gives it, with its format and
/// checksum.
pub(super) fn close(object: &str) -> String {
    let keys = object.strip_prefix("{\n").unwrap_or(object);
    let keys = keys.strip_suffix("\n}\n").unwrap_or(keys);
    let text = format!("{HEAD}{FORMAT},\n{keys}");
    let checksum = checksummed::text(crc32fast::hash(text.as_bytes()));
    text + BEFORE + &checksum + AFTER
}

/// True if a text has a format and a checksum of itself, false if it is of an earlier version.
///
/// # Errors
/// How it is damaged, or the format that this program does not know.
pub(super) fn open(text: &str) -> Result<bool, String> {
    let damaged = || "is damaged or was changed: its checksum does not agree".to_owned();
    let end = text.strip_suffix(AFTER);
    let parts = end.and_then(|end| end.split_at_checked(end.len().checked_sub(8)?));
    let parts = parts.and_then(|(body, checksum)| Some((body.strip_suffix(BEFORE)?, checksum)));

    let Some((body, checksum)) = parts else {
        return if text.starts_with(HEAD) {
            Err(damaged())
        } else {
            Ok(false)
        };
    };
    if checksummed::text(crc32fast::hash(body.as_bytes())) != checksum {
        return Err(damaged());
    }
    let known = format!("{HEAD}{FORMAT},");
    if body.starts_with(&known) {
        return Ok(true);
    }
    Err("has another format than this program reads; use the program that wrote it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_of_any_bit_and_length_is_noticed() {
        let text = close("{\n  \"a\": 1,\n  \"b\": [2, 3]\n}\n");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!([&value["a"], &value["b"][1]], [1, 3]);
        assert_eq!(open(&text), Ok(true));

        for bit in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok(flipped) = String::from_utf8(bytes) {
                assert!(open(&flipped).is_err(), "{flipped}");
            }
        }
        assert!((HEAD.len()..text.len()).all(|length| open(&text[..length]).is_err()));
        assert!(open(&(text.clone() + "\n")).is_err());
    }

    #[test]
    fn a_text_of_an_earlier_version_has_no_checksum() {
        assert_eq!(open("{\n  \"scene\": \"a\"\n}\n"), Ok(false));
        let later = close("{\n  \"a\": 1\n}\n").replace("\"format\": 2", "\"format\": 3");
        let body = later.split(BEFORE).next().unwrap();
        let checksum = checksummed::text(crc32fast::hash(body.as_bytes()));
        let error = open(&format!("{body}{BEFORE}{checksum}{AFTER}")).unwrap_err();
        assert!(error.contains("another format"), "{error}");
    }
}
