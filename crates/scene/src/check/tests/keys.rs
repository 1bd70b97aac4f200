//! Every key of the table: it is in the schema, its default is in its range, and numbers just outside
//! are refused with a message that names the path.

use crate::parse;
use crate::schema::{Scene, json_schema};
use ipcsim_keys::{Form, Key, Keys, Type, faults};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A key of the table, and the keys that lead to it from the scene.
struct Found {
    /// Type that has the key.
    own: &'static Type,
    /// The key.
    key: &'static Key,
    /// Keys from the scene to this one, each with its type.
    steps: Vec<(&'static Type, &'static Key)>,
}

/// Table of the keys of a scene.
fn table() -> &'static Type {
    let Form::Type(scene) = Scene::form() else {
        panic!("a scene has keys");
    };
    scene
}

/// Adds the keys of a type and of the types in it, each type once.
fn add_keys(
    own: &'static Type,
    steps: &[(&'static Type, &'static Key)],
    seen: &mut BTreeSet<&'static str>,
    found: &mut Vec<Found>,
) {
    if !seen.insert(own.name) {
        return;
    }
    for key in own.keys {
        let steps = [steps, &[(own, key)]].concat();
        if let Form::Type(inner) = (key.form)().inner() {
            add_keys(inner, &steps, seen, found);
        }
        found.push(Found { own, key, steps });
    }
}

/// All keys of a scene.
fn keys() -> Vec<Found> {
    let mut found = Vec::new();
    add_keys(table(), &[], &mut BTreeSet::new(), &mut found);
    assert!(found.len() > 300, "{}", found.len());
    found
}

/// Some value of a form, with numbers in the range of a key.
fn sample(form: Form, key: &Key) -> Value {
    match form {
        Form::Flag => json!(false),
        Form::Text => json!("text"),
        Form::Word => json!(key.name),
        Form::Number => json!(number(key)),
        Form::Whole => json!(whole(key)),
        Form::Optional(of) => sample(of(), key),
        Form::List { of, length } => (0..length.unwrap_or(1))
            .map(|_| sample(of(), key))
            .collect(),
        Form::Named(of) => json!({ "name": sample(of(), key) }),
        Form::Type(own) if own.is_choice => chosen(&own.keys[0], |key| sample((key.form)(), key)),
        Form::Type(own) => object(own),
    }
}

/// Smallest of some numbers that is in the range of a key.
fn number(key: &Key) -> f64 {
    let mut numbers = [0.0, 0.25, 0.5, 20.0].into_iter();
    numbers.find(|number| key.range.contains(*number)).unwrap()
}

/// Smallest whole number in the range of a key.
fn whole(key: &Key) -> usize {
    (0..100)
        .find(|number| key.range.contains(*number as f64))
        .unwrap()
}

/// Value of a choice that makes this one.
fn chosen(key: &Key, value: impl FnOnce(&Key) -> Value) -> Value {
    match (key.form)() {
        Form::Word => json!(key.name),
        _ if key.name.is_empty() => value(key),
        _ => json!({ key.name: value(key) }),
    }
}

/// Object with the keys of a type that must be given.
fn object(own: &Type) -> Value {
    let required = own.keys.iter().filter(|key| key.default.is_none());
    let entries = required.map(|key| (key.name.to_owned(), sample((key.form)(), key)));
    Value::from(entries.collect::<Map<_, _>>())
}

/// Value of a form that has `value` where the steps lead, with the path from the form to there.
fn around(form: Form, steps: &[(&Type, &Key)], value: &Value) -> (Value, String) {
    match form {
        Form::Optional(of) => around(of(), steps, value),
        Form::List { of, length } => {
            let (first, path) = around(of(), steps, value);
            let is_vector = length.is_some() && matches!(of(), Form::Number | Form::Whole);
            let list = vec![first; length.unwrap_or(1)];
            let path = if is_vector {
                path
            } else {
                format!("[0]{path}")
            };
            (Value::from(list), path)
        }
        Form::Named(of) => {
            let (own, path) = around(of(), steps, value);
            (json!({ "name": own }), format!(".name{path}"))
        }
        Form::Type(own) => {
            let Some(((_, key), rest)) = steps.split_first() else {
                return (value.clone(), String::new());
            };
            let (inner, path) = around((key.form)(), rest, value);
            let path = if key.name.is_empty() {
                path
            } else {
                format!(".{}{path}", key.name)
            };
            if own.is_choice {
                return (chosen(key, |_| inner), path);
            }
            let mut whole = object(own);
            whole[key.name] = inner;
            (whole, path)
        }
        _ => (value.clone(), String::new()),
    }
}

#[test]
fn every_key_is_in_the_schema_with_its_unit() {
    let schema = json_schema();
    for Found { own, key, .. } in keys() {
        let definition = if own.name == "Scene" {
            &schema
        } else {
            &schema["$defs"][own.name]
        };
        let text = definition.to_string();
        let named = if key.name.is_empty() {
            key.about
        } else {
            key.name
        };
        assert!(
            text.contains(&json!(named).to_string()),
            "{}.{}",
            own.name,
            key.name
        );
        if matches!((key.form)().inner(), Form::Number) && !key.name.is_empty() {
            assert!(key.unit.is_some(), "{}.{} has no unit", own.name, key.name);
        }
    }
}

#[test]
fn every_default_is_in_its_range() {
    for Found { own, key, .. } in keys() {
        let default = key.default.map(|default| default()).unwrap_or_default();
        let numbers = match &default {
            Value::Array(list) => list.iter().filter_map(Value::as_f64).collect(),
            value => Vec::from_iter(value.as_f64()),
        };
        for number in numbers {
            assert!(
                key.range.contains(number),
                "{}.{}: {number}",
                own.name,
                key.name
            );
        }
    }
}

#[test]
fn numbers_just_outside_of_their_range_are_refused_at_their_path() {
    let mut count = 0;
    for Found { own, key, steps } in keys() {
        let is_whole = match (key.form)().inner() {
            Form::Number => false,
            Form::Whole => true,
            _ => continue,
        };
        let finite = |number: &f64| number.is_finite();
        for outside in key.range.outside(is_whole).into_iter().filter(finite) {
            let number: Value = outside.to_string().parse().unwrap();
            let (scene, path) = around(Scene::form(), &steps, &number);
            let path = path.trim_start_matches('.');
            let read = parse(&scene.to_string(), &[]);
            let read = read.unwrap_or_else(|error| panic!("{}.{}: {error}", own.name, key.name));
            let found = faults(&read, "");
            assert!(
                found
                    .iter()
                    .any(|fault| fault.path == path && fault.message.contains("is ")),
                "{path} of {outside}: {found:?}"
            );
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}
