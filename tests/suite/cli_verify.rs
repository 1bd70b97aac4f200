//! `ipcsim verify`: accepted runs, violations that it finds, and comparison of runs.

use crate::program::{Ended, Npy, Place, forget, ipcsim};
use serde_json::json;
use std::collections::BTreeMap;

/// A short run in the folder `a`.
fn run() -> Place {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames"]);
    place
}

fn verify(place: &Place, args: &[&str]) -> Ended {
    ipcsim(&[&["verify", &place.path("a")][..], args].concat())
}

/// Message of the verification after one vertex is moved in entry 2.
fn after_moving(vertex: usize, x: [f64; 2]) -> String {
    let place = run();
    Npy::open(&place.path("a/trajectory.npy")).put(2, vertex, x);
    let ended = verify(&place, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (1, ""));
    let found = ended
        .stdout
        .strip_prefix(&format!("{}: step 2: ", place.path("a")))
        .unwrap_or_else(|| panic!("{ended:?}"));
    found.to_owned()
}

/// Replaces the field `column` of the row `row` of `energies.csv`.
fn edit_energy(place: &Place, row: usize, column: &str, edit: impl Fn(&str) -> String) {
    let text = place.read("a/energies.csv");
    let mut lines: Vec<Vec<String>> = text
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    let k = lines[0].iter().position(|name| name == column).unwrap();
    lines[row + 1][k] = edit(&lines[row + 1][k]);
    let lines: Vec<String> = lines.iter().map(|fields| fields.join(",") + "\n").collect();
    std::fs::write(place.root().join("a/energies.csv"), lines.concat()).unwrap();
    forget(&place.root().join("a/energies.csv"));
}

#[test]
fn a_good_run_is_verified() {
    let place = run();
    let ended = verify(&place, &[]);
    let expected = format!(
        "{}: verified: 4 states to step 3, no intersection, no inverted triangle, energies finite\n  states: edges, \
         interiors and triangles decided by exact predicates, circles and half-planes by computed distances\n  only the stored states \
         are proved, not the motion between them; to prove that too, run the scene with --certify\n  between states: the direct \
         way is free in 3 of 3 steps\n",
        place.path("a")
    );

    assert_eq!(
        (ended.code, ended.stdout, ended.stderr.as_str()),
        (0, expected, "")
    );
}

#[test]
fn verification_needs_only_mesh_trajectory_and_energies() {
    let place = run();
    for name in ["run.json", "scene.json", "timings.csv"] {
        std::fs::remove_file(place.root().join("a").join(name)).unwrap();
    }
    assert_eq!(verify(&place, &[]).code, 0);
}

#[test]
fn a_vertex_through_an_edge_is_caught() {
    let found = after_moving(3, [0.0, -0.4]);
    assert!(
        found.contains("meets edge")
            && found.contains("of \"upper\"")
            && found.contains("of \"lower\""),
        "{found}"
    );
}

#[test]
fn an_inverted_triangle_is_caught() {
    // The vertex in the middle of the upper square, moved out of it beyond its upper right corner.
    let found = after_moving(4, [0.3, 0.26]);
    assert!(
        found.starts_with("triangle ") && found.contains("of \"upper\" is inverted"),
        "{found}"
    );
}

#[test]
fn a_vertex_behind_a_half_plane_is_caught() {
    let found = after_moving(9, [-0.18, -1.001]);
    assert_eq!(
        found,
        "vertex 0 of \"lower\", at (-0.18, -1.001), is behind \"ground\"\n"
    );
}

#[test]
fn a_position_that_is_no_number_is_caught() {
    let found = after_moving(5, [f64::NAN, 0.0]);
    assert_eq!(found, "vertex 5 of \"upper\" is at (NaN, 0)\n");
}

#[test]
fn an_energy_that_is_not_finite_is_caught() {
    for value in ["NaN", "inf", ""] {
        let place = run();
        edit_energy(&place, 1, "elastic", |_| value.to_owned());
        verify(&place, &[]).exits(1).prints("step 1: elastic is ");
    }
}

#[test]
fn equal_runs_agree_to_the_last_bit() {
    let place = run();
    place.completed("b", &["--steps", "3", "--no-frames"]);
    let ended = verify(&place, &["--against", &place.path("b")]);
    assert_eq!(
        (ended.code, ended.stdout.contains("agrees with")),
        (0, true),
        "{ended:?}"
    );
}

#[test]
fn the_first_different_position_is_named_with_step_vertex_values_and_limit() {
    let place = run();
    place.completed("b", &["--steps", "3", "--no-frames"]);
    let npy = Npy::open(&place.path("b/trajectory.npy"));
    // Vertex 4 of the second body, moved by 1 mm in step 2.
    let [x, y] = npy.at(2, 13);
    npy.put(2, 13, [x, y + 1e-3]);
    let b = place.path("b");

    for limit in ["0", "1e-6", "9e-4"] {
        let ended = verify(&place, &["--against", &b, "--tol-x", limit]);
        assert_eq!(ended.code, 1);

        let limit: f64 = limit.parse().unwrap();
        for part in [
            "step 2: vertex 4 of \"lower\" is at ",
            "1.000e-3 m apart",
            &format!("more than {limit:e} m"),
        ] {
            ended.prints(part);
        }

        for value in [y, y + 1e-3] {
            ended.prints(&format!("({x}, {value})"));
        }
    }

    verify(&place, &["--against", &b, "--tol-x", "1.1e-3"]).exits(0);
}

#[test]
fn the_first_different_energy_is_named_with_step_values_and_limit() {
    let place = run();
    place.completed("b", &["--steps", "3", "--no-frames"]);
    edit_energy(&place, 2, "gravity", |value| {
        (value.parse::<f64>().unwrap() * (1.0 + 1e-6)).to_string()
    });
    let b = place.path("b");
    let ended = verify(&place, &["--against", &b, "--tol-energy", "1e-8"]);

    assert_eq!(ended.code, 1);
    let of_gravity = [
        "step 2: gravity is ",
        " J against ",
        "allowed are ",
        "1e-8 of its largest value",
    ];
    assert!(
        of_gravity.iter().all(|part| ended.stdout.contains(part)),
        "{}",
        ended.stdout
    );
    verify(&place, &["--against", &b, "--tol-energy", "1e-5"]).exits(0);
    assert_eq!(verify(&place, &["--against", &b]).code, 1);
}

#[test]
fn an_energy_that_is_missing_or_no_number_in_one_run_only_is_a_difference() {
    for value in ["", "NaN"] {
        let place = run();
        place.completed("b", &["--steps", "3", "--no-frames"]);
        edit_energy(&place, 2, "elastic", |_| value.to_owned());
        verify(
            &place,
            &["--against", &place.path("b"), "--tol-energy", "1"],
        )
        .exits(1)
        .prints("step 2: elastic is ");
    }
}

#[test]
fn runs_of_other_physics_steps_or_meshes_differ() {
    let place = run();
    let settings = [
        (
            ["--steps", "3", "--set", "obstacles.1.velocity=[0,-0.4]"],
            "step 1: \"ceiling\" is at",
        ),
        (
            ["--steps", "4", "--set", "gravity=[0,-9.81]"],
            "states of different steps",
        ),
        (
            ["--steps", "3", "--set", "bodies.0.shape.square.segments=3"],
            "different meshes",
        ),
    ];

    for (args, expected) in settings {
        place.completed("b", &[&args[..], &["--no-frames"]].concat());
        verify(&place, &["--against", &place.path("b")])
            .exits(1)
            .prints(expected);
    }
}

#[test]
fn a_folder_that_cannot_be_read_is_bad_input() {
    let place = run();
    let missing = place.path("nowhere");
    assert_eq!(ipcsim(&["verify", &missing]).code, 2);
    assert_eq!(verify(&place, &["--against", &missing]).code, 2);

    for name in ["mesh.json", "trajectory.npy", "energies.csv"] {
        let place = run();
        std::fs::remove_file(place.root().join("a").join(name)).unwrap();
        verify(&place, &[])
            .exits(2)
            .complains(&place.path(&format!("a/{name}")));
    }
}

/// Names and contents of damaged files, made from the files of a run.
fn damaged(whole: &BTreeMap<String, Vec<u8>>) -> Vec<(&'static str, Vec<u8>)> {
    let cut = |name: &str, end: usize| whole[name][..end].to_vec();
    let swap = |name: &str, from: &str, to: &str| {
        let text = String::from_utf8(whole[name].clone()).unwrap();
        assert!(text.contains(from));
        text.replace(from, to).into_bytes()
    };
    let size = whole["trajectory.npy"].len();
    let bytes_with = |from: &str, to: &str| {
        let mut bytes = whole["trajectory.npy"].clone();
        let place = bytes
            .windows(from.len())
            .position(|text| text == from.as_bytes())
            .unwrap();
        bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
        bytes
    };

    // Arrays of another length, type, order and shape; then the mesh and the table.
    vec![
        ("trajectory.npy", cut("trajectory.npy", size - 8)),
        ("trajectory.npy", cut("trajectory.npy", 60)),
        (
            "trajectory.npy",
            [&whole["trajectory.npy"][..], &[0; 8]].concat(),
        ),
        ("trajectory.npy", bytes_with("<f8", "<f4")),
        ("trajectory.npy", bytes_with("False", "True ")),
        ("trajectory.npy", bytes_with("(4, 20, 2", "(4, 40, 1")),
        ("trajectory.npy", Vec::new()),
        ("trajectory.npy", b"PK\x03\x04 not an array".to_vec()),
        ("mesh.json", cut("mesh.json", 100)),
        (
            "mesh.json",
            swap("mesh.json", "\"first_vertex\": 9", "\"first_vertex\": 90"),
        ),
        (
            "mesh.json",
            swap(
                "mesh.json",
                "\"origin_vertex\": 19",
                "\"origin_vertex\": 20",
            ),
        ),
        ("energies.csv", Vec::new()),
        ("energies.csv", b"hello\n1\n".to_vec()),
        ("energies.csv", swap("energies.csv", "\n1,", "\none,")),
        ("energies.csv", swap("energies.csv", "\n1,", "\n1,1,")),
    ]
}

#[test]
fn a_damaged_file_is_bad_input_and_named() {
    let whole = run().files("a");
    for (name, bytes) in damaged(&whole) {
        let place = run();
        std::fs::write(place.root().join("a").join(name), &bytes).unwrap();
        // Without a report there is no checksum of the mesh: the contents themselves are refused.
        std::fs::remove_file(place.root().join("a/run.json")).unwrap();
        let ended = verify(&place, &[]);

        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (2, ""),
            "{name}: {}",
            String::from_utf8_lossy(&bytes)
        );
        let path = place.path(&format!("a/{name}"));
        assert!(
            ended.stderr.starts_with("error: ") && ended.stderr.contains(&path),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_run_whose_imbalance_is_infinite_is_read_and_verified() {
    // The mass of a step is below the least number whose digits all count.
    let scene = json!({
        "time": { "step": 3, "steps": 4 },
        "materials": { "dust": { "density": 1e-300, "law": { "neo_hookean": { "young": 2e4, "poisson": 0.4 } } } },
        "bodies": [{ "name": "square", "kind": { "modal": { "modes": 20 } }, "material": "dust",
                     "shape": { "square": { "side": 1, "segments": 10 } } }],
        "contact": { "model": "book", "d_hat": 0.01 }
    });
    let place = Place::new();
    let file = place.path("dust.json");
    std::fs::write(&file, scene.to_string()).unwrap();
    let out = place.path("a");
    ipcsim(&["run", &file, "--no-frames", "--out", &out]).exits(0);
    assert!(place.read("a/run.json").contains("\"imbalance\": null"));
    verify(&place, &[]).exits(0);
}
