//! Scenes with many problems, and with none.
//!
//! Scenes are written as JSON, as users write them, and problems are compared by their paths.

mod axisymmetric;
mod bodies;
mod keys;
mod motion;
mod shapes;

use super::*;
use crate::parse;
use serde_json::{Value, json};

/// Paths and messages of the problems of a scene.
fn problems(scene: &Value) -> Vec<(String, String)> {
    let found = check(&parse(&scene.to_string(), &[]).unwrap());
    found
        .into_iter()
        .map(|problem| (problem.path, problem.message))
        .collect()
}

/// Paths of the problems of a scene.
fn paths(scene: &Value) -> Vec<String> {
    problems(scene).into_iter().map(|(path, _)| path).collect()
}

/// A scene of the given bodies and obstacles, which get names and a material.
///
/// Materials are `rubber` with a law, `springs`, and `steel` without a law.
fn scene(bodies: &Value, obstacles: &Value) -> Value {
    json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": {
            "rubber": {
                "density": 1000,
                "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } }
            },
            "springs": { "density": 1000, "law": { "mass_spring": { "stiffness": 1e5 } } },
            "steel": { "density": 7800 }
        },
        "bodies": named(bodies, "body"),
        "obstacles": named(obstacles, "obstacle")
    })
}

/// A list of bodies or obstacles with names. Bodies without a material become rubber.
fn named(list: &Value, what: &str) -> Value {
    let mut list = list.clone();
    for (k, entry) in list.as_array_mut().unwrap().iter_mut().enumerate() {
        entry["name"] = json!(format!("{what} {k}"));
        if what == "body" && entry.get("material").is_none() {
            entry["material"] = json!("rubber");
        }
    }
    list
}

/// A scene of one body.
fn scene_of(body: &Value) -> Value {
    scene(&json!([body]), &json!([]))
}

/// A scene of one obstacle, and a body, without which no scene is good.
fn scene_with(obstacle: &Value) -> Value {
    scene(&json!([{ "shape": square() }]), &json!([obstacle]))
}

/// Paths of keys below `place`.
fn below(place: &str, keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| format!("{place}.{key}")).collect()
}

/// A square with triangles.
fn square() -> Value {
    json!({ "square": { "side": 1, "segments": 2 } })
}

#[test]
fn all_problems_are_reported_at_once() {
    let mesh = json!({
        "vertices": [[0, 0], [1, 0], [0, 1], [2, 2]],
        "triangles": [[0, 2, 1], [0, 1, 9]]
    });
    let plane = json!({ "half_plane": { "normal": [0, 0], "origin": [0, 0] } });
    let law = json!({ "neo_hookean": { "young": 1e5, "poisson": 0.5 } });
    let scene = json!({
        "time": { "step": 0, "steps": 3 },
        "materials": { "rubber": { "density": -1, "law": law } },
        "bodies": [
            {
                "name": "a",
                "shape": { "square": { "side": 1, "segments": 0 } },
                "material": "ruber"
            },
            { "name": "a", "shape": { "mesh": mesh }, "material": "rubber" }
        ],
        "obstacles": [{ "name": "ground", "shape": plane }],
        "contact": {
            "d_hat": -1,
            "min_separation": -1,
            "exclude": [["a", "ground"], ["ground", "a"], ["a", "grund"], ["a", "a"]],
            "friction": { "pairs": [{ "between": ["a", "grund"], "coefficient": -0.1 }] }
        },
        "output": { "every": 0, "frames_every": 0, "width": 4 }
    });

    let problems = problems(&scene);
    let paths: Vec<&str> = problems.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, PATHS_OF_ALL_PROBLEMS);
    assert!(problems[3].1.contains("did you mean \"rubber\"?"));
    assert!(problems[10].1.contains("did you mean \"ground\"?"));
}

/// Paths in the order in which the test of all problems expects them.
const PATHS_OF_ALL_PROBLEMS: [&str; 20] = [
    "time.step",
    "materials.rubber.density",
    "materials.rubber.law.neo_hookean.poisson",
    "bodies[0].material",
    "bodies[0].shape.square.segments",
    "bodies[1].shape.mesh.triangles[0]",
    "bodies[1].shape.mesh.triangles[1]",
    "bodies[1].shape.mesh.vertices[3]",
    "obstacles[0].shape.half_plane.normal",
    "bodies[1].name",
    "contact.friction.pairs[0].between",
    "contact.friction.pairs[0].coefficient",
    "contact.exclude[1]",
    "contact.exclude[2]",
    "contact.exclude[3]",
    "contact.d_hat",
    "contact.min_separation",
    "output.every",
    "output.frames_every",
    "output.width",
];
