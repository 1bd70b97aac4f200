//! The schema as a page to read: a table for every object and every choice.
//!
//! The schema of a scene refers to definitions: bodies, shapes, laws. Starting from the scene, each
//! definition becomes a section the first time that a key refers to it. Sections stand in the order
//! of keys, and each one lists the places in a scene where its object may stand.

mod layout;
mod words;

use ipcsim::measures::{OF_BODIES, OF_CHAMBERS, OF_JOINTS, OF_LOADS, OF_PAIRS, OF_PLACES, Part};
use ipcsim::quantities::{self, Of};
use layout::layout;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Text before the tables.
const INTRODUCTION: &str = "\
# Scenes

A scene is a JSON file: bodies, obstacles, materials and the time to simulate. [book](book) has the scenes of the book's
chapters, [showcase](showcase) larger ones, and [broken](broken) scenes that the program refuses, each with its message.

All quantities are in SI units. Angles are in degrees where their key ends in `_deg`. An unknown key is an error, which
names the nearest known key. `ipcsim check SCENE` reports every problem of a scene at once.

An editor that knows JSON Schema completes and explains the keys of a scene that names the schema,
[scene.schema.json](scene.schema.json), by its path: `\"$schema\": \"scene.schema.json\"`. `ipcsim schema` prints it.

`ipcsim schema --markdown` writes this page from the types that the program reads.
";

/// Text before the table of quantities.
const QUANTITIES: &str = "
## Quantities

Numbers of a state. `time.until` compares quantities of the scene, as in `min_gap < 1e-4`, and of bodies, as in `ball.x > 2`.
`energies.csv`, `bodies.csv`, `joints.csv` and the table of a sweep have columns of these names; `output.probes`, `output.sections` and
pictures show quantities of points. `measure` takes any of them.

| name | of | unit | meaning |
|---|---|---|---|
";

/// Page in Markdown that describes `schema`.
pub(super) fn markdown(schema: &Value) -> String {
    let sections = sections(schema);
    let mut page = INTRODUCTION.to_owned();
    page.push_str(&contents(&sections));
    for section in &sections {
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "\n## {}\n\n{}",
            words::heading(section.name),
            section.body()
        );
    }
    page.push_str(&table_of_quantities());

    page.truncate(page.trim_end().len());
    page
}

/// Section of all quantities: names, units and owners.
fn table_of_quantities() -> String {
    let mut text = QUANTITIES.to_owned();
    for quantity in quantities::all() {
        let names: Vec<String> = quantity.names().map(|name| format!("`{name}`")).collect();
        let owner = match quantity.of {
            Of::Record(_) | Of::Step(_) => "scene",
            Of::Body(_) => "body",
            Of::Points(_) => "points",
        };
        let unit = words::raised(quantity.unit);

        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {owner} | {unit} | {} |",
            names.join(", "),
            cell(quantity.meaning)
        );
    }
    add_parts(&mut text, "body", &OF_BODIES);
    add_parts(&mut text, "pair", &OF_PAIRS);
    add_parts(&mut text, "place", &OF_PLACES);
    add_parts(&mut text, "joint", &OF_JOINTS);
    add_parts(&mut text, "load", &OF_LOADS);
    add_parts(&mut text, "chamber", &OF_CHAMBERS);
    text
}

/// Adds the rows of numbers that only measures have.
fn add_parts<T>(text: &mut String, owner: &str, parts: &[Part<T>]) {
    for part in parts {
        let unit = words::raised(part.unit);

        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| `{}` | {owner} | {unit} | {} |",
            part.name,
            cell(part.meaning)
        );
    }
}

/// Table of contents: links to the sections, a line for each key of a scene.
fn contents(sections: &[Section]) -> String {
    let mut text = String::new();
    let mut before = "";
    for section in sections {
        let first = section.places.first().map_or("", String::as_str);
        let key = first.split(['.', '[']).next().unwrap_or_default();

        // A line for each key of the scene.
        let start = if text.is_empty() || key != before {
            "\n- "
        } else {
            ", "
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{start}{}", words::link(section.name));
        before = key;
    }
    text.push('\n');
    text
}

/// Section about an object or a choice.
struct Section<'a> {
    /// Name of the definition in the schema.
    name: &'a str,
    /// Schema of the object or the choice.
    schema: &'a Value,
    /// Places in a scene where it may stand: `bodies[].shape`.
    places: Vec<String>,
}

impl Section<'_> {
    /// Text of the section: meaning, places, a table and examples.
    fn body(&self) -> String {
        let mut text = words::meaning(self.schema);
        if !self.places.is_empty() {
            let places: Vec<String> = self
                .places
                .iter()
                .map(|place| format!("`{place}`"))
                .collect();
            let _ = write!(text, " At {}.", places.join(", "));
        }

        text.push_str("\n\n");
        let choices = choices(self.schema);
        if choices.is_empty() {
            text.push_str(&table_of_keys(self.schema));
        } else {
            text.push_str(&table_of_choices(&choices));
        }
        for example in self.schema["examples"].as_array().into_iter().flatten() {
            let _ = write!(text, "\n```json\n{}\n```\n", layout(example));
        }
        text
    }
}

/// Table of the keys of an object: type, unit, default and meaning.
fn table_of_keys(schema: &Value) -> String {
    let mut table = "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n".to_owned();
    for (key, value) in properties(schema) {
        let default = if is_required(schema, key) {
            "**required**".to_owned()
        } else {
            words::default(value)
        };
        let kind = words::kind(value);
        let unit = words::unit(value);
        let meaning = cell(&words::meaning(value));

        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| `{key}` | {kind} | {unit} | {default} | {meaning} |"
        );
    }
    table
}

/// True if objects of this schema must have `key`.
fn is_required(schema: &Value, key: &str) -> bool {
    schema["required"]
        .as_array()
        .is_some_and(|keys| keys.iter().any(|k| k == key))
}

/// One of the values that a choice allows.
struct Choice<'a> {
    /// Key that names the choice, if it is an object with one key.
    key: Option<&'a str>,
    /// Schema of the value, or of what stands under the key.
    schema: &'a Value,
}

/// Table of the values that a choice allows, with their meanings.
fn table_of_choices(choices: &[Choice]) -> String {
    let mut table = "| choice | meaning |\n|---|---|\n".to_owned();
    for choice in choices {
        let meaning = cell(&words::meaning(choice.schema));
        let kind = words::kind(choice.schema);
        let written = match (choice.key, choice.schema["const"].as_str()) {
            (Some(key), _) => format!("`{{ \"{key}\":` {kind} `}}`"),
            (None, Some(word)) => format!("`\"{word}\"`"),
            (None, None) => kind,
        };
        let _ = writeln!(table, "| {written} | {meaning} |");
    }
    table
}

/// What a choice chooses from; empty for other schemas. A choice within a choice is one of its own.
fn choices(schema: &Value) -> Vec<Choice<'_>> {
    if schema["maxProperties"] == 1 {
        return keys(schema);
    }

    let lists = ["oneOf", "anyOf"].into_iter();
    let listed = lists.flat_map(|key| schema[key].as_array().into_iter().flatten());
    let branches = ["else", "then"].into_iter();
    let entries = listed.chain(branches.filter_map(|key| schema.get(key)));
    let mut found = Vec::new();
    for schema in entries {
        match choices(schema) {
            inner if inner.is_empty() => found.push(Choice { key: None, schema }),
            inner => found.extend(inner),
        }
    }
    found
}

/// Keys of an object, each as a choice of its name.
fn keys(schema: &Value) -> Vec<Choice<'_>> {
    properties(schema)
        .map(|(key, schema)| Choice {
            key: Some(key),
            schema,
        })
        .collect()
}

/// Text as it may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace("\n\n", "<br>").replace('|', "\\|")
}

/// Keys of an object with their schemas, in the order of the schema. None if it is not an object.
fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// Sections of the scene and of all that it contains, each in front of those that it refers to, in
/// the order of keys.
fn sections(schema: &Value) -> Vec<Section<'_>> {
    let mut sections = vec![Section {
        name: "Scene",
        schema,
        places: Vec::new(),
    }];
    if let Some(definitions) = schema["$defs"].as_object() {
        visit(schema, "", definitions, &mut sections);
    }
    sections
}

/// Adds the sections that `schema` refers to, depth first and in the order of keys. `path` is the
/// place where it stands in a scene. A definition that is met again gets one more place.
fn visit<'a>(
    schema: &'a Value,
    path: &str,
    definitions: &'a Map<String, Value>,
    sections: &mut Vec<Section<'a>>,
) {
    let choices = choices(schema);
    let entries = if choices.is_empty() {
        keys(schema)
    } else {
        choices
    };

    for Choice { key, schema } in entries {
        let path = match key {
            None => path.to_owned(),
            Some(key) if path.is_empty() => key.to_owned(),
            Some(key) => format!("{path}.{key}"),
        };
        let Some((name, place)) = words::reference(schema, path) else {
            continue;
        };

        // A definition that was met before has one more place.
        if let Some(section) = sections.iter_mut().find(|section| section.name == name) {
            section.places.push(place);
        } else if let Some(definition) = definitions.get(name) {
            sections.push(Section {
                name,
                schema: definition,
                places: vec![place.clone()],
            });
            visit(definition, &place, definitions, sections);
        }
    }
}
