//! Scenes that go on from the state of another simulation: the same bits as a run in one piece, by the
//! program too, with proofs and a resumption; and states that are refused.

use crate::program::{Place, ipcsim};
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim::scene::schema::{Hand, Parameter};
use serde_json::{Value, json};
use std::fs;

/// The scene of a file, in which some values are changed.
fn scene(path: &str, changed: &[(&str, Value)]) -> Value {
    let mut scene: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for (key, value) in changed {
        let keys: Vec<&str> = key.split('.').collect();
        let mut inner = &mut scene;
        for key in keys {
            inner = &mut inner[key];
        }
        *inner = value.clone();
    }
    scene
}

fn simulation(text: &str) -> Simulation {
    let mut simulation = Simulation::new(parse(text, &[]).unwrap()).unwrap();
    simulation.begin().unwrap();
    simulation
}

/// Asserts that a run cut into ten parts by texts of scenes has the bits of the run in one piece.
fn cut_in_ten(scene: &Value, each: usize, set: impl Fn(&mut Simulation)) {
    let mut whole = simulation(&scene.to_string());
    let mut cut = simulation(&scene.to_string());
    for part in 0..10 {
        set(&mut whole);
        set(&mut cut);
        let text = cut.scene_from_here().to_json().to_string();
        cut = simulation(&text);
        assert_eq!(cut.steps(), part * each, "{}", scene["name"]);
        for _ in 0..each {
            let hash = whole.step().unwrap().hash;
            assert_eq!(cut.step().unwrap().hash, hash, "{}", scene["name"]);
        }
    }
}

#[test]
fn a_run_cut_ten_times_has_the_bits_of_the_run_in_one_piece() {
    let two = "scenes/two_squares.json";
    let showcase = |name: &str| format!("scenes/showcase/{name}.json");
    cut_in_ten(&scene(two, &[]), 12, |_| {});
    for integrator in ["bdf2", "tr_bdf2", "trapezoid"] {
        let own = [("time.integrator", json!(integrator))];
        cut_in_ten(&scene(two, &own), 6, |_| {});
    }
    let sleepy = [("solver", json!({ "sleep": { "steps": 5 } }))];
    cut_in_ten(&scene(&showcase("house_of_cards"), &sleepy), 8, |_| {});
    for name in ["linkage", "lift", "walker", "air_gripper"] {
        cut_in_ten(&scene(&showcase(name), &[]), 4, |_| {});
    }
}

#[test]
fn what_was_set_by_hand_goes_on_too() {
    let own = scene("scenes/two_squares.json", &[]);
    let name = own["bodies"][0]["name"].as_str().unwrap().to_owned();
    let open = simulation(&own.to_string());
    let at: [f64; 2] = open.body(&name).unwrap().x()[0].into();
    cut_in_ten(&own, 6, |simulation| {
        let up = 0.02 * simulation.steps() as f64;
        let hand = Hand::new(&name, at, [at[0], at[1] + up], 1e4);
        simulation.set(Parameter::Hand(hand)).unwrap();
        simulation.set(Parameter::Gravity([up, -3.0])).unwrap();
    });
}

#[test]
fn the_program_runs_such_a_scene_proves_it_and_resumes_it() {
    let place = Place::new();
    let own = scene("scenes/two_squares.json", &[("time.steps", json!(60))]);
    let mut first = simulation(&own.to_string());
    first.run(40).unwrap();
    let later = first.scene_from_here().to_json();
    first.run(20).unwrap();
    let [whole, half] = place.resumed(&later, ["50", "60"]);
    let report: Value = serde_json::from_str(&place.read("whole/run.json")).unwrap();
    let hash = format!("{:016x}", first.state().hash());
    assert_eq!(report["hash"], json!(hash));
    for run in [whole, half] {
        ipcsim(&["verify", &run]).exits(0);
    }
}

#[test]
fn states_of_other_scenes_are_refused_by_name() {
    let own = scene("scenes/two_squares.json", &[]);
    let mut first = simulation(&own.to_string());
    first.run(5).unwrap();
    let good = first.scene_from_here().to_json();
    let names: Vec<String> = first.bodies().map(|body| body.name().to_owned()).collect();
    let name = &names[0];
    let refused = |change: &dyn Fn(&mut Value), part: &str| {
        let mut wrong = good.clone();
        change(&mut wrong);
        let parsed = parse(&wrong.to_string(), &[]);
        let error = match parsed {
            Ok(scene) => Simulation::new(scene).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        let error = error.unwrap_or_default();
        assert!(error.contains(part), "{part}: {error}");
    };
    refused(
        &|own| own["start"]["state"]["format"] = json!(2),
        "start.state.format",
    );
    refused(
        &|own| own["start"]["state"]["step"] = json!(100_000),
        "raise time.steps",
    );
    refused(
        &|own| own["start"]["state"]["memory"] = json!("AAAA"),
        "start.state.memory",
    );
    refused(
        &|own| own["start"]["state"]["bodies"]["nobody"] = json!({ "q": [], "q_dot": [] }),
        "is the name of no body",
    );
    refused(
        &|own| own["start"]["state"]["bodies"][name]["q"] = json!([[0, 0]]),
        "is of another shape or mesh",
    );

    // The other square is where this one is.
    refused(
        &|own| {
            let place = own["start"]["state"]["bodies"][&names[1]].clone();
            own["start"]["state"]["bodies"][name] = place;
        },
        "bodies",
    );
    refused(
        &|own| own["start"]["state"]["bodies"][name]["q"][0] = json!([9, 9]),
        "inverted",
    );
}

#[test]
fn controls_lead_to_numbers_of_parameters() {
    let control = |number: &str, min: f64| json!([{ "label": "Gravity", "set": { "gravity": [0, -9.81] }, "number": number, "min": min, "max": 0 }]);
    let checked = |controls: Value| {
        let own = scene("scenes/two_squares.json", &[("controls", controls)]);
        let scene = parse(&own.to_string(), &[]).unwrap();
        let value = scene.controls[0].value();
        (
            value,
            Simulation::new(scene)
                .err()
                .map_or_else(String::new, |error| error.to_string()),
        )
    };
    assert_eq!(
        checked(control("gravity[1]", -20.0)),
        (Some(-9.81), String::new())
    );
    let (value, words) = checked(control("gravity.y", -20.0));
    assert_eq!(value, None);
    assert!(words.contains("controls[0].number"), "{words}");
    let (_, words) = checked(control("gravity[1]", 0.0));
    assert!(words.contains("must be above min"), "{words}");
}
