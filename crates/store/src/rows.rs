//! JSON for people and programs: a line for each key, and lists of numbers in rows.
//!
//! `serde_json` writes either all on one line or each number on its own. A mesh of 100,000 triangles
//! would then have half a million lines.

use serde::Serialize;

/// Columns that a row of numbers may take, as lines of source do.
const WIDTH: usize = 100;

/// The JSON text of a value, ending with a line break: objects and lists of lists have a line for each
/// item, lists of numbers and words are filled into rows.
///
/// # Errors
/// [`serde_json::Error`] of a value that has no form as JSON.
pub fn to_text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let pretty = serde_json::to_string_pretty(value)?;
    let mut text = String::with_capacity(pretty.len());
    let mut lines = pretty.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        if !line.ends_with('[') {
            continue;
        }

        // Items up to the end of the list, or to the first that is not of one line.
        let mut items = Vec::new();
        while let Some(item) = lines.next_if(|line| is_plain(line)) {
            items.push(item);
        }
        match lines.peek() {
            Some(end) if end.trim_start().starts_with(']') => {
                put_rows(&mut text, line, &items, end);
                lines.next();
            }
            _ => items.iter().for_each(|item| {
                text.push_str(item);
                text.push('\n');
            }),
        }
    }
    Ok(text)
}

/// True if a line holds a number, a word or another item without parts.
fn is_plain(line: &str) -> bool {
    let first = line.trim_start().chars().next();
    !line.ends_with(['[', '{']) && !matches!(first, Some(']' | '}')) && !line.contains("\": ")
}

/// Writes the items of a list into the text that ends with its `head` on a line of its own: behind the
/// head if they fit there, otherwise in rows. `end` is the line that closes the list.
fn put_rows(text: &mut String, head: &str, items: &[&str], end: &str) {
    let length: usize = items.iter().map(|item| item.trim_start().len() + 1).sum();
    if head.len() + length < WIDTH {
        text.pop();
        let all: Vec<&str> = items.iter().map(|item| item.trim_start()).collect();
        text.push_str(&all.join(" "));
        text.push_str(end.trim_start());
        text.push('\n');
        return;
    }

    let mut row = 0;
    for item in items {
        let word = item.trim_start();
        if row > 0 && row + 1 + word.len() <= WIDTH {
            text.push(' ');
            text.push_str(word);
            row += 1 + word.len();
            continue;
        }
        if row > 0 {
            text.push('\n');
        }
        text.push_str(item);
        row = item.len();
    }
    text.push('\n');
    text.push_str(end);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn numbers_stand_in_rows_and_nothing_is_lost() {
        let value = json!({
            "places": [[0.5, -1.0], [2.0, 3.0]],
            "many": (0..200).collect::<Vec<_>>(),
            "words": ["a ]", "[", "{ \": ", "x\ny"],
            "empty": [[], {}],
            "mixed": [1, [2], { "k": [3] }, 4],
        });
        let text = to_text(&value).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);

        assert!(
            text.contains("    [0.5, -1.0],\n    [2.0, 3.0]\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.lines().count() < 40, "{text}");
    }

    #[test]
    fn values_without_lists_are_as_before() {
        let value = json!({ "a": 1, "b": { "c": null } });
        let before = serde_json::to_string_pretty(&value).unwrap() + "\n";
        assert_eq!(to_text(&value).unwrap(), before);
        assert_eq!(to_text(&json!(7)).unwrap(), "7\n");
    }
}
