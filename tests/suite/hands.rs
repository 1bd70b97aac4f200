//! Hands that hold bodies between steps: equilibrium and largest force in closed form, the journal, steps back
//! and proved steps, the ledger, resumption, and what is refused.

use crate::program::{Place, ipcsim, ipcsim_line};
use crate::support::near;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim::scene::schema::{Hand, Parameter};
use serde_json::{Value, json};
use std::fs;

/// Gravity (m/s^2), time step (s) and mass (kg) of the block: 1 m x 1 m x 1 m.
const G: f64 = 10.0;
const H: f64 = 0.01;
const MASS: f64 = 100.0;

/// A block of some kind in free space, with changes.
fn block(kind: &Value, changes: &Value) -> Value {
    json!({
        "time": { "step": H, "steps": 60 },
        "gravity": [0, -G],
        "materials": { "stone": { "density": 100, "law": { "neo_hookean": { "young": 1e7, "poisson": 0.3 } } } },
        "bodies": [{
            "name": "block", "shape": { "square": { "side": 1.0, "segments": 2 } }, "material": "stone",
            "kind": kind, "position": [0, 5]
        }],
        "changes": changes
    })
}

fn simulation(value: &Value) -> Simulation {
    Simulation::new(parse(&value.to_string(), &[]).unwrap()).unwrap()
}

/// All kinds of bodies that a hand can hold by a point inside.
fn kinds() -> [Value; 3] {
    [
        json!("deformable"),
        json!("rigid"),
        json!({ "affine": { "stiffness": 1e7 } }),
    ]
}

#[test]
fn a_spring_carries_the_weight_of_any_kind_of_body_and_no_more_than_its_largest_force() {
    for kind in kinds() {
        let mut held = simulation(&block(&kind, &json!([])));
        let stiffness = 1e5;
        let at = [0.1, 5.3];
        held.set(Parameter::Hand(Hand::new("block", at, at, stiffness)))
            .unwrap();
        held.run(1500).unwrap();

        // The spring is longer by the weight over its stiffness, and the point is above the centre.
        let hold = held.state().parameters.hands().next().unwrap().clone();
        let force = hold.force(&held.state().x);
        assert!(
            (force - Vec2::new(0.0, MASS * G)).norm() < 0.05 * MASS * G,
            "{kind}: {force}"
        );

        // A hand that slips: the block falls by what is missing.
        let mut slipping = simulation(&block(&kind, &json!([])));
        let hand = Hand {
            force: Some(0.4 * MASS * G),
            ..Hand::new("block", [0.0, 5.0], [0.0, 50.0], 1e6)
        };
        slipping.set(Parameter::Hand(hand)).unwrap();
        slipping.run(50).unwrap();
        let speed = slipping.body("block").unwrap().velocity();
        near(speed.y, -0.6 * G * 0.5, 1e-6);

        // Let go, it falls freely.
        slipping.set(Parameter::Hand(Hand::free("hand"))).unwrap();
        slipping.run(10).unwrap();
        let after = slipping.body("block").unwrap().velocity();
        near(after.y - speed.y, -G * 10.0 * H, 1e-6);
    }
}

#[test]
fn what_hands_do_is_a_scene_with_the_same_bits_and_proved_steps_and_steps_back_keep_them() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        for kind in kinds() {
            let mut value = block(&kind, &json!([]));
            value["time"]["integrator"] = json!(integrator);
            value["obstacles"] = json!([
                { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 4.3] } } }
            ]);
            let mut driven = simulation(&value);
            driven.begin().unwrap();
            driven.run(4).unwrap();
            let past = driven.snapshot();
            for k in 0..20 {
                let to = [0.05 * f64::from(k), 5.0 + 0.1 * f64::from(k % 7)];
                let hand = Hand::new("block", [0.4, 5.4], to, 2e4);
                driven.set(Parameter::Hand(hand)).unwrap();
                let (_, proved) = driven.step_proved().unwrap();
                proved.unwrap();
            }
            driven.set(Parameter::Hand(Hand::free("hand"))).unwrap();
            driven.run(6).unwrap();

            let recorded = driven.recorded().unwrap();
            assert_eq!((recorded.time.steps, recorded.changes.len()), (30, 21));
            let mut again = Simulation::new(recorded).unwrap();
            again.begin().unwrap();
            again.run(30).unwrap();
            assert_eq!(
                again.state().hash(),
                driven.state().hash(),
                "{integrator}, {kind}"
            );

            // Back, and on without a hand: as if it had never been.
            driven.rewind(&past).unwrap();
            driven.run(5).unwrap();
            let mut alone = simulation(&value);
            alone.begin().unwrap();
            alone.run(9).unwrap();
            assert_eq!(driven.state().hash(), alone.state().hash());
            assert!(driven.recorded().unwrap().changes.is_empty());
        }
    }
}

#[test]
fn a_run_with_a_hand_resumes_verifies_and_its_ledger_closes() {
    let changes = json!([
        { "after": 5, "set": { "hand": { "body": "block", "at": [0.3, 5.2], "to": [1, 6], "stiffness": 2e4 } } },
        { "after": 20, "set": { "hand": { "body": "block", "at": [0.3, 5.2], "to": [2, 5], "stiffness": 2e4, "force": 900 } } },
        { "after": 40, "set": { "hand": {} } }
    ]);
    let mut value = block(&json!("deformable"), &changes);
    value["output"] = json!({ "ledger": true });
    let place = Place::new();
    let path = place.scene(&value);
    let whole = place.path("whole");
    ipcsim(&["run", &path, "--out", &whole, "--no-frames", "--certify"]).exits(0);
    ipcsim(&["verify", &whole]).exits(0);
    let ledger = fs::read_to_string(format!("{whole}/energies.csv")).unwrap();
    assert!(ledger.lines().next().unwrap().contains("work_hands"));

    let hash = |name: &str| place.json(&format!("{name}/run.json"))["hash"].clone();
    for steps in ["5", "12", "45"] {
        let part = place.path(steps);
        ipcsim_line(&format!(
            "run {path} --out {part} --no-frames --steps {steps}"
        ));
        ipcsim(&["run", "--resume", &part, "--steps", "60"]).exits(0);
        assert_eq!(hash(steps), hash("whole"), "{steps}");
    }
}

#[test]
fn what_a_hand_cannot_hold_is_refused_by_name() {
    let mut value = block(&json!("rigid"), &json!([]));
    value["obstacles"] = json!([
        { "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
    ]);
    let mut simulation = simulation(&value);
    let at = [0.0, 5.0];
    for (hand, words) in [
        (Hand::new("blok", at, at, 1.0), "did you mean \"block\"?"),
        (
            Hand::new("floor", at, at, 1.0),
            "\"floor\" is an obstacle, which no hand moves",
        ),
        (
            Hand::new("block", [0.0, 7.0], at, 1.0),
            "outside of \"block\" at rest",
        ),
        (Hand::new("block", at, at, -1.0), "stiffness"),
        (
            Hand::new("block", at, [f64::NAN, 0.0], 1.0),
            "must be finite",
        ),
        (
            Hand {
                body: None,
                ..Hand::new("block", at, at, 1.0)
            },
            "no `body` that it holds",
        ),
        (
            Hand {
                force: Some(0.0),
                ..Hand::new("block", at, at, 1.0)
            },
            "force",
        ),
    ] {
        let message = simulation
            .set(Parameter::Hand(hand))
            .unwrap_err()
            .to_string();
        assert!(message.contains(words), "{message}");
        assert!(simulation.recorded().unwrap().changes.is_empty());
    }

    // In a scene too, with its place.
    let outside = json!([{ "after": 0, "set": { "hand": { "body": "block", "at": [3, 3], "to": [0, 0], "stiffness": 1 } } }]);
    let error = parse(&block(&json!("rigid"), &outside).to_string(), &[])
        .unwrap()
        .build()
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("changes[0].set.hand.at") && message.contains("outside of \"block\""),
        "{message}"
    );
}
