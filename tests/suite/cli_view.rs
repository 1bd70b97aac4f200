//! `ipcsim view`: a page whose data are those of the run, and what it says of runs that lack something.

mod shown;

use crate::cli_killed::holds_before_the_end;
use crate::program::{Ended, Npy, Place, forget, ipcsim, project, rewrite, words};
use serde_json::Value;
use shown::{Shown, data};
use std::process::{Command, Stdio};

/// Writes the page of runs in a place.
fn view(place: &Place, dirs: &[&str], args: &[&str]) -> Ended {
    let dirs: Vec<String> = dirs.iter().map(|dir| place.path(dir)).collect();
    let dirs: Vec<&str> = dirs.iter().map(String::as_str).collect();
    ipcsim(&[&["view", "--no-open"][..], &dirs, args].concat())
}

#[test]
fn positions_of_the_page_are_those_of_the_trajectory() {
    let place = Place::new();
    place.completed("a", &["--steps", "40", "--no-frames"]);
    let trajectory = Npy::open(&place.path("a/trajectory.npy"));
    for (every, precision) in [("1", "1e-3"), ("7", "1e-6")] {
        let ended = view(
            &place,
            &["a"],
            &["--every", every, "--precision", precision],
        );
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let shown = Shown::of(&place, "a/view.html", 0);
        assert!(shown.number("error") <= precision.parse().unwrap());
        shown.assert_positions(&trajectory, every.parse().unwrap());
        let said = format!(
            "{} states of {} vertices; rounded: positions +-",
            shown.size()[0],
            shown.size()[1]
        );
        ended.prints(&said);
    }

    // A wish that cannot be met is answered.
    view(&place, &["a"], &["--precision", "1e-9"])
        .complains("instead of 1.0e-9 m, since the page has at most 2^24 places");
    Shown::of(&place, "a/view.html", 0).assert_positions(&trajectory, 1);

    // Without a wish the grid has 16 bits, and edges are 100 times as long as the error.
    assert_eq!(view(&place, &["a"], &[]).code, 0);
    let shown = Shown::of(&place, "a/view.html", 0);
    assert!(shown.number("cells") <= 65_535.0);
    shown.assert_positions(&trajectory, 1);
    assert_eq!(shown.head["status"], "completed");
}

#[test]
fn the_page_has_symbols_masses_and_the_words_of_the_scene() {
    let place = Place::new();
    let scene = project("scenes/showcase/linkage.json");
    let scene = scene.to_str().unwrap();
    place.ran(scene, "a", &["--steps", "3"]);
    assert_eq!(view(&place, &["a"], &[]).code, 0);
    let shown = Shown::of(&place, "a/view.html", 0);
    let text = std::fs::read_to_string(scene).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(shown.head["description"], written["description"]);

    // Each hinge is at its place at the start, by the weights of its vertices.
    let start = &shown.positions()[0];
    let symbols: Value = serde_json::from_slice(&shown.block("symbols")).unwrap();
    let symbols = symbols.as_array().unwrap();
    let at = |symbol: &Value| {
        let terms = symbol["at"][0].as_array().unwrap();
        let mut sum = [0.0; 2];
        for term in terms {
            let vertex = usize::try_from(term[0].as_u64().unwrap()).unwrap();
            let [s, t] = [1, 2].map(|k| term[k].as_f64().unwrap());
            let [x, y] = start[vertex];
            sum = [sum[0] + s * x - t * y, sum[1] + t * x + s * y];
        }
        sum
    };
    let hinges: Vec<[f64; 2]> = symbols
        .iter()
        .filter(|symbol| symbol["kind"] == "hinge")
        .map(at)
        .collect();
    let mut expected = 0;
    for joint in written["joints"].as_array().unwrap() {
        let Some(place) = joint["hinge"]["at"].as_array() else {
            continue;
        };
        let [x, y] = [0, 1].map(|axis| place[axis].as_f64().unwrap());
        let is_there = |p: &[f64; 2]| (p[0] - x).hypot(p[1] - y) < 1e-3;
        assert!(hinges.iter().any(is_there), "{x} {y} of {hinges:?}");
        expected += 1;
    }
    assert_eq!(hinges.len(), expected);
    let bodies = shown.head["bodies"].as_array().unwrap();
    assert!(bodies.iter().any(|body| body["mass"].as_f64() > Some(0.0)));
}

#[test]
fn one_large_state_does_not_coarsen_the_others() {
    // The squares of the scene are crushed at the end.
    let place = Place::new();
    let crush = words(
        "--steps 200 --no-frames --set obstacles.ceiling.velocity=[0,-0.7] --set \
         obstacles.ceiling.travel=1.26",
    );
    place.completed("a", &crush);
    assert_eq!(view(&place, &["a"], &[]).code, 0);
    let shown = Shown::of(&place, "a/view.html", 0);
    let fields = shown.head["fields"].as_array().unwrap();
    let stress = fields.iter().find(|field| field["name"] == "stress");
    let [error, largest] = ["error", "largest"].map(|key| stress.unwrap()[key].as_f64().unwrap());
    assert!(
        largest > 1e7 && error < 1e-4 * largest,
        "{error} of {largest}"
    );
}

#[test]
fn the_page_is_the_same_on_any_number_of_threads() {
    let place = Place::new();
    place.completed(
        "a",
        &words("--steps 12 --no-frames --set output.contacts=npy"),
    );
    let mut pages = Vec::new();
    for threads in ["1", "2", "5"] {
        let ended = view(&place, &["a"], &["--threads", threads]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert_eq!(ended.stderr, "");
        pages.push(place.read("a/view.html"));
    }
    assert!(pages.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn several_runs_stand_in_one_page_and_options_leave_parts_out() {
    let place = Place::new();
    place.completed("a", &["--steps", "6", "--no-frames"]);
    place.completed(
        "b",
        &words("--steps 3 --no-frames --set output.force_rows=0"),
    );
    let out = place.path("both.html");
    let ended = view(
        &place,
        &["a", "b"],
        &["--out", &out, "--fields", "stress,body"],
    );
    assert_eq!(ended.code, 0, "{}", ended.stderr);

    let [first, second] = [0, 1].map(|run| Shown::of(&place, "both.html", run));
    assert_eq!([first.size()[0], second.size()[0]], [7, 4]);
    let page = place.read("both.html");
    let settings: Value = serde_json::from_str(data(&page, "settings")).unwrap();
    assert_eq!(settings["quantity"], "stress");
    assert_eq!(first.head["fields"].as_array().unwrap().len(), 1);
    assert_eq!(first.head["absent"]["speed"], "left out by --fields");
    ended.complains("the run has no forces.csv");
    assert!(
        second.head["notes"]
            .to_string()
            .contains("output.force_rows")
    );

    assert_eq!(view(&place, &["a"], &["--no-forces"]).code, 0);
    let without = Shown::of(&place, "a/view.html", 0);
    let blocks = without.head["blocks"].to_string();
    assert!(!blocks.contains("contact") && !blocks.contains("force"));
}

#[test]
fn no_name_can_end_an_element() {
    let place = Place::new();
    let name = "</script><!--<script>\"'&<b>";
    let scene = serde_json::json!({
        "name": name,
        "time": { "step": 0.01, "steps": 2 },
        "materials": { "steel": { "density": 7800 } },
        "bodies": [{ "name": name, "kind": "rigid", "material": "steel",
                     "shape": { "rectangle": { "size": [1, 1], "segments": [1, 1] } } }]
    });
    place.ran(&place.scene(&scene), "a", &[]);
    view(&place, &["a"], &[]).exits(0);

    // Settings, head and data of the run, the library and the program, and nothing else.
    let page = place.read("a/view.html");
    assert_eq!(page.matches("<script").count(), 5);
    assert_eq!(page.matches("</script").count(), 5);
    assert!(!page.contains("<!--"));
    assert!(page.contains("<title>&lt;/script&gt;"));
    assert!(!page.contains("http-equiv=\"refresh\"") && !page.contains(" src="));
    let shown = Shown::of(&place, "a/view.html", 0);
    assert_eq!(shown.head["bodies"][0]["name"], name);
    assert_eq!(
        shown.head["absent"]["stress"],
        "no body of the scene has elastic triangles, so there is no stress"
    );
}

#[test]
fn a_run_that_has_failed_is_shown_with_its_reason() {
    let place = Place::new();
    place
        .two_squares(
            "a",
            &words("--steps 60 --no-frames --set solver.max_iterations=2"),
        )
        .exits(1);
    assert_eq!(view(&place, &["a"], &[]).code, 0);
    let shown = Shown::of(&place, "a/view.html", 0);
    let report = place.json("a/run.json");
    assert_eq!(shown.head["status"], "failed");
    let reason = shown.head["reason"].as_str().unwrap();
    assert!(reason.ends_with(report["reason"]["message"].as_str().unwrap()));
    assert_eq!(
        shown.size()[0] as u64,
        report["steps"].as_u64().unwrap() + 1
    );
}

#[test]
fn a_run_that_was_killed_is_shown_as_far_as_its_journal_goes() {
    let place = Place::new();
    let out = place.path("a");
    let scene = project("scenes/two_squares.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .args([
            "run",
            scene.to_str().unwrap(),
            "--out",
            &out,
            "--steps",
            "2000000",
            "--no-frames",
        ])
        .args(["--checkpoint-every", "10", "--set", "output.contacts=csv"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let checkpoint = place.root().join("a/checkpoint-000020.bin");
    assert!(holds_before_the_end(&mut child, || checkpoint.exists()));

    // Under way, and after it was killed.
    view(&place, &["a"], &[]).exits(0);
    child.kill().unwrap();
    child.wait().unwrap();
    let ended = view(&place, &["a"], &[]);
    ended.exits(0).complains("the run has not ended; ");
    let shown = Shown::of(&place, "a/view.html", 0);
    assert_eq!(shown.head["status"], "unfinished");
    let states = shown.size()[0];
    assert!(states > 20, "{states}");

    // The same run to that step has the same positions.
    let steps = (states - 1).to_string();
    place.ran("scenes/two_squares.json", "b", &["--steps", &steps]);
    shown.assert_positions(&Npy::open(&place.path("b/trajectory.npy")), 1);

    // A journal without a record has nothing to show.
    std::fs::write(place.root().join("a/journal.bin"), "").unwrap();
    view(&place, &["a"], &[])
        .exits(2)
        .complains("journal.bin: is damaged or was changed");
    rewrite(&place.root().join("a"), |report| report.saved.clear());
    view(&place, &["a"], &[])
        .exits(2)
        .complains("has no state to show");
}

#[test]
fn bad_input_ends_with_exit_code_2_and_writes_no_page() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames"]);
    std::fs::create_dir(place.root().join("empty")).unwrap();
    for (dir, said) in [
        ("empty", "holds no run; give the folder"),
        ("nowhere", "holds no run; give the folder"),
    ] {
        view(&place, &[dir], &[]).exits(2).complains(said);
    }
    for args in [
        ["--every", "0"],
        ["--precision", "0"],
        ["--precision", "nan"],
        ["--fields", "colour"],
    ] {
        assert_eq!(view(&place, &["a"], &args).code, 2, "{args:?}");
    }
    assert!(!place.root().join("a/view.html").exists());
}

#[test]
fn damaged_files_are_named_and_leave_an_old_page() {
    let place = Place::new();
    place.completed("a", &["--steps", "3", "--no-frames"]);
    assert_eq!(view(&place, &["a"], &[]).code, 0);
    let page = place.read("a/view.html");
    let whole = place.files("a");
    let trajectory = &whole["trajectory.npy"];
    let mut not_a_number = trajectory.clone();
    let end = not_a_number.len();
    not_a_number[end - 8..].copy_from_slice(&f64::NAN.to_le_bytes());
    let damages: [(&str, Vec<u8>, &str); 5] = [
        (
            "trajectory.npy",
            trajectory[..end - 8].to_vec(),
            "trajectory.npy",
        ),
        (
            "trajectory.npy",
            not_a_number,
            "has no finite position at step 3",
        ),
        (
            "energies.csv",
            b"step,time\n0\n".to_vec(),
            "energies.csv line 2",
        ),
        ("forces.csv", b"hello\n".to_vec(), "forces.csv"),
        ("run.json", b"{".to_vec(), "run.json"),
    ];
    for (name, bytes, said) in damages {
        let path = place.root().join("a").join(name);
        std::fs::write(&path, bytes).unwrap();
        if name != "run.json" {
            forget(&path);
        }
        view(&place, &["a"], &[]).exits(2).complains(said);
        assert_eq!(place.read("a/view.html"), page);
        std::fs::write(place.root().join("a").join(name), &whole[name]).unwrap();
    }

    // The page belongs to the run: a new run replaces both.
    place.completed("a", &["--steps", "2", "--no-frames"]);
    assert!(!place.root().join("a/view.html").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_page_is_named() {
    let place = Place::new();
    place.completed("a", &["--steps", "1", "--no-frames"]);
    let output = Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .args(["view", &place.path("a")])
        .env("PATH", "")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let said = format!(
        "no browser could be started; open {} in one",
        place.path("a/view.html")
    );
    assert!(
        output.status.success() && stderr.contains(&said),
        "{stderr}"
    );
}
