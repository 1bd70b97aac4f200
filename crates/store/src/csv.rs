//! Fields of tables as text, in which names of bodies may have commas and quotation marks (RFC
//! 4180).

use std::borrow::Cow;

/// A name as a field: in quotation marks, each of its own doubled, if it has one, a comma or a line
/// break.
pub fn quoted(name: &str) -> Cow<'_, str> {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    } else {
        name.into()
    }
}

/// Fields of all lines of a text. A line break within quotation marks belongs to its field.
pub fn lines(text: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut field = String::new();
    let mut is_inside = false;

    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            // Two marks in a row within a field stand for one.
            '"' if is_inside && characters.peek() == Some(&'"') => {
                field.push('"');
                characters.next();
            }
            '"' => is_inside = !is_inside,
            ',' if !is_inside => line.push(std::mem::take(&mut field)),
            '\n' if !is_inside => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            _ => field.push(c),
        }
    }

    // A last line without a line feed.
    if !line.is_empty() || !field.is_empty() {
        line.push(field);
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_as_they_were() {
        for name in ["ball", "a,b", "say \"x\"", "two\nlines", "\"", ""] {
            let text = format!("1,{},{}\n", quoted(name), quoted("b"));
            assert_eq!(lines(&text), [["1", name, "b"]]);
        }
        // The last line may end without a line feed.
        assert_eq!(lines("a,b\nc"), [vec!["a", "b"], vec!["c"]]);
        assert!(lines("").is_empty());
    }
}
