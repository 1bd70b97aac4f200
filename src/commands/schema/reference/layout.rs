//! JSON as a person would write it: what is short stands on one line.

use serde_json::Value;

/// Most characters of a line that could be broken.
const WIDTH: usize = 100;

/// The value's text.
pub(super) fn layout(value: &Value) -> String {
    indented(value, 0)
}

fn indented(value: &Value, indent: usize) -> String {
    let line = on_one_line(value);
    if indent + line.len() <= WIDTH {
        return line;
    }
    let inner = indent + 2;
    let (open, entries, close): (_, Vec<String>, _) = match value {
        Value::Array(items) => (
            '[',
            items.iter().map(|item| indented(item, inner)).collect(),
            ']',
        ),
        Value::Object(entries) => (
            '{',
            entries
                .iter()
                .map(|(key, value)| format!("\"{key}\": {}", indented(value, inner)))
                .collect(),
            '}',
        ),
        _ => return line,
    };
    let (pad, end) = (" ".repeat(inner), " ".repeat(indent));
    format!(
        "{open}\n{pad}{}\n{end}{close}",
        entries.join(&format!(",\n{pad}"))
    )
}

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
