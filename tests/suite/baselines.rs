//! The shipped scenes against their baselines in `tests/baselines`.
//!
//! If a change is meant to change results, write them again with
//! `IPCSIM_WRITE_BASELINES=1 cargo test --release --test suite -- --ignored baselines`.

use crate::program::{Ended, Place, good_scenes, ipcsim, large_scenes, project};
use serde_json::{Value, json};
use std::path::Path;

/// Scenes whose baselines end early, at this step. Those called chaotic are where a change of
/// gravity by 1e-9 m/s^2 moves something by a tenth of what the baseline allows soon after.
const SHORT: [(&str, usize, &str); 24] = [
    ("showcase_all_kinds", 300, CHAOTIC),
    ("showcase_arches", 45, CHAOTIC),
    ("showcase_bullet_through_paper", 0, AT_ONCE),
    ("showcase_catapult", 1000, CHAOTIC),
    ("showcase_chain", 160, CHAOTIC),
    ("showcase_crash_box", 28, CHAOTIC),
    ("showcase_dominoes", 90, CHAOTIC),
    ("showcase_excavator", 220, CHAOTIC),
    ("showcase_gears", 40, CHAOTIC),
    ("showcase_granular_cell", 20, CHAOTIC),
    ("showcase_hourglass", 130, CHAOTIC),
    ("showcase_house_of_cards", 220, CHAOTIC),
    ("showcase_linkage", 120, CHAOTIC),
    ("showcase_mangle", 60, LARGE),
    ("showcase_mixer", 240, CHAOTIC),
    ("showcase_rolling", 280, CHAOTIC),
    ("stress_combs", 30, CHAOTIC),
    ("stress_disks_500", 12, LARGE),
    ("stress_disks_5000", 4, LARGE),
    ("stress_mixed_disks", 20, CHAOTIC),
    ("stress_rubber_band", 2, LARGE),
    ("stress_two_squares_20k", 6, LARGE),
    ("stress_two_squares_200k", 4, LARGE),
    ("stress_two_squares_1m", 3, LARGE),
];
const CHAOTIC: &str =
    "chaotic: soon after the last step of this file, rounding grows beyond what it allows";
const AT_ONCE: &str = "chaotic from the first step on: a ball of a metre a step hits a wall in it";
const LARGE: &str = "large: a few steps are enough for a regression test";

/// Folder and name of a scene, joined.
fn name(scene: &Path) -> String {
    let part = |path: Option<&Path>| {
        path.and_then(Path::file_stem)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    format!("{}_{}", part(scene.parent()), part(Some(scene)))
}

fn baseline(name: &str) -> String {
    project(&format!("tests/baselines/{name}.json"))
        .to_str()
        .unwrap()
        .to_owned()
}

fn short(name: &str) -> Option<(usize, &'static str)> {
    SHORT
        .iter()
        .find(|(short, ..)| *short == name)
        .map(|&(_, steps, why)| (steps, why))
}

/// Runs `scene` for a number of `steps`, or to its end.
fn run(place: &Place, scene: &Path, steps: Option<usize>) -> String {
    let steps = steps.map(|steps| steps.to_string());
    let steps: Vec<&str> = steps.iter().flat_map(|steps| ["--steps", steps]).collect();
    let out = place.path(&name(scene));
    let run = ["run", scene.to_str().unwrap(), "--out", &out];
    let ended = ipcsim(&[&run[..], &["--no-frames", "--quiet"], &steps].concat());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
    out
}

fn against(out: &str, name: &str) -> Ended {
    ipcsim(&["verify", out, "--against", &baseline(name)])
}

fn assert_agrees(out: &str, name: &str) {
    against(out, name).exits(0).prints("agrees with");
}

/// Path of a copy of the scene whose bodies are moved by rounding errors.
///
/// The chiral cell has gaps of .15 mm at rest, from which a distance of contact follows whose digits count.
fn perturbed(place: &Place, scene: &Path) -> std::path::PathBuf {
    let is_small = scene.ends_with("chiral_cell.json");
    let error = if is_small { 5e-14 } else { 1e-12 };
    let mut json: Value = serde_json::from_str(&std::fs::read_to_string(scene).unwrap()).unwrap();
    for (k, body) in json["bodies"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        let at = body.get("position").cloned().unwrap_or(json!([0.0, 0.0]));
        let moved =
            |axis: usize| at[axis].as_f64().unwrap() + error * [1.0, -1.0, 0.5][(k + axis) % 3];
        body["position"] = json!([moved(0), moved(1)]);
    }
    let folder = place
        .root()
        .join(scene.parent().unwrap().file_stem().unwrap());
    std::fs::create_dir_all(&folder).unwrap();

    // Files with shapes are beside it.
    let shapes = scene.parent().unwrap().join("shapes");
    if shapes.exists() {
        std::fs::create_dir_all(folder.join("shapes")).unwrap();
        for file in std::fs::read_dir(shapes).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.join("shapes").join(file.file_name())).unwrap();
        }
    }
    let path = folder.join(scene.file_name().unwrap());
    std::fs::write(&path, json.to_string()).unwrap();
    path
}

#[test]
fn every_scene_keeps_to_its_baseline_in_its_first_steps() {
    let place = Place::new();
    for scene in good_scenes() {
        let name = name(&scene);
        let steps = if name.starts_with("stress") { 2 } else { 10 };
        let out = run(
            &place,
            &scene,
            Some(steps.min(short(&name).map_or(steps, |(steps, _)| steps))),
        );

        assert_agrees(&out, &name);
        let size = std::fs::metadata(baseline(&name)).unwrap().len();
        assert!(size < 20_000, "{name}: {size}");
    }
}

#[test]
fn a_baseline_allows_what_rounding_does() {
    let place = Place::new();
    for scene in good_scenes()
        .into_iter()
        .filter(|scene| !name(scene).starts_with("stress"))
    {
        let out = run(&place, &perturbed(&place, &scene), Some(5));
        assert_agrees(&out, &name(&scene));
    }
}

#[test]
#[ignore = "all scenes to the ends of their baselines, once more with bodies moved by roundings"]
fn every_scene_keeps_to_its_baseline_to_its_end_whatever_the_rounding() {
    let place = Place::new();
    for scene in good_scenes().into_iter().chain(large_scenes()) {
        let name = name(&scene);
        let started = std::time::Instant::now();
        let limit = short(&name);
        let out = run(&place, &scene, limit.map(|(steps, _)| steps));

        if std::env::var_os("IPCSIM_WRITE_BASELINES").is_some() {
            let note = limit.map_or(vec![], |(_, why)| vec!["--note", why]);
            let file = baseline(&name);
            ipcsim(&[&["verify", &out, "--write-baseline", &file][..], &note].concat()).exits(0);
        }

        assert_agrees(&out, &name);
        std::fs::remove_dir_all(&out).unwrap();
        let out = run(
            &place,
            &perturbed(&place, &scene),
            limit.map(|(steps, _)| steps),
        );

        assert_agrees(&out, &name);
        println!("{name}: {:.1} s", started.elapsed().as_secs_f64());
    }
}

#[test]
fn a_difference_from_a_baseline_is_reported_with_step_values_and_what_is_allowed() {
    let place = Place::new();
    let name = "scenes_two_squares";
    // Positions, an energy, a parameter, a count and a name.
    let cases = [
        ("obstacles.1.velocity=[0,-0.6]", "mean y of \"ceiling\" is "),
        ("bodies.0.velocity=[0.5,0]", "x of \"upper\" is "),
        ("gravity=[0,-40]", "step 0: gravity is "),
        (
            "solver.tolerance=0.001",
            "tolerance is 0.001, in the baseline 0.01",
        ),
        (
            "bodies.0.shape.square.segments=3",
            "the baseline 20 vertices",
        ),
        ("obstacles.1.name=\"lid\"", "body 3 is not \"ceiling\""),
    ];

    for (k, (set, expected)) in cases.into_iter().enumerate() {
        let out = format!("{k}");
        place.completed(&out, &["--steps", "60", "--no-frames", "--set", set]);
        let ended = against(&place.path(&out), name);

        ended.exits(1).prints("differs from ").prints(expected);
        if k < 3 {
            ended.prints(": step ").prints("; allowed are ");
        }
    }
}

#[test]
fn energies_gaps_and_iterations_differ() {
    let place = Place::new();
    place.completed("a", &["--steps", "60", "--no-frames"]);
    let file = place.path("baseline.json");

    ipcsim(&[
        "verify",
        &place.path("a"),
        "--write-baseline",
        &file,
        "--note",
        "why",
    ])
    .exits(0);
    ipcsim(&["verify", &place.path("a"), "--against", &file]).exits(0);

    let original = place.json("baseline.json");
    assert_eq!(original["note"], "why");

    // A count, a gap and an energy beyond their tolerances.
    let last = original["states"].as_array().unwrap().len() - 1;
    let mut changed = original.clone();
    let iterations = &mut changed["states"][last]["iterations"];
    *iterations = json!(iterations.as_f64().unwrap() * 1.13);
    assert_differs(&place, &changed, "Newton iterations so far");

    let mut changed = original.clone();
    changed["states"][last]["gap"] = json!(0.5);
    assert_differs(&place, &changed, "step 60: the smallest gap is ");

    let allowed = original["tolerances"]["energy"].as_f64().unwrap();
    let gravity = original["states"][2]["energies"][1].as_f64().unwrap();
    let mut changed = original.clone();
    changed["states"][2]["energies"][1] = json!(gravity + 1.01 * allowed);
    assert_differs(&place, &changed, "step 2: gravity is ");

    // An energy within its tolerance.
    changed["states"][2]["energies"][1] = json!(gravity + 0.99 * allowed);
    std::fs::write(&file, changed.to_string()).unwrap();
    ipcsim(&["verify", &place.path("a"), "--against", &file]).exits(0);
}

/// Checks that the run `a` differs from a baseline, with this text in the message.
fn assert_differs(place: &Place, baseline: &Value, expected: &str) {
    let file = place.path("baseline.json");
    std::fs::write(&file, baseline.to_string()).unwrap();
    ipcsim(&["verify", &place.path("a"), "--against", &file])
        .exits(1)
        .prints(expected);
}

#[test]
fn a_run_without_a_state_of_the_baseline_differs() {
    let place = Place::new();
    let file = place.path("baseline.json");
    place.completed("a", &["--steps", "60", "--no-frames"]);
    ipcsim(&["verify", &place.path("a"), "--write-baseline", &file]).exits(0);

    place.completed(
        "every",
        &["--steps", "60", "--no-frames", "--set", "output.every=2"],
    );
    ipcsim(&["verify", &place.path("every"), "--against", &file])
        .exits(1)
        .prints("step 1: the run has no such state");
}

#[test]
fn a_file_that_is_no_baseline_is_bad_input() {
    let place = Place::new();
    place.completed("a", &["--steps", "1", "--no-frames"]);

    let [a, b] = ["a", "b.json"].map(|name| place.path(name));
    let against_b = || ipcsim(&["verify", &a, "--against", &b]);
    for text in ["", "{}", "[1]", "not JSON"] {
        std::fs::write(place.root().join("b.json"), text).unwrap();
        against_b().exits(2).complains("nor a baseline");
    }

    // A format of another number.
    let other = std::fs::read_to_string(baseline("scenes_two_squares"))
        .unwrap()
        .replace("\"format\":1", "\"format\":2");
    std::fs::write(place.root().join("b.json"), other).unwrap();
    against_b().exits(2).complains("format 2 of baselines");
    ipcsim(&["verify", &place.path("a"), "--note", "x"]).exits(2);
}
