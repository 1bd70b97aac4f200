//! Runs with loads in contact: the same bits after resuming and on any number of threads, certificates,
//! and the table of forces.

use crate::cli_resume::{args, same_and_proved};
use crate::program::{Place, ipcsim};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Mesh of a ring around the origin, with vertices on circles of these ascending radii (m).
fn ring<const N: usize>(radii: [f64; N], around: usize) -> Value {
    let vertices: Vec<[f64; 2]> = radii
        .iter()
        .flat_map(|radius| {
            (0..around).map(move |k| {
                let angle = TAU * k as f64 / around as f64;
                [radius * angle.cos(), radius * angle.sin()]
            })
        })
        .collect();
    let cells = (0..N - 1).flat_map(|i| (0..around).map(move |k| [i, k, (k + 1) % around]));
    let triangles: Vec<[usize; 3]> = cells
        .flat_map(|[i, k, next]| {
            let [a, b] = [i * around + k, i * around + next];
            let [c, d] = [b + around, a + around];
            [[a, d, c], [a, c, b]]
        })
        .collect();
    json!({ "vertices": vertices, "triangles": triangles })
}

/// A soft ring under pressure inside, pushed along the ground by a force in gusts against a rigid block
/// that a motor turns; more steps than tables have.
fn loaded(place: &Place) -> String {
    let scene = json!({
        "time": { "step": 0.01, "steps": 24 },
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 2e5, "poisson": 0.3 } } },
            "steel": { "density": 2000 }
        },
        "bodies": [
            { "name": "ring", "material": "rubber", "position": [0, 0.2505],
              "shape": { "mesh": ring([0.15, 0.2, 0.25], 24) },
              "selections": { "inner": { "disk": { "center": [0, 0.2505], "radius": 0.16 } } } },
            { "name": "block", "kind": "rigid", "material": "steel", "position": [0.45, 0.1005],
              "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } } },
            { "name": "slab", "kind": { "affine": {} }, "material": "steel", "position": [-0.6, 0.0505],
              "shape": { "rectangle": { "size": [0.4, 0.1], "segments": [2, 1] } } }
        ],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "loads": [
            { "name": "air", "body": "ring", "on": "inner", "pressure": { "times": [0, 0.1], "values": [0, 5000] } },
            { "name": "gust", "body": "ring", "on": { "half_plane": { "normal": [1, 0], "origin": [-0.1, 0] } },
              "traction": ["2000*(1 + sin(30*t))", 0] },
            { "name": "motor", "body": "block", "torque": "20*step(t - 0.05)" },
            { "name": "lift", "body": "block", "at": [0.5, 0.15], "force": [0, "100*t"] },
            { "name": "sail", "body": "slab", "on": { "side": "top" }, "pressure": 500 },
            { "name": "twist", "body": "ring", "torque": -2 }
        ],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "contacts": "csv" }
    });
    place.scene(&scene)
}

/// Runs the scene into a folder of the place.
fn run(place: &Place, scene: &str, name: &str, more: &[&str]) {
    let out = place.path(name);
    ipcsim(&args(&[&["run", scene, "--out", &out, "--quiet"], more])).exits(0);
}

#[test]
fn a_loaded_run_has_the_same_files_after_resuming_at_every_step_and_on_any_number_of_threads() {
    let place = Place::new();
    let scene = loaded(&place);
    // The motion is proved, and something touches.
    same_and_proved(&place, &scene, 22);
    let table = place.read("whole/forces.csv");
    assert!(table.contains(",contact,"), "{table}");
}

#[test]
fn the_table_of_forces_has_a_row_for_each_load_and_step() {
    let place = Place::new();
    let scene = loaded(&place);
    run(&place, &scene, "whole", &["--no-frames", "--steps", "6"]);
    let table = place.read("whole/forces.csv");
    for (name, body) in [
        ("air", "ring"),
        ("gust", "ring"),
        ("motor", "block"),
        ("lift", "block"),
        ("sail", "slab"),
        ("twist", "ring"),
    ] {
        let rows = table
            .lines()
            .filter(|row| row.contains(&format!(",load,{body},{name},")));
        assert_eq!(rows.count(), 6, "{name}: {table}");
    }

    // A force of 100 t at the end of the last step.
    let last = table
        .lines()
        .rev()
        .find(|row| row.contains(",lift,"))
        .unwrap();
    let fields: Vec<&str> = last.split(',').collect();
    let [x, y] = [5, 6].map(|k| fields[k].parse::<f64>().unwrap());
    assert!(x == 0.0 && (y - 6.0).abs() < 1e-12, "{last}");
}

#[test]
fn symbols_are_drawn_on_demand_and_only_then() {
    let place = Place::new();
    let scene = loaded(&place);
    run(&place, &scene, "plain", &["--steps", "6"]);
    let symbols = ["--steps", "6", "--set", "output.diagram=true"];
    run(&place, &scene, "symbols", &symbols);
    let frame = |name: &str| place.files(name)["frames/000006.png"].clone();
    let [plain, drawn] = [frame("plain"), frame("symbols")];
    assert_ne!(plain, drawn);

    // The same, drawn again.
    for (flag, expected) in [(&["--diagram"][..], &drawn), (&[], &plain)] {
        ipcsim(&args(&[&["render", &place.path("plain")], flag])).exits(0);
        assert!(frame("plain") == *expected, "{flag:?}");
    }

    // A check draws loads as they are when they are largest.
    let picture = place.path("check.png");
    ipcsim(&["check", &scene, "--picture", &picture]).exits(0);
    assert!(std::fs::metadata(&picture).unwrap().len() > 10_000);
}
