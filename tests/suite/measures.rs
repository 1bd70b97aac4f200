//! Measures: their values by closed forms and tables, reductions, conditions, sweeps, and resumption.

use crate::cli_resume::{AT_ONCE, args, assert_same, resumed};
use crate::cli_run::{column, table};
use crate::program::{Place, ipcsim, words};
use serde_json::{Value, json};

/// A bar of rubber, held at its left side and pulled at its right one, beside disks that fall past a line.
fn scene() -> Value {
    // Each kind of target has a measure.
    json!({
        "time": { "step": 0.01, "steps": 40 },
        "gravity": [0.0, -10.0],
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } },
            "steel": { "density": 7800 }
        },
        "bodies": [
            { "name": "bar", "material": "rubber",
              "shape": { "rectangle": { "size": [0.4, 0.1], "segments": [8, 2] } },
              "prescribed": [ { "vertices": { "side": "left" } } ] },
            { "name": "disk", "kind": "rigid", "material": "steel", "position": [1.0, 0.5],
              "shape": { "circle": { "radius": 0.05 } }, "spin_deg": 90,
              "copies": { "counts": [1, 3], "spacing": [0.2, 0.3] } },
            { "name": "top", "kind": "rigid", "material": "steel", "position": [2.0, 0.1505],
              "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } } },
            { "name": "under", "kind": "rigid", "material": "steel", "position": [2.0, 0.0501],
              "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } } }
        ],
        "obstacles": [ { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } } ],
        "contact": { "exclude": [["bar", "floor"]] },
        "loads": [ { "name": "pull", "body": "bar", "force": [200.0, 0.0], "on": { "side": "right" } } ],
        "measure": [
            { "name": "peak", "max": "von_mises", "of": "bar" },
            { "name": "smooth", "norm": "von_mises", "power": 8, "of": "bar" },
            { "name": "usual", "mean": "von_mises", "of": "bar" },
            { "name": "end", "value": "displacement_x", "of": "bar", "at": [0.2, 0.0] },
            { "name": "side", "min": "displacement_y", "of": "bar", "on": { "side": "right" }, "over": "last" },
            { "name": "pulled", "value": "force_x", "of": "pull" },
            { "name": "held", "value": "reaction_y", "of": "bar" },
            { "name": "lowest", "min": "y", "of": "disk" },
            { "name": "turned", "mean": "angle", "of": "disk" },
            { "name": "through", "value": "flow", "of": "disk", "line": [[0.5, 0.3], [1.5, 0.3]] },
            { "name": "per_second", "value": "flow", "line": [[1.5, 0.3], [0.5, 0.3]], "over": "rate" },
            { "name": "weight", "value": "force_y", "between": ["top", "under"] },
            { "name": "opposite", "value": "force_y", "between": ["under", "top"] },
            { "name": "slit", "value": "gap", "between": ["under", "top"] },
            { "name": "both", "max": "neighbours", "of": "under" },
            { "name": "touching", "value": "coordination", "over": "mean" },
            { "name": "moved", "value": "kinetic", "over": "max" }
        ],
        "output": {
            "every": 4, "probes": [ { "name": "all", "body": "bar", "vertices": "all" } ]
        }
    })
}

/// Result of a measure in `run.json`.
fn result(place: &Place, run: &str, name: &str) -> Value {
    let report = place.json(&format!("{run}/run.json"));
    let all = report["measures"].as_array().unwrap().clone();
    let own = all.into_iter().find(|own| own["name"] == name);
    own.unwrap_or_else(|| panic!("{name}"))
}

/// Value of a measure in `run.json`.
fn value(place: &Place, name: &str) -> f64 {
    result(place, "a", name)["value"].as_f64().unwrap()
}

/// Runs the scene into the folder `a`, and returns what the program prints.
fn ran(place: &Place, scene: &Value, more: &[&str]) -> String {
    let file = place.scene(scene);
    let out = place.path("a");
    let ended = ipcsim(
        &[
            &["run", &file, "--out", &out, "--no-frames", "--force"],
            more,
        ]
        .concat(),
    );
    assert_eq!(ended.code, 0, "{ended:?}");
    ended.stdout
}

#[test]
fn measures_are_those_of_tables_and_of_closed_forms() {
    let place = Place::new();
    let printed = ran(&place, &scene(), &[]);
    let measures = table(&place, "a/measures.csv");
    assert_eq!(measures.len(), 42);
    let last = |name: &str| *column(&measures, name).last().unwrap();

    // Stress: as probes list it, between its mean and its largest value.
    let probes = table(&place, "a/probes.csv");
    let steps = column(&probes, "step").into_iter();
    let stresses = steps.zip(column(&probes, "von_mises"));
    let at_end = stresses.filter(|(step, _)| *step == 40.0);
    let largest = at_end.map(|(_, stress)| stress).fold(0.0, f64::max);
    assert_eq!(last("peak").to_bits(), largest.to_bits());
    assert!(last("usual") < last("smooth") && last("smooth") < last("peak"));
    let peak = result(&place, "a", "peak");
    let most = column(&measures, "peak").into_iter().fold(0.0, f64::max);
    assert_eq!(peak["value"].as_f64().unwrap().to_bits(), most.to_bits());
    assert!(peak["place"].is_array() && peak["max"]["time"] == peak["time"]);
    assert!(printed.contains("\npeak ") && printed.contains(" Pa at ("));
    assert!(printed.contains("largest von Mises stress"));

    // Loads and supports, places, and what copies do together.
    assert!((value(&place, "pulled") - 200.0).abs() < 1e-9);
    assert!(last("held") > 0.0 && last("end").abs() > 1e-5);
    assert!(value(&place, "side") < 0.0);
    let lowest = value(&place, "lowest");
    assert!(lowest > 0.05 && lowest < 0.051, "{lowest}");
    let turned = 90.0_f64.to_radians() * 0.4;
    assert!((value(&place, "turned") - turned).abs() < 1e-12);

    // Three disks fall past the line within 0.4 s, from its left to its right, or the other way.
    let passed = 3.0;
    assert_eq!(value(&place, "through"), passed);
    assert!((value(&place, "per_second") + passed / 0.4).abs() < 1e-9);

    // A body on another one.
    let weight = 7800.0 * 0.01 * 10.0;
    assert!(
        (last("weight") / weight - 1.0).abs() < 0.02,
        "{}",
        last("weight")
    );
    assert_eq!(last("opposite"), -last("weight"));
    assert!(value(&place, "touching") > 0.0);
    assert!(last("slit") > 0.0 && last("slit") < 1e-3);
    assert_eq!(last("both"), 2.0);
    let most = column(&measures, "moved").into_iter().fold(0.0, f64::max);
    assert_eq!(value(&place, "moved"), most);
    assert_eq!(ipcsim(&["verify", &place.path("a")]).code, 0);
}

#[test]
fn a_run_in_parts_and_on_other_threads_has_the_same_measures_to_the_bit() {
    let place = Place::new();
    let file = place.scene(&scene());

    // In one piece on four threads.
    let whole = place.path("whole");
    ipcsim(&[
        "run",
        &file,
        "--out",
        &whole,
        "--no-frames",
        "--threads",
        "4",
    ])
    .exits(0);

    // Step by step on one.
    let parts = place.path("parts");
    let first = [
        "run",
        &file,
        "--out",
        &parts,
        "--no-frames",
        "--threads",
        "1",
    ];
    ipcsim(&args(&[&first, &AT_ONCE]));
    for _ in 0..6 {
        resumed(&place, "parts", &AT_ONCE);
    }
    resumed(&place, "parts", &[]);
    assert_same(&place, "parts", "whole", "measures");
    let of = |run: &str| place.json(&format!("{run}/run.json"))["measures"].clone();
    assert_eq!(of("whole"), of("parts"));
    for file in ["measures.csv", "bodies.csv"] {
        let [whole, parts] = ["whole", "parts"].map(|run| place.read(&format!("{run}/{file}")));
        assert_eq!(whole, parts, "{file}");
    }
}

#[test]
fn a_condition_on_a_measure_ends_a_run() {
    let place = Place::new();
    for condition in ["lowest < 0.3", "measure.lowest < 0.3 and t > 0.01"] {
        let mut until = scene();
        until["time"]["until"] = json!(condition);
        ran(&place, &until, &[]);
        let lowest = column(&table(&place, "a/measures.csv"), "lowest");
        let below = lowest.iter().position(|value| *value < 0.3).unwrap();
        assert_eq!(below + 1, lowest.len());
    }
}

#[test]
fn sweeps_have_a_column_for_each_measure_whether_runs_have_folders_or_not() {
    let place = Place::new();
    let file = place.scene(&scene());
    let name = std::path::Path::new(&file)
        .file_name()
        .unwrap()
        .to_str()
        .unwrap();
    let plan = json!({
        "scene": name, "set": { "time.steps": 12 },
        "vary": [ { "list": { "key": "materials.rubber.law.neo_hookean.young", "name": "young", "values": [1e6, 4e6] } } ]
    });
    std::fs::write(place.path("plan.json"), plan.to_string()).unwrap();
    let plan = place.path("plan.json");
    let [with, without] = ["with", "without"].map(|name| place.path(name));
    ipcsim(&["sweep", &plan, "--out", &with]).exits(0);
    ipcsim(&["sweep", &plan, "--out", &without, "--only"]).exits(0);
    assert_eq!(
        place.read("with/results.csv"),
        place.read("without/results.csv")
    );

    let results = table(&place, "with/results.csv");
    let peaks = column(&results, "peak");
    assert!(peaks.iter().all(|peak| *peak > 0.0) && peaks[0] != peaks[1]);
    let pulled = column(&results, "pulled");
    assert!(
        pulled.iter().all(|force| (force - 200.0).abs() < 1e-9),
        "{pulled:?}"
    );
    let first = place
        .names("with")
        .into_iter()
        .find(|name| name.ends_with("run.json"))
        .unwrap();
    let report = place.json(&format!("with/{first}"));
    assert_eq!(report["measures"][0]["value"], json!(peaks[0]));
}

/// Measures that are refused, each with a part of its message.
fn refused() -> Vec<(Value, &'static str)> {
    vec![
        // Names.
        (
            json!({ "name": "a", "max": "von_misses", "of": "bar" }),
            "did you mean \"von_mises\"?",
        ),
        (
            json!({ "name": "a", "max": "von_mises", "of": "baar" }),
            "did you mean \"bar\"?",
        ),
        (
            json!({ "name": "a", "max": "cauchy_stress", "of": "bar" }),
            "cauchy_stress_xx",
        ),
        (
            json!({ "name": "a", "max": "von_mises", "of": "disk" }),
            "needs a body of triangles",
        ),
        (
            json!({ "name": "a", "value": "von_mises", "of": "bar" }),
            "or give one place by \"at\"",
        ),
        (
            json!({ "name": "a", "value": "von_mises", "of": "bar", "at": [9, 9] }),
            "m outside of \"bar\"",
        ),
        (
            json!({ "name": "a", "max": "von_mises", "of": "bar", "on": { "disk": { "center": [9, 9], "radius": 1 } } }),
            "selects none",
        ),
        (
            json!({ "name": "a", "value": "spin", "of": "bar" }),
            "has no angle",
        ),
        (
            json!({ "name": "a", "value": "reaction", "of": "top" }),
            "nothing holds the body",
        ),
    ]
}

/// Measures whose keys do not fit, each with a part of its message.
fn unfitting() -> Vec<(Value, &'static str)> {
    vec![
        // Lines, pairs, the scene.
        (
            json!({ "name": "a", "value": "flow" }),
            "give its ends by \"line\"",
        ),
        (
            json!({ "name": "a", "value": "forces", "between": ["top", "under"] }),
            "did you mean \"force\"?",
        ),
        (
            json!({ "name": "a", "mean": "kinetic_energy" }),
            "no quantity of the scene or of bodies",
        ),
        (json!({ "name": "a" }), "names no quantity"),
        (
            json!({ "name": "a", "max": "x", "min": "x" }),
            "write a measure for each",
        ),
        (
            json!({ "name": "a", "max": "x", "power": 2 }),
            "is the power of \"norm\"",
        ),
        (
            json!({ "name": "a b", "max": "x" }),
            "must be a word of letters",
        ),
        (
            json!({ "name": "kinetic", "max": "x" }),
            "is a name of conditions",
        ),
    ]
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_place_and_a_remedy() {
    let place = Place::new();
    for (measure, expected) in refused().into_iter().chain(unfitting()) {
        let mut wrong = scene();
        wrong["measure"] = json!([measure]);
        let ended = ipcsim(&["check", &place.scene(&wrong)]);
        ended.exits(2).complains("measure[0]");
        ended.complains(expected);
    }
}

#[test]
fn anything_is_plotted_over_anything_and_unknown_names_have_an_offer() {
    let place = Place::new();
    ran(&place, &scene(), &words("--steps 12"));
    let run = place.path("a");

    // Of every table, over the time and over others.
    for more in [
        "--measure peak,pulled",
        "--body under --y y,speed --x x",
        "--y measure.peak --x measure.end",
        "--pair top,under --y force --x body.top.y",
        "--reaction bar",
        "--load pull --y force_x --x measure.end",
        "--energy kinetic,total",
    ] {
        ipcsim(&[&["plot", &run], &words(more)[..]].concat()).exits(0);
        let png = std::fs::read(place.path("a/plot.png")).unwrap();
        assert_eq!(crate::program::png_size(&png), [1280, 720], "{more}");
    }
    for (more, expected) in [
        ("--measure pek", "did you mean \"peak\"?"),
        ("--body undr", "did you mean \"under\"?"),
        (
            "--body under --y heigth",
            "has no column of numbers called \"heigth\"",
        ),
        (
            "--body bar --y angle",
            "has no \"angle\": all its fields are empty",
        ),
        ("--joint shaft", "joints.csv: does not exist"),
        ("--load push", "there are \"pull\""),
        ("--y peak", "is a column of nothing"),
    ] {
        let ended = ipcsim(&[&["plot", &run], &words(more)[..]].concat());
        ended.exits(2).complains(expected);
    }
}
