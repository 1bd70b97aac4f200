//! Damage to any file of a run: `verify` finds it, and so does every command that reads the file.

use crate::cli_killed::{holds_before_the_end, size};
use crate::cli_resume::resumed;
use crate::program::{Place, ipcsim, project};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A command that reads a run, and the files that it reads.
struct Reader {
    args: Vec<String>,
    files: &'static [&'static str],
}

/// The command with these arguments, which reads some files.
fn reader(args: &[&str], files: &'static [&'static str]) -> Reader {
    Reader {
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        files,
    }
}

/// All commands that read the run in a folder, but `verify`, which reads all files.
fn readers(place: &Place, run: &str) -> Vec<Reader> {
    // Results go elsewhere.
    let out = place.path("out");
    let page = place.path("page.html");
    let chart = place.path("chart.png");
    let mut readers = vec![
        reader(
            &["export", run, "--out", &out, "--force"],
            &[
                "run.json",
                "scene.json",
                "mesh.json",
                "energies.csv",
                "trajectory.npy",
                "velocities.npy",
                "flow.npy",
                "contacts.npy",
            ],
        ),
        reader(
            &["view", run, "--no-open", "--out", &page],
            &[
                "run.json",
                "scene.json",
                "mesh.json",
                "energies.csv",
                "trajectory.npy",
                "flow.npy",
                "forces.csv",
                "contacts.npy",
            ],
        ),
        reader(
            &["render", run, "--out", &out, "--arrows", "--quiet"],
            &[
                "run.json",
                "scene.json",
                "mesh.json",
                "energies.csv",
                "trajectory.npy",
                "forces.csv",
                "contacts.npy",
            ],
        ),
    ];
    readers.extend(plots(run, &chart));
    readers
}

/// Commands that draw charts of the run in a folder to a file.
fn plots(run: &str, chart: &str) -> Vec<Reader> {
    vec![
        reader(
            &["plot", run, "--pair", "lower,floor", "--out", chart],
            &["run.json", "forces.csv"],
        ),
        reader(
            &[
                "plot",
                run,
                "--y",
                "body.lower.y",
                "--x",
                "measure.peak",
                "--out",
                chart,
            ],
            &["run.json", "bodies.csv", "measures.csv"],
        ),
        reader(
            &["plot", run, "--pressure", "lower", "--out", chart],
            &[
                "run.json",
                "scene.json",
                "mesh.json",
                "energies.csv",
                "trajectory.npy",
            ],
        ),
    ]
}

/// A run of a scene that asks for all files.
fn all_files(place: &Place) -> String {
    let run = place.path("run");
    let scene = project("tests/data/all_files.json");
    let scene = scene.to_str().unwrap();
    ipcsim(&["run", scene, "--out", &run, "--certify", "--quiet"]).exits(0);
    run
}

/// The bytes of a file with a bit flipped, cut, and with a byte more.
fn damages(bytes: &[u8], seed: usize) -> [Vec<u8>; 3] {
    let mut flipped = bytes.to_vec();
    let place = seed.wrapping_mul(7919) % bytes.len();
    flipped[place] ^= 1 << (seed % 8);
    let cut = bytes[..bytes.len() - 1 - seed % bytes.len()].to_vec();
    [flipped, cut, [bytes, &[0]].concat()]
}

/// Damages each file of a folder in three ways and hands its name to `ask`, then restores it.
fn damage_each(folder: &Path, files: &BTreeMap<String, Vec<u8>>, mut ask: impl FnMut(&str)) {
    for (seed, (name, bytes)) in files.iter().enumerate() {
        for damaged in damages(bytes, seed) {
            std::fs::write(folder.join(name), damaged).unwrap();
            ask(name);
        }
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn any_damage_to_any_file_is_found_by_whoever_reads_it() {
    let place = Place::new();
    let run = all_files(&place);
    let mut files = place.files("run");
    assert!(files.len() > 40, "{:?}", files.keys());
    files.remove("timings.csv").unwrap();

    let readers = readers(&place, &run);
    for reader in &readers {
        let args: Vec<&str> = reader.args.iter().map(String::as_str).collect();
        ipcsim(&args).exits(0);
        assert!(reader.files.iter().all(|file| files.contains_key(*file)));
    }
    damage_each(Path::new(&run), &files, |name| {
        ipcsim(&["verify", &run]).exits(2).complains(name);
        for reader in readers.iter().filter(|reader| reader.files.contains(&name)) {
            let args: Vec<&str> = reader.args.iter().map(String::as_str).collect();
            ipcsim(&args).exits(2).complains(name);
        }
    });
    ipcsim(&["verify", &run]).exits(0);
}

#[test]
fn files_that_are_written_again_are_guarded_again() {
    let place = Place::new();
    let run = all_files(&place);
    let verified = || {
        ipcsim(&["verify", &run]).exits(0);
    };

    ipcsim(&["export", &run, "--every", "5", "--probe", "upper@0,0.3"]).exits(0);
    ipcsim(&["export", &run, "--format", "csv"]).exits(0);
    verified();
    ipcsim(&["render", &run, "--frames", "3..6", "--quiet"]).exits(0);
    verified();
    let points = place.root().join("run/fields/points-000003.csv");
    std::fs::write(points, "body").unwrap();
    ipcsim(&["verify", &run])
        .exits(2)
        .complains("points-000003.csv");
    ipcsim(&["run", "--resume", &run, "--steps", "14", "--quiet"]).exits(0);

    // Frames and journal may go.
    std::fs::remove_file(place.root().join("run/journal.bin")).unwrap();
    verified();
    std::fs::remove_file(place.root().join("run/frames/000003.png")).unwrap();
    ipcsim(&["verify", &run])
        .exits(0)
        .prints("files: not in the folder any more: frames/000003.png");
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_has_saved_is_guarded() {
    let place = Place::new();
    let out = place.path("run");
    let scene = project("tests/data/all_files.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .args(["run", scene.to_str().unwrap(), "--out", &out, "--quiet"])
        .args(["--steps", "100000", "--checkpoint-every", "3"])
        .spawn()
        .unwrap();

    // No false alarm while it runs.
    let journal = place.root().join("run/journal.bin");
    for bytes in [20_000, 60_000, 100_000] {
        assert!(holds_before_the_end(&mut child, || size(&journal) > bytes));
        let ended = ipcsim(&["verify", &out]);
        assert!(ended.code == 0, "{ended:?}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    ipcsim(&["verify", &out])
        .exits(0)
        .prints("under way or was killed");

    // Damage before the last checkpoint is found; a file may be longer.
    let saved = place.json("run/run.json");
    let files = place.files("run");
    let listed =
        |name: &str| !saved["checksums"][name].is_null() || !saved["saved"][name].is_null();
    let names: Vec<&String> = files.keys().filter(|name| listed(name)).collect();
    for expected in [
        "journal.bin",
        "energies.csv",
        "trajectory.npy",
        "fields/000001.vtu",
    ] {
        assert!(names.iter().any(|name| *name == expected), "{names:?}");
    }
    for (seed, name) in names
        .into_iter()
        .enumerate()
        .filter(|(seed, _)| seed % 5 < 3)
    {
        let bytes = &files[name];
        let to = saved["saved"][name]["to"].as_u64();
        let to = to.map_or(bytes.len(), |to| usize::try_from(to).unwrap());
        let [flipped, cut, _] = damages(&bytes[..to], seed);
        for damaged in [[&flipped, &bytes[to..]].concat(), cut] {
            std::fs::write(Path::new(&out).join(name), damaged).unwrap();
            ipcsim(&["verify", &out]).exits(2).complains(name);
        }
        std::fs::write(Path::new(&out).join(name), bytes).unwrap();
    }
    ipcsim(&["verify", &out]).exits(0);
    resumed(&place, "run", &["--max-wall", "0.01"]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_out_of_the_folder() {
    let place = Place::new();
    let run = place.ran("tests/data/small.json", "run", &[]);
    let elsewhere = place.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let link = |name: &str| {
        std::os::unix::fs::symlink(&elsewhere, place.root().join("run").join(name)).unwrap();
    };
    for (name, args) in [("fields", ["export", &run]), ("frames", ["render", &run])] {
        link(name);
        ipcsim(&args).exits(2).complains("is a link to");
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    }

    // Links in the place of files are replaced.
    let other = elsewhere.join("mine");
    std::fs::write(&other, "kept").unwrap();
    std::fs::remove_file(place.root().join("run/fields")).unwrap();
    for name in [".fields.pvd.partial", "fields.pvd"] {
        std::os::unix::fs::symlink(&other, place.root().join("run").join(name)).unwrap();
    }
    ipcsim(&["export", &run]).exits(0);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "kept");
}

/// Starts a run of very many steps into a folder.
fn endless(out: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(["run", "scenes/two_squares.json", "--out", out])
        .args(["--steps", "2000000", "--no-frames", "--quiet"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn of_runs_that_start_at_once_into_one_folder_one_goes_on() {
    let place = Place::new();
    let out = place.path("run");

    // All but one end by themselves.
    let mut runs: Vec<Child> = (0..4).map(|_| endless(&out)).collect();
    let mut refused = 0;
    while refused < 3 {
        std::thread::sleep(Duration::from_millis(5));
        let ended = runs
            .iter_mut()
            .position(|run| run.try_wait().unwrap().is_some());
        let Some(ended) = ended else { continue };
        let ended = runs.remove(ended).wait_with_output().unwrap();
        let messages = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{messages}");
        assert!(messages.contains("a run under way writes to"), "{messages}");
        refused += 1;
    }
    let mut run = runs.pop().unwrap();
    assert!(run.try_wait().unwrap().is_none());
    run.kill().unwrap();
    run.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_whose_folder_was_moved_names_its_present_place() {
    let place = Place::new();
    let out = place.path("run");
    let mut run = endless(&out);
    let journal = place.root().join("run/journal.bin");
    assert!(holds_before_the_end(&mut run, || size(&journal) > 0));
    let moved = place.path("moved");
    std::fs::rename(&out, &moved).unwrap();
    signal(&run, "TERM");
    let ended = run.wait_with_output().unwrap();
    let messages = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{messages}");
    assert!(
        messages.contains(&format!("--resume {moved}")),
        "{messages}"
    );
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(process: &Child, name: &str) {
    let mut sent = Command::new("kill");
    let sent = sent.args([format!("-{name}"), process.id().to_string()]);
    assert!(sent.status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_signal_before_the_first_step_has_the_exit_code_of_the_manual() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let process = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
            .current_dir(project(""))
            .args(["check", "scenes/stress/two_squares_200k.json"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(100));
        signal(&process, name);
        let ended = process.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(code));
    }
}
