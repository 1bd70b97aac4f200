//! Fields of tables as text, in which names of bodies may have commas and quotation marks (RFC
//! 4180). A spreadsheet computes texts that begin with `=` and the like; such a name stands behind an
//! apostrophe, which it shows instead.

use std::borrow::Cow;

/// First characters of a text that a spreadsheet computes, with the apostrophes before them.
const COMPUTED: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// True if a spreadsheet computes a text, or would but for apostrophes before it.
fn is_computed(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(COMPUTED)
}

/// A name as a field: behind an apostrophe if a spreadsheet would compute it, and in quotation marks,
/// each mark doubled, if it has one, a comma or a line break. [`name`] reads it back.
pub fn quoted(name: &str) -> Cow<'_, str> {
    if is_computed(name) {
        return marked(&format!("'{name}")).into_owned().into();
    }
    marked(name)
}

/// The name that a field holds, see [`quoted`].
pub fn name(field: &str) -> &str {
    let bare = field.strip_prefix('\'');
    bare.filter(|bare| is_computed(bare)).unwrap_or(field)
}

/// A text as a field: in quotation marks if it needs them.
pub fn marked(name: &str) -> Cow<'_, str> {
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
        for own in ["ball", "a,b", "say \"x\"", "two\nlines", "\"", ""] {
            let text = format!("1,{},{}\n", quoted(own), quoted("b"));
            assert_eq!(lines(&text), [["1", own, "b"]]);
        }
        // A spreadsheet shows what it would otherwise compute.
        for text in ["=1+1", "@a", "-2", "+3", "\t=1", "\r", "'=1", "''@a"] {
            let line = format!("{}\n", quoted(text));
            let fields = lines(&line);
            assert!(fields[0][0].starts_with('\''), "{line}");
            assert_eq!(name(&fields[0][0]), text);
        }
        assert_eq!([name("'a'"), name("it's"), name("-")], ["'a'", "it's", "-"]);
        // The last line may end without a line feed.
        assert_eq!(lines("a,b\nc"), [vec!["a", "b"], vec!["c"]]);
        assert!(lines("").is_empty());
    }
}
