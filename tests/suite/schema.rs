//! The JSON Schema of scenes: it agrees with the reader, and shipped scenes follow it.

use crate::program::{Place, good_scenes, ipcsim, project};
use crate::torture::pool;
use ipcsim::scene::parse;
use ipcsim::scene::schema::json_schema;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::path::Path;

fn validator() -> Validator {
    jsonschema::validator_for(&json_schema()).unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The scene and its definitions, by name.
fn definitions(schema: &Value) -> Vec<(&str, &Value)> {
    let named = schema["$defs"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, definition)| (name.as_str(), definition));
    std::iter::once(("Scene", schema)).chain(named).collect()
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

#[test]
fn the_committed_schema_and_table_of_keys_are_what_the_program_prints() {
    for (args, file) in [
        (&["schema"][..], "scenes/scene.schema.json"),
        (&["schema", "--markdown"], "scenes/README.md"),
    ] {
        let ended = ipcsim(args);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
        let committed = std::fs::read_to_string(project(file)).unwrap();
        assert!(
            ended.stdout == committed,
            "{file} is old; write it again by: ipcsim {} > {file}",
            args.join(" ")
        );
    }
}

#[test]
fn every_shipped_scene_names_the_schema_and_follows_it() {
    let validator = validator();
    for path in good_scenes() {
        let scene = json(&path);
        let named = path
            .parent()
            .unwrap()
            .join(scene["$schema"].as_str().unwrap());
        assert_eq!(
            named.canonicalize().unwrap(),
            project("scenes/scene.schema.json").canonicalize().unwrap()
        );

        let errors: Vec<String> = validator
            .iter_errors(&scene)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    }
}

#[test]
fn scenes_with_wrong_keys_types_or_ranges_do_not_follow_the_schema() {
    const NAMES: [&str; 17] = [
        "unknown_key",
        "unknown_key_at_top",
        "unknown_choice",
        "missing_key",
        "wrong_type",
        "vector_of_three",
        "negative_count",
        "scene_in_a_string",
        "zero_time_step",
        "zero_segments",
        "zero_stretch",
        "zero_d_hat",
        "negative_density",
        "negative_friction",
        "order_too_high",
        "too_few_modes",
        "poisson_ratio_of_one_half",
    ];
    let validator = validator();

    for name in NAMES {
        assert!(
            !validator.is_valid(&json(&project(&format!("scenes/broken/{name}.json")))),
            "{name}"
        );
    }

    // What only the program can tell.
    assert!(validator.is_valid(&json(&project("scenes/broken/bodies_overlap.json"))));
}

#[test]
fn every_key_has_a_meaning_every_number_a_unit_and_what_may_be_left_out_a_default() {
    let schema = json_schema();
    for (name, definition) in definitions(&schema) {
        assert!(definition["description"].is_string(), "{name}");
        for list in [&definition["oneOf"], &definition["else"]["anyOf"]] {
            for choice in list.as_array().into_iter().flatten() {
                assert!(choice["description"].is_string(), "{name}: {choice}");
            }
        }
        for (key, value) in properties(&definition["then"]) {
            assert!(value["description"].is_string(), "{name}.{key}");
        }

        let is_choice = definition["maxProperties"] == 1;
        for (key, value) in properties(definition) {
            assert!(value["description"].is_string(), "{name}.{key}");
            // A key with two names is given by one of them.
            let either = definition["allOf"].as_array().into_iter().flatten();
            let either = either.flat_map(|one| one["oneOf"].as_array().unwrap());
            let names = either.chain([definition]);
            let mut names = names.filter_map(|own| own["required"].as_array());
            let required = names.any(|keys| keys.iter().any(|k| k == key));
            let may_be_null = value["type"]
                .as_array()
                .is_some_and(|types| types.contains(&json!("null")));

            assert!(
                is_choice
                    || required
                    || may_be_null
                    || value["$ref"].is_string()
                    || value["anyOf"].is_array()
                    || !value["default"].is_null(),
                "{name}.{key}"
            );
            let mut leaf = value;

            while leaf["items"].is_object() {
                leaf = &leaf["items"];
            }

            let is_number = leaf["type"] == "number" || leaf["type"] == json!(["number", "null"]);
            assert!(
                !is_number || value["unit"].is_string(),
                "{name}.{key} has no unit"
            );
        }
    }
}

/// Inserts the schema's default for every key that a scene leaves out.
fn fill(schema: &Value, value: &mut Value, definitions: &Map<String, Value>) {
    if let Some(pointer) = schema["$ref"].as_str() {
        fill(
            &definitions[pointer.rsplit('/').next().unwrap()],
            value,
            definitions,
        );
    }

    let branch = if value.is_object() { "then" } else { "else" };
    if schema[branch].is_object() {
        fill(&schema[branch], value, definitions);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        if choice["$ref"].is_string() && value.is_object() {
            fill(choice, value, definitions);
        }
    }
    match value {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| fill(&schema["items"], item, definitions)),
        Value::Object(entries) => {
            for (key, property) in properties(schema) {
                if let Some(default) = property.get("default") {
                    entries.entry(key.clone()).or_insert(default.clone());
                }
                entries
                    .get_mut(key)
                    .into_iter()
                    .for_each(|entry| fill(property, entry, definitions));
            }

            if schema["additionalProperties"].is_object() {
                entries
                    .values_mut()
                    .for_each(|entry| fill(&schema["additionalProperties"], entry, definitions));
            }
        }
        _ => {}
    }
}

#[test]
fn the_defaults_of_the_schema_are_those_of_the_program() {
    let schema = json_schema();
    let definitions = schema["$defs"].as_object().unwrap();

    for path in good_scenes() {
        let scene = json(&path);
        let mut filled = scene.clone();
        fill(&schema, &mut filled, definitions);

        assert_eq!(
            filled["bodies"][0]["spin_deg"].is_number(),
            scene["bodies"].is_array(),
            "{filled}"
        );
        assert!(
            filled["contact"]["min_separation"].is_number()
                && filled["output"]["every"].is_number()
        );

        let read = |scene: &Value| parse(&scene.to_string(), &[]).unwrap();
        assert_eq!(read(&filled), read(&scene), "{}", path.display());
    }
}

#[test]
fn the_examples_of_the_schema_follow_it() {
    let schema = json_schema();
    let mut count = 0;

    for (name, definition) in definitions(&schema) {
        let root = json!({ "$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"] });
        let validator =
            jsonschema::validator_for(if name == "Scene" { &schema } else { &root }).unwrap();
        for example in definition["examples"].as_array().into_iter().flatten() {
            assert!(validator.is_valid(example), "{name}: {example}");
            count += 1;
        }
    }

    assert!(count >= 8, "{count}");
    let scene = &schema["examples"][0];
    assert!(ipcsim::scene::build(parse(&scene.to_string(), &[]).unwrap()).is_ok());
}

/// A validator says what is wrong and where, also within a choice, and not that nothing fits.
#[test]
fn messages_show_the_place_of_a_mistake_within_a_choice() {
    let validator = validator();
    let scene = |body: Value| {
        json!({ "time": { "step": 0.01, "steps": 1 },
            "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": {} } } },
            "bodies": [body] })
    };
    let disk = |radius: Value| json!({ "disk": { "radius": radius, "segments": 20 } });
    let two_shapes = json!({ "disk": { "radius": 1.0 }, "square": { "size": 1.0 } });
    let cases = [
        (
            json!({ "name": "a", "material": "m", "shape": disk(json!("wide")) }),
            "/bodies/0/shape/disk/radius",
            "\"wide\" does not match",
        ),
        (
            json!({ "name": "a", "material": "m", "shape": two_shapes }),
            "/bodies/0/shape",
            "more than 1 property",
        ),
        (
            json!({ "name": "a", "material": "m", "shape": { "dsk": {} } }),
            "/bodies/0/shape",
            "'dsk' was unexpected",
        ),
        (
            json!({ "name": "a", "material": "m", "shape": disk(json!(1.0)), "kind": { "modal": { "modes": -1 } } }),
            "/bodies/0/kind/modal/modes",
            "-1 is less than the minimum of 3",
        ),
        (
            json!({ "name": "a", "material": "m", "shape": disk(json!(1.0)), "kind": "ridgid" }),
            "/bodies/0/kind",
            "\"ridgid\" is not one of",
        ),
    ];

    for (body, place, message) in cases {
        let errors: Vec<(String, String)> = validator
            .iter_errors(&scene(body))
            .map(|error| (error.instance_path().to_string(), error.to_string()))
            .collect();
        assert!(
            errors
                .iter()
                .any(|(at, said)| at == place && said.contains(message)),
            "{place}: {errors:?}"
        );
    }
}

/// A number such as 3.0 is whole for the schema, but not for the program.
#[test]
fn what_follows_the_schema_is_read_whatever_it_means() {
    let validator = validator();
    let pool = pool();
    let mut followed = 0;

    for text in (0..5000).map(|seed| pool.mutant(seed)) {
        let Ok(scene) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        if validator.is_valid(&scene) {
            followed += 1;
            let message = parse(&scene.to_string(), &[])
                .map_or_else(|error| error.to_string(), |_| String::new());
            // The schema knows no units: texts with any stand for numbers.
            let is_known = ["found the number", "where a unit should be"];
            assert!(
                message.is_empty() || is_known.iter().any(|own| message.contains(own)),
                "{message}: {text}"
            );
        }
    }

    assert!(followed > 500, "{followed}");
}

#[test]
fn the_list_of_tables_has_every_column_that_a_run_writes() {
    let listed: Value = serde_json::from_str(&ipcsim(&["schema", "--tables"]).stdout).unwrap();
    let place = Place::new();
    let scene = place.scene(&json!({
        "time": { "step": 0.01, "steps": 2 },
        "materials": { "rubber": { "density": 1e3, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{ "name": "b", "shape": { "square": { "side": 1, "segments": 1 } }, "material": "rubber",
                     "position": [0, 0.501] }],
        "obstacles": [{ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "measure": [{ "name": "peak", "max": "von_mises" }],
        "output": { "ledger": true, "contacts": "csv", "probes": [{ "name": "p", "body": "b", "at": [0, 0.5] }] }
    }));
    let out = place.ran(&scene, "run", &[]);

    // Columns that depend on the scene have a pattern; those of other runs are optional.
    for table in listed.as_array().unwrap() {
        let file = table["file"].as_str().unwrap();
        let Ok(text) = std::fs::read_to_string(Path::new(&out).join(file)) else {
            continue;
        };
        let columns = table["columns"].as_array().unwrap();
        let names: Vec<&str> = columns
            .iter()
            .map(|own| own["name"].as_str().unwrap())
            .collect();
        let written: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let potentials = [
            "gravity",
            "elastic",
            "neo_hookean",
            "barrier",
            "friction",
            "anchor",
        ];
        for name in &written {
            let pattern = name.replace("peak", "<measure>");
            let is_known = names.contains(&pattern.as_str()) || potentials.contains(name);
            assert!(is_known, "{file} has {name}");
        }
        for own in columns.iter().filter(|own| own["optional"] != true) {
            let name = own["name"].as_str().unwrap().replace("<measure>", "peak");
            assert!(
                written.contains(&name.as_str()) || name == "<potential>",
                "{file} lacks {name}"
            );
        }
    }
}
