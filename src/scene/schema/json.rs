//! The JSON Schema of scenes.

use super::Scene;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Units of numbers, as descriptions have them in brackets; 1 is that of what has none.
const UNITS: [&str; 13] = [
    "m",
    "s",
    "m/s",
    "m/s^2",
    "kg",
    "kg/m^3",
    "N",
    "N m",
    "Pa",
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
fn annotate(schema: &mut Value) {
    let Value::Object(object) = schema else {
        return;
    };
    describe(object);
    for key in ["items", "additionalProperties"] {
        object.get_mut(key).into_iter().for_each(annotate);
    }
    for key in ["properties", "$defs"] {
        let named = object.get_mut(key).and_then(Value::as_object_mut);
        named
            .into_iter()
            .flat_map(|named| named.iter_mut())
            .for_each(|(_, schema)| annotate(schema));
    }
    for key in ["oneOf", "anyOf"] {
        object
            .get_mut(key)
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .for_each(annotate);
    }
}

fn describe(object: &mut Map<String, Value>) {
    object.shift_remove("format");
    let is_choice = object.contains_key("oneOf") || object.contains_key("const");
    let Some(Value::String(text)) = object.get_mut("description") else {
        return;
    };
    let paragraphs: Vec<String> = text
        .split("\n\n")
        .map(|paragraph| paragraph.replace('\n', " "))
        .collect();
    *text = paragraphs.join("\n\n");
    let unit = UNITS
        .into_iter()
        .find(|unit| text.contains(&format!("({unit})")));
    if let Some(unit) = unit.filter(|_| !is_choice) {
        object.insert("unit".to_owned(), Value::from(unit));
    }
}
