//! Units: scenes in millimetres and numbers with units are those in SI, to the bit.

use crate::program::{Place, ipcsim};
use ipcsim::scene::schema::Scene;
use ipcsim::scene::schema::json_schema;
use serde_json::{Value, json};

/// A bracket of steel with a roller on a spring, in SI.
fn in_si() -> Value {
    json!({
        "time": { "step": 0.002, "steps": 4 },
        "thickness": 0.005,
        "materials": {
            "steel": { "density": 7850, "law": { "neo_hookean": { "young": 210e9, "poisson": 0.3 } },
                       "damping": { "mass": 2 } },
            "brass": { "density": 8500 }
        },
        "bodies": [
            { "name": "beam", "material": "steel", "shape": { "rectangle": { "size": [0.12, 0.0123], "segments": [6, 1] } },
              "prescribed": [ { "vertices": { "box": { "min": [-0.07, -0.01], "max": [-0.059, 0.01] } } } ] },
            { "name": "roller", "kind": "rigid", "material": "brass", "shape": { "circle": { "radius": 0.0071 } },
              "position": [0.031, 0.0137], "velocity": [0.35, 0], "spin_deg": 60 }
        ],
        "loads": [ { "name": "press", "body": "beam", "on": { "side": "right" }, "traction": [0, -250_000] } ],
        "contact": { "friction": { "default": 0.3 } }
    })
}

/// The same in millimetres and newtons.
fn in_millimetres() -> Value {
    json!({
        "units": { "length": "mm", "force": "N", "density": "g/cm^3" },
        "time": { "step": "2 ms", "steps": 4 },
        "gravity": [0, -9810],
        "thickness": 5,
        "materials": {
            "steel": { "density": 7.85, "law": { "neo_hookean": { "young": 210_000, "poisson": 0.3 } },
                       "damping": { "mass": 2 } },
            "brass": { "density": "8500 kg/m^3" }
        },
        "bodies": [
            { "name": "beam", "material": "steel", "shape": { "rectangle": { "size": [120, 12.3], "segments": [6, 1] } },
              "prescribed": [ { "vertices": { "box": { "min": [-70, -10], "max": [-59, "1 cm"] } } } ] },
            { "name": "roller", "kind": "rigid", "material": "brass", "shape": { "circle": { "radius": 7.1 } },
              "position": ["3.1 cm", 13.7], "velocity": [350, 0], "spin_deg": "10 rpm" }
        ],
        "loads": [ { "name": "press", "body": "beam", "on": { "side": "right" }, "traction": [0, "-2.5 bar"] } ],
        "contact": { "friction": { "default": "30 %" } }
    })
}

#[test]
fn a_scene_in_millimetres_has_the_bits_of_its_twin_in_si_and_is_stored_in_si() {
    let place = Place::new();
    let [one, other] = [("si", in_si()), ("mm", in_millimetres())].map(|(name, scene)| {
        let folder = place.ran(&place.scene(&scene), name, &[]);
        assert_eq!(ipcsim(&["verify", &folder]).code, 0);
        place.json(&format!("{name}/run.json"))["hash"].clone()
    });
    assert_eq!(one, other);

    // What is stored has no units and no texts for numbers, and goes on as it is.
    let [one, other] = ["si", "mm"].map(|name| place.json(&format!("{name}/scene.json")));
    assert_eq!(one, other);
    assert!(other.get("units").is_none());
    let folder = place.path("mm");
    ipcsim(&["run", "--resume", &folder, "--steps", "6"]).exits(0);
}

#[test]
fn settings_take_numbers_with_units() {
    let place = Place::new();
    let file = place.scene(&in_si());
    let settings = [
        [
            "bodies.roller.position=[31, 13.7]",
            "bodies.roller.position=[\"31 mm\", \"1.37 cm\"]",
        ],
        ["time.step=0.004", "time.step=4 ms"],
        [
            "materials.steel.law.neo_hookean.young=2e11",
            "materials.steel.law.neo_hookean.young=200 GPa",
        ],
    ];
    let mut si = in_si();
    si["bodies"][1]["position"] = json!([0.031, 0.0137]);
    si["time"]["step"] = json!(0.004);
    si["materials"]["steel"]["law"]["neo_hookean"]["young"] = json!(2e11);
    let mut args = Vec::new();
    for [_, given] in settings {
        args.extend(["--set", given]);
    }
    place.ran(&file, "set", &args);
    place.ran(&place.scene(&si), "si", &[]);
    let [one, other] =
        ["set", "si"].map(|name| place.json(&format!("{name}/run.json"))["hash"].clone());
    assert_eq!(one, other);

    // Settings of a scene with units are in these.
    let own = place.scene(&in_millimetres());
    place.ran(
        &own,
        "mm",
        &[
            "--set",
            "bodies.roller.position=[31, 13.7]",
            "--set",
            "time.step=0.002",
        ],
    );
    let hash = place.json("mm/run.json")["hash"].clone();
    place.ran(&place.scene(&in_si()), "plain", &[]);
    assert_eq!(hash, place.json("plain/run.json")["hash"]);
}

#[test]
fn wrong_units_are_refused_by_name_with_their_place() {
    let place = Place::new();
    for (key, given, part) in [
        (
            "time.step",
            "20 mm",
            "time.step: \"20 mm\" is in mm, but s is expected",
        ),
        ("time.step", "20 msec", "\"msec\" is not a unit"),
        (
            "materials.steel.law.neo_hookean.young",
            "210 Gpa",
            "did you mean \"GPa\"?",
        ),
        ("bodies.roller.spin_deg", "5 m/s", "degrees/s is expected"),
        (
            "materials.steel.law.neo_hookean.poisson",
            "0.3 m",
            "a plain number is expected",
        ),
        ("time.steps", "20 ms", "expected a whole number"),
        ("time.step", "fast", "expected a number"),
        ("time.step", "0.01", "expected a number"),
        ("loads.press.traction", "20", "expected"),
        (
            "units",
            "{\"length\":\"N\"}",
            "units.length: \"N\" is not a unit of a length",
        ),
        (
            "units",
            "{\"mass\":\"g\",\"force\":\"N\"}",
            "is given besides \"mass\"",
        ),
        ("units", "{\"lenght\":\"mm\"}", "did you mean \"length\"?"),
    ] {
        let file = place.scene(&in_si());
        let given = if given == "0.01" { "\"0.01\"" } else { given };
        let setting = format!("{key}={given}");
        let ended = ipcsim(&["check", &file, "--set", &setting]);
        ended.exits(2).complains(part);
    }

    // In the file itself, with line and column; and implausible values are spotted as ever.
    let mut own = in_si();
    own["thickness"] = json!("5 Pa");
    let file = place.scene(&own);
    let ended = ipcsim(&["check", &file]);
    ended
        .exits(2)
        .complains("line 1, column")
        .complains("\"5 Pa\" is in Pa, but m is expected");
    own["thickness"] = json!("5 mm");
    own["materials"]["steel"]["density"] = json!("7.85 kg/m^3");
    ipcsim(&["check", &place.scene(&own)]).complains("materials.steel.density");
}

#[test]
fn formulas_take_units_and_are_in_si() {
    let place = Place::new();
    let hash = |name: &str, traction: Value, units: Value| {
        let mut own = in_si();
        own["loads"][0]["traction"] = traction;
        if units.is_object() {
            own = in_millimetres();
            own["loads"][0]["traction"] = json!([0, "-0.1 MPa * sin(2*pi*t) - 5 kPa"]);
        }
        place.ran(&place.scene(&own), name, &[]);
        place.json(&format!("{name}/run.json"))["hash"].clone()
    };
    let plain = hash("plain", json!([0, "-1e5 * sin(2*pi*t) - 5e3"]), Value::Null);
    let given = hash(
        "given",
        json!([0, "-0.1 MPa * sin(2*pi*t) - 5 kPa"]),
        Value::Null,
    );
    assert_eq!(plain, given);
    assert_eq!(plain, hash("units", Value::Null, json!({})));

    // A formula in plain numbers would be unclear beside units.
    let mut own = in_millimetres();
    own["loads"][0]["traction"] = json!([0, "-0.1 * t"]);
    ipcsim(&["check", &place.scene(&own)])
        .exits(2)
        .complains("is a formula in plain numbers");
    own["loads"][0]["traction"] = json!([0, "3 deg * t"]);
    ipcsim(&["check", &place.scene(&own)])
        .exits(2)
        .complains("angles in formulas are plain numbers");
}

#[test]
fn every_unit_of_the_schema_is_a_unit_that_can_be_read() {
    fn units(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(entries) => {
                if let Some(Value::String(unit)) = entries.get("unit") {
                    found.push(unit.clone());
                }
                entries.values().for_each(|entry| units(entry, found));
            }
            Value::Array(items) => items.iter().for_each(|item| units(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    units(&json_schema(), &mut found);
    assert!(found.len() > 100);
    for unit in found.iter().filter(|unit| *unit != "of the key") {
        for unit in unit.split(" or ") {
            assert!(ipcsim::math::units::Unit::read(unit).is_ok(), "{unit}");
        }
    }
    // A scene that a program writes has no units.
    let scene: Scene = serde_json::from_value(in_si()).unwrap();
    assert!(scene.to_json().get("units").is_none());
}
