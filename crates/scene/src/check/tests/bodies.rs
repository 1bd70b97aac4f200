//! Kinds of bodies with the shapes, materials and keys that they take and refuse.

use super::{below, paths, problems, scene, scene_of, square};
use serde_json::{Value, json};

/// Shapes by class: with triangles, without triangles, round, and half-planes.
fn shapes_by_class() -> [Vec<Value>; 4] {
    let with_triangles = vec![
        square(),
        json!({ "rectangle": { "size": [2, 1], "segments": [2, 1] } }),
        json!({ "disk": { "radius": 1, "segments": 12 } }),
        json!({ "regular_polygon": { "radius": 1, "sides": 5, "segments": 1 } }),
        json!({ "mesh": { "vertices": [[0, 0], [1, 0], [0, 1]], "triangles": [[0, 1, 2]] } }),
    ];

    let hole = json!([[1, 1], [1, 2], [2, 1]]);
    let vertices = json!([[0, 0], [1, 0], [1, 1], [5, 5]]);
    let without_triangles = vec![
        json!({ "outline": { "points": [[0, 0], [4, 0], [4, 4], [0, 4]], "holes": [hole] } }),
        json!({ "ring": { "radius": 2, "inner_radius": 1.5, "segments": 16 } }),
        json!({ "gear": { "teeth": 12, "pitch_radius": 12, "addendum": 2, "bore": 3 } }),
        json!({ "polyline": { "points": [[0, 0], [1, 0], [1, 1]] } }),
        json!({ "wire": { "vertices": vertices, "edges": [[0, 1], [1, 2]] } }),
    ];

    let round = vec![
        json!({ "circle": { "radius": 1 } }),
        json!({ "point": { "mass": 2 } }),
    ];
    let half_planes = vec![json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } })];
    [with_triangles, without_triangles, round, half_planes]
}

#[test]
fn every_kind_takes_the_shapes_that_are_for_it() {
    // For each kind the number of classes that it takes, from the first on.
    let kinds = [
        (json!("deformable"), 1),
        (json!("rigid"), 3),
        (json!({ "affine": {} }), 2),
        (json!({ "polynomial": { "order": 2 } }), 1),
        (json!({ "modal": { "modes": 3 } }), 1),
    ];
    let classes = shapes_by_class();

    for (kind, taken) in kinds {
        for (class, shapes) in classes.iter().enumerate() {
            for shape in shapes {
                let found = problems(&scene_of(&json!({ "kind": kind, "shape": shape })));
                if class < taken {
                    assert_eq!(found, [], "{kind} {shape}");
                    continue;
                }
                assert_eq!(found.len(), 1, "{kind} {shape}");
                let (path, message) = &found[0];
                assert!(
                    path == "bodies[0].shape" && message.contains(" is for "),
                    "{found:?}"
                );
            }
        }
    }
}

#[test]
fn obstacles_take_every_shape() {
    let shapes = shapes_by_class().concat();
    let obstacles = shapes.iter().map(|shape| json!({ "shape": shape }));
    let obstacles: Value = obstacles.collect();
    let bodies = json!([{ "shape": square() }]);
    assert_eq!(problems(&scene(&bodies, &obstacles)), []);
}

#[test]
fn an_affine_body_must_not_lie_on_a_line() {
    let polyline = json!({ "polyline": { "points": [[0, 0], [1, 3], [3, 9]] } });
    let wire = json!({ "wire": { "vertices": [[0, 0], [1, 1], [5, 4]], "edges": [[0, 1]] } });
    for shape in [polyline, wire] {
        let rigid = json!({ "kind": "rigid", "shape": shape });
        assert!(paths(&scene_of(&rigid)).is_empty(), "{shape}");
        let affine = json!({ "kind": { "affine": {} }, "shape": shape });
        assert_eq!(paths(&scene_of(&affine)), ["bodies[0].shape"], "{shape}");
    }

    // Points alone have no mass.
    let points = json!({ "wire": { "vertices": [[0, 0], [1, 0]], "edges": [] } });
    let body = json!({ "kind": "rigid", "shape": points });
    assert_eq!(paths(&scene_of(&body)), ["bodies[0].shape"]);
}

/// A body with all keys that some kind does not read, in the order of their checks.
fn body_with_everything(kind: &Value) -> Value {
    json!({
        "kind": kind,
        "shape": square(),
        "stretch": [2, 1],
        "elements": "quadratic",
        "lumping": "uniform",
        "torque": 1,
        "fixed": ["x"],
        "prescribed": [{ "vertices": "all" }],
        "script": {},
        "mass_from": "edges",
        "mass": 2,
        "centre": [0, 0],
        "moment": 1,
        "damping": { "linear": 1 },
        "spin_deg": 5,
        "force": [1, 0],
        "group": "one"
    })
}

/// Asserts that a body of a kind may not have these keys, and may have all others.
fn refuse_keys(kind: &Value, keys: &[&str]) {
    let body = body_with_everything(kind);
    assert_eq!(paths(&scene_of(&body)), below("bodies[0]", keys), "{kind}");
}

#[test]
fn keys_that_a_kind_does_not_read_are_refused() {
    let of_meshes = ["stretch", "elements", "lumping", "prescribed"];
    let of_rigid = ["torque", "fixed", "script"];
    let of_mass = ["mass_from", "mass", "centre", "moment"];
    let damping = ["damping"];
    let all = [&of_meshes[..], &of_rigid, &of_mass, &damping].concat();
    let of_whole = [&of_rigid[..], &of_mass, &damping].concat();

    refuse_keys(&json!("deformable"), &of_whole);
    refuse_keys(&json!("rigid"), &of_meshes);
    let but_mass = [&of_meshes[..], &of_rigid, &damping].concat();
    refuse_keys(&json!({ "affine": {} }), &but_mass);
    refuse_keys(&json!({ "polynomial": { "order": 1 } }), &all);
    refuse_keys(&json!({ "modal": { "modes": 4 } }), &all);
}

#[test]
fn parameters_and_materials_of_kinds_are_checked() {
    let affine = |stiffness: f64| json!({ "affine": { "stiffness": stiffness } });
    let polynomial = |order: usize| json!({ "polynomial": { "order": order } });
    let modal = json!({ "modal": { "modes": 2 } });
    let cases = [
        (json!("deformable"), "steel", &["material"][..]),
        (json!("deformable"), "springs", &[]),
        (json!("rigid"), "steel", &[]),
        (affine(1e6), "springs", &[]),
        (affine(0.0), "steel", &["kind.affine.stiffness"]),
        (polynomial(2), "springs", &["material"]),
        (polynomial(2), "steel", &["material"]),
        (polynomial(0), "rubber", &["kind.polynomial.order"]),
        (polynomial(9), "rubber", &["kind.polynomial.order"]),
        (modal, "rubber", &["kind.modal.modes"]),
    ];

    for (kind, material, keys) in cases {
        let body = json!({ "kind": kind, "shape": square(), "material": material });
        let expected = below("bodies[0]", keys);
        assert_eq!(paths(&scene_of(&body)), expected, "{kind} {material}");
    }
}

#[test]
fn a_point_does_not_turn_and_a_circle_has_no_edges() {
    let point = json!({
        "kind": "rigid",
        "shape": { "point": {} },
        "torque": 1,
        "spin_deg": 2,
        "fixed": ["angle", "x"],
        "mass_from": "edges"
    });
    let keys = ["torque", "spin_deg", "fixed", "mass_from"];
    assert_eq!(paths(&scene_of(&point)), below("bodies[0]", &keys));

    let circle = json!({
        "kind": "rigid",
        "shape": { "circle": { "radius": 1 } },
        "torque": 1,
        "fixed": ["x", "y", "x"],
        "mass_from": "edges"
    });
    let keys = ["mass_from", "fixed[2]"];
    assert_eq!(paths(&scene_of(&circle)), below("bodies[0]", &keys));
}
