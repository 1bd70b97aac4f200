//! `ipcsim check`, help and usage. Bad input has a clear message and exit code 2.

use crate::program::{Place, good_scenes, ipcsim, ipcsim_in, listed_names, project, words};
use ipcsim::scene::Code;
use std::path::PathBuf;

fn listed(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(project(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    found
}

#[test]
fn every_broken_scene_is_refused_by_check_and_run_with_its_message_and_nothing_is_written() {
    let place = Place::new();
    let out = place.path("out");
    let scenes = listed("scenes/broken", "json");

    assert!(scenes.len() > 50);
    assert_eq!(scenes.len(), listed("scenes/broken", "txt").len());

    for scene in scenes {
        let expected = std::fs::read_to_string(scene.with_extension("txt")).unwrap();
        let name = scene.file_name().unwrap().to_str().unwrap();
        for args in [&["check", name][..], &["run", name, "--out", &out]] {
            let ended = ipcsim_in(&project("scenes/broken"), args);
            assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{args:?}");
            assert_eq!(ended.stderr, expected, "{args:?}");
        }
    }

    assert!(!place.root().join("out").exists());
    assert!(!project("scenes/broken/output").exists());
}

#[test]
fn every_other_scene_passes_check_runs_three_steps_and_verifies() {
    let scenes = good_scenes();
    assert!(scenes.len() >= 9);

    for scene in scenes {
        let place = Place::new();
        let named = scene.file_name().unwrap().to_str().unwrap();
        let warnings = std::fs::read_to_string(scene.with_extension("txt")).unwrap_or_default();
        let scene = scene.to_str().unwrap();
        let out = place.path("out");
        let verbs = [
            &["check", scene][..],
            &[
                "run",
                scene,
                "--steps",
                "3",
                "--no-frames",
                "--quiet",
                "--out",
                &out,
            ],
            &["verify", &out],
        ];

        for args in verbs {
            // Warnings that a scene is meant to have are in a file beside it.
            let ended = ipcsim(args);
            let said = ended.stderr.replace(scene, named);
            let expected = if args[0] == "check" { &warnings } else { "" };
            assert_eq!(
                (ended.code, said.as_str()),
                (0, expected),
                "{args:?}: {}",
                ended.stdout
            );
        }
    }
}

#[test]
fn check_tells_what_the_scene_amounts_to_and_writes_nothing() {
    let place = Place::new();
    let scene = project("scenes/two_squares.json");
    let ended = ipcsim_in(place.root(), &["check", scene.to_str().unwrap()]);

    ended.exits(0).prints("two_squares.json: no problems\n");
    ended.prints("2 bodies, 2 obstacles, 20 vertices, 16 triangles, 0 springs, 16 colliding edges");
    ended.prints("250 steps of 0.01 s");
    assert!(place.names("").is_empty());
}

#[test]
fn a_missing_file_and_a_folder_are_no_scenes() {
    let place = Place::new();
    let missing = place.path("nowhere.json");
    let folder = place.root().to_str().unwrap();

    for command in ["check", "run"] {
        let ended = ipcsim(&[command, &missing]);
        let expected =
            format!("error: {missing}: cannot be read: No such file or directory (os error 2)\n");
        assert_eq!((ended.code, ended.stderr), (2, expected));

        let ended = ipcsim(&[command, folder]);
        assert_eq!(ended.code, 2);
        assert!(
            ended
                .stderr
                .starts_with(&format!("error: {folder}: cannot be read: ")),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn overrides_are_checked_like_the_file() {
    let check = |setting: &str| ipcsim(&["check", "scenes/two_squares.json", "--set", setting]);
    check("time.step=0.005")
        .exits(0)
        .prints("250 steps of 0.005 s");

    // No value, wrong types and values, and keys or numbers that do not exist.
    let bad = [
        (
            "time.step",
            "--set time.step: expected key=value, for example time.step=0.005",
        ),
        (
            "time.step=fast",
            "--set time.step=fast: time.step: found the text \"fast\", expected a number",
        ),
        ("time.step=0", "time.step: is 0 s, but must be positive"),
        (
            "time.stp=0.01",
            "--set time.stp=0.01: time.stp: unknown key \"stp\"; did you mean \"step\"?",
        ),
        (
            "bodies.9.name=x",
            "--set bodies.9.name=x: \"9\" is not the number of one of 2 entries",
        ),
        (
            "bodies.0.material=steel",
            "bodies[0].material: no material is named \"steel\"; there are: rubber",
        ),
        ("=1", "--set =1: : unknown key \"\""),
    ];
    for (setting, message) in bad {
        for command in ["check", "run"] {
            let ended = ipcsim(&[command, "scenes/two_squares.json", "--set", setting]);
            let expected = format!("error: scenes/two_squares.json: {message}");
            assert!(
                ended.code == 2 && ended.stderr.starts_with(&expected),
                "{setting}: {}",
                ended.stderr
            );
        }
    }
}

#[test]
fn usage_errors_end_with_exit_code_2_and_a_hint() {
    let wrong: [&[&str]; 9] = [
        &["frobnicate"],
        &["run"],
        &["check"],
        &["run", "scenes/two_squares.json", "--steps", "-1"],
        &["run", "scenes/two_squares.json", "--threads", "0"],
        &["run", "scenes/two_squares.json", "--sett", "time.step=1"],
        &["verify", "x", "--tol-x", "1e-6"],
        &["verify", "x", "--against", "y", "--tol-x=-1"],
        &["render", "x", "--color-by", "pink"],
    ];

    for args in wrong {
        let ended = ipcsim(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{args:?}");
        assert!(
            ended.stderr.starts_with("error: ") && ended.stderr.contains("'--help'"),
            "{args:?}: {}",
            ended.stderr
        );
    }
}

#[test]
fn without_arguments_the_program_says_how_it_is_used() {
    let ended = ipcsim(&[]);
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
    ended
        .complains("Usage: ipcsim [OPTIONS] <COMMAND>")
        .complains("Exit codes:");
}

/// Commands, each with words that its help must have.
const HELPS: [(&str, &str); 7] = [
    (
        "validate",
        "[CASE] --list --quick --out --format --json --threads",
    ),
    (
        "run",
        "--out --steps --set --no-frames --threads --force --quiet",
    ),
    (
        "check",
        "<SCENE>... --set --picture --fix --format --verbose",
    ),
    ("verify", "<DIR>... --against --tol-x --tol-energy --format"),
    (
        "render",
        "<DIR> --size --color-by --fit stress speed body --arrows",
    ),
    ("plot", "<DIR> --pair --pressure --step --out"),
    (
        "view",
        "<DIR> --out --no-open --fields --every --precision --no-forces",
    ),
];

#[test]
fn every_help_names_all_options_and_the_exit_codes() {
    let whole = ipcsim(&["--help"]);
    assert_eq!(whole.code, 0);

    for (command, names) in HELPS {
        whole.prints(&format!("\n  {command} "));
        for args in [["help", command], [command, "--help"], [command, "-h"]] {
            let ended = ipcsim(&args);
            assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
            for name in words(names).into_iter().chain(["Exit codes:\n  0 "]) {
                ended.prints(name);
            }
        }
    }

    let version = ipcsim(&["--version"]);
    assert_eq!(
        version.stdout,
        concat!("ipcsim ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn codes_of_problems_and_failures_are_those_of_the_manual() {
    let codes = Code::ALL.map(Code::name);
    let listed = listed_names("docs/commands.md", "## Codes for programs");
    assert_eq!(listed[1..], codes);

    // Each failure has its row.
    let source = std::fs::read_to_string(project("crates/core/src/solve/failure.rs")).unwrap();
    let (_, kinds) = source.split_once("pub fn kind(&self)").unwrap();
    let (kinds, _) = kinds.split_once("\n    }\n").unwrap();
    let kinds = kinds
        .split("=> \"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap());
    let listed = listed_names("docs/howto/failure.md", "## Names of failures");
    for kind in kinds.filter(|kind| *kind != "interrupted") {
        assert!(listed.iter().any(|name| name == kind), "{kind}: {listed:?}");
    }

    // Codes of a scene with several problems.
    let place = Place::new();
    let text = std::fs::read_to_string(project("tests/data/small.json")).unwrap();
    let path = place.path("scene.json");
    std::fs::write(&path, text.replace("\"steps\"", "\"stepps\"")).unwrap();
    let ended = ipcsim(&["check", &path, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.exits(2).stdout).unwrap();
    assert_eq!(found["problems"][0]["code"], "syntax", "{found}");
    std::fs::write(&path, text.replace("\"density\": ", "\"density\": -")).unwrap();
    let ended = ipcsim(&["check", &path, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.exits(2).stdout).unwrap();
    assert_eq!(found["problems"][0]["code"], "value", "{found}");
}
