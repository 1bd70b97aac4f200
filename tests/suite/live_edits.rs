//! Edits of a live session: bodies and joints that are drawn, copied, taken out and put back; the scene that is
//! saved runs to the state that the page showed.

use ipcsim::prelude::*;
use ipcsim::scene::typed;
use ipcsim_live::Session;
use serde_json::{Value, json};

/// Three rigid balls above the ground, the first two near each other, and a hinge.
fn scene() -> String {
    let ball = |name: &str, x: f64| {
        json!({ "name": name, "kind": "rigid", "shape": { "circle": { "radius": 0.1 } },
            "material": "wood", "position": [x, 0.4] })
    };
    let hinge = json!({ "hinge": { "bodies": ["a", "world"], "at": [0, 0.7], "name": "pivot" } });
    json!({
        "time": { "step": 0.01, "steps": 500 },
        "materials": { "wood": { "density": 600 } },
        "bodies": [ball("a", 0.0), ball("b", 0.21), ball("c", 0.8)],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "joints": [hinge]
    })
    .to_string()
}

/// Head of the reply to a request.
fn ask(session: &mut Session, name: &str, values: &Value) -> Value {
    let reply = session.answer(&json!({ name: values }).to_string());
    let length = u32::from_le_bytes(reply[..4].try_into().unwrap()) as usize;
    serde_json::from_slice(&reply[8..8 + length]).unwrap()
}

/// Head of the reply to a request that must be done.
fn done(session: &mut Session, name: &str, values: &Value) -> Value {
    let reply = ask(session, name, values);
    assert_eq!(reply["error"], Value::Null, "{name}");
    reply
}

fn steps(session: &mut Session, steps: usize) -> Value {
    let reply = done(
        session,
        "advance",
        &json!({ "steps": steps, "budget": 1e9 }),
    );
    assert_eq!(reply["failure"], Value::Null);
    assert_eq!(reply["proofs"]["breaches"], json!([]));
    reply
}

/// Asserts that the scene that is saved runs to the state of the session.
fn runs_again(session: &mut Session) {
    let hash = done(session, "look", &json!({}))["hash"].clone();
    let saved = done(session, "scene", &json!({}));
    assert_eq!(saved["recorded"], json!(true));
    let scene: Scene = typed(&saved["scene"].to_string()).unwrap();
    let steps = scene.time.steps;
    let mut again = Simulation::new(scene).unwrap();
    again.begin().unwrap();
    again.run(steps - again.steps()).unwrap();
    assert_eq!(json!(format!("{:016x}", again.state().hash())), hash);
}

fn names(reply: &Value) -> Vec<&str> {
    let bodies = reply["bodies"].as_array().unwrap().iter();
    bodies.map(|body| body["name"].as_str().unwrap()).collect()
}

#[test]
fn edits_go_on_from_the_state_and_what_is_saved_runs_to_it() {
    let session = &mut Session::new(|| 0.0);
    done(session, "open", &json!({ "scene": scene() }));
    steps(session, 10);
    done(
        session,
        "set",
        &json!({ "parameters": [{ "gravity": [0.5, -5] }] }),
    );
    steps(session, 10);

    // A copy, as it lies; gravity stays as it was set.
    let copied = done(
        session,
        "duplicate",
        &json!({ "body": "c", "by": [0.4, 0.1] }),
    );
    assert_eq!(names(&copied), ["a", "b", "c", "c 2", "ground", "world"]);
    assert_eq!(copied["step"], json!(20));
    steps(session, 5);
    runs_again(session);

    // A rope between two balls, a spring to the ground, and a hinge of a ball.
    let at = |session: &mut Session, x: f64| {
        let found = done(session, "grab", &json!({ "at": [x, 0.3], "within": 0.3 }));
        found["point"].clone()
    };
    let [from, to] = [at(session, 0.2), at(session, 0.8)];
    done(
        session,
        "join",
        &json!({ "tie": "rope", "from": from, "to": to, "within": 0.01 }),
    );
    steps(session, 20);
    let from = at(session, 1.2);
    done(
        session,
        "join",
        &json!({ "tie": "spring", "from": from, "to": [1.5, 1.0], "within": 0.01 }),
    );
    steps(session, 20);
    let from = at(session, 0.8);
    done(
        session,
        "join",
        &json!({ "tie": "hinge", "from": from, "to": from, "within": 0.01 }),
    );
    steps(session, 20);
    runs_again(session);

    taken_out_and_back(session);
}

/// Takes a ball out, and takes all edits back.
fn taken_out_and_back(session: &mut Session) {
    // Without the ball its joints go too, and both come back.
    let without = done(session, "remove", &json!({ "body": "c" }));
    assert_eq!(names(&without), ["a", "b", "c 2", "ground", "world"]);
    steps(session, 5);
    let back = done(session, "undo", &json!({}));
    assert!(names(&back).contains(&"c"));
    let saved = done(session, "scene", &json!({}));
    assert_eq!(saved["scene"]["joints"].as_array().unwrap().len(), 4);
    steps(session, 5);
    runs_again(session);
    for count in [3, 2, 1] {
        done(session, "undo", &json!({}));
        let saved = done(session, "scene", &json!({}));
        assert_eq!(saved["scene"]["joints"].as_array().unwrap().len(), count);
        steps(session, 2);
    }
    // Begun anew, the copy begins where it was put.
    let anew = done(session, "restart", &json!({}));
    assert_eq!(anew["step"], json!(0));
    assert!(names(&anew).contains(&"c 2"));
    steps(session, 5);
    let first = done(session, "undo", &json!({}));
    assert_eq!(names(&first), ["a", "b", "c", "ground", "world"]);
    assert_eq!(
        ask(session, "undo", &json!({}))["error"],
        json!("there is nothing to undo")
    );
}

#[test]
fn a_finger_is_no_edit_and_the_record_begins_anew_where_one_likes() {
    let session = &mut Session::new(|| 0.0);
    done(session, "open", &json!({ "scene": scene() }));
    steps(session, 10);
    let finger = json!({ "name": "finger", "kind": "rigid", "shape": { "circle": { "radius": 0.05 } },
        "material": "finger", "position": [0.5, 0.6], "fixed": ["angle"] });
    let material = json!({ "density": 1000 });
    done(
        session,
        "add",
        &json!({ "body": finger, "material": material, "passing": true }),
    );
    let hand = json!({ "body": "finger", "at": [0.5, 0.6], "to": [0.3, 0.3], "stiffness": 1e4 });
    done(session, "set", &json!({ "parameters": [{ "hand": hand }] }));
    let pushed = steps(session, 20);
    assert!(pushed["contacts"].as_u64().unwrap() > 0);
    runs_again(session);
    done(
        session,
        "remove",
        &json!({ "body": "finger", "passing": true }),
    );
    assert!(ask(session, "undo", &json!({}))["error"].is_string());

    // A record from here on has the same bits as without.
    let hash = steps(session, 10)["hash"].clone();
    done(session, "back", &json!({ "step": 35 }));
    done(session, "keep", &json!({}));
    assert_eq!(steps(session, 5)["hash"], hash);
    let saved = done(session, "scene", &json!({}));
    assert_eq!(saved["scene"]["start"]["state"]["step"], json!(35));
    let anew = done(session, "restart", &json!({}));
    assert_eq!(anew["step"], json!(0));
}

#[test]
fn controls_measures_sums_works_and_pressure_are_shown() {
    let mut scene: Value = serde_json::from_str(&scene()).unwrap();
    scene["controls"] = json!([{ "label": "Weight", "set": { "gravity": [0, -9.81] }, "number": "gravity[1]",
        "min": -20, "max": 0, "unit": "m/s²" }]);
    scene["measure"] = json!([{ "name": "height", "value": "y", "of": "c" }]);
    scene["output"] = json!({ "ledger": true });
    let session = &mut Session::new(|| 0.0);
    let open = done(session, "open", &json!({ "scene": scene.to_string() }));
    assert_eq!(open["sliders"].as_array().unwrap().len(), 1);
    assert_eq!(open["sliders"][0]["at"], json!("/gravity/1"));
    done(
        session,
        "show",
        &json!({ "field": null, "forces": true, "pressure": true, "proofs": true }),
    );
    let reply = steps(session, 60);
    assert!(reply["measures"][0]["value"].as_f64().unwrap() < 0.3);
    assert!(reply["work"].is_object());
    let pairs = reply["pairs"].as_array().unwrap();
    assert!(
        pairs
            .iter()
            .any(|pair| pair["bodies"] == json!(["c", "ground"])),
        "{pairs:?}"
    );
    assert!(reply["arrays"]["pressure"].is_array());
}
