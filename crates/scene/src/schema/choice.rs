//! Choices of the JSON Schema, written so that messages show the place of a mistake within one.
//!
//! A choice with a value is an object whose one key names it: `{"disk": {"radius": 0.1}}`. Derived
//! schemas list such objects as alternatives, and a validator can say of a wrong radius only that
//! none of the alternatives fits. Here they are one object with all names as keys, and a scene has
//! exactly one: editors complete the names, and a wrong radius is a wrong radius.
//!
//! | derived | here |
//! |---|---|
//! | objects with a key each | one object, `minProperties` and `maxProperties` 1 |
//! | words | the same list, and their `enum`, which a message can name |
//! | words or lists, and objects with a key each | `if` it is an object `then` that, `else` those |
//! | a definition or null | the definition: a key that may be null may be left out |

use serde_json::{Map, Value, json};

/// Rewrites all choices in `schema`, from the inside out.
pub(super) fn gather(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(gather),
        Value::Object(object) => {
            object.values_mut().for_each(gather);
            drop_null(object);
            for key in ["oneOf", "anyOf"] {
                join(object, key);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Replaces the alternatives of a definition and null by the definition.
fn drop_null(object: &mut Map<String, Value>) {
    let Some(Value::Array(list)) = object.get_mut("anyOf") else {
        return;
    };
    list.retain(|entry| entry["type"] != "null");
    if let [Value::Object(only)] = list.as_slice() {
        let only = only.clone();
        object.shift_remove("anyOf");
        for (place, (key, value)) in only.into_iter().enumerate() {
            // What the key says of itself is more than what its type says.
            if !object.contains_key(&key) {
                object.shift_insert(place, key, value);
            }
        }
    }
}

/// Joins the alternatives under `key` ("oneOf" or "anyOf") that are objects with one key, and adds
/// the `enum` of the alternatives that are words.
fn join(object: &mut Map<String, Value>, key: &str) {
    let Some(Value::Array(list)) = object.get_mut(key) else {
        return;
    };
    let (tagged, others): (Vec<Value>, Vec<Value>) =
        std::mem::take(list).into_iter().partition(is_tagged);
    let words: Vec<Value> = others.iter().map(|word| word["const"].clone()).collect();
    let only_words = words.iter().all(Value::is_string);

    let mut rest = Map::new();
    if only_words {
        rest.insert("enum".to_owned(), Value::from(words));
    }
    rest.insert(key.to_owned(), Value::from(others.clone()));

    object.shift_remove(key);
    let joined = match (tagged.is_empty(), others.as_slice()) {
        (true, _) => rest,
        (false, []) => one_key_of(tagged),
        (false, [other]) => split(one_key_of(tagged), other.clone()),
        (false, _) => split(one_key_of(tagged), Value::from(rest)),
    };
    for (place, (key, value)) in joined.into_iter().enumerate() {
        object.shift_insert(place, key, value);
    }
}

/// Schema of what has to follow `object` if it is an object, and `other` if not.
fn split(object: Map<String, Value>, other: Value) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("if".to_owned(), json!({ "type": "object" }));
    schema.insert("then".to_owned(), Value::from(object));
    schema.insert("else".to_owned(), other);
    schema
}

/// True for a closed object that has exactly one key.
fn is_tagged(schema: &Value) -> bool {
    let one = |key: &str, length: Option<usize>| schema.get(key).is_some() && length == Some(1);
    one("properties", schema["properties"].as_object().map(Map::len))
        && one("required", schema["required"].as_array().map(Vec::len))
        && schema["additionalProperties"] == false
}

/// One object that has exactly one of the keys of `tagged` objects. What was said of an object is
/// said of its key.
fn one_key_of(tagged: Vec<Value>) -> Map<String, Value> {
    let mut keys = Map::new();
    for mut choice in tagged {
        let said: Vec<_> = ["description", "unit"]
            .into_iter()
            .filter_map(|key| Some((key.to_owned(), choice.get(key)?.clone())))
            .collect();
        let Some(Value::Object(entries)) = choice.get_mut("properties").map(Value::take) else {
            continue;
        };
        for (key, mut value) in entries {
            if let Value::Object(value) = &mut value {
                value.extend(said.iter().cloned());
            }
            keys.insert(key, value);
        }
    }

    let mut object = Map::new();
    object.insert("type".to_owned(), Value::from("object"));
    object.insert("properties".to_owned(), Value::from(keys));
    object.insert("additionalProperties".to_owned(), Value::from(false));
    object.insert("minProperties".to_owned(), Value::from(1));
    object.insert("maxProperties".to_owned(), Value::from(1));
    object
}
