//! Scenes with many problems, and with none.

use super::*;
use crate::scene::parse;
use serde_json::{Value, json};

fn problems(scene: &Value) -> Vec<(String, String)> {
    let found = check(&parse(&scene.to_string(), &[]).unwrap());
    found
        .into_iter()
        .map(|problem| (problem.path, problem.message))
        .collect()
}

fn paths(scene: &Value) -> Vec<String> {
    problems(scene).into_iter().map(|(path, _)| path).collect()
}

/// A scene of the given bodies and obstacles, which get names where they have none.
fn scene(bodies: &Value, obstacles: &Value) -> Value {
    let named = |list: &Value, what: &str| {
        let mut list = list.clone();
        for (k, entry) in list.as_array_mut().unwrap().iter_mut().enumerate() {
            entry["name"] = json!(format!("{what} {k}"));
            if what == "body" && entry.get("material").is_none() {
                entry["material"] = json!("rubber");
            }
        }
        list
    };
    json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } },
            "springs": { "density": 1000, "law": { "mass_spring": { "stiffness": 1e5 } } },
            "steel": { "density": 7800 }
        },
        "bodies": named(bodies, "body"),
        "obstacles": named(obstacles, "obstacle")
    })
}

fn shapes_without_triangles() -> Vec<Value> {
    vec![
        json!({ "outline": { "points": [[0, 0], [4, 0], [4, 4], [0, 4]], "holes": [[[1, 1], [1, 2], [2, 1]]] } }),
        json!({ "ring": { "radius": 2, "inner_radius": 1.5, "segments": 16 } }),
        json!({ "gear": { "teeth": 12, "pitch_radius": 12, "addendum": 2, "bore": 3 } }),
        json!({ "polyline": { "points": [[0, 0], [1, 0], [1, 1]] } }),
        json!({ "wire": { "vertices": [[0, 0], [1, 0], [1, 1], [5, 5]], "edges": [[0, 1], [1, 2]] } }),
    ]
}

fn square() -> Value {
    json!({ "square": { "side": 1, "segments": 2 } })
}

#[test]
fn all_problems_are_reported_at_once() {
    let scene = json!({ "time": { "step": 0, "steps": 3 },
        "materials": { "rubber": { "density": -1, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.5 } } } },
        "bodies": [ { "name": "a", "shape": { "square": { "side": 1, "segments": 0 } }, "material": "ruber" },
                    { "name": "a", "shape": { "mesh": { "vertices": [[0,0],[1,0],[0,1],[2,2]],
                      "triangles": [[0,2,1],[0,1,9]] } }, "material": "rubber" } ],
        "obstacles": [ { "name": "ground", "shape": { "half_plane": { "normal": [0,0], "origin": [0,0] } } } ],
        "contact": { "d_hat": -1, "min_separation": -1, "exclude": [["a", "ground"], ["ground", "a"], ["a", "grund"], ["a", "a"]],
            "friction": { "pairs": [ { "between": ["a", "grund"], "coefficient": -0.1 } ] } },
        "output": { "every": 0, "width": 4 } });
    let problems = problems(&scene);
    let paths: Vec<&str> = problems.iter().map(|(path, _)| path.as_str()).collect();
    let expected = [
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
        "output.width",
    ];
    assert_eq!(paths, expected);
    assert!(problems[3].1.contains("did you mean \"rubber\"?"));
    assert!(problems[10].1.contains("did you mean \"ground\"?"));
}

#[test]
fn every_kind_takes_the_shapes_that_are_for_it() {
    let with_triangles = vec![
        square(),
        json!({ "rectangle": { "size": [2, 1], "segments": [2, 1] } }),
        json!({ "disk": { "radius": 1, "segments": 12 } }),
        json!({ "regular_polygon": { "radius": 1, "sides": 5, "segments": 1 } }),
        json!({ "mesh": { "vertices": [[0, 0], [1, 0], [0, 1]], "triangles": [[0, 1, 2]] } }),
    ];
    let without = shapes_without_triangles();
    let round = vec![
        json!({ "circle": { "radius": 1 } }),
        json!({ "point": { "mass": 2 } }),
    ];
    let half_plane = vec![json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } })];
    let all: Vec<&[Value]> = vec![&with_triangles, &without, &round, &half_plane];
    let reduced = [
        json!({ "polynomial": { "order": 2 } }),
        json!({ "modal": { "modes": 3 } }),
    ];
    let kinds = [json!("deformable"), json!("rigid"), json!({ "affine": {} })]
        .into_iter()
        .chain(reduced);
    for (kind, groups) in kinds.zip([1, 3, 2, 1, 1]) {
        for (group, shapes) in all.iter().enumerate() {
            for shape in *shapes {
                let bodies = json!([{ "kind": kind, "shape": shape }]);
                let found = problems(&scene(&bodies, &json!([])));
                if group < groups {
                    assert_eq!(found, [], "{kind} {shape}");
                } else {
                    assert_eq!(found.len(), 1, "{kind} {shape}");
                    assert!(
                        found[0].0 == "bodies[0].shape" && found[0].1.contains(" is for "),
                        "{found:?}"
                    );
                }
            }
        }
    }
    let obstacles: Vec<Value> = all
        .concat()
        .iter()
        .map(|shape| json!({ "shape": shape }))
        .collect();
    assert_eq!(
        problems(&scene(&json!([{ "shape": square() }]), &json!(obstacles))),
        []
    );
}

#[test]
fn shapes_without_a_sense_are_refused() {
    let outline = |points: Value| json!({ "outline": { "points": points } });
    let gear = |key: &str, value: f64| {
        let mut gear = json!({ "gear": { "teeth": 20, "pitch_radius": 20, "addendum": 2 } });
        gear["gear"][key] = if key == "teeth" {
            json!(2)
        } else {
            json!(value)
        };
        gear
    };
    let cases = [
        (json!({ "circle": { "radius": 0 } }), "circle.radius"),
        (json!({ "point": { "mass": 0 } }), "point.mass"),
        (
            json!({ "ring": { "radius": 1, "inner_radius": 1, "segments": 8 } }),
            "ring.inner_radius",
        ),
        (
            json!({ "ring": { "radius": 1, "inner_radius": -1, "segments": 8 } }),
            "ring.inner_radius",
        ),
        (
            json!({ "ring": { "radius": 1, "inner_radius": 0.5, "segments": 2 } }),
            "ring.segments",
        ),
        (
            json!({ "ring": { "radius": 1, "inner_radius": 0.5, "segments": 200_000_000 } }),
            "ring.segments",
        ),
        (gear("teeth", 2.0), "gear.teeth"),
        (gear("backlash", 1.0), "gear.backlash"),
        (gear("addendum", 7.0), "gear.addendum"),
        (gear("bore", 17.4), "gear.bore"),
        (outline(json!([[0, 0], [1, 0]])), "outline.points"),
        (
            outline(json!([[0, 0], [1, 0], [1, 0], [0, 1]])),
            "outline.points[2]",
        ),
        (
            outline(json!([[0, 0], [1, 0], [0, 1], [0, 0]])),
            "outline.points[3]",
        ),
        // A bow tie, a vertex on a side, a corner met twice, a spike.
        (outline(json!([[0, 0], [1, 1], [1, 0], [0, 1]])), "outline"),
        (outline(json!([[0, 0], [2, 0], [2, 2], [1, 0]])), "outline"),
        (
            outline(json!([[0, 0], [1, 0], [0, 1], [0, 0.0], [-1, 0], [0, -1]])),
            "outline",
        ),
        (outline(json!([[0, 0], [2, 0], [1, 0]])), "outline"),
        (
            json!({ "outline": { "points": [[0, 0], [4, 0], [0, 4]], "holes": [[[1, 1], [5, 1], [1, 2]]] } }),
            "outline",
        ),
        (
            json!({ "outline": { "points": [[0, 0], [4, 0], [0, 4]], "holes": [[[9, 9], [8, 9], [9, 8]]] } }),
            "outline.holes[0]",
        ),
        (
            json!({ "polyline": { "points": [[0, 0]] } }),
            "polyline.points",
        ),
        (
            json!({ "polyline": { "points": [[0, 0], [0, 0]] } }),
            "polyline.points[1]",
        ),
        (
            json!({ "polyline": { "points": [[0, 0], [1, 0]], "closed": true } }),
            "polyline.points",
        ),
        (
            json!({ "wire": { "vertices": [], "edges": [] } }),
            "wire.vertices",
        ),
        (
            json!({ "wire": { "vertices": [[0, 0], [1, 0]], "edges": [[0, 2]] } }),
            "wire.edges[0]",
        ),
        (
            json!({ "wire": { "vertices": [[0, 0], [1, 0]], "edges": [[0, 1], [1, 0]] } }),
            "wire.edges[1]",
        ),
        (
            json!({ "wire": { "vertices": [[0, 0], [0, 0]], "edges": [[0, 1]] } }),
            "wire.edges[0]",
        ),
    ];
    for (shape, key) in cases {
        let found = paths(&scene(
            &json!([{ "kind": "rigid", "shape": shape }]),
            &json!([]),
        ));
        assert_eq!(found, [format!("bodies[0].shape.{key}")], "{shape}");
        let found = paths(&scene(
            &json!([{ "shape": square() }]),
            &json!([{ "shape": shape }]),
        ));
        assert_eq!(found, [format!("obstacles[0].shape.{key}")], "{shape}");
    }
}

#[test]
fn an_affine_body_must_not_lie_on_a_line() {
    let flat = [
        json!({ "polyline": { "points": [[0, 0], [1, 3], [3, 9]] } }),
        json!({ "wire": { "vertices": [[0, 0], [1, 1], [5, 4]], "edges": [[0, 1]] } }),
    ];
    for shape in flat {
        for (kind, expected) in [
            (json!("rigid"), &[][..]),
            (json!({ "affine": {} }), &["bodies[0].shape"]),
        ] {
            assert_eq!(
                paths(&scene(
                    &json!([{ "kind": kind, "shape": shape }]),
                    &json!([])
                )),
                expected,
                "{shape}"
            );
        }
    }
    let points = json!([{ "kind": "rigid", "shape": { "wire": { "vertices": [[0, 0], [1, 0]], "edges": [] } } }]);
    assert_eq!(paths(&scene(&points, &json!([]))), ["bodies[0].shape"]);
}

#[test]
fn keys_that_a_kind_does_not_look_at_are_refused() {
    let everything = json!({ "shape": square(), "stretch": [2, 1], "lumping": "uniform", "torque": 1, "fixed": ["x"],
        "prescribed": [{ "vertices": "all" }], "script": {}, "mass_from": "edges", "spin_deg": 5, "force": [1, 0],
        "group": "one" });
    let of = |kind: Value, keys: &[&str]| {
        let mut body = everything.clone();
        body["kind"] = kind;
        let expected: Vec<String> = keys.iter().map(|key| format!("bodies[0].{key}")).collect();
        assert_eq!(paths(&scene(&json!([body]), &json!([]))), expected);
    };
    of(
        json!("deformable"),
        &["torque", "fixed", "script", "mass_from"],
    );
    of(json!("rigid"), &["stretch", "lumping", "prescribed"]);
    of(
        json!({ "affine": {} }),
        &[
            "stretch",
            "lumping",
            "prescribed",
            "torque",
            "fixed",
            "script",
        ],
    );
    for kind in [
        json!({ "polynomial": { "order": 1 } }),
        json!({ "modal": { "modes": 4 } }),
    ] {
        of(
            kind,
            &[
                "stretch",
                "lumping",
                "prescribed",
                "torque",
                "fixed",
                "script",
                "mass_from",
            ],
        );
    }
}

#[test]
fn parameters_and_materials_of_kinds_are_checked() {
    let polynomial = |order: usize| json!({ "polynomial": { "order": order } });
    let cases = [
        (json!("deformable"), "steel", &["material"][..]),
        (json!("deformable"), "springs", &[]),
        (json!("rigid"), "steel", &[]),
        (json!({ "affine": { "stiffness": 1e6 } }), "springs", &[]),
        (
            json!({ "affine": { "stiffness": 0 } }),
            "steel",
            &["kind.affine.stiffness"],
        ),
        (polynomial(2), "springs", &["material"]),
        (polynomial(2), "steel", &["material"]),
        (polynomial(0), "rubber", &["kind.polynomial.order"]),
        (polynomial(9), "rubber", &["kind.polynomial.order"]),
        (
            json!({ "modal": { "modes": 2 } }),
            "rubber",
            &["kind.modal.modes"],
        ),
    ];
    for (kind, material, keys) in cases {
        let expected: Vec<String> = keys.iter().map(|key| format!("bodies[0].{key}")).collect();
        let bodies = json!([{ "kind": kind, "shape": square(), "material": material }]);
        assert_eq!(
            paths(&scene(&bodies, &json!([]))),
            expected,
            "{kind} {material}"
        );
    }
}

#[test]
fn a_point_does_not_turn_and_a_circle_has_no_edges() {
    let point = json!({ "kind": "rigid", "shape": { "point": {} }, "torque": 1, "spin_deg": 2, "fixed": ["angle", "x"],
        "mass_from": "edges" });
    let circle = json!({ "kind": "rigid", "shape": { "circle": { "radius": 1 } }, "torque": 1, "fixed": ["x", "y", "x"],
        "mass_from": "edges" });
    let expected = [
        "bodies[0].torque",
        "bodies[0].spin_deg",
        "bodies[0].fixed",
        "bodies[0].mass_from",
    ];
    assert_eq!(paths(&scene(&json!([point]), &json!([]))), expected);
    assert_eq!(
        paths(&scene(&json!([circle]), &json!([]))),
        ["bodies[0].mass_from", "bodies[0].fixed[2]"]
    );
}

#[test]
fn prescribed_motion_is_told_in_one_way() {
    let body = |script: Value| json!({ "kind": "rigid", "shape": square(), "position": [1, 2], "rotation_deg": 30, "script": script });
    let key = |time: f64, position: [f64; 2], rotation: f64| json!({ "time": time, "position": position, "rotation_deg": rotation });
    let cases = [
        (json!({}), &[][..]),
        (
            json!({ "velocity": [1, 0], "spin_deg": 5, "travel": 1, "until": 2 }),
            &[],
        ),
        (
            json!({ "keyframes": [key(0.0, [1.0, 2.0], 30.0), key(1.0, [0.0; 2], 0.0)], "interpolation": "smooth" }),
            &[],
        ),
        (
            json!({ "keyframes": [key(0.0, [1.0, 2.0], 0.0)] }),
            &["keyframes[0]"],
        ),
        (
            json!({ "keyframes": [key(-1.0, [1.0, 2.0], 0.0)] }),
            &["keyframes[0].time"],
        ),
        (
            json!({ "keyframes": [key(2.0, [0.0; 2], 0.0), key(2.0, [0.0; 2], 0.0), key(1.0, [0.0; 2], 0.0)] }),
            &["keyframes[1].time", "keyframes[2].time"],
        ),
        (
            json!({ "keyframes": [key(2.0, [0.0; 2], 0.0)], "spin_deg": 1 }),
            &["keyframes"],
        ),
        (
            json!({ "keyframes": [key(2.0, [0.0; 2], 0.0)], "travel": 1 }),
            &["keyframes"],
        ),
        (json!({ "interpolation": "smooth" }), &["interpolation"]),
        (json!({ "travel": -1, "until": 0 }), &["travel", "until"]),
    ];
    for (script, keys) in cases {
        let expected: Vec<String> = keys
            .iter()
            .map(|key| format!("bodies[0].script.{key}"))
            .collect();
        assert_eq!(paths(&scene(&json!([body(script)]), &json!([]))), expected);
    }
    let vertices = json!([{ "shape": square(), "prescribed": [{ "vertices": "all", "axis": "angle", "until": -1 }] }]);
    let expected = [
        "bodies[0].prescribed[0].until",
        "bodies[0].prescribed[0].axis",
    ];
    assert_eq!(paths(&scene(&vertices, &json!([]))), expected);
}

#[test]
fn a_half_plane_stands_where_its_origin_and_normal_say() {
    let shape = json!({ "half_plane": { "normal": [0, 1], "origin": [0, -1] } });
    let key = |time: f64, y: f64, rotation: f64| json!({ "time": time, "position": [0, y], "rotation_deg": rotation });
    let cases = [
        (json!({ "velocity": [0, 1], "travel": 2 }), &[][..]),
        (
            json!({ "keyframes": [key(0.0, -1.0, 0.0), key(1.0, 5.0, 0.0)] }),
            &[],
        ),
        (
            json!({ "keyframes": [key(0.0, 0.0, 0.0), key(1.0, 5.0, 9.0)] }),
            &["keyframes[0]"],
        ),
        (
            json!({ "position": [0, 1], "rotation_deg": 3, "spin_deg": 4 }),
            &["position", "rotation_deg"],
        ),
    ];
    for (mut obstacle, keys) in cases {
        obstacle["shape"] = shape.clone();
        let expected: Vec<String> = keys
            .iter()
            .map(|key| format!("obstacles[0].{key}"))
            .collect();
        assert_eq!(
            paths(&scene(&json!([{ "shape": square() }]), &json!([obstacle]))),
            expected
        );
    }
}
