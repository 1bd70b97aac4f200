//! Shapes that enclose nothing, cross themselves or fall apart, on a body and on an obstacle.

use super::{paths, scene_of, scene_with};
use serde_json::{Value, json};

/// Asserts that a shape is refused at `key`, on a rigid body and on an obstacle alike.
fn refuse(shape: &Value, key: &str) {
    let body = json!({ "kind": "rigid", "shape": shape });
    let of_body = format!("bodies[0].shape.{key}");
    assert_eq!(paths(&scene_of(&body)), [of_body], "{shape}");

    let obstacle = json!({ "shape": shape });
    let of_obstacle = format!("obstacles[0].shape.{key}");
    assert_eq!(paths(&scene_with(&obstacle)), [of_obstacle], "{shape}");
}

#[test]
fn circles_and_points_without_a_size_are_refused() {
    refuse(&json!({ "circle": { "radius": 0 } }), "circle.radius");
    refuse(&json!({ "point": { "mass": 0 } }), "point.mass");
}

#[test]
fn rings_need_a_width_and_corners() {
    for (inner, segments, key) in [
        (1.0, 8, "inner_radius"),
        (-1.0, 8, "inner_radius"),
        (0.5, 2, "segments"),
        (0.5, 200_000_000, "segments"),
    ] {
        let ring = json!({ "radius": 1, "inner_radius": inner, "segments": segments });
        refuse(&json!({ "ring": ring }), &format!("ring.{key}"));
    }
}

#[test]
fn gears_need_teeth_with_a_width_around_the_bore() {
    for (key, value) in [
        ("teeth", json!(2)),
        ("backlash", json!(1.0)),
        ("addendum", json!(7.0)),
        ("bore", json!(17.4)),
    ] {
        let mut gear = json!({ "teeth": 20, "pitch_radius": 20, "addendum": 2 });
        gear[key] = value;
        refuse(&json!({ "gear": gear }), &format!("gear.{key}"));
    }
}

#[test]
fn outlines_need_three_different_points_in_a_row() {
    for (points, key) in [
        (json!([[0, 0], [1, 0]]), "points"),
        (json!([[0, 0], [1, 0], [1, 0], [0, 1]]), "points[2]"),
        (json!([[0, 0], [1, 0], [0, 1], [0, 0]]), "points[3]"),
    ] {
        let outline = json!({ "outline": { "points": points } });
        refuse(&outline, &format!("outline.{key}"));
    }
}

#[test]
fn outlines_do_not_touch_themselves() {
    let bow_tie = json!([[0, 0], [1, 1], [1, 0], [0, 1]]);
    let vertex_on_a_side = json!([[0, 0], [2, 0], [2, 2], [1, 0]]);
    let corner_met_twice = json!([[0, 0], [1, 0], [0, 1], [0, 0.0], [-1, 0], [0, -1]]);
    let spike = json!([[0, 0], [2, 0], [1, 0]]);

    for points in [bow_tie, vertex_on_a_side, corner_met_twice, spike] {
        refuse(&json!({ "outline": { "points": points } }), "outline");
    }
}

#[test]
fn holes_are_inside_the_outline() {
    let points = json!([[0, 0], [4, 0], [0, 4]]);
    let crossing = json!([[1, 1], [5, 1], [1, 2]]);
    let outside = json!([[9, 9], [8, 9], [9, 8]]);

    for (hole, key) in [(crossing, "outline"), (outside, "outline.holes[0]")] {
        let outline = json!({ "points": points, "holes": [hole] });
        refuse(&json!({ "outline": outline }), key);
    }
}

#[test]
fn polylines_need_different_points_in_a_row() {
    for (line, key) in [
        (json!({ "points": [[0, 0]] }), "points"),
        (json!({ "points": [[0, 0], [0, 0]] }), "points[1]"),
        (
            json!({ "points": [[0, 0], [1, 0]], "closed": true }),
            "points",
        ),
    ] {
        refuse(&json!({ "polyline": line }), &format!("polyline.{key}"));
    }
}

#[test]
fn edges_of_wires_exist_have_length_and_come_once() {
    let two = json!([[0, 0], [1, 0]]);
    for (vertices, edges, key) in [
        (json!([]), json!([]), "vertices"),
        (two.clone(), json!([[0, 2]]), "edges[0]"),
        (two, json!([[0, 1], [1, 0]]), "edges[1]"),
        (json!([[0, 0], [0, 0]]), json!([[0, 1]]), "edges[0]"),
    ] {
        let wire = json!({ "vertices": vertices, "edges": edges });
        refuse(&json!({ "wire": wire }), &format!("wire.{key}"));
    }
}
