//! `ipcsim import`: warnings about settings without a counterpart, and errors.

use crate::importing::{imported, imported_text, refused, rod, stored, wire};
use crate::program::{Place, ipcsim, ipcsim_in, project};
use crate::rigid_ipc_scenes as scenes;
use ipcsim::scene::parse;
use serde_json::{Value, json};

#[test]
fn what_is_not_honoured_or_not_known_is_named_once_with_its_place() {
    let body = |more: Value| {
        let mut body = json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "oriented": true, "polygons": [[[0, 0]]] });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    let scene = json!({
        "scene_type": "distance_barrier_rb_problem", "solver": "homotopy_solver", "homotopy_solver": { "e_b": 1e-6 },
        "max_iterations": 5, "max_time": 1, "#max_time": 2, "maxtime": 3, "viewport_bbox": { "min": [0, 0], "max": [0, 0] },
        "distance_barrier_constraint": { "detection_method": "bvh", "barrier_type": "poly_log" },
        "friction_constraints": { "iteration": 3 },
        "newton_solver": { "energy_conv_tol": 1e-3, "convergence_criteria": "velocity" },
        "ipc_solver": { "energy_conv_tol": 1e-3 },
        "rigid_body_problem": {
            "coefficient_restitution": 0.5, "time_stepper": "default",
            "rigid_bodies": [body(json!({})), body(json!({ "masses": [1, 2], "colour": "red" })), body(json!({ "masses": [] }))],
        },
    });
    let (_, said) = imported_text(&scene.to_string());
    let bodies = "rigid_body_problem.rigid_bodies";

    // By place, and once for all bodies.
    let expected = [
        "homotopy_solver: is not honoured: a step is solved by projected Newton".to_owned(),
        "maxtime: 3 is not known and has no effect".to_owned(),
        "solver: \"homotopy_solver\" is not honoured: a step is solved by projected Newton".to_owned(),
        "rigid_body_problem.coefficient_restitution: 0.5 is not honoured: how far bodies bounce follows from the time step"
            .to_owned(),
        format!("{bodies}[1].colour: \"red\" is not known and has no effect"),
        format!("{bodies}[1].masses: is not honoured: mass is density times length of edges (2 times)"),
        "distance_barrier_constraint.barrier_type: \"poly_log\" is not honoured: see \"contact.barrier\" of the new scene"
            .to_owned(),
        "friction_constraints.iteration: 3 is not known and has no effect".to_owned(),
        "newton_solver.energy_conv_tol: 0.001 is not honoured: a step has converged when its speed is small (2 times)"
            .to_owned(),
        "max_iterations: is not used, since \"max_time\" is given, too".to_owned(),
    ];

    assert_eq!(
        said.lines().map(ToOwned::to_owned).collect::<Vec<_>>(),
        expected.map(|line| format!("warning: {line}"))
    );
}

/// Asserts that the scene of a rod with given keys is refused with a message about the body.
fn assert_refused(cases: &[(Value, &str)]) {
    for (keys, message) in cases {
        let expected = format!("rigid_body_problem.rigid_bodies[0].{message}\n");
        assert_eq!(refused(&rod(keys).to_string()), expected);
    }
}

#[test]
fn shapes_that_cannot_be_imported_are_named_with_their_place() {
    // Elements, vertices and models.
    assert_refused(&[
        (
            json!({ "edges": [[0, 2]] }),
            "edges[0]: there is no vertex 2; the body has 2, from 0",
        ),
        (
            json!({ "edges": [] }),
            "edges: have no length, hence the body no mass; add edges or make it static",
        ),
        (
            json!({ "edges": [[1, 1]] }),
            "edges: have no length, hence the body no mass; add edges or make it static",
        ),
        (
            json!({ "vertices": [] }),
            "vertices: there are none; give the points of the body as [x, y]",
        ),
        (
            json!({ "vertices": [[0, 0], [1]] }),
            "vertices[1]: has 1 coordinates, expected 2",
        ),
        (
            json!({ "vertices": [[0, 0, 0], [1, 0, 0]] }),
            "vertices[0]: has 3 coordinates; only 2D scenes can be imported",
        ),
        (
            json!({ "mesh": "cube.obj" }),
            "mesh: \"cube.obj\" is neither beside the scene nor in a folder \"meshes\" there or above; if it is \
                 a surface in space, the scene cannot be imported",
        ),
    ]);
}

#[test]
fn motions_and_masses_that_cannot_be_imported_are_named_with_their_place() {
    // Numbers of components, and values that mean nothing in 2D.
    assert_refused(&[
        (
            json!({ "position": [0, 0, 1] }),
            "position: has a third component that is not 0; only 2D scenes can be imported",
        ),
        (
            json!({ "position": [0] }),
            "position: has 1 of 2 components",
        ),
        (
            json!({ "rotation": [0, 0, 9] }),
            "rotation: has a second component that is not 0; only 2D scenes can be imported",
        ),
        (
            json!({ "rotation": [] }),
            "rotation: is empty; expected an angle",
        ),
        (json!({ "scale": [2] }), "scale: has 1 of 2 factors"),
        (
            json!({ "density": 0 }),
            "density: is 0 kg/m, but must be positive",
        ),
        (
            json!({ "is_dof_fixed": [true] }),
            "is_dof_fixed: has 1 of 3 entries, for x, y and the angle",
        ),
        (
            json!({ "velocity": [1, 2, 3], "linear_velocity": [1, 2] }),
            "velocity: is given under its new name, too; remove one of them",
        ),
        (
            json!({ "kinematic_poses": [{ "position": [1] }] }),
            "kinematic_poses[0].position: has 1 of 2 components",
        ),
    ]);
}

#[test]
fn all_wrong_bodies_and_numbers_are_reported_at_once() {
    let body = |density: i32| json!({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "density": density });
    let mut scene = scenes::scene(1, 0.0, &[body(-1), body(2), body(-3)]);
    scene["timestep"] = json!(0);
    scene["rigid_body_problem"]["gravity"] = json!([0, 0, -9.81]);
    assert_eq!(
        refused(&scene.to_string()),
        "4 problems
  1. timestep: is 0, but must be positive
  2. rigid_body_problem.rigid_bodies[0].density: is -1 kg/m, but must be positive
  3. rigid_body_problem.rigid_bodies[2].density: is -3 kg/m, but must be positive
  4. rigid_body_problem.gravity: has a third component that is not 0; only 2D scenes can be imported\n"
    );
    let nothing = json!({ "rigid_body_problem": { "rigid_bodies": [] } });
    assert_eq!(
        refused(&nothing.to_string()),
        "rigid_body_problem.rigid_bodies: there is no body; add at least one\n"
    );
}

#[test]
fn wrong_types_and_broken_json_are_reported_with_line_and_column() {
    let at = "(rigid_body_problem.rigid_bodies[0]";
    let cases = [
        (
            rod_text(r#""vertices":[[0,"a"]]"#),
            format!("{at}.vertices[0][1]): found the text \"a\", expected a number"),
        ),
        (
            rod_text(r#""edges":[[0,-1]]"#),
            format!("{at}.edges[0][1]): found the number -1, expected a whole number, 0 or larger"),
        ),
        (
            rod_text(r#""edges":[[0,1,2]]"#),
            format!("{at}.edges[0]): found more entries than expected"),
        ),
        (
            rod_text(r#""type":"dynamc""#),
            format!("{at}.type): unknown choice \"dynamc\"; did you mean \"dynamic\"?"),
        ),
        (
            rod_text(r#""rotation":"a""#),
            format!("{at}.rotation): expected a number or a list of numbers"),
        ),
        (
            rod_text(r#""group_id":1.5"#),
            format!("{at}.group_id): found the number 1.5, expected a whole number"),
        ),
    ];

    for (text, message) in cases {
        let said = refused(&text);
        assert!(
            said.starts_with("line 2, column ") && said.ends_with(&format!(" {message}\n")),
            "{text}: {said}"
        );
    }
}

#[test]
fn text_that_is_no_json_or_no_object_is_reported_with_line_and_column() {
    assert_eq!(
        refused("{\n\"timestep\":0.1,}"),
        "line 2, column 16: trailing comma\n"
    );
    assert_eq!(
        refused(r#"{"timestep":0.1}"#),
        "line 1, column 16: missing key \"rigid_body_problem\"\n"
    );
    assert_eq!(
        refused("[]"),
        "line 1, column 1: found a list, expected an object, { ... }\n"
    );

    let cut = rod_text("").replace("}]}}", "");
    assert!(
        refused(&cut).contains("the file ends within"),
        "{}",
        refused(&cut)
    );
}

/// Text of a scene of one body with these keys, which stand on line 2.
fn rod_text(keys: &str) -> String {
    format!("{{\"rigid_body_problem\":{{\"rigid_bodies\":[\n{{{keys}}}]}}}}")
}

#[test]
fn without_an_output_file_the_scene_is_printed_and_warnings_are_not_part_of_it() {
    let place = Place::new();
    let from = place.path("tower.json");
    let to = place.path("to.json");
    let mut tower = scenes::tower(3, 0.0);
    tower["rigid_body_problem"]["coefficient_restitution"] = json!(1);
    std::fs::write(&from, tower.to_string()).unwrap();
    let printed = ipcsim(&["import", "rigid-ipc", &from]);

    assert_eq!(
        (printed.code, printed.stderr.lines().count()),
        (0, 1),
        "{}",
        printed.stderr
    );

    // With an output file, the same scene and warnings.
    let written = ipcsim(&["import", "rigid-ipc", &from, "--out", &to]);
    assert_eq!(
        (written.code, written.stderr.as_str()),
        (0, printed.stderr.as_str())
    );
    assert_eq!(
        written.stdout,
        format!("{to}: 3 bodies, 1 obstacle, 100 steps\n")
    );
    assert_eq!(printed.stdout, place.read("to.json"));
    assert_eq!(
        parse(&printed.stdout, &[]).unwrap().name.as_deref(),
        Some("tower")
    );
}

/// Writes a file in a place, and the folders above it.
fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A scene of one body with a model twice as large as in its file.
fn scene_of_model(name: &str) -> String {
    scenes::scene(1, 0.0, &[json!({ "mesh": name, "scale": 2 })]).to_string()
}

#[test]
fn models_are_read_from_files_beside_the_scene_or_in_a_folder_meshes() {
    let place = Place::new();
    write(
        &place,
        "meshes/flat/vee.obj",
        "# a V\nv -1 2\nv 0 0\nl 1 2\nv 1 2\nl -1 -2\n",
    );
    write(
        &place,
        "scenes/deep/vee.json",
        &scene_of_model("flat/vee.obj"),
    );
    let ended = ipcsim_in(
        place.root(),
        &["import", "rigid-ipc", "scenes/deep/vee.json"],
    );

    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let body = parse(&ended.stdout, &[]).unwrap().bodies[0].clone();
    assert_eq!(
        wire(&body.shape).vertices,
        [[-2.0, 4.0], [0.0, 0.0], [2.0, 4.0]]
    );
    assert_eq!(wire(&body.shape).pairs()[..], [[0, 1], [2, 1]]);
}

#[test]
fn models_that_cannot_be_imported_are_named_with_their_line() {
    let place = Place::new();
    let wrong = [
        (
            "v 0 0\nv 1 0 0\n",
            "line 2: has not two coordinates; only 2D scenes can be imported",
        ),
        ("v 0 a\n", "line 1: expected two numbers"),
        (
            "v 0 0\nv 1 0\nl 1 3\n",
            "line 3: expected numbers of points before it",
        ),
        (
            "v 0 0\nl 1 0\n",
            "line 2: expected numbers of points before it",
        ),
        (
            "v 0 0\nf 1 1 1\n",
            "line 2: is a face; only 2D scenes can be imported",
        ),
    ];
    write(&place, "scene.json", &scene_of_model("model.obj"));

    for (model, message) in wrong {
        write(&place, "model.obj", model);
        let ended = ipcsim_in(place.root(), &["import", "rigid-ipc", "scene.json"]);
        let path = place.path("model.obj");
        let expected = format!(
            "error: scene.json: rigid_body_problem.rigid_bodies[0].mesh: {path}: {message}\n"
        );
        assert_eq!((ended.code, ended.stderr), (2, expected));
    }
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let place = Place::new();
    let missing = place.path("nowhere.json");
    let ended = ipcsim(&["import", "rigid-ipc", &missing]);
    let expected =
        format!("error: {missing}: cannot be read: No such file or directory (os error 2)\n");

    assert_eq!(
        (ended.code, ended.stdout.as_str(), ended.stderr),
        (2, "", expected)
    );
    let from = project("tests/data/rigid_ipc/rods.json");
    let to = place.path("no/folder.json");
    let ended = ipcsim(&["import", "rigid-ipc", from.to_str().unwrap(), "-o", &to]);

    assert_eq!(ended.code, 2);
    assert!(
        ended
            .stderr
            .starts_with(&format!("error: cannot write {to}")),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_saw_of_a_thousand_teeth_and_all_other_scenes_are_imported_without_a_warning() {
    let saws = imported(&scenes::saws(1000));
    assert_eq!(wire(&saws.bodies[0].shape).pairs().len(), 2003);

    for (name, scene) in scenes::small() {
        let (scene, said) = imported_text(&scene.to_string());
        assert!(
            said.is_empty() && !scene.bodies.is_empty(),
            "{name}: {said}"
        );
    }

    for name in ["hook", "rods", "touching"] {
        assert!(!stored(name).bodies.is_empty());
    }
}
