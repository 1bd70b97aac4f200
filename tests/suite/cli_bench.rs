//! `ipcsim bench`: tables and JSON of the cost of scenes.

use crate::program::{Place, ipcsim, ipcsim_in, ipcsim_line, project, words};
use serde_json::Value;

/// Names of the phases of a step.
const PHASES: [&str; 13] = [
    "broad_phase",
    "narrow_phase",
    "contacts",
    "friction",
    "gradient",
    "hessian",
    "ordering",
    "symbolic",
    "numeric",
    "solve",
    "line_search",
    "closing",
    "output",
];

fn json(args: &[&str]) -> Value {
    let ended = ipcsim(&[&["bench", "--json"], args].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn json_tells_counts_of_the_scene_and_times_of_its_phases_which_sum_up_to_less_than_the_whole() {
    let report = json(&words(
        "scenes/stress/two_squares_2k.json scenes/two_squares.json --steps 8 --threads 1",
    ));
    assert_eq!(
        (
            report["threads"].as_u64(),
            report["scenes"].as_array().unwrap().len()
        ),
        (Some(1), 2)
    );

    let scene = &report["scenes"][0];

    // Two squares of 22 segments a side have 2 * 23^2 vertices, and the half-planes have one each.
    let counts = ["vertices", "triangles", "steps"].map(|key| scene[key].as_u64().unwrap());
    assert_eq!(
        (scene["name"].as_str(), counts),
        (Some("two_squares_2k"), [2 * 23 * 23 + 2, 4 * 22 * 22, 8])
    );

    let phases = scene["phases"].as_object().unwrap();
    assert!(
        phases.len() == PHASES.len() && PHASES.iter().all(|name| phases.contains_key(*name)),
        "{phases:?}"
    );

    let sum: f64 = phases
        .values()
        .map(|seconds| seconds.as_f64().unwrap())
        .sum();
    assert!(
        0.0 < sum && sum < scene["wall"].as_f64().unwrap(),
        "{scene}"
    );
    assert_eq!(phases["output"].as_f64(), Some(0.0));

    let number = |key: &str| scene[key].as_f64().unwrap();
    assert!(
        number("newton_iterations") >= 8.0 && number("contacts_max") >= number("contacts_mean")
    );

    // At least the lower triangle of the matrix: a diagonal block and about three others for a
    // vertex.
    assert!(number("factor_entries") > 0.9 * f64::from(2 * 23 * 23 * (3 + 3 * 4)));
    if cfg!(target_os = "linux") {
        assert!(number("processor") > 0.0 && number("peak_memory") > 1e6);
    }
}

#[test]
fn frames_are_measured_and_nothing_is_left() {
    let place = Place::new();
    let scene = project("scenes/two_squares.json");
    let temporary = place.root().to_str().unwrap();
    let args = [
        "bench",
        scene.to_str().unwrap(),
        "--steps",
        "2",
        "--frames",
        "--json",
    ];
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ipcsim"));
    let output = command
        .current_dir(place.root())
        .env("TMPDIR", temporary)
        .args(args)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();

    assert!(
        report["scenes"][0]["phases"]["output"].as_f64().unwrap() > 0.0,
        "{report}"
    );
    assert!(place.names("").is_empty());
}

#[test]
fn tables_have_a_row_for_every_phase() {
    let place = Place::new();
    let scene = project("scenes/two_squares.json");
    let ended = ipcsim_in(
        place.root(),
        &[
            "bench",
            scene.to_str().unwrap(),
            "--steps",
            "2",
            "--threads",
            "1",
        ],
    );

    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let rows: Vec<&str> = ended.stdout.lines().map(str::trim).collect();
    assert!(
        rows[0].starts_with("two_squares: 20 vertices, 16 triangles, 2 steps, "),
        "{}",
        rows[0]
    );

    // One row for each phase below the head.
    for phase in PHASES.iter().chain(&["other", "whole"]) {
        let phase = phase.replace('_', " ");
        assert_eq!(
            rows.iter()
                .skip(3)
                .filter(|row| row.starts_with(&phase))
                .count(),
            1,
            "{phase}: {}",
            ended.stdout
        );
    }

    assert!(place.names("").is_empty());
}

#[test]
fn a_scene_that_fails_ends_with_exit_code_1_and_one_that_is_not_there_with_2() {
    let scene = "scenes/stress/two_squares_2k.json";
    let strict = "--set solver.max_iterations=1 --set solver.tolerance=1e-9";
    let ended = ipcsim_line(&format!("bench {scene} --steps 20 {strict}"));
    assert_eq!(ended.code, 1);
    assert!(
        ended.stderr.starts_with("error: two_squares_2k: step "),
        "{}",
        ended.stderr
    );

    // A scene that does not exist.
    let ended = ipcsim(&["bench", "nowhere.json"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended
            .stderr
            .starts_with("error: nowhere.json: cannot be read: "),
        "{}",
        ended.stderr
    );
}
