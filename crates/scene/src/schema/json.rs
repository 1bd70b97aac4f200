//! The JSON Schema of scenes.
//!
//! The schema is made from the types that read a scene, so that both agree. A derived schema is not
//! yet good to read: line breaks of comments remain in descriptions, numbers have formats of Rust,
//! and units are part of the text. One pass over the tree mends this and names the unit of each
//! number under a separate key; a second one rewrites [choices](super::choice).

use super::Scene;
#[cfg(feature = "schema")]
use super::choice::gather;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Units of numbers, as descriptions have them in brackets; 1 is for numbers without one.
const UNITS: [&str; 23] = [
    "m",
    "s",
    "m/s",
    "m/s^2",
    "kg",
    "kg/m",
    "kg/m^3",
    "N",
    "N m",
    "N m s",
    "N m^2",
    "N/m",
    "N s/m",
    "N/m^3",
    "Pa",
    "Pa s",
    "1/s",
    "1/K",
    "K",
    "degrees",
    "degrees/s",
    "pixels",
    "1",
];

/// The JSON Schema (draft 2020-12) of scenes, made from the types that are read: every key with its
/// description, range and default. The annotation `unit` names the unit of a number.
pub fn json_schema() -> Value {
    let schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Scene>();
    let mut schema = Value::from(schema);
    annotate(&mut schema);
    gather(&mut schema);

    // Title and description come first.
    if let Value::Object(object) = &mut schema {
        for key in ["description", "title", "$schema"] {
            object
                .shift_remove(key)
                .and_then(|value| object.shift_insert(0, key.to_owned(), value));
        }
    }
    schema
}

/// Makes paragraphs of descriptions, names units, and removes formats that no validator knows.
///
/// Schemas inside are treated likewise. A value that is not an object, such as `false` for
/// additional properties, stays as it is.
fn annotate(schema: &mut Value) {
    let Value::Object(object) = schema else {
        return;
    };
    describe(object);

    // Schemas inside: one, by name, or in a list.
    for key in ["items", "additionalProperties"] {
        if let Some(schema) = object.get_mut(key) {
            annotate(schema);
        }
    }
    for key in ["properties", "$defs"] {
        if let Some(Value::Object(named)) = object.get_mut(key) {
            named.values_mut().for_each(annotate);
        }
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(Value::Array(list)) = object.get_mut(key) {
            list.iter_mut().for_each(annotate);
        }
    }
}

/// Corrects the description of one schema and names the unit that it has in brackets.
///
/// A choice has no unit, even if the description of one of its variants has one.
fn describe(object: &mut Map<String, Value>) {
    object.shift_remove("format");
    let is_choice = object.contains_key("oneOf") || object.contains_key("const");
    let Some(Value::String(text)) = object.get_mut("description") else {
        return;
    };

    // One line for each paragraph.
    let paragraphs = text.split("\n\n");
    let paragraphs: Vec<String> = paragraphs.map(|text| text.replace('\n', " ")).collect();
    *text = paragraphs.join("\n\n");

    let unit = UNITS
        .into_iter()
        .find(|unit| text.contains(&format!("({unit})")));
    if let Some(unit) = unit.filter(|_| !is_choice) {
        object.insert("unit".to_owned(), Value::from(unit));
    }
}
