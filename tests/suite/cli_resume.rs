//! Runs that are ended, killed or out of room, and `ipcsim run --resume`.

use crate::program::{Ended, Place, ipcsim, project};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The files of a run but for what tells how long it took.
fn results(place: &Place, name: &str) -> (BTreeMap<String, Vec<u8>>, Value) {
    let mut files = place.files(name);
    files.remove("timings.csv").unwrap();
    let mut report: Value = serde_json::from_slice(&files.remove("run.json").unwrap()).unwrap();
    for key in ["timings", "options", "threads"] {
        report.as_object_mut().unwrap().remove(key).unwrap();
    }
    (files, report)
}

fn assert_same(place: &Place, name: &str, expected: &str, what: &str) {
    let (own, expected) = (results(place, name), results(place, expected));
    assert_eq!(own.1, expected.1, "{what}");
    assert_eq!(own.0.keys().collect::<Vec<_>>(), expected.0.keys().collect::<Vec<_>>(), "{what}");
    for (file, bytes) in &own.0 {
        assert!(*bytes == expected.0[file], "{what}: {file} differs");
    }
    // Timings of all steps are there, whoever computed them.
    let rows = |name: &str| place.read(&format!("{name}/timings.csv")).lines().count();
    assert_eq!(rows(name) as u64, 1 + own.1["steps"].as_u64().unwrap(), "{what}");
}

fn resume(place: &Place, name: &str, args: &[&str]) -> Ended {
    ipcsim(&[&["run", "--resume", &place.path(name)], args].concat())
}

fn resumed(place: &Place, name: &str, args: &[&str]) {
    let ended = resume(place, name, args);
    assert_eq!((ended.code, ended.stderr.contains("error")), (0, false), "{ended:?}");
}

/// The squares of the scene with a finer mesh, so that the pattern of the matrix depends on its past.
const FINER: [&str; 4] = ["--set", "bodies.0.shape.square.segments=4", "--set", "bodies.1.shape.square.segments=4"];
/// Ends a run after one step.
const AT_ONCE: [&str; 2] = ["--max-wall", "1e-9"];

fn args<'a>(parts: &[&[&'a str]]) -> Vec<&'a str> {
    parts.concat()
}

#[test]
fn a_run_that_is_ended_after_every_step_writes_what_a_whole_run_writes() {
    let place = Place::new();
    for (name, more) in [("frames", &["--steps", "8"][..]), ("none", &["--steps", "40", "--no-frames"])] {
        let whole = format!("{name}-whole");
        place.completed(&whole, &args(&[&FINER, more]));
        place.completed(name, &args(&[&FINER, more, &AT_ONCE]));
        let steps: usize = more[1].parse().unwrap();
        for step in 1..steps {
            let report = place.json(&format!("{name}/run.json"));
            assert_eq!(json!([report["status"], report["steps"]]), json!(["interrupted", step]));
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
        "ended by --max-wall 0.000000001 after step 1 of 30; go on with: ipcsim run --resume '{}'\n",
        place.path("a b")
    );
    assert!(ended.stderr.ends_with(&expected), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("interrupted: 1 steps, "), "{}", ended.stdout);
    let reason = &place.json("a b/run.json")["reason"];
    assert_eq!(json!([reason["kind"], reason["step"], reason["vertices"]]), json!(["max_wall", 1, []]));
    for command in ["verify", "render"] {
        assert_eq!(ipcsim(&[command, &place.path("a b")]).code, 0);
    }
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
    let expected = format!("{}: all 3 steps are done, there is nothing to resume\n", place.path("a"));
    assert_eq!((ended.code, ended.stdout, ended.stderr.as_str()), (0, expected, ""));
    assert_eq!(place.files("a"), before);
    assert_eq!(resume(&place, "a", &["--quiet"]).stdout, "");
}

#[test]
fn resuming_what_is_no_run_is_refused() {
    let place = Place::new();
    let ended = resume(&place, "nowhere", &[]);
    assert_eq!((ended.code, place.root().join("nowhere").exists()), (2, false));
    assert!(ended.stderr.contains("there is nothing to resume; start with ipcsim run SCENE"), "{}", ended.stderr);
    for wrong in [&["--steps", "5"][..], &["--no-frames"], &["--set", "time.step=1"], &["--checkpoint-every", "3"]] {
        let ended = resume(&place, "nowhere", wrong);
        assert!(ended.code == 2 && ended.stderr.contains("cannot be used with"), "{}", ended.stderr);
    }
    let ended = ipcsim(&["run"]);
    assert!(ended.code == 2 && ended.stderr.contains("SCENE"), "{}", ended.stderr);
    let ended = ipcsim(&["run", "scenes/two_squares.json", "--from", "3"]);
    assert!(ended.code == 2 && ended.stderr.contains("--resume"), "{}", ended.stderr);
}

#[test]
fn a_failed_run_fails_again_with_the_same_files() {
    let place = Place::new();
    let fails = ["--steps", "60", "--set", "solver.max_iterations=2"];
    assert_eq!(place.two_squares("whole", &fails).code, 1);
    assert_eq!(place.two_squares("a", &args(&[&fails, &["--checkpoint-every", "5"]])).code, 1);
    let ended = resume(&place, "a", &[]);
    assert_eq!(ended.code, 1);
    let message = place.json("whole/run.json")["reason"]["message"].as_str().unwrap().to_owned();
    assert!(ended.stderr.contains(&message), "{}", ended.stderr);
    let (a, whole) = (results(&place, "a"), results(&place, "whole"));
    assert_eq!(a.1, whole.1);
    for file in ["trajectory.npy", "energies.csv", "animation.gif"] {
        assert!(a.0[file] == whole.0[file], "{file}");
    }
}

/// Two steps of a run, with a checkpoint of each.
fn two_checkpoints(place: &Place, name: &str) {
    place.completed(name, &args(&[&["--steps", "6", "--no-frames"], &AT_ONCE]));
    resumed(place, name, &AT_ONCE);
    for step in ["000001", "000002"] {
        assert!(place.root().join(format!("{name}/checkpoint-{step}.bin")).exists());
    }
}

fn flip(path: &Path, byte: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    let place = byte.min(bytes.len() - 1);
    bytes[place] ^= 0x10;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_flipped_bit_is_refused_and_the_older_checkpoint_offered() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);
    for byte in [0, 20, 100, usize::MAX] {
        two_checkpoints(&place, "a");
        flip(&place.root().join("a/checkpoint-000002.bin"), byte);
        let before = place.files("a");
        let ended = resume(&place, "a", &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        let (dir, expected) = (place.path("a"), "checkpoint-000002.bin is damaged: its checksum does not agree");
        assert!(ended.stderr.starts_with(&format!("error: {dir}/{expected}")), "{}", ended.stderr);
        let offer = format!("the checkpoint of step 1 is good, go on from it with: ipcsim run --resume {dir} --from 1\n");
        assert!(ended.stderr.ends_with(&offer), "{}", ended.stderr);
        assert_eq!(place.files("a"), before);
        resumed(&place, "a", &["--from", "1"]);
        assert_same(&place, "a", "whole", "from the older one");
    }
}

#[test]
fn without_a_good_checkpoint_the_beginning_is_offered() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);
    two_checkpoints(&place, "a");
    for step in 1..=2 {
        flip(&place.root().join(format!("a/checkpoint-00000{step}.bin")), 40);
    }
    let ended = resume(&place, "a", &[]);
    assert!(ended.code == 2 && ended.stderr.contains("no other good one; start again with: "), "{}", ended.stderr);
    assert!(ended.stderr.ends_with("--from 0\n"), "{}", ended.stderr);
    let ended = resume(&place, "a", &["--from", "4"]);
    assert!(ended.code == 2 && ended.stderr.contains("it has those of 1 and 2, and --from 0"), "{}", ended.stderr);
    resumed(&place, "a", &["--from", "0"]);
    assert_same(&place, "a", "whole", "from the beginning");
}

#[test]
fn a_damaged_journal_is_refused_where_it_matters() {
    let place = Place::new();
    place.completed("whole", &["--steps", "6", "--no-frames"]);
    // The journal has the start and two steps of about the same size: the last one is of step 2.
    two_checkpoints(&place, "a");
    flip(&place.root().join("a/journal.bin"), usize::MAX);
    let ended = resume(&place, "a", &[]);
    assert!(ended.code == 2 && ended.stderr.contains("damaged or was cut before step 2; the checkpoint of step 1 is good"));
    resumed(&place, "a", &["--from", "1"]);
    assert_same(&place, "a", "whole", "from before the damage");

    two_checkpoints(&place, "a");
    std::fs::remove_file(place.root().join("a/journal.bin")).unwrap();
    let ended = resume(&place, "a", &[]);
    assert!(ended.code == 2 && ended.stderr.contains("--from 0"), "{}", ended.stderr);
    // Without any checkpoint it starts from the beginning without being asked.
    for step in 1..=2 {
        std::fs::remove_file(place.root().join(format!("a/checkpoint-00000{step}.bin"))).unwrap();
    }
    resumed(&place, "a", &[]);
    assert_same(&place, "a", "whole", "without anything stored");
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let place = Place::new();
    two_checkpoints(&place, "a");
    let scene = place.read("a/scene.json");
    std::fs::write(place.root().join("a/scene.json"), scene.replace("\"step\": 0.01", "\"step\": 0.02")).unwrap();
    let ended = resume(&place, "a", &[]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("is of another scene or other options"), "{}", ended.stderr);
    // Written in another way it is the same scene.
    let compact: Value = serde_json::from_str(&scene).unwrap();
    std::fs::write(place.root().join("a/scene.json"), compact.to_string()).unwrap();
    resumed(&place, "a", &[]);
}

#[test]
fn recorded_queries_go_on_where_the_checkpoint_was() {
    let place = Place::new();
    let record = |name: &str| ["--record-ccd".to_owned(), place.path(name)];
    let run = |name: &str, file: &str, more: &[&str]| {
        let record = record(file);
        let steps = ["--steps", "45", "--no-frames", "--checkpoint-every", "20"];
        place.completed(name, &args(&[&FINER, &steps, &[&record[0], &record[1]], more]));
    };
    run("whole", "whole.jsonl", &[]);
    run("a", "a.jsonl", &AT_ONCE);
    // What is written after a checkpoint is cut off.
    std::fs::write(place.root().join("a.jsonl"), place.read("a.jsonl") + "{\"id\": torn").unwrap();
    for _ in 0..3 {
        resumed(&place, "a", &["--max-wall", "0.004"]);
    }
    resumed(&place, "a", &[]);
    assert!(place.read("whole.jsonl").lines().count() > 100);
    assert!(place.read("a.jsonl") == place.read("whole.jsonl"));
}

/// The program, running.
fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipcsim"));
    command.current_dir(project("")).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the run in the folder `name` has stored its scene or has ended.
fn stored(place: &Place, name: &str, child: &mut Child) {
    while !place.root().join(name).join("scene.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_after_its_step_with_a_checkpoint() {
    let place = Place::new();
    // Far more steps than are done until the signal comes.
    let steps = "2000000";
    for (signal, name, code) in [("INT", "sigint", 130), ("TERM", "sigterm", 143)] {
        let out = place.path(name);
        let every = ["--set", "output.every=1000", "--no-frames"];
        let mut child = start(&args(&[&["run", "scenes/two_squares.json", "--out", &out, "--steps", steps], &every]));
        stored(&place, name, &mut child);
        std::thread::sleep(Duration::from_millis(100));
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{stderr}");
        let report = place.json(&format!("{name}/run.json"));
        assert_eq!(json!([report["status"], report["reason"]["kind"]]), json!(["interrupted", name]));
        let step = report["steps"].as_u64().unwrap();
        assert!(step > 0 && place.root().join(format!("{name}/checkpoint-{step:06}.bin")).exists());
        let (signal, dir) = (name.to_uppercase(), place.path(name));
        let last = format!("ended by {signal} after step {step} of {steps}; go on with: ipcsim run --resume {dir}");
        assert_eq!(stderr.lines().last(), Some(&last[..]));
        assert_eq!(ipcsim(&["verify", &dir]).code, 0);
    }
}

#[test]
fn a_folder_that_a_run_writes_to_is_left_to_it_and_tells_readers_to_wait() {
    let place = Place::new();
    let out = place.path("a");
    let mut child = start(&["run", "scenes/two_squares.json", "--out", &out, "--steps", "2000000", "--no-frames"]);
    stored(&place, "a", &mut child);
    while !place.root().join("a/journal.bin").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    let run = ["run", "scenes/two_squares.json", "--out", &out];
    for other in [&run[..], &["run", "--resume", &out]] {
        let ended = ipcsim(other);
        let expected = format!("error: a run under way writes to {out}; wait for its end, or end it with SIGTERM\n");
        assert_eq!((ended.code, ended.stderr), (2, expected));
    }
    for reader in ["verify", "render"] {
        let ended = ipcsim(&[reader, &out]);
        assert!(ended.code == 2 && ended.stderr.contains("is under way or was killed"), "{}", ended.stderr);
        assert!(ended.stderr.ends_with(&format!("go on with: ipcsim run --resume {out}\n")), "{}", ended.stderr);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ipcsim(&["verify", &out]).code, 2);
    // A run that was killed may be replaced like any other.
    place.completed("a", &["--steps", "2", "--no-frames"]);
}

/// Numbers without a pattern between 0 and 1, the same in every test run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }
}

/// Kills runs at `moments` random moments, some of them again when resumed, and compares what comes out in the end.
fn killed_at_random(moments: usize, scene: &[&str], seed: u64) {
    let place = Place::new();
    let small = ["run", "scenes/two_squares.json", "--set", "output.width=64", "--set", "output.height=36"];
    let mut chance = Chance(seed);
    let mut spent = [Duration::ZERO; 2];
    for (k, frames) in [&[][..], &["--no-frames"]].into_iter().enumerate() {
        let out = place.path(&format!("whole{k}"));
        let started = Instant::now();
        assert_eq!(ipcsim(&args(&[&small, scene, frames, &["--out", &out]])).code, 0);
        spent[k] = started.elapsed();
    }
    let (mut kills, mut unbegun, mut late) = (0, 0, 0);
    while kills < moments {
        let k = usize::from(chance.next() < 0.5);
        let every = (1.0 + 30.0 * chance.next().powi(2)).round().to_string();
        let out = place.path("a");
        let frames = if k == 0 { &[][..] } else { &["--no-frames"] };
        let mut child = start(&args(&[&small, scene, frames, &["--out", &out, "--checkpoint-every", &every]]));
        stored(&place, "a", &mut child);
        loop {
            std::thread::sleep(spent[k].mul_f64(chance.next()));
            child.kill().unwrap();
            let ended = child.wait().unwrap();
            kills += usize::from(!ended.success());
            late += usize::from(ended.success());
            let bare = std::fs::read_dir(place.root().join("a")).unwrap();
            unbegun += usize::from(!bare.map(|e| e.unwrap().file_name()).any(|n| n.to_string_lossy().contains("check")));
            if ended.success() || chance.next() < 0.6 || kills >= moments {
                break;
            }
            child = start(&["run", "--resume", &out]);
        }
        resumed(&place, "a", &[]);
        assert_same(&place, "a", &format!("whole{k}"), &format!("kill {kills}, checkpoint every {every}"));
        std::fs::remove_dir_all(place.root().join("a")).unwrap();
    }
    println!("{kills} kills, {unbegun} of them without a checkpoint; {late} came too late");
}

#[test]
fn a_run_killed_at_random_moments_loses_nothing() {
    killed_at_random(8, &args(&[&FINER, &["--steps", "60"]]), 1);
}

#[test]
#[ignore = "takes minutes: 200 moments"]
fn a_run_killed_at_two_hundred_random_moments_loses_nothing() {
    killed_at_random(200, &args(&[&FINER, &["--steps", "200"]]), 2);
}

/// Runs the squares in a shell that limits the size of files to `blocks` of 512 bytes.
#[cfg(unix)]
fn limited(blocks: &str, args: &[&str]) -> Ended {
    let shell = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &shell, env!("CARGO_BIN_EXE_ipcsim")]).args(args).current_dir(project(""));
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[cfg(unix)]
#[test]
fn a_run_without_room_says_what_is_kept_and_goes_on_when_there_is_room() {
    let place = Place::new();
    let scene = ["run", "scenes/two_squares.json", "--steps", "200", "--no-frames", "--out"];
    place.completed("whole", &["--steps", "200", "--no-frames", "--set", "output.width=1280", "--set", "output.height=720"]);
    // The journal, of about 500 bytes a step, and then the trajectory, of 320, do not fit.
    let out = place.path("a");
    let ended = limited("128", &args(&[&scene, &[&out, "--checkpoint-every", "10"]]));
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    let expected = format!("error: cannot write {out}/journal.bin: File too large (os error 27); raise the limit");
    let last = ended.stderr.lines().last().unwrap();
    assert!(last.starts_with(&expected), "{last}");
    let kept = last.split("kept up to step ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    assert!(place.root().join(format!("a/checkpoint-{:06}.bin", kept.parse::<usize>().unwrap())).exists());
    assert!(last.ends_with(&format!("then go on with: ipcsim run --resume {out}")), "{last}");
    assert!(place.names("a").iter().all(|name| !name.contains("partial") && name != "trajectory.npy"));
    // Again without room, and then with it.
    assert_eq!(limited("128", &["run", "--resume", &out]).code, 2);
    resumed(&place, "a", &[]);
    assert_same(&place, "a", "whole", "after a full disk");
}

#[cfg(unix)]
#[test]
fn a_full_disk_while_the_first_files_are_written_leaves_nothing_half_written() {
    let place = Place::new();
    let out = place.path("a");
    let ended = limited("0", &["run", "scenes/two_squares.json", "--no-frames", "--out", &out]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.starts_with(&format!("error: cannot write {out}/run.json: ")), "{}", ended.stderr);
    assert!(place.names("a").is_empty());
    place.completed("a", &["--steps", "1"]);
}
