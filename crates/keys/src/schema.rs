//! JSON Schema of a type, from the table of its keys.
//!
//! A choice with a value is an object whose one key names it: `{"disk": {"radius": 0.1}}`. The schema
//! has one object with all names as keys, as a validator can then show the place of a
//! mistake within one, and not just say that none of many alternatives fits.
//!
//! | values | schema |
//! |---|---|
//! | objects with a key each | one object, `minProperties` and `maxProperties` 1 |
//! | words | their list with descriptions, and their `enum`, which a message can name |
//! | words or lists, and objects with a key each | `if` it is an object `then` that, `else` those |
//! | a value that may be absent | the value: a key that may be null may be left out |

use crate::{Form, Key, Range, Type};
use serde_json::{Map, Value, json};

/// JSON Schema (draft 2020-12) of a type: every key with its description, range and default. The
/// annotation `unit` names the unit of a number.
pub fn schema(root: &'static Type, title: &str) -> Value {
    let mut definitions = Definitions::default();
    let own = definitions.schema(root);

    // Title and description come first.
    let mut schema = Map::new();
    insert(
        &mut schema,
        "$schema",
        "https://json-schema.org/draft/2020-12/schema",
    );
    insert(&mut schema, "title", title);
    insert(&mut schema, "description", root.about);
    for (key, value) in own {
        schema.entry(key).or_insert(value);
    }
    insert(&mut schema, "$defs", definitions.found);
    Value::from(schema)
}

/// Adds an entry at the end of an object.
fn insert(object: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

/// Schemas of types by their names, in the order in which they are met.
#[derive(Default)]
struct Definitions {
    /// Schemas so far; null for a type that is being described.
    found: Map<String, Value>,
}

impl Definitions {
    /// Schema of a type.
    fn schema(&mut self, own: &'static Type) -> Map<String, Value> {
        let mut schema = if own.is_choice {
            self.choice(own.keys)
        } else {
            self.object(own.keys)
        };
        insert(&mut schema, "description", own.about);
        add_examples(&mut schema, own.examples);
        schema
    }

    /// Object with keys. Others are refused.
    fn object(&mut self, keys: &'static [Key]) -> Map<String, Value> {
        let mut schema = Map::new();
        insert(&mut schema, "type", "object");
        insert(&mut schema, "additionalProperties", false);
        insert(&mut schema, "properties", self.properties(keys));
        let is_required = |key: &&Key| key.default.is_none();
        let one_name = keys.iter().filter(|key| key.alias.is_none());
        let required: Vec<&str> = one_name.filter(is_required).map(|key| key.name).collect();
        if !required.is_empty() {
            insert(&mut schema, "required", required);
        }

        // A key with two names is given by one of them.
        let two_names = keys.iter().filter(is_required);
        let either = two_names.filter_map(|key| {
            let names = [key.name, key.alias?];
            Some(json!({ "oneOf": names.map(|name| json!({ "required": [name] })) }))
        });
        let either: Vec<Value> = either.collect();
        if !either.is_empty() {
            insert(&mut schema, "allOf", either);
        }
        schema
    }

    /// Schemas of keys by their names.
    fn properties<'a>(&mut self, keys: impl IntoIterator<Item = &'a Key>) -> Map<String, Value> {
        let mut all = Map::new();
        for key in keys {
            let own = Value::from(self.key(key));
            all.insert(key.name.to_owned(), own.clone());
            all.extend(key.alias.map(|alias| (alias.to_owned(), own)));
        }
        all
    }

    /// One of several keys: words, objects with a key each, and values that stand for themselves.
    fn choice(&mut self, keys: &'static [Key]) -> Map<String, Value> {
        let is_word = |key: &&Key| matches!((key.form)(), Form::Word);
        let is_tagged = |key: &&Key| !key.name.is_empty() && !is_word(key);
        let tagged: Vec<&Key> = keys.iter().filter(is_tagged).collect();
        let others: Vec<&Key> = keys.iter().filter(|key| !is_tagged(key)).collect();

        // One object with one of the keys.
        let mut object = Map::new();
        insert(&mut object, "type", "object");
        insert(
            &mut object,
            "properties",
            self.properties(tagged.iter().copied()),
        );
        insert(&mut object, "additionalProperties", false);
        insert(&mut object, "minProperties", 1);
        insert(&mut object, "maxProperties", 1);
        if others.is_empty() {
            return object;
        }

        // Words and values.
        let mut rest = Map::new();
        let list: Vec<Value> = others
            .iter()
            .map(|key| Value::from(self.key(key)))
            .collect();
        if others.iter().all(is_word) {
            let words: Vec<&str> = others.iter().map(|key| key.name).collect();
            insert(&mut rest, "enum", words);
            insert(&mut rest, "oneOf", list);
        } else {
            insert(&mut rest, "anyOf", list);
        }
        if tagged.is_empty() {
            return rest;
        }

        let rest = match others[..] {
            [other] if !is_word(&other) => self.key(other),
            _ => rest,
        };
        let mut split = Map::new();
        insert(&mut split, "if", json!({ "type": "object" }));
        insert(&mut split, "then", object);
        insert(&mut split, "else", rest);
        split
    }

    /// Schema of the value of a key.
    fn key(&mut self, key: &Key) -> Map<String, Value> {
        let form = (key.form)();
        let mut schema = self.value(form, &key.range);
        if matches!(form, Form::Word) {
            insert(&mut schema, "type", "string");
            insert(&mut schema, "const", key.name);
        }
        if key.or_flag {
            let flag = json!({ "type": "boolean" });
            schema = Map::from_iter([("anyOf".to_owned(), json!([schema, flag]))]);
        }

        insert(&mut schema, "description", key.about);
        add_range(&mut schema, form, &key.range);
        if key.is_hidden {
            insert(&mut schema, "writeOnly", true);
        }
        // Null is the default of a value that may be absent, which its form says already.
        let default = key.default.map(|default| default());
        if let Some(default) = default.filter(|default| !default.is_null()) {
            insert(&mut schema, "default", default);
        }
        add_examples(&mut schema, key.examples);
        let has_unit = !matches!(form.inner(), Form::Flag | Form::Text | Form::Word);
        if let Some(unit) = key.unit.filter(|_| has_unit) {
            insert(&mut schema, "unit", unit);
            allow_texts(&mut schema);
        }
        schema
    }

    /// Schema of a value without its description. Entries of lists and values by name have the range.
    fn value(&mut self, form: Form, range: &Range) -> Map<String, Value> {
        let mut schema = Map::new();
        match form {
            Form::Flag => insert(&mut schema, "type", "boolean"),
            Form::Text => insert(&mut schema, "type", "string"),
            Form::Number => insert(&mut schema, "type", "number"),
            Form::Whole => {
                insert(&mut schema, "type", "integer");
                insert(&mut schema, "minimum", 0);
            }
            Form::Optional(of) => {
                schema = self.value(of(), range);
                if let Some(kind) = schema.get_mut("type") {
                    *kind = json!([kind, "null"]);
                }
            }
            Form::List { of, length } => {
                insert(&mut schema, "type", "array");
                insert(&mut schema, "items", self.entry(of(), range));
                if let Some(length) = length {
                    insert(&mut schema, "minItems", length);
                    insert(&mut schema, "maxItems", length);
                }
            }
            Form::Named(of) => {
                insert(&mut schema, "type", "object");
                insert(&mut schema, "additionalProperties", self.entry(of(), range));
            }
            Form::Type(own) => {
                insert(&mut schema, "$ref", format!("#/$defs/{}", own.name));
                // The type is entered before it is described, since it may contain itself.
                if !self.found.contains_key(own.name) {
                    self.found.insert(own.name.to_owned(), Value::Null);
                    let definition = self.schema(own);
                    self.found.insert(own.name.to_owned(), definition.into());
                }
            }
            Form::Word => {}
        }
        schema
    }

    /// Schema of an entry of a list, or of a value by name.
    fn entry(&mut self, form: Form, range: &Range) -> Map<String, Value> {
        let mut schema = self.value(form, range);
        add_range(&mut schema, form, range);
        schema
    }
}

/// Allows texts such as "20 mm" in the place of numbers with a unit.
fn allow_texts(schema: &mut Map<String, Value>) {
    match schema.get_mut("type") {
        Some(Value::String(kind)) if kind == "number" => {
            insert(schema, "type", json!(["number", "string"]));
        }
        Some(Value::Array(kinds)) if kinds.contains(&json!("number")) => {
            kinds.push(json!("string"))
        }
        _ => {}
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(Value::Object(inner)) = schema.get_mut(inner) {
            allow_texts(inner);
        }
    }
}

/// Adds the limits of a number.
fn add_range(schema: &mut Map<String, Value>, form: Form, range: &Range) {
    let is_number = |form: Form| matches!(form, Form::Number | Form::Whole);
    let is_range = match form {
        Form::Optional(of) => is_number(of()),
        form => is_number(form),
    };
    for (keyword, value) in range.keywords().filter(|_| is_range) {
        insert(schema, keyword, number(value));
    }
}

/// JSON of a number: a whole one without a point.
fn number(value: f64) -> Value {
    let text = value.to_string();
    text.parse::<i64>()
        .map_or_else(|_| Value::from(value), Value::from)
}

/// Adds examples, if there are any.
fn add_examples(schema: &mut Map<String, Value>, examples: &[fn() -> Value]) {
    if !examples.is_empty() {
        let examples: Vec<Value> = examples.iter().map(|example| example()).collect();
        insert(schema, "examples", examples);
    }
}
