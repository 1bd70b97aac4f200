//! `ipcsim optimise`: identification, bounds, resumption, wrong plans.

use super::problem;
use crate::program::ipcsim_in;
use ipcsim_diff::{Objective, Run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const YOUNG: &str = "materials.rubber.law.neo_hookean.young";
const FRICTION: &str = "contact.friction.default";

/// A block that is thrown onto the ground, with known numbers.
fn thrown() -> Value {
    json!({
        "time": {"step": 0.01, "steps": 20},
        "materials": {"rubber": {"density": 1000, "law": {"neo_hookean": {"young": 8e4, "poisson": 0.4}}}},
        "bodies": [{
            "name": "block", "shape": {"rectangle": {"size": [0.2, 0.1], "segments": [3, 2]}},
            "material": "rubber", "position": [0, 0.0525], "velocity": [1.0, -0.5]
        }],
        "obstacles": [{"name": "ground", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}],
        "contact": {"d_hat": 2e-3, "kappa": 1e5, "friction": {"default": 0.35}}
    })
}

/// A folder with a scene and a plan.
fn folder(scene: &Value, plan: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.json"), scene.to_string()).unwrap();
    fs::write(folder.path().join("plan.json"), plan.to_string()).unwrap();
    folder
}

/// A plan that finds friction and modulus from the trajectory of the block.
fn identification() -> Value {
    let problem = problem(&thrown(), &[]).unwrap();
    let texts = ["block.x", "block.y"];
    let objectives = texts.map(|text| Objective::read(&problem, text).unwrap());
    let run = Run::new(&problem, &objectives).unwrap();
    let series = run.series(&objectives);
    json!({
        "scene": "scene.json",
        "change": [
            {"key": FRICTION, "start": 0.2, "min": 0, "max": 1},
            {"key": YOUNG, "start": 2e5, "min": 1e4, "max": 1e6, "scale": "log"}
        ],
        "fit": [
            {"of": "block.x", "values": series[0]},
            {"of": "block.y", "values": series[1]}
        ]
    })
}

/// Result of a search in a folder.
fn result(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("found/result.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn friction_and_modulus_are_identified_in_at_most_ten_gradients() {
    let folder = folder(&thrown(), &identification());
    let args = ["optimise", "plan.json", "--out", "found"];
    ipcsim_in(folder.path(), &args)
        .exits(0)
        .prints("to run it: ipcsim run scene.json --set");
    let first = result(folder.path());
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() / expected - 1.0).abs();
    assert!(near(&first["set"][FRICTION], 0.35) < 1e-4, "{first}");
    assert!(near(&first["set"][YOUNG], 8e4) < 1e-4, "{first}");
    assert!(first["gradients"].as_u64().unwrap() <= 10, "{first}");
    assert_eq!(first["method"], "gauss_newton");

    // A journal that was cut off leads to the same bytes.
    let journal = folder.path().join("found/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let cut = whole.len() / 2;
    fs::write(&journal, &whole[..cut]).unwrap();
    ipcsim_in(folder.path(), &args).exits(0);
    assert_eq!(fs::read_to_string(&journal).unwrap(), whole);
    assert_eq!(result(folder.path()), first);

    // Another plan does not mix with it.
    let mut other = identification();
    other["gradients"] = json!(3);
    fs::write(folder.path().join("plan.json"), other.to_string()).unwrap();
    ipcsim_in(folder.path(), &args)
        .exits(2)
        .complains("another plan or scene");
}

#[test]
fn a_number_that_should_be_large_goes_to_its_bound() {
    let plan = json!({
        "scene": "scene.json",
        "set": {"time.steps": 5},
        "change": [{"key": "bodies.block.velocity.0", "min": 0, "max": 1.5}],
        "maximise": ["block.x"]
    });
    let folder = folder(&thrown(), &plan);
    let args = ["optimise", "plan.json", "--out", "found", "--quiet"];
    ipcsim_in(folder.path(), &args).exits(0);
    let found = result(folder.path());
    assert_eq!(found["set"]["bodies.block.velocity.0"], 1.5);
    assert_eq!(found["ended"], "converged");
    assert_eq!(found["method"], "quasi_newton");
}

#[test]
fn a_plan_is_checked_by_differences_and_wrong_ones_are_refused() {
    let plan = json!({
        "scene": "scene.json",
        "set": {"time.steps": 4},
        "change": [{"key": "bodies.block.velocity.0"}],
        "minimise": [{"of": "block.vx", "weight": 2}]
    });
    let own = folder(&thrown(), &plan);
    let ended = ipcsim_in(own.path(), &["optimise", "plan.json", "--check"]);
    ended
        .exits(0)
        .prints("by bodies.block.velocity.0")
        .prints("apart by");

    for (key, value, expected) in [
        ("change", json!([]), "names no number"),
        (
            "change",
            json!([{"key": "bodies.block.velocity.0", "min": 2}]),
            "which is not from 2",
        ),
        (
            "minimise",
            json!(["block.heat"]),
            "quantities with a derivative",
        ),
        (
            "fit",
            json!([{"of": "block.x", "values": [1, 2]}]),
            "give as many",
        ),
    ] {
        let mut wrong = plan.clone();
        wrong[key] = value;
        let own = folder(&thrown(), &wrong);
        let args = ["optimise", "plan.json", "--out", "found"];
        ipcsim_in(own.path(), &args).exits(2).complains(expected);
    }
}
