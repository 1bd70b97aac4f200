//! What a schema says, in words.

use super::layout::on_one_line;
use serde_json::Value;

/// The definition that values of this schema, or the entries of a list of them, are of; and where it stands, given where
/// the value does.
pub(super) fn reference(schema: &Value, place: String) -> Option<(&str, String)> {
    if let Some(pointer) = schema["$ref"].as_str() {
        return pointer.rsplit('/').next().map(|name| (name, place));
    }
    if let Some(choice) = given(schema) {
        return reference(choice, place);
    }
    if schema["items"].is_object() {
        return reference(&schema["items"], format!("{place}[]"));
    }
    schema["additionalProperties"]
        .is_object()
        .then(|| &schema["additionalProperties"])
        .and_then(|entry| {
            let place = format!("{place}.NAME");
            reference(entry, place)
        })
}

/// What is not null of what may be null.
fn given(schema: &Value) -> Option<&Value> {
    schema["anyOf"]
        .as_array()?
        .iter()
        .find(|choice| choice["type"] != "null")
}

/// A definition's name as a heading: `RegularPolygon` becomes `Regular polygon`.
pub(super) fn heading(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

/// A link to a definition's section.
pub(super) fn link(name: &str) -> String {
    let heading = heading(name);
    format!("[{heading}](#{})", heading.to_lowercase().replace(' ', "-"))
}

/// What kind of value it is.
pub(super) fn kind(schema: &Value) -> String {
    kind_of(schema, "")
}

/// The same; of several if `plural` is "s".
fn kind_of(schema: &Value, plural: &str) -> String {
    if let Some(choice) = given(schema) {
        return kind_of(choice, plural);
    }
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|pointer| pointer.rsplit('/').next())
    {
        return link(name);
    }
    let kind = schema["type"]
        .as_str()
        .or_else(|| schema["type"].as_array()?.first()?.as_str());
    match kind {
        Some("array") => list(schema, plural),
        Some("object") => format!(
            "object of {} by name",
            kind_of(&schema["additionalProperties"], "s")
        ),
        Some("number") => ranged(&format!("number{plural}"), schema),
        Some("integer") => ranged(&format!("whole number{plural}"), schema),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("string") => format!("text{plural}"),
        other => other.unwrap_or("anything").to_owned(),
    }
}

fn list(schema: &Value, plural: &str) -> String {
    let entries = kind_of(&schema["items"], "s");
    match schema["maxItems"].as_u64() {
        Some(2) => format!("pair{plural} of {entries}"),
        Some(count) => format!("{count} {entries}"),
        None => format!("list{plural} of {entries}"),
    }
}

/// A number with its limits.
fn ranged(kind: &str, schema: &Value) -> String {
    let limits = [
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    ];
    let said = limits
        .iter()
        .filter_map(|(key, sign)| Some(format!("{sign} {}", schema.get(key)?)));
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind} {}", said.join(" and "))
    }
}

/// The unit of a number.
pub(super) fn unit(schema: &Value) -> String {
    schema["unit"]
        .as_str()
        .unwrap_or_default()
        .replace("^2", "²")
        .replace("^3", "³")
}

/// What is assumed where nothing is written.
pub(super) fn default(schema: &Value) -> String {
    match schema.get("default") {
        None | Some(Value::Null) => "optional".to_owned(),
        Some(Value::Object(entries)) if entries.is_empty() => "`{}`".to_owned(),
        // Those of its keys are in its own table.
        Some(Value::Object(_)) => "see there".to_owned(),
        Some(value) => format!("`{}`", on_one_line(value)),
    }
}

/// The description; its unit has a column of its own.
pub(super) fn meaning(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    match schema["unit"].as_str() {
        Some(unit) => text.replacen(&format!(" ({unit})"), "", 1),
        None => text.to_owned(),
    }
}
