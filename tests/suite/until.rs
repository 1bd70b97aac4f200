//! Conditions at which runs end: rest, places of bodies, energies.

use crate::program::{Ended, Place, ipcsim};
use serde_json::{Value, json};
use std::fs;

/// Gravity of all scenes (m/s^2).
const G: f64 = 10.0;
/// Time step of all scenes (s).
const H: f64 = 0.01;

/// A square of 1 m, 1 m above the ground, thrown up at `speed` (m/s), with a condition.
fn thrown(speed: f64, until: &str) -> Value {
    json!({
        "time": { "step": H, "steps": 400, "until": until },
        "gravity": [0, -G],
        "materials": { "stone": { "density": 1000 } },
        "bodies": [{
            "name": "block", "shape": { "square": { "side": 1.0, "segments": 1 } }, "material": "stone",
            "kind": "rigid", "position": [0, 1.5], "velocity": [0, speed]
        }],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ]
    })
}

/// Runs a scene into the folder `name`, with more arguments.
fn run(place: &Place, name: &str, scene: &Value, args: &[&str]) -> Ended {
    let path = place.scene(scene);
    let folder = place.path(name);
    let first = ["run", &path, "--out", &folder, "--no-frames"];
    ipcsim(&[&first[..], args].concat())
}

/// The report of the run in the folder `name`.
fn report(place: &Place, name: &str) -> Value {
    let text = fs::read_to_string(format!("{}/run.json", place.path(name))).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_fall_ends_at_the_step_of_the_closed_form() {
    // Implicit Euler falls h^2 g n (n + 1) / 2 in n steps: more than 0.3 m first at n = 25.
    let place = Place::new();
    let said = run(&place, "a", &thrown(0.0, "block.y < 1.2"), &[]);
    assert_eq!(said.code, 0, "{said:?}");
    let found = report(&place, "a");
    let fallen = |n: f64| H * H * G * n * (n + 1.0) / 2.0;
    let n = (1..400).find(|&n| fallen(f64::from(n)) > 0.3).unwrap();
    assert_eq!(
        (&found["steps"], &found["status"]),
        (&json!(n), &json!("completed"))
    );
    said.prints(&format!("ended after step {n} of 400"));

    // Its speed is g h n.
    let slower = format!("block.vy < {}", -G * H * 7.5);
    run(&place, "b", &thrown(0.0, &slower), &[]);
    assert_eq!(report(&place, "b")["steps"], json!(8));
}

#[test]
fn the_top_of_a_throw_is_no_rest() {
    // After 20 steps the speed is 0 but for rounding; the block comes to rest on the ground later.
    let place = Place::new();
    let scene = thrown(20.0 * G * H, "rest");
    run(&place, "a", &scene, &[]).exits(0);
    let steps = report(&place, "a")["steps"].as_u64().unwrap();
    assert!(steps > 60 && steps < 400, "{steps}");

    // Both parts of a condition must hold.
    let later = format!("rest and t > {}", (steps + 5) as f64 * H - 0.5 * H);
    run(&place, "b", &thrown(20.0 * G * H, &later), &[]);
    assert_eq!(report(&place, "b")["steps"], json!(steps + 5));
}

#[test]
fn a_run_ends_at_the_same_bits_on_any_threads_and_after_a_resumption() {
    let place = Place::new();
    let scene = thrown(2.0, "rest");
    run(&place, "one", &scene, &["--threads", "1"]);
    run(&place, "two", &scene, &["--threads", "2", "--certify"]);
    let [one, two] = ["one", "two"].map(|name| report(&place, name));
    assert_eq!((&one["hash"], &one["steps"]), (&two["hash"], &two["steps"]));
    ipcsim(&["verify", &place.path("two")]).exits(0);

    // Back to a checkpoint in its middle.
    run(&place, "back", &scene, &["--checkpoint-every", "20"]);
    let folder = place.path("back");
    ipcsim(&["run", "--resume", &folder, "--from", "60"]).exits(0);
    let back = report(&place, "back");
    assert_eq!(
        (&one["hash"], &one["steps"]),
        (&back["hash"], &back["steps"])
    );

    // A run that has ended goes on only if it is asked for more steps.
    ipcsim(&["run", "--resume", &folder]).exits(0);
    assert_eq!(report(&place, "back"), back);
}

#[test]
fn conditions_that_mean_nothing_are_refused() {
    for (until, expected) in [
        ("block", "\"block\" is no condition; write rest"),
        (
            "blok.y < 1",
            "unknown name \"blok.y\"; variables are t, speed",
        ),
        (
            "y < 1",
            "write the name of a body before them, as in ball.x",
        ),
        ("t > 1 and speed < ", "at character 19: the formula ends"),
    ] {
        let place = Place::new();
        run(&place, "a", &thrown(0.0, until), &[])
            .exits(2)
            .complains("time.until")
            .complains(expected);
    }
}
