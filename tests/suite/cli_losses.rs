//! Nothing is lost: outputs that cannot be written, runs that would be replaced, runs that go on after
//! their end, reports that are damaged, files of a run under way, and steps that are given up.

use crate::cli_killed::holds_before_the_end;
use crate::cli_resume::{AT_ONCE, assert_same, resume, resumed};
use crate::program::{Place, ipcsim, ipcsim_in, project};
use std::fs::{self, File};
use std::process::{Command, Stdio};

/// Runs a program with a standard output that is full; its code and what it says.
#[cfg(target_os = "linux")]
fn into_a_full_disk(args: &[&str]) -> (Option<i32>, String) {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(args)
        .stdout(full)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    place.completed("a", &["--steps", "2", "--no-frames"]);
    let (run, queries) = (place.path("a"), place.path("queries"));
    fs::write(&queries, "").unwrap();
    for args in [
        &["schema"][..],
        &["schema", "--markdown"],
        &["--help"],
        &["--version"],
        &["check", "scenes/two_squares.json"],
        &["verify", &run],
        &["validate", "--list"],
    ] {
        let (code, said) = into_a_full_disk(args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(
            said.contains("cannot write to standard output: No space left on device"),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(
        (ended.status.code(), &ended.stderr[..]),
        (Some(0), &b""[..])
    );
}

#[test]
fn an_unfinished_run_is_not_replaced_unasked() {
    let place = Place::new();
    let steps = ["--steps", "6", "--no-frames"];
    place
        .two_squares("a", &[&steps[..], &AT_ONCE].concat())
        .exits(0);
    let before = place.files("a");

    let again = place.two_squares("a", &steps);
    let expected =
        "holds an unfinished run, saved up to step 1; continue it with: ipcsim run --resume ";
    again.exits(2).complains(expected);
    again.complains("--force");
    assert_eq!(before, place.files("a"));

    // With --force it begins anew, and a run that has ended is replaced as before.
    place.completed("a", &["--steps", "6", "--no-frames", "--force"]);
    place.completed("a", &["--steps", "3", "--no-frames"]);
    assert_eq!(place.json("a/run.json")["steps"], 3);
}

#[test]
fn the_run_of_another_scene_is_not_replaced_unasked() {
    let place = Place::new();
    let text = fs::read_to_string(project("scenes/two_squares.json")).unwrap();
    for folder in ["one", "two"] {
        fs::create_dir(place.root().join(folder)).unwrap();
    }
    fs::write(place.root().join("one/test.json"), &text).unwrap();
    let other = text
        .replace("\"default\"", "\"default\" ")
        .replace("0.5", "0.25");
    assert_ne!(text, other);
    fs::write(place.root().join("two/test.json"), other).unwrap();

    let start = |scene: &str, more: &[&str]| {
        let args = [&["run", scene, "--steps", "2", "--no-frames", "-q"], more].concat();
        ipcsim_in(place.root(), &args)
    };
    assert_eq!(start("one/test.json", &[]).code, 0);
    start("two/test.json", &[])
        .exits(2)
        .complains("holds the run of another scene, /");
    // The same file, with another value; and the other scene by force.
    assert_eq!(start("one/test.json", &["--set", "time.step=0.02"]).code, 0);
    assert_eq!(start("two/test.json", &["--force"]).code, 0);
}

#[test]
fn a_folder_with_a_report_of_something_else_is_no_run() {
    let place = Place::new();
    let folder = place.root().join("d");
    fs::create_dir_all(folder.join("frames")).unwrap();
    for (name, text) in [
        ("run.json", "{\"name\": \"other project\"}"),
        ("mesh.json", "a"),
        ("frames/000007.png", "b"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let before = place.files("d");
    place
        .two_squares("d", &["--steps", "1"])
        .exits(2)
        .complains("no run has written");
    assert_eq!(before, place.files("d"));
}

#[test]
fn a_run_that_has_completed_goes_on_to_the_bits_of_a_longer_one() {
    let place = Place::new();
    // The last state is written although output.every does not ask for it, but not in a longer run.
    let every = [
        "--set",
        "output.every=4",
        "--set",
        "output.contacts=csv",
        "--certify",
    ];
    let run = |name: &str, steps: &str| {
        place.completed(name, &[&every[..], &["--steps", steps]].concat());
    };
    run("long", "21");
    run("short", "10");
    assert!(
        place
            .names("short")
            .contains(&"frames/000010.png".to_owned())
    );
    resumed(&place, "short", &["--steps", "21"]);
    assert_same(&place, "short", "long", "longer");

    // Nothing is left to do, a step that is over cannot be the end, and an older one can be gone back to.
    resume(&place, "short", &[]).prints("all 21 steps are done; continue with more");
    resume(&place, "short", &["--steps", "5"])
        .exits(2)
        .complains("is at step 21 already");
    resumed(&place, "short", &["--from", "10"]);
    assert_same(&place, "short", "long", "back");
}

#[test]
fn a_report_that_is_lost_or_damaged_is_made_again() {
    let place = Place::new();
    let steps = ["--steps", "8", "--no-frames", "--certify"];
    place.completed("whole", &steps);
    for damage in ["", "{\"scene\": \"two", "null"] {
        fs::remove_dir_all(place.root().join("a")).unwrap_or_default();
        let every = ["--checkpoint-every", "2"];
        place
            .two_squares("a", &[&steps[..], &every, &AT_ONCE].concat())
            .exits(0);
        resumed(&place, "a", &["--max-wall", "1e-9"]);
        let report = place.root().join("a/run.json");
        fs::remove_file(&report).unwrap();
        if !damage.is_empty() {
            fs::write(&report, damage).unwrap();
        }

        // A run into the folder is refused; resumed, it is as if nothing had happened.
        place
            .two_squares("a", &steps)
            .exits(2)
            .complains("holds an unfinished run");
        let ended = resume(&place, "a", &[]);
        let expected = "the report is made again from the checkpoint of step 2 and the journal";
        ended.exits(0).complains(expected);
        assert_same(&place, "a", "whole", damage);
    }
}

/// Scene whose steps take minutes: 900 circles that all repel each other.
fn slow(place: &Place) -> String {
    let bodies = (0..900).map(|k| {
        let (i, j) = (k % 30, k / 30);
        let [x, y] = [i, j].map(|n| f64::from(n) * 0.25);
        format!(
            "{{\"name\": \"{k}\", \"kind\": \"rigid\", \"shape\": {{\"circle\": {{\"radius\": 0.1}}}}, \
             \"material\": \"m\", \"position\": [{x}, {y}]}}"
        )
    });
    let bodies: Vec<String> = bodies.collect();
    let path = place.path("slow.json");
    let text = format!(
        "{{\"time\": {{\"step\": 0.01, \"steps\": 5}}, \"materials\": {{\"m\": {{\"density\": 1000}}}}, \
         \"contact\": {{\"d_hat\": 1}}, \"bodies\": [{}]}}",
        bodies.join(",")
    );
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_step_that_takes_long_is_given_up() {
    let place = Place::new();
    let scene = slow(&place);
    let out = place.path("a");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .args(["run", &scene, "--out", &out, "--no-frames", "-q"])
        .args(["--max-wall", "1"])
        .spawn()
        .unwrap();
    assert!(!holds_before_the_end(&mut child, || false));
    assert_eq!(child.wait().unwrap().code(), Some(0));

    // The start is stored, and no step: the first one was under way.
    let report = place.json("a/run.json");
    assert_eq!(report["status"], "interrupted");
    assert_eq!(report["reason"]["kind"], "max_wall");
    assert_eq!(report["steps"], 0);
    let rows = |name: &str| place.read(name).lines().count();
    assert_eq!([rows("a/energies.csv"), rows("a/timings.csv")], [2, 1]);
}

#[test]
fn a_run_under_way_can_be_looked_at() {
    let place = Place::new();
    let out = place.path("a");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(["run", "scenes/stress/two_squares_2k.json", "--out", &out])
        .args(["--steps", "100000", "--no-frames", "-q"])
        .spawn()
        .unwrap();
    let rows = || {
        let text = fs::read_to_string(place.root().join("a/energies.csv"));
        text.map_or(0, |text| text.lines().count())
    };
    assert!(holds_before_the_end(&mut child, || rows() >= 4));
    let verified = ipcsim(&["verify", &out]);
    let rendered = ipcsim(&["render", &out]);
    child.kill().unwrap();
    child.wait().unwrap();

    verified.exits(0).prints("under way or was killed");
    rendered.complains("a run under way writes to");
}

#[test]
fn names_and_paths_do_not_command_a_terminal() {
    let place = Place::new();
    let text = fs::read_to_string(project("scenes/two_squares.json")).unwrap();
    let scene = place.path("scene.json");
    let hostile = text.replace("\"upper\"", "\"a\\u001b[2J\\nRED\\u202e\"");
    assert_ne!(hostile, text);
    fs::write(&scene, &hostile).unwrap();
    for args in [
        &["check", &scene][..],
        &["run", &scene],
        &["check", "a\u{1b}[2J.json"],
    ] {
        let ended = ipcsim_in(place.root(), args);
        assert_eq!(ended.code, 2, "{ended:?}");
        let printed = ended.stdout + &ended.stderr;
        let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !printed.contains(raw) && !printed.contains("\nRED"),
            "{printed:?}"
        );
    }
    assert!(!place.root().join("output").exists());
}

#[test]
fn a_mesh_or_table_that_was_changed_is_refused() {
    let place = Place::new();
    place.completed("a", &["--steps", "4", "--no-frames"]);
    for file in ["mesh.json", "energies.csv", "trajectory.npy"] {
        let path = place.root().join("a").join(file);
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        let last = changed.len() - 3;
        changed[last] ^= 1;
        fs::write(&path, changed).unwrap();
        ipcsim(&["verify", &place.path("a")])
            .exits(2)
            .complains("is damaged or was changed");
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(ipcsim(&["verify", &place.path("a")]).code, 0);
}
