//! Scripts, keyframes and prescribed vertices that contradict themselves or their start.

use super::{below, paths, scene_of, scene_with, square};
use serde_json::{Value, json};

/// A keyframe at `time` (s).
fn key(time: f64, position: [f64; 2], rotation_deg: f64) -> Value {
    json!({ "time": time, "position": position, "rotation_deg": rotation_deg })
}

/// Asserts that a script is refused at these keys, on a rigid body that starts at (1, 2) m, turned
/// by 30 degrees.
fn refuse_script(script: &Value, keys: &[&str]) {
    let body = json!({
        "kind": "rigid",
        "shape": square(),
        "position": [1, 2],
        "rotation_deg": 30,
        "script": script
    });
    let expected = below("bodies[0].script", keys);
    assert_eq!(paths(&scene_of(&body)), expected, "{script}");
}

#[test]
fn a_script_has_a_velocity_or_keyframes() {
    refuse_script(&json!({}), &[]);
    let steady = json!({ "velocity": [1, 0], "spin_deg": 5, "travel": 1, "until": 2 });
    refuse_script(&steady, &[]);
    let keyframes = [key(0.0, [1.0, 2.0], 30.0), key(1.0, [0.0; 2], 0.0)];
    refuse_script(
        &json!({ "keyframes": keyframes, "interpolation": "smooth" }),
        &[],
    );

    // Both, or interpolation of nothing.
    let keyframe = key(2.0, [0.0; 2], 0.0);
    refuse_script(
        &json!({ "keyframes": [keyframe], "spin_deg": 1 }),
        &["keyframes"],
    );
    refuse_script(
        &json!({ "keyframes": [keyframe], "travel": 1 }),
        &["keyframes"],
    );
    refuse_script(&json!({ "interpolation": "smooth" }), &["interpolation"]);
    refuse_script(&json!({ "travel": -1, "until": 0 }), &["travel", "until"]);
}

#[test]
fn keyframes_ascend_from_the_start() {
    let elsewhere = key(0.0, [1.0, 2.0], 0.0);
    refuse_script(&json!({ "keyframes": [elsewhere] }), &["keyframes[0]"]);
    let negative = key(-1.0, [1.0, 2.0], 0.0);
    refuse_script(&json!({ "keyframes": [negative] }), &["keyframes[0].time"]);

    let times = [2.0, 2.0, 1.0];
    let descending = times.map(|time| key(time, [0.0; 2], 0.0));
    refuse_script(
        &json!({ "keyframes": descending }),
        &["keyframes[1].time", "keyframes[2].time"],
    );
}

#[test]
fn prescribed_vertices_have_no_angle() {
    let prescribed = json!({ "vertices": "all", "axis": "angle", "until": -1 });
    let body = json!({ "shape": square(), "prescribed": [prescribed] });
    let expected = below("bodies[0].prescribed[0]", &["until", "axis"]);
    assert_eq!(paths(&scene_of(&body)), expected);
}

#[test]
fn a_half_plane_stands_where_its_origin_and_normal_say() {
    let at_origin = [key(0.0, [0.0, -1.0], 0.0), key(1.0, [0.0, 5.0], 0.0)];
    let elsewhere = [key(0.0, [0.0, 0.0], 0.0), key(1.0, [0.0, 5.0], 9.0)];
    let moved = json!({ "position": [0, 1], "rotation_deg": 3, "spin_deg": 4 });
    let cases = [
        (json!({ "velocity": [0, 1], "travel": 2 }), &[][..]),
        (json!({ "keyframes": at_origin }), &[]),
        (json!({ "keyframes": elsewhere }), &["keyframes[0]"]),
        (moved, &["position", "rotation_deg"]),
    ];

    for (mut obstacle, keys) in cases {
        obstacle["shape"] = json!({ "half_plane": { "normal": [0, 1], "origin": [0, -1] } });
        assert_eq!(paths(&scene_with(&obstacle)), below("obstacles[0]", keys));
    }
}
