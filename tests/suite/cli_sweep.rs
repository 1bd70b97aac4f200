//! `ipcsim sweep`: plans, tables, and sweeps that are stopped or killed.

use crate::cli_killed::{holds_before_the_end, size};
use crate::program::{Ended, Place, ipcsim, project};
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};

/// A block that slides on a slope: rigid, two bodies, short.
fn scene() -> Value {
    json!({
        "time": { "step": 0.01, "steps": 20 },
        "materials": { "steel": { "density": 7800 } },
        "bodies": [ {
            "name": "block", "kind": "rigid", "material": "steel",
            "shape": { "square": { "side": 0.1, "segments": 1 } }, "position": [0, 0.0505], "velocity": [1, 0]
        } ],
        "obstacles": [ { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } } ],
        "contact": { "friction": { "default": 0.1 } }
    })
}

/// Writes the scene and a plan with these entries into a place.
fn plan(place: &Place, name: &str, vary: &Value, more: &Value) {
    std::fs::write(place.path("scene.json"), scene().to_string()).unwrap();
    let mut plan = json!({ "scene": "scene.json", "bodies": ["block"], "vary": vary });
    for (key, value) in more.as_object().unwrap() {
        plan[key] = value.clone();
    }
    std::fs::write(place.path(name), plan.to_string()).unwrap();
}

/// Runs a sweep into the folder `out` of a place.
fn sweep(place: &Place, plan: &str, out: &str, args: &[&str]) -> Ended {
    let plan = place.path(plan);
    let out = place.path(out);
    ipcsim(&[&["sweep", &plan, "--out", &out], args].concat())
}

/// Fields of the table in the folder `out`.
fn table(place: &Place, out: &str) -> Vec<Vec<String>> {
    crate::cli_run::table(place, &format!("{out}/results.csv"))
}

/// Friction from 0 to 0.3 in three steps, and two masses.
fn six() -> Value {
    json!([
        { "range": { "key": "contact.friction.default", "name": "mu", "from": 0, "to": 0.3, "count": 3 } },
        { "list": { "key": "materials.steel.density", "values": [1000, 7800] } }
    ])
}

#[test]
fn a_sliding_block_loses_speed_by_its_friction_in_every_row() {
    let place = Place::new();
    plan(&place, "plan.json", &six(), &json!({}));
    sweep(&place, "plan.json", "out", &["--only"])
        .exits(0)
        .prints("6 of 6 runs are done");

    // v = v0 - mu g t, whatever the mass.
    let rows = table(&place, "out");
    let speeds = crate::cli_run::column(&rows, "block.velocity_x");
    for (run, speed) in speeds.iter().enumerate() {
        let mu = 0.15 * (run / 2) as f64;
        let expected = 1.0 - mu * 9.81 * 0.2;
        assert!(
            (speed - expected).abs() < 2e-3,
            "{run}: {speed}, {expected}"
        );
    }
    assert_eq!(rows[1][..4], ["0", "0", "1000", "completed"]);
    assert_eq!(rows[6][..4], ["5", "0.3", "7800", "completed"]);
    assert_eq!(rows.len(), 7);
    assert_eq!(place.names("out").len(), 4, "{:?}", place.names("out"));
}

#[test]
fn runs_with_folders_give_the_same_table_and_equal_ipcsim_run() {
    let place = Place::new();
    plan(&place, "plan.json", &six(), &json!({}));
    sweep(&place, "plan.json", "only", &["--only", "--threads", "1"]);
    sweep(&place, "plan.json", "folders", &["--threads", "3"]);
    assert_eq!(
        place.read("only/results.csv"),
        place.read("folders/results.csv")
    );

    let scene = place.path("scene.json");
    let single = place.path("single");
    let args = ["run", &scene, "--out", &single, "--no-frames"];
    let set = [
        "--set",
        "contact.friction.default=0.3",
        "--set",
        "materials.steel.density=1000",
    ];
    assert_eq!(ipcsim(&[&args[..], &set].concat()).code, 0);
    for file in ["trajectory.npy", "energies.csv", "forces.csv"] {
        let of_sweep = std::fs::read(place.root().join("folders/runs/000004").join(file)).unwrap();
        let of_run = std::fs::read(place.root().join("single").join(file)).unwrap();
        assert!(of_sweep == of_run, "{file}");
    }
    let hash = place.json("single/run.json")["hash"].clone();
    assert_eq!(json!(table(&place, "only")[5].iter().rev().nth(1)), hash);
}

#[test]
fn failures_are_summed_up_and_the_others_go_on() {
    let place = Place::new();
    let vary = json!([
        { "points": { "keys": ["contact.friction.default", "solver.max_iterations"],
                      "values": [[0.1, 200], [-1, 200], [0.2, 1], [0.3, 1]] } }
    ]);
    plan(&place, "plan.json", &vary, &json!({}));
    let ended = sweep(&place, "plan.json", "only", &["--only"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    for part in [
        "4 of 4 runs are done",
        "3 have failed or were refused",
        "2 runs failed (iterations); run 2 with contact.friction.default = 0.2, \
         solver.max_iterations = 1: after 1 iterations",
        "1 run refused (scene); run 1 with contact.friction.default = -1, \
         solver.max_iterations = 200: contact.friction",
    ] {
        ended.prints(part);
    }

    sweep(&place, "plan.json", "folders", &[]);
    assert_eq!(
        place.read("only/results.csv"),
        place.read("folders/results.csv")
    );
}

#[test]
fn shares_that_never_meet_give_the_table_of_one_sweep() {
    let place = Place::new();
    plan(&place, "plan.json", &six(), &json!({}));
    sweep(&place, "plan.json", "one", &["--only"]);
    for share in ["2/4", "0/4", "3/4", "1/4"] {
        sweep(&place, "plan.json", "shares", &["--only", "--share", share]).exits(0);
    }
    assert!(!place.root().join("shares/results.csv").exists());
    sweep(&place, "plan.json", "shares", &["--collect"]).prints("6 of 6 runs are done");
    assert_eq!(
        place.read("one/results.csv"),
        place.read("shares/results.csv")
    );
}

/// Starts a sweep into the folder `out` of a place.
#[cfg(unix)]
fn start(place: &Place, out: &str, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .current_dir(project(""))
        .args(["sweep", &place.path("plan.json"), "--out", &place.path(out)])
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Sends a signal to a process, which may have ended.
#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([format!("-{signal}"), child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    sent.unwrap();
}

/// Number of the journals of a sweep into the folder `out`, and that of their bytes.
#[cfg(unix)]
fn journals(place: &Place, out: &str) -> [u64; 2] {
    let entries = std::fs::read_dir(place.root().join(out).join("journals"));
    let sizes = entries
        .into_iter()
        .flatten()
        .map(|entry| size(&entry.unwrap().path()));
    sizes.fold([0; 2], |[files, bytes], size| [files + 1, bytes + size])
}

#[cfg(unix)]
#[test]
fn sweeps_that_are_killed_or_stopped_end_with_the_same_bytes() {
    let place = Place::new();
    let vary = json!([{ "latin_hypercube": { "runs": 60, "seed": 4, "over": [
        { "key": "contact.friction.default", "from": 0, "to": 0.5 },
        { "key": "materials.steel.density", "from": 100, "to": 10000, "scale": "log" }
    ] } }]);
    plan(
        &place,
        "plan.json",
        &vary,
        &json!({ "set": { "time.steps": 200 } }),
    );
    sweep(&place, "plan.json", "whole", &["--only"]);

    for (form, args) in [("only", &["--only"][..]), ("folders", &[])] {
        for (turn, signal) in ["KILL", "TERM", "KILL", "INT", "KILL"]
            .into_iter()
            .enumerate()
        {
            // The first one as soon as there is a journal, the others after more rows.
            let before = journals(&place, form);
            let mut child = start(&place, form, args);
            holds_before_the_end(&mut child, || {
                // The head of a journal is shorter than a row.
                let [files, bytes] = journals(&place, form);
                let heads = 100 * (files - before[0]);
                heads > 0 && (turn == 0 || bytes > before[1] + heads)
            });
            send(signal, &child);
            child.wait().unwrap();
        }

        sweep(&place, "plan.json", form, args).exits(0);
        assert_eq!(
            place.read("whole/results.csv"),
            place.read(&format!("{form}/results.csv"))
        );
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_goes_on_from_its_step() {
    let place = Place::new();
    let vary = json!([{ "list": { "key": "materials.steel.density", "values": [900] } }]);
    let long = json!({ "set": { "time.steps": 40000, "time.step": 1e-4, "output.every": 40000 } });
    plan(&place, "plan.json", &vary, &long);
    sweep(&place, "plan.json", "whole", &["--only"]);

    // Stopped long before its last step. One that has not begun its first step stores nothing, and is
    // started again.
    let stored = [0, 20, 50, 100, 200, 400].into_iter().any(|wait| {
        let mut child = start(&place, "stopped", &["--only"]);
        let begins = || journals(&place, "stopped")[0] > 0;
        assert!(holds_before_the_end(&mut child, begins));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        send("TERM", &child);
        assert_eq!(child.wait().unwrap().code(), Some(143));
        journals(&place, "stopped")[1] > 100
    });
    assert!(stored, "no state is stored");

    sweep(&place, "plan.json", "stopped", &["--only"]);
    assert_eq!(
        place.read("whole/results.csv"),
        place.read("stopped/results.csv")
    );
}

#[test]
fn wrong_plans_are_refused_with_their_place() {
    let place = Place::new();
    let list = |key: &str, values: Value| json!([{ "list": { "key": key, "values": values } }]);
    let cases = [
        (
            list("contact.frictoin", json!([1])),
            "plan.json: scene.json: contact.frictoin = 1: contact.frictoin: unknown key \"frictoin\"; did you mean \
             \"friction\"?",
        ),
        (
            list("time.steps", json!([1.5])),
            "plan.json: scene.json: time.steps = 1.5: time.steps: found the number 1.5, expected a whole number, \
             0 or larger",
        ),
        (
            list("time.steps", json!([])),
            "plan.json: vary[0]: it has no values",
        ),
        (
            json!([{ "rnage": { "key": "a", "from": 0, "to": 1, "count": 2 } }]),
            "unknown choice \"rnage\"; did you mean \"range\"?",
        ),
    ];
    for (vary, expected) in cases {
        plan(&place, "plan.json", &vary, &json!({}));
        sweep(&place, "plan.json", "out", &["--only"])
            .exits(2)
            .complains(expected);
    }

    plan(
        &place,
        "plan.json",
        &six(),
        &json!({ "set": { "time.stesp": 3 } }),
    );
    let ended = sweep(&place, "plan.json", "out", &["--only"]);
    let expected =
        "scene.json: time.stesp = 3: time.stesp: unknown key \"stesp\"; did you mean \"steps\"?";
    ended.complains(expected);

    plan(&place, "plan.json", &six(), &json!({ "bodies": ["blcok"] }));
    let ended = sweep(&place, "plan.json", "out", &["--only"]);
    let expected = "bodies: no body or obstacle is named \"blcok\"; the names are block, ground";
    ended.complains(expected);
}

#[test]
fn a_folder_of_another_plan_or_of_the_user_is_refused() {
    let place = Place::new();
    plan(&place, "plan.json", &six(), &json!({}));
    sweep(&place, "plan.json", "out", &["--only"]);
    let before = place.files("out");

    plan(
        &place,
        "other.json",
        &six(),
        &json!({ "set": { "time.steps": 21 } }),
    );
    sweep(&place, "other.json", "out", &["--only"])
        .exits(2)
        .complains("holds runs of another plan");
    assert_eq!(place.files("out"), before);

    std::fs::create_dir(place.path("mine")).unwrap();
    std::fs::write(place.path("mine/thesis.tex"), "").unwrap();
    sweep(&place, "plan.json", "mine", &["--only"])
        .exits(2)
        .complains("holds \"thesis.tex\"");
}

#[test]
fn a_table_of_points_has_names_texts_and_lists() {
    let place = Place::new();
    let points = "contact.friction.default,bodies.0.velocity\n0.1,\"[2, 0]\"\n0.2,\"[3, 0]\"\n";
    std::fs::write(place.path("points.csv"), points).unwrap();
    plan(
        &place,
        "plan.json",
        &json!([{ "table": "points.csv" }]),
        &json!({}),
    );
    sweep(&place, "plan.json", "out", &["--only"]).exits(0);
    let text = place.read("out/results.csv");
    assert!(text.contains("\n0,0.1,\"[2,0]\",completed,"), "{text}");

    sweep(&place, "plan.json", "list", &["--list"])
        .prints("run 1: contact.friction.default = 0.2, bodies.0.velocity = [3,0]");
    assert!(!place.root().join("list").exists());
}

#[test]
fn scripts_for_slurm_name_the_share_of_each_task() {
    let place = Place::new();
    plan(&place, "plan.json", &six(), &json!({}));
    let args = [
        "--only",
        "--engine",
        "slurm",
        "--tasks",
        "3",
        "--time",
        "00:10:00",
        "--dry-run",
    ];
    sweep(&place, "plan.json", "out", &args).exits(0);
    let script = place.read("out/slurm/array.sh");
    for part in [
        "#SBATCH --array=0-2\n",
        "#SBATCH --time=00:10:00\n",
        "#SBATCH --requeue\n",
        " --only --threads 1 --share \"$SLURM_ARRAY_TASK_ID/3\"",
    ] {
        assert!(script.contains(part), "{part}\n{script}");
    }
}
