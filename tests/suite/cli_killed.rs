//! Runs that are stopped by signals, killed, or out of disk space.

use crate::cli_resume::{FINER, args, assert_same, resumed};
use crate::program::{Ended, Place, ipcsim, project};
use serde_json::json;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Process of a running program.
fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipcsim"));
    command
        .current_dir(project(""))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Longest wait for a condition: a guard against waiting forever, which says nothing about speed.
const PATIENCE: Duration = Duration::from_mins(10);

/// Waits until a condition holds, or until a process has ended; true if the condition came first.
pub(crate) fn holds_before_the_end(child: &mut Child, holds: impl Fn() -> bool) -> bool {
    let started = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        let is_stuck = started.elapsed() > PATIENCE;
        if is_stuck {
            child.kill().unwrap();
        }
        assert!(!is_stuck, "nothing has happened for {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the run in the folder `name` has stored its scene or has ended.
fn stored(place: &Place, name: &str, child: &mut Child) {
    let scene = place.root().join(name).join("scene.json");
    holds_before_the_end(child, || scene.exists());
}

/// Number of bytes of a file; 0 if it is missing.
pub(crate) fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |file| file.len())
}

/// Waits until the journal of the run in the folder `name` holds steps.
fn has_steps(place: &Place, name: &str, child: &mut Child) {
    let journal = place.root().join(name).join("journal.bin");
    assert!(holds_before_the_end(child, || size(&journal) > 0));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_with_a_checkpoint_of_its_last_step() {
    let place = Place::new();

    // Far more steps than are done until the signal comes.
    let steps = "2000000";
    for (signal, name, code) in [("INT", "sigint", 130), ("TERM", "sigterm", 143)] {
        let out = place.path(name);
        let run = ["run", "scenes/two_squares.json", "--out", &out];
        let more = [
            "--steps",
            steps,
            "--set",
            "output.every=1000",
            "--no-frames",
        ];
        let mut child = start(&args(&[&run, &more]));
        has_steps(&place, name, &mut child);
        let sent = Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .unwrap();

        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(ended.stderr).unwrap();

        assert_eq!(ended.status.code(), Some(code), "{stderr}");
        let report = place.json(&format!("{name}/run.json"));
        assert_eq!(
            json!([report["status"], report["reason"]["kind"]]),
            json!(["interrupted", name])
        );

        let step = report["steps"].as_u64().unwrap();
        assert!(
            step > 0
                && place
                    .root()
                    .join(format!("{name}/checkpoint-{step:06}.bin"))
                    .exists()
        );

        let signal = name.to_uppercase();
        let dir = place.path(name);
        let last = format!(
            "stopped by {signal} after step {step} of {steps}; resume with: ipcsim run --resume {dir}"
        );
        assert_eq!(stderr.lines().last(), Some(&last[..]));
        assert_eq!(ipcsim(&["verify", &dir]).code, 0);
    }
}

#[test]
fn a_folder_that_a_run_writes_to_is_left_to_it() {
    let place = Place::new();
    let out = place.path("a");
    let run = ["run", "scenes/two_squares.json", "--out", &out];
    let more = ["--steps", "2000000", "--no-frames"];
    let mut child = start(&args(&[&run, &more]));
    has_steps(&place, "a", &mut child);

    for other in [&run[..], &["run", "--resume", &out]] {
        let ended = ipcsim(other);
        let expected = format!(
            "error: a run under way writes to {out}; wait for its end, or end it with SIGTERM\n"
        );
        assert_eq!((ended.code, ended.stderr), (2, expected));
    }

    // Its frames are its own.
    ipcsim(&["render", &out])
        .exits(2)
        .complains("a run under way writes to");

    child.kill().unwrap();
    child.wait().unwrap();

    // A run that was killed may be looked at, and is replaced on request.
    ipcsim(&["verify", &out]).exits(0).prints("was killed");
    place.completed("a", &["--steps", "2", "--no-frames", "--force"]);
}

/// Numbers without a pattern between 0 and 1, the same in every test run.
struct Chance(u64);

impl Chance {
    /// The next number in `[0, 1)`.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }

    /// The next whole number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.next();
        usize::try_from(self.0 >> 40).unwrap() % count
    }
}

/// A run with small pictures.
const SMALL: [&str; 6] = [
    "run",
    "scenes/two_squares.json",
    "--set",
    "output.width=64",
    "--set",
    "output.height=36",
];

/// True if the run `a` has a checkpoint.
fn has_checkpoint(place: &Place) -> bool {
    let mut entries = std::fs::read_dir(place.root().join("a")).unwrap();
    entries.any(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().contains("check")
    })
}

/// Work that the run `a` has stored: its frames, and the step of its last checkpoint.
fn stored_work(place: &Place) -> usize {
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(place.root().join(folder));
        let names = entries.into_iter().flatten().flatten();
        names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    };
    let steps = names("a").into_iter().filter_map(|name| {
        let number = name.strip_prefix("checkpoint-")?.strip_suffix(".bin")?;
        number.parse().ok()
    });
    let last: usize = steps.max().unwrap_or(0);
    names("a/frames").len() + last
}

/// Kills runs of some `steps` at `moments` random amounts of stored work, some of them again after
/// resuming, and compares the results of all.
fn killed_at_random(moments: usize, steps: usize, seed: u64) {
    let count = steps.to_string();
    let scene = args(&[&FINER, &["--steps", &count]]);
    let place = Place::new();
    let mut chance = Chance(seed);

    // Whole runs with and without frames.
    for (k, frames) in [&[][..], &["--no-frames"]].into_iter().enumerate() {
        let out = place.path(&format!("whole{k}"));
        ipcsim(&args(&[&SMALL, &scene, frames, &["--out", &out]])).exits(0);
    }

    let mut kills = 0;
    let mut unbegun = 0;
    let mut late = 0;
    while kills < moments {
        let k = usize::from(chance.next() < 0.5);
        let every = (1.0 + 30.0 * chance.next().powi(2)).round().to_string();
        let out = place.path("a");
        let frames = if k == 0 { &[][..] } else { &["--no-frames"] };
        let more = ["--out", &out, "--checkpoint-every", &every];
        let mut child = start(&args(&[&SMALL, &scene, frames, &more]));
        stored(&place, "a", &mut child);

        loop {
            // Each step of a run with frames is stored twice.
            let most = if k == 0 { 2 * steps } else { steps };
            let done = stored_work(&place);
            let enough = done + chance.below(most.saturating_sub(done).max(1));
            holds_before_the_end(&mut child, || stored_work(&place) >= enough);
            child.kill().unwrap();
            let ended = child.wait().unwrap();
            kills += usize::from(!ended.success());
            late += usize::from(ended.success());
            assert!(
                late < 100 * moments,
                "only {kills} of {late} runs were killed"
            );
            unbegun += usize::from(!has_checkpoint(&place));
            if ended.success() || chance.next() < 0.6 || kills >= moments {
                break;
            }
            child = start(&["run", "--resume", &out]);
        }

        resumed(&place, "a", &[]);
        assert_same(
            &place,
            "a",
            &format!("whole{k}"),
            &format!("kill {kills}, checkpoint every {every}"),
        );
        std::fs::remove_dir_all(place.root().join("a")).unwrap();
    }

    println!("{kills} kills, {unbegun} of them without a checkpoint; {late} came too late");
}

#[test]
fn a_run_killed_at_random_moments_loses_nothing() {
    killed_at_random(8, 60, 1);
}

#[test]
#[ignore = "takes minutes: 200 moments"]
fn a_run_killed_at_two_hundred_random_moments_loses_nothing() {
    killed_at_random(200, 200, 2);
}

/// Runs the squares in a shell that limits the size of files to `blocks` of 512 bytes.
#[cfg(unix)]
fn limited(blocks: &str, args: &[&str]) -> Ended {
    let shell = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &shell, env!("CARGO_BIN_EXE_ipcsim")])
        .args(args)
        .current_dir(project(""));
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

#[cfg(unix)]
#[test]
fn a_run_without_room_says_what_is_kept_and_goes_on_when_there_is_room() {
    let place = Place::new();
    let shape = ["--set", "output.width=1280", "--set", "output.height=720"];
    let whole = ["--steps", "200", "--no-frames"];
    place.completed("whole", &args(&[&whole, &shape]));

    // The journal, of about 500 bytes a step, and then the trajectory, of 320, do not fit.
    let out = place.path("a");
    let scene = ["run", "scenes/two_squares.json"];
    let more = ["--out", &out, "--checkpoint-every", "10"];
    let ended = limited("128", &args(&[&scene, &whole, &more]));
    assert_eq!(ended.code, 2, "{}", ended.stderr);

    // The message names the file, the checkpoint that is kept, and how to resume.
    let expected = format!(
        "error: cannot write {out}/journal.bin: File too large (os error 27); raise the limit"
    );
    let last = ended.stderr.lines().last().unwrap();
    assert!(last.starts_with(&expected), "{last}");

    let kept = last
        .split("saved up to step ")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .unwrap();
    let kept: usize = kept.parse().unwrap();
    let checkpoint = format!("a/checkpoint-{kept:06}.bin");
    assert!(place.root().join(checkpoint).exists());
    assert!(
        last.ends_with(&format!("resume with: ipcsim run --resume {out}")),
        "{last}"
    );
    assert!(
        place
            .names("a")
            .iter()
            .all(|name| !name.contains("partial"))
    );

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
    let run = ["run", "scenes/two_squares.json", "--out", &out];
    let ended = limited("0", &args(&[&run, &["--no-frames"]]));

    assert_eq!(ended.code, 2);
    assert!(
        ended
            .stderr
            .starts_with(&format!("error: cannot write {out}/run.json: ")),
        "{}",
        ended.stderr
    );
    assert!(place.names("a").is_empty());
    place.completed("a", &["--steps", "1"]);
}
