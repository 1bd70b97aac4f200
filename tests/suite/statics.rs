//! Statics: bits after resumption, and the failures that name what nothing holds.
//!
//! Closed forms are cases of `validate` (`static_*`).

use crate::support::{Parts, Run, inline};
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// A static scene of two increments with some bodies, and other keys.
fn scene(bodies: &Value, more: &Value) -> Scene {
    let mut scene = json!({
        "time": { "step": 0.5, "steps": 2, "integrator": "static" },
        "materials": {
            "steel": { "density": 7800 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } }
        },
        "contact": { "friction": { "default": 0.5 } },
        "bodies": bodies
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    inline(scene)
}

/// A rigid bar of 0.5 x 0.05 m.
fn bar(name: &str, x: f64) -> Value {
    json!({
        "name": name, "kind": "rigid", "material": "steel", "position": [x, 1.0],
        "shape": { "rectangle": { "size": [0.5, 0.05], "segments": [1, 1] } }
    })
}

/// The ground at `y = 0`.
fn ground() -> Value {
    json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }])
}

/// Name of the failure of the first increment of a scene.
fn failure(scene: &Scene) -> Option<&'static str> {
    let failure = Run::of(scene).try_step().err()?;
    Some(failure.kind())
}

#[test]
fn a_load_that_nothing_carries_and_a_mechanism_are_named_failures() {
    // Nothing below the bar; a floor without friction; a floor with friction.
    let falls = scene(&json!([bar("bar", 0.0)]), &json!({}));
    assert_eq!(failure(&falls), Some("unheld"));
    let smooth = json!({ "obstacles": ground(), "contact": {} });
    assert_eq!(
        failure(&scene(&json!([bar("bar", 0.0)]), &smooth)),
        Some("loose")
    );
    let rough = json!({ "obstacles": ground() });
    assert_eq!(failure(&scene(&json!([bar("bar", 0.0)]), &rough)), None);

    // Without weight two bars on a hinge keep their place, but nothing determines it.
    let hinged = json!({
        "gravity": [0, 0],
        "joints": [{ "hinge": { "bodies": ["a", "b"], "at": [0.255, 1.0] } }]
    });
    let bars = json!([bar("a", 0.0), bar("b", 0.51)]);
    assert_eq!(failure(&scene(&bars, &hinged)), Some("loose"));
}

#[test]
fn increments_resume_with_the_same_bits() {
    let block = json!([{
        "name": "block", "material": "rubber", "position": [0, 0.2],
        "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [8, 4] } }
    }]);
    let loads = json!([{ "body": "block", "force": ["20 * t", "-100 * t"] }]);
    let scene = scene(&block, &json!({ "obstacles": ground(), "loads": loads }));
    let mut whole = Parts::of(&scene);
    let mut resumed = Parts::of(&scene);
    for _ in 0..4 {
        let expected = whole.step();

        resumed.reload();
        assert_eq!(resumed.step(), expected);
    }
}
