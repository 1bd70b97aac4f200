//! JSON as a person writes it: a list or an object that fits on one line stands on one line.

use serde_json::Value;

/// Most characters of a line that could be broken.
const WIDTH: usize = 100;

/// Text of the value, broken into lines where it is longer than [`WIDTH`].
pub(super) fn layout(value: &Value) -> String {
    indented(value, 0)
}

/// Text of the value, whose first line follows `indent` characters.
fn indented(value: &Value, indent: usize) -> String {
    let line = on_one_line(value);
    if indent + line.len() <= WIDTH {
        return line;
    }

    // One entry per line.
    let inner = indent + 2;
    let mut entries = Vec::new();
    let [open, close] = match value {
        Value::Array(items) => {
            entries.extend(items.iter().map(|item| indented(item, inner)));
            ['[', ']']
        }
        Value::Object(pairs) => {
            for (key, value) in pairs {
                entries.push(format!("\"{key}\": {}", indented(value, inner)));
            }
            ['{', '}']
        }
        _ => return line,
    };

    let pad = " ".repeat(inner);
    let end = " ".repeat(indent);
    let entries = entries.join(&format!(",\n{pad}"));
    format!("{open}\n{pad}{entries}\n{end}{close}")
}

/// Text of the value on one line, with spaces after commas and colons.
pub(super) fn on_one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(on_one_line).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("\"{key}\": {}", on_one_line(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        // Not 1.0, but 1.
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), |number| number.to_string()),
        other => other.to_string(),
    }
}
