//! `ipcsim run --resume`: where it resumes, what it refuses, and that the files equal those of a
//! whole run.

use crate::program::{Ended, Place, ipcsim};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Files of a run without times, and its report without what may differ.
fn results(place: &Place, name: &str) -> (BTreeMap<String, Vec<u8>>, Value) {
    let mut files = place.results(name);
    files.remove("timings.csv").unwrap();
    let mut report: Value = serde_json::from_slice(&files.remove("run.json").unwrap()).unwrap();
    for key in ["timings", "options", "threads", "saved", "checksum"] {
        report.as_object_mut().unwrap().remove(key).unwrap();
    }
    (files, report)
}

/// Asserts that two runs have equal files except for times.
pub(crate) fn assert_same(place: &Place, name: &str, expected: &str, what: &str) {
    let own = results(place, name);
    let expected = results(place, expected);
    assert_eq!(own.1, expected.1, "{what}");
    assert_eq!(
        own.0.keys().collect::<Vec<_>>(),
        expected.0.keys().collect::<Vec<_>>(),
        "{what}"
    );

    for (file, bytes) in &own.0 {
        assert!(*bytes == expected.0[file], "{what}: {file} differs");
    }

    // Timings have a row for each step, also for those before the resumption.
    let rows = |name: &str| place.read(&format!("{name}/timings.csv")).lines().count();
    assert_eq!(
        rows(name) as u64,
        1 + own.1["steps"].as_u64().unwrap(),
        "{what}"
    );
}

/// Resumes a run.
pub(crate) fn resume(place: &Place, name: &str, args: &[&str]) -> Ended {
    ipcsim(&[&["run", "--resume", &place.path(name)], args].concat())
}

/// Resumes a run, which must not fail.
pub(crate) fn resumed(place: &Place, name: &str, args: &[&str]) {
    let ended = resume(place, name, args);
    assert_eq!(
        (ended.code, ended.stderr.contains("error")),
        (0, false),
        "{ended:?}"
    );
}

/// Runs a scene with proofs on one thread, on three, and stopped after each of the first steps and
/// resumed, at most `stops` times before the last. All have the same files, and the motion is proved.
/// Returns the output of `verify`.
pub(crate) fn same_and_proved(place: &Place, scene: &str, stops: usize) -> Ended {
    place.certified(scene, "whole", &["--threads", "1"]);
    place.certified(scene, "threads", &["--threads", "3"]);
    assert_same(place, "threads", "whole", "threads");

    place.certified(scene, "parts", &AT_ONCE);
    for _ in 0..stops {
        resumed(place, "parts", &AT_ONCE);
    }
    resumed(place, "parts", &[]);
    assert_same(place, "parts", "whole", "resumed");

    let ended = ipcsim(&["verify", &place.path("whole")]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended
}

/// Settings for a finer mesh of both squares, so that the pattern of the matrix depends on the
/// steps before.
pub(crate) const FINER: [&str; 4] = [
    "--set",
    "bodies.0.shape.square.segments=4",
    "--set",
    "bodies.1.shape.square.segments=4",
];
/// Ends a run after one step.
pub(crate) const AT_ONCE: [&str; 2] = ["--max-wall", "1e-9"];

/// Arguments from several lists.
pub(crate) fn args<'a>(parts: &[&[&'a str]]) -> Vec<&'a str> {
    parts.concat()
}

#[test]
fn a_run_that_is_ended_after_every_step_writes_what_a_whole_run_writes() {
    let place = Place::new();
    for (name, more) in [
        ("frames", &["--steps", "8"][..]),
        ("none", &["--steps", "40", "--no-frames"]),
    ] {
        let whole = format!("{name}-whole");
        place.completed(&whole, &args(&[&FINER, more]));
        place.completed(name, &args(&[&FINER, more, &AT_ONCE]));
        let steps: usize = more[1].parse().unwrap();

        for step in 1..steps {
            let report = place.json(&format!("{name}/run.json"));
            assert_eq!(
                json!([report["status"], report["steps"]]),
                json!(["interrupted", step])
            );
            resumed(&place, name, &AT_ONCE);
        }

        assert_same(&place, name, &whole, name);
    }
}

#[test]
fn a_run_out_of_time_is_interrupted_says_how_to_go_on_and_can_be_looked_at() {
    let place = Place::new();
    let ended = place.two_squares("a b", &args(&[&["--steps", "30"], &AT_ONCE]));
    assert_eq!(ended.code, 0);

    let expected = format!(
        "stopped by --max-wall 0.000000001 after step 1 of 30; resume with: ipcsim run --resume '{}'\n",
        place.path("a b")
    );
    assert!(ended.stderr.ends_with(&expected), "{}", ended.stderr);
    assert!(
        ended.stdout.starts_with("interrupted: 1 step, "),
        "{}",
        ended.stdout
    );

    // The report says why, and the folder can be read.
    let reason = &place.json("a b/run.json")["reason"];
    assert_eq!(
        json!([reason["kind"], reason["step"], reason["vertices"]]),
        json!(["max_wall", 1, []])
    );

    for command in ["verify", "render"] {
        assert_eq!(ipcsim(&[command, &place.path("a b")]).code, 0);
    }

    // Resumed, it ends as a run that was never interrupted.
    resumed(&place, "a b", &["--quiet"]);
    place.completed("whole", &["--steps", "30"]);
    assert_same(&place, "a b", "whole", "resumed after render");
}

#[test]
fn resuming_a_completed_run_says_so_and_changes_nothing() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames"]);
    let before = place.files("a");
    let ended = resume(&place, "a", &[]);
    let expected = format!(
        "{0}: all 3 steps are done; continue with more: ipcsim run --resume {0} --steps 6\n",
        place.path("a")
    );

    assert_eq!(
        (ended.code, ended.stdout, ended.stderr.as_str()),
        (0, expected, "")
    );
    assert_eq!(place.files("a"), before);

    // What a run that was killed has left is removed.
    let left = place.root().join("a/.checkpoint-000003.bin.partial");
    std::fs::write(left, "x").unwrap();

    assert_eq!(resume(&place, "a", &["--quiet"]).stdout, "");
    assert_eq!(place.files("a"), before);
}

#[test]
fn resuming_what_is_no_run_is_refused() {
    let place = Place::new();
    let ended = resume(&place, "nowhere", &[]);
    assert_eq!(
        (ended.code, place.root().join("nowhere").exists()),
        (2, false)
    );
    ended.complains("so there is no run to resume; start one with: ipcsim run SCENE");

    // Options that a resumed run takes from its folder.
    for wrong in [
        &["--no-frames"][..],
        &["--set", "time.step=1"],
        &["--checkpoint-every", "3"],
    ] {
        resume(&place, "nowhere", wrong)
            .exits(2)
            .complains("cannot be used with");
    }

    // Neither a scene nor a folder, and an option of resuming without one.
    ipcsim(&["run"]).exits(2).complains("SCENE");

    ipcsim(&[
        "run",
        "scenes/two_squares.json",
        "--from",
        "3",
        "--out",
        &place.path("a"),
    ])
    .exits(2)
    .complains("--from");
}

#[test]
fn a_failed_run_fails_again_with_the_same_files() {
    let place = Place::new();
    let fails = [
        "--steps",
        "60",
        "--set",
        "solver.max_iterations=2",
        "--set",
        "output.every=7",
    ];
    assert_eq!(place.two_squares("whole", &fails).code, 1);
    place
        .two_squares("a", &args(&[&fails, &["--checkpoint-every", "5"]]))
        .exits(1);

    let ended = resume(&place, "a", &[]);
    assert_eq!(ended.code, 1);

    let message = place.json("whole/run.json")["reason"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    ended.complains(&message);

    // The same report and files, apart from those of a run under way.
    let (files, report) = results(&place, "a");
    let (expected, whole) = results(&place, "whole");
    assert_eq!(report, whole);
    for (file, bytes) in &expected {
        assert!(files[file] == *bytes, "{file}");
    }

    // The state before the step that failed is written although it is not one of every seven.
    let steps = whole["steps"].as_u64().unwrap();
    let table = place.read("a/energies.csv");
    let last = table.lines().last().unwrap();
    assert_eq!(last.split(',').next().unwrap(), steps.to_string());
    assert_ne!(steps % 7, 0);
    assert!(
        place
            .root()
            .join(format!("a/frames/{steps:06}.png"))
            .exists()
    );
    assert_eq!(ipcsim(&["verify", &place.path("a")]).code, 0);
}

#[test]
fn recorded_queries_go_on_where_the_checkpoint_was() {
    let place = Place::new();
    let record = |name: &str| ["--record-ccd".to_owned(), place.path(name)];
    let run = |name: &str, file: &str, more: &[&str]| {
        let record = record(file);
        let steps = ["--steps", "120", "--no-frames", "--checkpoint-every", "20"];
        place.completed(
            name,
            &args(&[&FINER, &steps, &[&record[0], &record[1]], more]),
        );
    };
    run("whole", "whole.jsonl", &[]);
    run("a", "a.jsonl", &AT_ONCE);

    // What is written after a checkpoint is cut off.
    std::fs::write(
        place.root().join("a.jsonl"),
        place.read("a.jsonl") + "{\"id\": torn",
    )
    .unwrap();
    for _ in 0..3 {
        resumed(&place, "a", &["--max-wall", "0.004"]);
    }

    resumed(&place, "a", &[]);
    assert!(place.read("whole.jsonl").lines().count() > 100);
    assert!(place.read("a.jsonl") == place.read("whole.jsonl"));
}
