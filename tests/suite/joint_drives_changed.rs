//! Motors, brakes and springs of joints that change between steps: closed forms, the ledger, refusals,
//! and the same bits by journal, resumption and threads.

use crate::program::{Place, ipcsim};
use crate::support::near;
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim::scene::schema::{JointDrive, MotorDrive, Parameter, SpringDrive};
use serde_json::{Value, json};

/// Time step of all scenes (s).
const H: f64 = 0.01;

/// A wheel on an axle with a motor and a brake, a ram in a slider with a servo and a spring, and a ball
/// on a spring, without gravity.
fn machine(integrator: &str, changes: &Value) -> Value {
    let post = |name: &str, x: f64| {
        json!({ "name": name, "group": "machine", "position": [x, 0],
                "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } } })
    };
    let rigid = |name: &str, shape: Value, x: f64| {
        json!({ "name": name, "kind": "rigid", "material": "stone", "group": "machine",
                "shape": shape, "position": [x, 0] })
    };
    json!({
        "time": { "step": H, "steps": 60, "integrator": integrator },
        "gravity": [0, 0],
        "materials": { "stone": { "density": 1000 } },
        "bodies": [
            rigid("wheel", json!({ "disk": { "radius": 0.2, "segments": 24 } }), 0.0),
            rigid("ram", json!({ "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }), 2.0),
            rigid("ball", json!({ "disk": { "radius": 0.1, "segments": 16 } }), 5.0)
        ],
        "obstacles": [post("axle", 0.0), post("rail", 2.0), post("nail", 4.0)],
        "joints": [
            { "hinge": { "name": "shaft", "bodies": ["axle", "wheel"], "at": [0, 0],
                         "motor": { "speed_deg": 90, "torque": 1e4 }, "brake": 1.0 } },
            { "slider": { "name": "guide", "bodies": ["rail", "ram"], "at": [2, 0], "axis": [1, 0],
                          "motor": { "place": 0, "force": 1e5, "stiffness": 4000, "damping": 800 } } },
            { "spring": { "name": "cord", "bodies": ["nail", "ball"], "ends": [[4, 0], [5, 0]],
                          "stiffness": 500, "damping": 20 } }
        ],
        "changes": changes,
        "output": { "ledger": true }
    })
}

/// Changes of all kinds of numbers.
fn changes() -> Value {
    json!([
        { "after": 10, "set": { "joint": { "name": "shaft", "motor": { "speed_deg": -180 } } } },
        { "after": 15, "set": { "joint": { "name": "guide", "motor": { "place": 0.05 } } } },
        { "after": 20, "set": { "joint": { "name": "cord", "spring": { "length": 0.8 } } } },
        { "after": 30, "set": { "joint": { "name": "shaft", "motor": { "torque": 0 }, "brake": 0 } } },
        { "after": 40, "set": { "joint": { "name": "shaft", "brake": 1000 } } }
    ])
}

fn simulation(value: &Value) -> Simulation {
    Simulation::new(parse(&value.to_string(), &[]).unwrap()).unwrap()
}

#[test]
fn motors_brakes_servos_and_springs_take_other_numbers_between_steps() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let mut run = simulation(&machine(integrator, &changes()));
        let spin = |run: &Simulation| run.body("wheel").unwrap().angular_velocity().unwrap();
        run.run(10).unwrap();
        near(spin(&run), 90_f64.to_radians(), 1e-9);
        run.run(20).unwrap();
        near(spin(&run), -180_f64.to_radians(), 1e-9);

        // Without torque and brake it turns on; then the brake stops it.
        run.run(10).unwrap();
        near(spin(&run), -180_f64.to_radians(), 1e-9);
        run.run(20).unwrap();
        near(spin(&run), 0.0, 1e-9);

        // A servo of 4000 N/m and 800 N s/m brings 40 kg to its place within some tenths of a second.
        let ram = run.body("ram").unwrap().centre().x;
        near(ram, 2.05, 5e-3);
        let ball = run.body("ball").unwrap().centre().x;
        assert!(ball < 4.95, "{integrator}: {ball}");
    }
}

#[test]
fn what_a_program_drives_is_a_scene_whose_run_has_the_same_bits_on_any_threads() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let mut driven = simulation(&machine(integrator, &json!([])));
        driven.run(7).unwrap();
        let shaft = |speed: f64| {
            Parameter::Joint(JointDrive {
                name: "shaft".to_owned(),
                motor: MotorDrive {
                    speed_deg: Some(speed),
                    ..MotorDrive::default()
                },
                brake: Some(30.0),
                spring: SpringDrive::default(),
            })
        };
        driven.set(shaft(400.0)).unwrap();
        let snapshot = driven.snapshot();
        driven.run(5).unwrap();
        driven.set(shaft(-20.0)).unwrap();
        driven.run(5).unwrap();

        let recorded = driven.recorded().unwrap();
        for threads in [1, 3] {
            let pool = parallel::Pool::new(Some(threads)).unwrap();
            let hash = pool.run(|| {
                let mut again = Simulation::new(recorded.clone()).unwrap();
                again.run(17).unwrap();
                again.state().hash()
            });
            assert_eq!(hash, driven.state().hash(), "{integrator}");
        }

        // What was set for a step is part of a snapshot.
        let end = driven.state().hash();
        driven.restore(&snapshot).unwrap();
        driven.set(shaft(400.0)).unwrap();
        driven.run(5).unwrap();
        driven.set(shaft(-20.0)).unwrap();
        driven.run(5).unwrap();
        assert_eq!(driven.state().hash(), end, "{integrator}");
    }
}

#[test]
fn driven_runs_resume_with_the_same_bytes_and_their_ledger_closes() {
    for (integrator, more) in [
        ("implicit_euler", json!({})),
        ("bdf2", json!({})),
        ("trapezoid", json!({})),
        ("tr_bdf2", json!({})),
        (
            "bdf2",
            json!({ "adaptive": { "tolerance": 1e-3, "smallest": 1e-5 } }),
        ),
    ] {
        let place = Place::new();
        let mut value = machine(integrator, &changes());
        for (key, own) in more.as_object().unwrap() {
            value["time"][key] = own.clone();
        }
        for folder in &place.resumed(&value, ["11", "60"]) {
            ipcsim(&["verify", folder]).exits(0).prints("ledger");
        }
    }
}

#[test]
fn a_drive_that_a_joint_does_not_have_is_refused_with_what_it_has() {
    let place = Place::new();
    for (set, part) in [
        (json!({ "name": "shat" }), "did you mean \"shaft\""),
        (json!({ "name": "shaft" }), "sets nothing"),
        (
            json!({ "name": "shaft", "motor": { "angle_deg": 3 } }),
            "has no `angle_deg`; the scene gives it `speed_deg`, `torque`",
        ),
        (
            json!({ "name": "guide", "brake": 3 }),
            "\"guide\" has no brake",
        ),
        (
            json!({ "name": "cord", "motor": { "speed": 3 } }),
            "\"cord\" has no motor",
        ),
        (
            json!({ "name": "cord", "spring": { "rest": 3 } }),
            "use `length`",
        ),
        (
            json!({ "name": "shaft", "spring": { "rest_deg": 3 } }),
            "has no spring",
        ),
        (json!({ "name": "shaft", "brake": -3 }), "brake"),
    ] {
        let value = machine(
            "implicit_euler",
            &json!([{ "after": 3, "set": { "joint": set } }]),
        );
        let path = place.scene(&value);
        ipcsim(&["check", &path]).exits(2).complains(part);
    }
}
