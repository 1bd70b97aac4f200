//! `ipcsim run` that fails: the reason, and the files that it leaves.

use crate::cli_run::table;
use crate::cli_run_files::keys;
use crate::program::{Npy, Place, ipcsim, project};
use serde_json::{Value, json};

/// A run that must fail, with its report.
fn failed(place: &Place, args: &[&str]) -> (Value, String) {
    let ended = place.two_squares("a", args);
    assert_eq!(ended.code, 1, "{}", ended.stderr);

    let report = place.json("a/run.json");
    assert_eq!(
        (report["status"].as_str(), keys(&report["reason"])),
        (Some("failed"), vec!["kind", "message", "step", "vertices"])
    );

    let message = report["reason"]["message"].as_str().unwrap();
    assert!(ended.stderr.ends_with(&format!(
        "error: step {}: {message}\n",
        report["reason"]["step"]
    )));
    assert!(ended.stdout.starts_with("failed: "));

    // What was reached is stored and free of intersections.
    let states = report["steps"].as_u64().unwrap() + 1;
    assert_eq!(report["reason"]["step"].as_u64(), Some(states));
    assert_eq!(
        Npy::open(&place.path("a/trajectory.npy")).shape[0] as u64,
        states
    );
    assert_eq!(table(place, "a/energies.csv").len() as u64, states + 1);
    assert_eq!(place.names("a/frames").len() as u64, states);

    ipcsim(&["verify", &place.path("a")]).exits(0);

    let message = message.to_owned();
    (report, message)
}

#[test]
fn a_step_that_needs_more_iterations_than_allowed_fails_with_a_reason() {
    let place = Place::new();
    let (report, message) = failed(
        &place,
        &["--steps", "60", "--set", "solver.max_iterations=2"],
    );
    assert_eq!(report["reason"]["kind"], json!("iterations"));

    for part in [
        "after 2 iterations",
        "solver.tolerance, 1.000e-2 m/s",
        "solver.max_iterations",
        "er\",",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_ceiling_driven_through_the_floor_fails_with_a_reason() {
    let place = Place::new();
    let (report, message) = failed(&place, &["--steps", "500", "--set", "obstacles.1.travel=5"]);
    assert_eq!(report["reason"]["kind"], json!("blocked"));
    assert_eq!(report["reason"]["vertices"][0], json!("\"ceiling\""));
    assert!(
        report["reason"]["vertices"][1]
            .as_str()
            .unwrap()
            .ends_with(" of \"upper\""),
        "{report}"
    );
    assert!(
        message.contains("its prescribed position") && message.contains("\"ceiling\""),
        "{message}"
    );

    // It comes to the floor, 1.27 m away, after 254 steps of 5 mm.
    assert!(report["reason"]["step"].as_u64().unwrap() <= 254);
}

#[test]
fn a_run_whose_messages_nobody_reads_any_more_goes_on_to_its_end() {
    let place = Place::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let scene = project("scenes/two_squares.json");
    let arguments = [
        "run",
        scene.to_str().unwrap(),
        "--no-frames",
        "--steps",
        "40",
        "--out",
        &place.path("deaf"),
    ];
    let program = assert_cmd::cargo::cargo_bin!("ipcsim");
    let mut run = std::process::Command::new(program)
        .args(arguments)
        .stderr(writer)
        .spawn()
        .unwrap();

    assert!(run.wait().unwrap().success());
    assert_eq!(place.json("deaf/run.json")["status"], json!("completed"));
}
