//! Parameters that change between steps: closed forms, the same bits by journal, resumption and threads.

use crate::program::{Place, ipcsim, ipcsim_line};
use crate::support::near;
use ipcsim::math::{Vec2, parallel};
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim::scene::schema::{Change, FrictionPair, LoadFactor, Parameter, Shift};
use serde_json::{Value, json};
use std::fs;

/// Gravity of all scenes (m/s^2).
const G: f64 = 10.0;
/// Time step of all scenes (s).
const H: f64 = 0.01;
/// Mass of the block (kg): 1 m x 1 m x 1 m.
const MASS: f64 = 100.0;

/// A rigid block on a floor, whose gap is that of its weight, with changes.
fn block(changes: &Value) -> Value {
    json!({
        "time": { "step": H, "steps": 60 },
        "gravity": [0, -G],
        "materials": { "stone": { "density": 100 } },
        "bodies": [{
            "name": "block", "shape": { "square": { "side": 1.0, "segments": 1 } }, "material": "stone",
            "kind": "rigid", "position": [0, 0.501]
        }],
        "obstacles": [
            { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ],
        "loads": [{ "name": "pull", "body": "block", "force": [300, 0] }],
        "contact": { "friction": { "default": 0.5 } },
        "changes": changes
    })
}

fn scene(value: &Value) -> Scene {
    parse(&value.to_string(), &[]).unwrap()
}

fn simulation(value: &Value) -> Simulation {
    Simulation::new(scene(value)).unwrap()
}

fn velocity(simulation: &Simulation) -> Vec2 {
    simulation.body("block").unwrap().velocity()
}

/// Speed gained within `steps` steps by a force (N).
fn gained(force: f64, steps: usize) -> f64 {
    force / MASS * H * steps as f64
}

#[test]
fn a_load_that_is_multiplied_and_friction_that_falls_follow_coulombs_law() {
    // 300 N are below the friction of 500 N, 900 N above it; then friction falls to 100 N.
    let changes = json!([
        { "after": 20, "set": { "load": { "name": "pull", "factor": 3 } } },
        { "after": 40, "set": { "friction": { "between": ["floor", "block"], "coefficient": 0.1 } } }
    ]);
    let mut simulation = simulation(&block(&changes));
    simulation.run(20).unwrap();
    assert!(
        velocity(&simulation).x.abs() < 1e-3,
        "{}",
        velocity(&simulation)
    );

    let before = velocity(&simulation).x;
    simulation.run(20).unwrap();
    let after = velocity(&simulation).x;
    let expected = gained(900.0 - 500.0, 20);
    near(after - before, expected, 0.01 * expected);

    simulation.run(20).unwrap();
    let end = velocity(&simulation).x;
    let expected = gained(900.0 - 100.0, 20);
    near(end - after, expected, 0.01 * expected);
}

#[test]
fn gravity_and_forces_change_after_the_step_that_they_name() {
    let mut value = block(&json!([
        { "after": 0, "set": { "gravity": [0, 0] } },
        { "after": 10, "set": { "force": { "body": "block", "force": [0, 50] } } },
        { "after": 20, "set": { "force": { "body": "block", "force": [0, 0] } } },
        { "after": 20, "set": { "gravity": [0, 5] } }
    ]));
    value["loads"] = json!([]);
    value["bodies"][0]["position"] = json!([0, 5]);
    let mut simulation = simulation(&value);

    // Speeds of a free body by implicit Euler are those of the closed form.
    let expected = [0.0, gained(50.0, 10), gained(50.0, 10) + 5.0 * 10.0 * H];
    for speed in expected {
        simulation.run(10).unwrap();
        near(velocity(&simulation).y, speed, 1e-12);
    }
}

#[test]
fn a_target_moves_beside_its_script_and_turns_about_its_origin() {
    let mut value = block(&json!([
        { "after": 5, "set": { "target": { "body": "block", "by": [0.02, 0.5], "turn_deg": 90 } } },
        { "after": 9, "set": { "target": { "body": "block" } } }
    ]));
    value["loads"] = json!([]);
    value["bodies"][0]["position"] = json!([0, 5]);
    value["bodies"][0]["script"] = json!({ "velocity": [1, 0] });
    let mut simulation = simulation(&value);
    let place = |simulation: &Simulation| {
        let block = simulation.body("block").unwrap();
        (block.centre(), block.angle().unwrap())
    };

    simulation.run(8).unwrap();
    let (centre, angle) = place(&simulation);
    assert!(
        (centre - Vec2::new(0.08 + 0.02, 5.5)).amax() < 1e-12,
        "{centre}"
    );
    near(angle, std::f64::consts::FRAC_PI_2, 1e-12);

    simulation.run(4).unwrap();
    let (centre, angle) = place(&simulation);
    assert!((centre - Vec2::new(0.12, 5.0)).amax() < 1e-12 && angle.abs() < 1e-12);
}

#[test]
fn what_a_program_sets_is_a_scene_whose_run_has_the_same_bits_on_any_threads() {
    let value = block(&json!([]));
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let mut value = value.clone();
        value["time"]["integrator"] = json!(integrator);
        let mut driven = simulation(&value);
        driven.begin().unwrap();
        driven.run(7).unwrap();
        driven.set_force("block", Vec2::new(20.0, -30.0)).unwrap();
        driven.set_force("block", Vec2::new(200.0, -30.0)).unwrap();
        driven.run(8).unwrap();
        let pair = FrictionPair::new("block", "floor", 0.2).with_kinetic(0.1);
        driven.set(Parameter::Friction(pair)).unwrap();
        let (name, factor) = ("pull".to_owned(), 1.5);
        driven
            .set(Parameter::Load(LoadFactor { name, factor }))
            .unwrap();
        driven.run(5).unwrap();
        driven.set_gravity(Vec2::new(0.5, -9.0)).unwrap();
        assert_eq!(driven.gravity(), Vec2::new(0.5, -9.0));
        driven.run(10).unwrap();

        let recorded = driven.recorded().unwrap();
        assert_eq!((recorded.time.steps, recorded.changes.len()), (30, 5));
        let again = || {
            let mut again = Simulation::new(recorded.clone()).unwrap();
            again.begin().unwrap();
            again.run(30).unwrap();
            again.state().hash()
        };
        assert_eq!(
            parallel::serially(again),
            driven.state().hash(),
            "{integrator}"
        );
        assert_eq!(
            parallel::Pool::new(Some(3)).unwrap().run(again),
            driven.state().hash()
        );
    }
}

#[test]
fn a_run_with_changes_resumes_to_the_same_bits_and_verifies() {
    let changes = json!([
        { "after": 12, "set": { "load": { "name": "pull", "factor": 4 } } },
        { "after": 12, "set": { "force": { "body": "block", "force": [0, -100] } } },
        { "after": 30, "set": { "friction": { "between": ["block", "floor"], "coefficient": 0 } } }
    ]);
    let place = Place::new();
    let path = place.scene(&block(&changes));
    let hash = |name: &str| {
        let text = fs::read_to_string(format!("{}/run.json", place.path(name))).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["hash"].clone()
    };

    let whole = place.path("whole");
    ipcsim(&["run", &path, "--out", &whole, "--no-frames"]).exits(0);
    let ended = ipcsim(&["verify", &whole]);
    assert_eq!(ended.code, 0, "{ended:?}");

    // Between the changes, and after all of them: the scene has ended there, and goes on.
    for steps in ["12", "20", "45"] {
        let part = place.path(steps);
        ipcsim_line(&format!(
            "run {path} --out {part} --no-frames --steps {steps}"
        ));
        ipcsim(&["run", "--resume", &part, "--steps", "60"]).exits(0);
        assert_eq!(hash(steps), hash("whole"), "{steps}");
    }
}

#[test]
fn a_step_that_fails_leaves_parameters_and_what_cannot_be_set_is_refused_by_name() {
    let mut value = block(&json!([]));
    value["solver"] = json!({ "max_iterations": 1, "tolerance": 1e-12 });
    let mut failing = simulation(&value);
    failing.set_force("block", Vec2::new(5e3, 0.0)).unwrap();
    let before = failing.snapshot().state;
    failing.step().unwrap_err();
    assert_eq!(failing.snapshot().state, before);

    let mut simulation = simulation(&block(&json!([])));
    let refused = |simulation: &mut Simulation, parameter| {
        let before = simulation.recorded().unwrap();
        let message = simulation.set(parameter).unwrap_err().to_string();
        assert_eq!(simulation.recorded().unwrap(), before);
        message
    };
    let shift = |body: &str| Shift {
        body: body.to_owned(),
        by: [0.0, 0.1],
        turn_deg: 0.0,
    };
    let pair = |coefficient| FrictionPair::new("block", "flor", coefficient);
    for (parameter, words) in [
        (
            Parameter::Target(shift("block")),
            "nothing prescribes \"block\"",
        ),
        (Parameter::Friction(pair(0.5)), "did you mean \"floor\"?"),
        (Parameter::Friction(pair(-0.5)), "flor"),
        (Parameter::Gravity([f64::NAN, 0.0]), "must be finite"),
        (
            Parameter::Load(LoadFactor {
                name: "push".to_owned(),
                factor: 2.0,
            }),
            "no load is named \"push\"",
        ),
    ] {
        let message = refused(&mut simulation, parameter);
        assert!(message.contains(words), "{message}");
    }
    assert!(simulation.set_force("floor", Vec2::zeros()).is_err());

    // A state that is set has no journal that leads to it.
    let state = simulation.snapshot();
    simulation.restore(&state).unwrap();
    let message = simulation.recorded().unwrap_err().to_string();
    assert!(message.contains("no journal from step 0 on"), "{message}");
}

#[test]
fn copies_change_together_or_one_by_one() {
    let mut value = block(&json!([
        { "after": 0, "set": { "force": { "body": "block", "force": [10, 0] } } },
        { "after": 0, "set": { "force": { "body": "block 2", "force": [-10, 0] } } }
    ]));
    value["loads"] = json!([]);
    value["bodies"][0]["position"] = json!([0, 5]);
    value["bodies"][0]["copies"] = json!({ "counts": [3, 1], "spacing": [3, 0] });
    let built = scene(&value);
    assert_eq!(
        built.changes[0],
        Change {
            after: 0,
            set: built.changes[0].set.clone()
        }
    );

    let mut simulation = Simulation::new(built).unwrap();
    simulation.run(10).unwrap();
    for (name, sign) in [("block 1", 1.0), ("block 2", -1.0), ("block 3", 1.0)] {
        let speed = simulation.body(name).unwrap().velocity().x;
        assert!(
            (speed - sign * gained(10.0, 10)).abs() < 1e-12,
            "{name}: {speed}"
        );
    }
}
