//! What has no meaning on a full turn is refused, each key by its name.

use super::{paths, scene, square};
use serde_json::{Value, json};

/// A scene of bodies of revolution, of a soft body and an obstacle with further keys.
fn turned(body: &Value, obstacle: &Value) -> Value {
    let mut body = body.clone();
    for (key, value) in [("shape", square()), ("position", json!([2, 1]))] {
        if body.get(key).is_none() {
            body[key] = value;
        }
    }
    let mut obstacle = obstacle.clone();
    if obstacle.get("shape").is_none() {
        obstacle["shape"] = json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } });
    }
    let mut scene = scene(&json!([body]), &json!([obstacle]));
    scene["plane"] = json!("axisymmetric");
    scene
}

#[test]
fn a_plain_scene_of_revolution_is_sound() {
    let none = json!({});
    assert_eq!(paths(&turned(&none, &none)), Vec::<String>::new());
    let rigid = json!({ "kind": "rigid", "fixed": ["x", "angle"] });
    let moved = json!({ "velocity": [0, -1] });
    assert_eq!(paths(&turned(&rigid, &moved)), Vec::<String>::new());
}

#[test]
fn bodies_that_would_leave_the_axis_or_turn_are_refused_by_their_keys() {
    for (body, expected) in [
        (json!({ "kind": "rigid" }), "bodies[0].fixed"),
        (
            json!({ "kind": "rigid", "fixed": ["x"] }),
            "bodies[0].fixed",
        ),
        (json!({ "kind": { "affine": {} } }), "bodies[0].kind"),
        (
            json!({ "kind": { "modal": { "modes": 4 } } }),
            "bodies[0].kind",
        ),
        (
            json!({ "kind": { "polynomial": { "order": 1 } } }),
            "bodies[0].kind",
        ),
        (json!({ "velocity": [1, 0] }), "bodies[0].velocity"),
        (json!({ "force": [1, 2] }), "bodies[0].force"),
        (json!({ "spin_deg": 5 }), "bodies[0].spin_deg"),
        (json!({ "belt": 1 }), "bodies[0].belt"),
        (json!({ "material": "springs" }), "bodies[0].material"),
    ] {
        let found = paths(&turned(&body, &json!({})));
        assert!(found.contains(&expected.to_owned()), "{body}: {found:?}");
    }
}

#[test]
fn obstacles_move_along_the_axis_only() {
    for obstacle in [
        json!({ "velocity": [1, 0] }),
        json!({ "spin_deg": 5 }),
        json!({ "belt": 1 }),
        json!({ "shape": { "circle": { "radius": 1 } } }),
        json!({ "shape": { "point": {} } }),
    ] {
        let found = paths(&turned(&json!({}), &obstacle));
        let is_named = found.iter().any(|path| path.starts_with("obstacles[0]"));
        assert!(is_named, "{obstacle}: {found:?}");
    }
}

#[test]
fn scenes_with_a_thickness_a_sideways_gravity_or_joints_are_refused() {
    let none = json!({});
    for (key, value) in [
        ("thickness", json!(2)),
        ("gravity", json!([1, -9.81])),
        (
            "joints",
            json!([{ "hinge": { "bodies": ["body 0", "obstacle 0"], "at": [2, 1] } }]),
        ),
        (
            "loads",
            json!([{ "name": "turn", "body": "body 0", "torque": 1 }]),
        ),
        (
            "contact",
            json!({ "friction": { "default": 0.3, "rolling": 0.1 } }),
        ),
    ] {
        let mut scene = turned(&none, &none);
        scene[key] = value;
        let found = paths(&scene);
        assert!(
            found.iter().any(|path| path.starts_with(key)),
            "{key}: {found:?}"
        );
    }
}
