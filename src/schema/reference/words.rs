//! Words for what a schema says: kinds of values, units, defaults and links.

use super::layout::on_one_line;
use serde_json::Value;

/// Definition that a value refers to, itself or by its entries, and the place where that stands.
///
/// `place` is the place of the value. The entries of a list stand at `place[]`, those of an object
/// by name at `place.NAME`. `None` for numbers, words and other values without a definition.
pub(super) fn reference(schema: &Value, place: String) -> Option<(&str, String)> {
    if let Some(pointer) = schema["$ref"].as_str() {
        return pointer.rsplit('/').next().map(|name| (name, place));
    }
    if schema["anyOf"].is_array() {
        return reference(&schema["anyOf"][0], place);
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

/// Heading of a definition, in words: `RegularPolygon` becomes `Regular polygon`.
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

/// Link to the section of a definition on the page, by its heading.
pub(super) fn link(name: &str) -> String {
    let heading = heading(name);
    format!("[{heading}](#{})", heading.to_lowercase().replace(' ', "-"))
}

/// Kind of the value, with its limits: `number > 0`, `list of pairs of numbers`.
pub(super) fn kind(schema: &Value) -> String {
    kind_of(schema, "")
}

/// Kind of a value, or of several values if `plural` is "s".
fn kind_of(schema: &Value, plural: &str) -> String {
    if let Some(choices) = schema["anyOf"].as_array() {
        let kinds: Vec<String> = choices
            .iter()
            .map(|choice| kind_of(choice, plural))
            .collect();
        return kinds.join(", ");
    }
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|pointer| pointer.rsplit('/').next())
    {
        return link(name);
    }

    // A type, or a list of types that ends with null.
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

/// Kind of a list: a pair, a list of a fixed length, or one of any length.
fn list(schema: &Value, plural: &str) -> String {
    let entries = kind_of(&schema["items"], "s");
    match schema["maxItems"].as_u64() {
        Some(2) => format!("pair{plural} of {entries}"),
        Some(count) => format!("{count} {entries}"),
        None => format!("list{plural} of {entries}"),
    }
}

/// Kind of a number with its limits.
fn ranged(kind: &str, schema: &Value) -> String {
    let limits = [
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    ];

    let mut said = Vec::new();
    for (key, sign) in limits {
        if let Some(limit) = schema.get(key) {
            said.push(format!("{sign} {limit}"));
        }
    }
    if said.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind} {}", said.join(" and "))
    }
}

/// Unit of a number, with raised digits; empty if it has none.
pub(super) fn unit(schema: &Value) -> String {
    raised(schema["unit"].as_str().unwrap_or_default())
}

/// A unit with raised digits.
pub(super) fn raised(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³")
}

/// Value that the program assumes where a scene has none.
pub(super) fn default(schema: &Value) -> String {
    match schema.get("default") {
        None | Some(Value::Null) => "optional".to_owned(),
        Some(Value::Object(entries)) if entries.is_empty() => "`{}`".to_owned(),
        // The defaults of its keys are in its own table.
        Some(Value::Object(_)) => "see there".to_owned(),
        Some(value) => format!("`{}`", on_one_line(value)),
    }
}

/// Description, without its unit, which has a column of its own.
pub(super) fn meaning(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    match schema["unit"].as_str() {
        Some(unit) => text.replacen(&format!(" ({unit})"), "", 1),
        None => text.to_owned(),
    }
}
