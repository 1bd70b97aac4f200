//! `ipcsim run`: options, folders and equal results.

use crate::program::{Npy, Place, ipcsim, ipcsim_in, project, words};
use serde_json::{Value, json};

/// Files of a run without frames.
pub(crate) const TABLE: [&str; 8] = [
    "bodies.csv",
    "energies.csv",
    "forces.csv",
    "mesh.json",
    "run.json",
    "scene.json",
    "timings.csv",
    "trajectory.npy",
];

/// Fields of a CSV file, row by row.
pub(crate) fn table(place: &Place, name: &str) -> Vec<Vec<String>> {
    place
        .read(name)
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

/// Values of a column of a table, which has a row of names first.
pub(crate) fn column(table: &[Vec<String>], name: &str) -> Vec<f64> {
    let k = table[0].iter().position(|column| column == name).unwrap();
    table[1..]
        .iter()
        .map(|row| row[k].parse().unwrap_or(f64::NAN))
        .collect()
}

#[test]
fn states_are_written_every_so_many_steps_and_the_last_one_always() {
    let place = Place::new();
    place.completed("all", &["--steps", "7", "--no-frames"]);
    place.completed("some", &["--steps", "7", "--set", "output.every=3"]);
    let all = Npy::open(&place.path("all/trajectory.npy"));
    let some = Npy::open(&place.path("some/trajectory.npy"));

    assert_eq!(some.shape, [4, 20, 2]);
    for (entry, step) in [0, 3, 6, 7].into_iter().enumerate() {
        assert!((0..20).all(|vertex| some.at(entry, vertex) == all.at(step, vertex)));
        assert!(
            place
                .root()
                .join(format!("some/frames/{step:06}.png"))
                .exists()
        );
    }

    assert_eq!(place.names("some/frames").len(), 4);
    assert_eq!(
        column(&table(&place, "some/energies.csv"), "step"),
        [0.0, 3.0, 6.0, 7.0]
    );
    assert_eq!(
        (
            &place.json("some/run.json")["steps"],
            &place.json("some/run.json")["frames"]
        ),
        (&json!(7), &json!(4))
    );
}

#[test]
fn the_number_of_steps_may_be_shorter_longer_or_none() {
    let place = Place::new();
    for steps in [0, 2, 251] {
        let count = steps.to_string();
        place.completed("a", &["--steps", &count, "--no-frames"]);
        assert_eq!(
            Npy::open(&place.path("a/trajectory.npy")).shape[0],
            steps + 1
        );
        assert_eq!(place.json("a/run.json")["steps"], json!(steps));
        assert_eq!(place.json("a/scene.json")["time"]["steps"], json!(steps));
    }

    place.completed("a", &["--steps", "0"]);
    assert_eq!(place.names("a/frames"), ["000000.png"]);
}

#[test]
fn without_frames_everything_else_is_the_same() {
    let place = Place::new();
    place.completed("with", &["--steps", "5"]);
    place.completed("without", &["--steps", "5", "--no-frames"]);

    assert_eq!(place.written("without"), TABLE);
    let with = place.files("with");
    let without = place.files("without");

    for name in TABLE
        .iter()
        .filter(|name| !["run.json", "timings.csv"].contains(name))
    {
        assert_eq!(with[*name], without[*name], "{name}");
    }
    assert_eq!(place.json("without/run.json")["frames"], json!(0));
}

#[test]
fn progress_is_plain_lines_when_nobody_watches_and_nothing_when_quiet() {
    let place = Place::new();
    let plain = place.two_squares("a", &["--steps", "20", "--no-frames"]);
    let lines: Vec<&str> = plain.stderr.lines().collect();

    assert_eq!(lines.len(), 10);
    assert!(
        lines[0].starts_with("step 2/20 ") && lines[9].starts_with("step 20/20 "),
        "{}",
        plain.stderr
    );
    assert!(!plain.stderr.contains(['\r', '\x1b']) && !plain.stdout.contains('\x1b'));
    assert!(
        plain.stdout.starts_with("completed: 20 steps, ")
            && plain.stdout.contains(&place.path("a"))
    );

    for quiet in ["--quiet", "-q"] {
        let ended = place.two_squares("a", &["--steps", "20", quiet]);
        assert_eq!(
            (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
            (0, "", "")
        );
    }
}

#[test]
fn the_effective_scene_runs_again_to_the_same_bits() {
    let place = Place::new();
    place.completed(
        "a",
        &words("--steps 40 --no-frames --set time.step=0.012 --set contact.kappa=2e5"),
    );
    let effective = place.json("a/scene.json");

    assert_eq!(effective["time"], json!({ "step": 0.012, "steps": 40 }));
    assert_eq!(
        (&effective["name"], &effective["contact"]["kappa"]),
        (&json!("two_squares"), &json!(2e5))
    );
    assert_eq!(
        (
            &effective["gravity"],
            &effective["solver"]["max_iterations"]
        ),
        (&json!([0.0, -9.81]), &json!(500))
    );

    // The effective scene, run again.
    let scene = place.path("a/scene.json");
    let out = place.path("b");
    ipcsim(&["run", &scene, "--out", &out, "--no-frames", "-q"]).exits(0);

    let a = place.files("a");
    let b = place.files("b");
    for name in ["scene.json", "mesh.json", "trajectory.npy", "energies.csv"] {
        assert_eq!(a[name], b[name], "{name}");
    }
    // Without frames nothing is drawn.
    assert!(
        !b.keys()
            .any(|file| file.contains(".png") || file.contains(".gif"))
    );
}

#[test]
fn numbers_that_a_scene_leaves_out_stay_out_of_the_effective_scene() {
    let place = Place::new();
    let scene = json!({
        "time": { "step": 0.01, "steps": 1 },
        "materials": { "soft": { "density": 1000, "law": { "linear": { "young": 2e4, "poisson": 0.3 } } } },
        "bodies": [{ "name": "a", "shape": { "rectangle": { "size": [3, 4], "segments": [1, 1] } }, "material": "soft" }]
    });
    std::fs::write(place.root().join("open.json"), scene.to_string()).unwrap();

    ipcsim_in(place.root(), &["run", "open.json", "--no-frames", "-q"]).exits(0);
    // They belong to bodies, and are derived again from it.
    let contact = &place.json("output/open/scene.json")["contact"];
    assert_eq!([&contact["d_hat"], &contact["kappa"]], [&Value::Null; 2]);
    let parameters = &place.json("output/open/run.json")["parameters"];
    assert_eq!(parameters["d_hat"], 0.025);
}

#[test]
fn the_default_folder_is_named_after_the_scene_file() {
    let place = Place::new();
    let scene = project("scenes/two_squares.json");
    let args = [
        "run",
        scene.to_str().unwrap(),
        "--steps",
        "1",
        "--no-frames",
        "-q",
    ];

    assert_eq!(ipcsim_in(place.root(), &args).code, 0);
    assert_eq!(place.written("output/two_squares"), TABLE);
}

#[test]
fn a_new_run_replaces_an_old_one() {
    let place = Place::new();
    place.completed("a", &["--steps", "5"]);
    place.completed("a", &["--steps", "2", "--no-frames"]);
    assert_eq!(place.written("a"), TABLE);
    assert_eq!(Npy::open(&place.path("a/trajectory.npy")).shape[0], 3);
}

#[test]
fn a_folder_with_foreign_files_is_refused_and_with_force_they_stay() {
    let place = Place::new();
    place.completed("a", &["--steps", "2", "--no-frames"]);
    std::fs::write(place.root().join("a/notes.txt"), "mine").unwrap();
    let before = place.files("a");
    let ended = place.two_squares("a", &["--steps", "1"]);

    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
    ended.complains("\"notes.txt\"").complains("--force");
    assert_eq!(place.files("a"), before);

    place.completed("a", &["--steps", "1", "--no-frames", "--force"]);
    assert_eq!(place.read("a/notes.txt"), "mine");
    assert_eq!(Npy::open(&place.path("a/trajectory.npy")).shape[0], 2);
}

#[test]
fn a_folder_that_cannot_be_written_is_bad_input() {
    let place = Place::new();
    std::fs::write(place.root().join("file"), "").unwrap();

    for name in ["file", "file/below"] {
        let ended = place.two_squares(name, &["--steps", "1"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        let expected = format!("error: cannot create {}: ", place.path(name));
        assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
    }

    // A folder where a file should go.
    std::fs::create_dir_all(place.root().join("b/energies.csv/x")).unwrap();
    place.two_squares("b", &["--steps", "1"]).exits(2);
}

#[test]
fn equal_runs_differ_in_timings_only() {
    let place = Place::new();
    place.completed("a", &["--steps", "60"]);
    place.completed("b", &["--steps", "60"]);
    let [a, b] = ["a", "b"].map(|name| {
        let mut files = place.results(name);
        files.remove("timings.csv").unwrap();
        let mut report: Value = serde_json::from_slice(&files.remove("run.json").unwrap()).unwrap();
        for key in ["timings", "saved", "checksum"] {
            report.as_object_mut().unwrap().remove(key).unwrap();
        }
        (files, report)
    });

    assert_eq!(
        a.0.keys().collect::<Vec<_>>(),
        b.0.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &a.0 {
        assert!(*bytes == b.0[name], "{name} differs");
    }

    assert_eq!(a.1, b.1);
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let place = Place::new();

    // More than 1024 vertices, triangles and edges per loop, so that work is cut; falling fast, so
    // that they collide.
    let size = ["upper", "lower"]
        .iter()
        .enumerate()
        .map(|(k, _)| format!("bodies.{k}.shape.square.segments=32"));
    let settings: Vec<String> = size
        .chain(["bodies.0.velocity=[0,-5]".to_owned()])
        .collect();

    for threads in ["1", "2"] {
        let mut args = vec!["--steps", "12", "--no-frames", "--threads", threads];
        args.extend(
            settings
                .iter()
                .flat_map(|setting| ["--set", setting.as_str()]),
        );
        place.completed(threads, &args);

        assert_eq!(
            place.json(&format!("{threads}/run.json"))["threads"].to_string(),
            threads
        );
    }

    assert!(
        column(&table(&place, "1/energies.csv"), "contacts")
            .into_iter()
            .fold(0.0, f64::max)
            > 10.0
    );
    let one = place.files("1");
    let two = place.files("2");
    assert!(
        one["trajectory.npy"] == two["trajectory.npy"]
            && one["energies.csv"] == two["energies.csv"]
    );
}
