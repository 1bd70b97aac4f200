//! Positions of values in the text of a scene.
//!
//! A problem names a path such as `bodies[1].shape`, and an editor wants a line and a column. The
//! text is known to be valid JSON, so that a value can be found by skipping those before it,
//! without building a tree: an object or array is skipped by counting brackets outside strings.
//! Keys may hold dots and brackets themselves, which is why the path is matched against the keys of
//! the text and not split beforehand.
//!
//! Where the text has no such value, because it is a default, the innermost value around its place
//! is found. Repairs use the same search to replace or add a value without touching the rest of the
//! author's text.

use super::problem::Location;
use std::ops::Range;

/// A value in a text that is valid JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Bytes of the value in the text.
    pub span: Range<usize>,
    /// Rest of the path; empty if the text has the value.
    ///
    /// Otherwise `span` is the innermost value around its place, and the rest leads from there.
    pub rest: String,
}

/// Follows a path such as `bodies[1].shape.mesh` as far as the text has it. The empty path is the
/// whole text.
pub(super) fn find(text: &str, path: &str) -> Found {
    let bytes = text.as_bytes();
    let mut start = skip_space(bytes, 0);
    let mut rest = path;

    // One key or number of the path at a time.
    while !rest.is_empty() {
        let next = match bytes.get(start) {
            Some(b'{') => entry(text, start, rest.strip_prefix('.').unwrap_or(rest)),
            Some(b'[') => item(bytes, start, rest),
            _ => None,
        };
        let Some((value, below)) = next else { break };
        start = value;
        rest = below;
    }
    Found {
        span: start..end_of_value(bytes, start),
        rest: rest.to_owned(),
    }
}

/// Replaces the value at a path, or adds it to the innermost object around its place.
///
/// `value` is JSON. Objects that the path needs and the text does not have are added, and the added
/// key comes first in its object. Everything else in the text stays as it is.
pub(super) fn with_value(text: &str, path: &str, value: &str) -> String {
    let Found { span, rest } = find(text, path);
    let before = &text[..span.start];
    let after = &text[span.end..];
    let rest = rest.trim_start_matches('.');
    if rest.is_empty() {
        return format!("{before}{value}{after}");
    }

    // Objects for all keys but the first, from the inside out.
    let mut keys = rest.split('.');
    let first = keys.next().unwrap_or_default();
    let mut nested = value.to_owned();
    for key in keys.rev() {
        nested = format!("{{\"{key}\": {nested}}}");
    }

    // A new first entry of the object that is there.
    let inner = text[span].strip_prefix('{').unwrap_or_default();
    let comma = if inner.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    format!("{before}{{ \"{first}\": {nested}{comma}{inner}{after}")
}

/// Line and column, in characters from 1, of a byte of a text.
pub(super) fn location(text: &str, byte: usize) -> Location {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Location {
        line: 1 + before.matches('\n').count(),
        column: 1 + before[line_start..].chars().count(),
    }
}

/// Start of the value of the key that begins the path, and the rest of the path.
///
/// `open` is the byte of the object's bracket. A key may contain dots: the first key that is a
/// prefix of the path, up to a dot or a bracket, is taken. `None` if there is none.
fn entry<'a>(text: &str, open: usize, path: &'a str) -> Option<(usize, &'a str)> {
    let bytes = text.as_bytes();
    let mut at = skip_space(bytes, open + 1);
    while bytes.get(at) == Some(&b'"') {
        let end = end_of_value(bytes, at);
        let key: String = serde_json::from_str(text.get(at..end)?).ok()?;

        // The value follows the colon.
        let value = skip_space(bytes, skip_space(bytes, end) + 1);
        match path.strip_prefix(key.as_str()) {
            Some(below) if below.is_empty() || below.starts_with(['.', '[']) => {
                return Some((value, below));
            }
            _ => at = after_comma(bytes, value),
        }
    }
    None
}

/// Start of the array's value whose number begins the path, and the rest of the path.
///
/// `open` is the byte of the array's bracket. `None` if the path does not begin with a number in
/// brackets, or the array is shorter.
fn item<'a>(bytes: &[u8], open: usize, path: &'a str) -> Option<(usize, &'a str)> {
    let (number, below) = path.strip_prefix('[')?.split_once(']')?;
    let mut at = skip_space(bytes, open + 1);
    for _ in 0..number.parse::<usize>().ok()? {
        if matches!(bytes.get(at), None | Some(b']')) {
            return None;
        }
        at = after_comma(bytes, at);
    }
    (!matches!(bytes.get(at), None | Some(b']'))).then_some((at, below))
}

/// Start of the entry after the value at `at` and a comma; the closing bracket after the last
/// entry.
fn after_comma(bytes: &[u8], at: usize) -> usize {
    let end = skip_space(bytes, end_of_value(bytes, at));
    if bytes.get(end) == Some(&b',') {
        skip_space(bytes, end + 1)
    } else {
        end
    }
}

/// First byte from `from` on that is not white space.
fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    from + spaces.count()
}

/// End of the value that starts at `start`: the first byte that does not belong to it.
fn end_of_value(bytes: &[u8], start: usize) -> usize {
    // Number of open brackets, then true in a string, and true after a backslash in it.
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;

    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            if !quoted && depth == 0 {
                return at + 1;
            }
            continue;
        }

        // The last bracket closes the value; a number or word ends before a separator.
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' | b']' => return at + depth,
            b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys and strings with dots, brackets, quotes and letters of several bytes.
    const TEXT: &str = "{ \"a.b\": [1, {\"c\\\"]\": \"}é\\\\\", \"d\": -2e3 }],\n  \
                        \"e\" : { \"ü\": [ ], \"f\": true} }\n";

    /// Text of the value at a path, the rest of the path, and the place of the value.
    fn value(path: &str) -> (&str, String, Location) {
        let Found { span, rest } = find(TEXT, path);
        (&TEXT[span.clone()], rest, location(TEXT, span.start))
    }

    #[test]
    fn every_value_is_found_with_its_line_and_column() {
        let expected = [
            ("a.b[0]", "1", 1, 11),
            ("a.b[1].c\"]", "\"}é\\\\\"", 1, 23),
            ("a.b[1].d", "-2e3", 1, 36),
            ("e", "{ \"ü\": [ ], \"f\": true}", 2, 9),
            ("e.ü", "[ ]", 2, 16),
            ("e.f", "true", 2, 26),
        ];

        for (path, text, line, column) in expected {
            let found = (text, String::new(), Location { line, column });
            assert_eq!(value(path), found, "{path}");
        }
        // The empty path leads to the whole text.
        assert_eq!(value("").0, TEXT.trim_end());
    }

    #[test]
    fn a_value_is_replaced_or_added_and_nothing_else_changes() {
        let text = r#"{ "a": [1, {"b": 2}], "c": {} }"#;
        let cases = [
            ("a[0]", "7", r#"{ "a": [7, {"b": 2}], "c": {} }"#),
            ("a[1].d", "7", r#"{ "a": [1, { "d": 7,"b": 2}], "c": {} }"#),
            ("c.e", "[1]", r#"{ "a": [1, {"b": 2}], "c": { "e": [1]} }"#),
            (
                "x.y",
                "7",
                r#"{ "x": {"y": 7}, "a": [1, {"b": 2}], "c": {} }"#,
            ),
        ];

        for (path, value, expected) in cases {
            assert_eq!(with_value(text, path, value), expected, "{path}");
        }
    }

    #[test]
    fn a_value_that_the_text_leaves_out_is_at_the_value_around_it() {
        for (path, text, rest) in [
            ("e.g.h", "{ \"ü\": [ ], \"f\": true}", ".g.h"),
            ("e.ü[0]", "[ ]", "[0]"),
            ("e.f.x", "true", ".x"),
        ] {
            let found = value(path);
            assert_eq!((found.0, found.1.as_str()), (text, rest), "{path}");
        }
        assert_eq!(value("a.b[2]").1, "[2]");
    }
}
