//! Joints in the program: repairs of joints that do not fit, proofs of stored runs, what breaks, and
//! resuming.

use crate::program::{Place, ipcsim};
use serde_json::{Value, json};

/// A door between a frame and a hook, with these joints.
fn scene(joints: &Value) -> Value {
    let square = |name: &str, position: [f64; 2]| {
        json!({
            "name": name, "position": position, "group": "joined",
            "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }
        })
    };
    let mut door = square("door", [1.3, 0.4]);
    door["kind"] = json!("rigid");
    door["material"] = json!("wood");
    json!({
        "time": { "step": 0.01, "steps": 40 },
        "materials": { "wood": { "density": 600.0 } },
        "bodies": [door],
        "obstacles": [square("frame", [0.0, 0.0]), square("hook", [2.0, 2.0])],
        "joints": joints
    })
}

/// Writes a scene into a place and returns its path.
fn written(place: &Place, scene: &Value) -> String {
    let path = place.path("scene.json");
    std::fs::write(&path, scene.to_string()).unwrap();
    path
}

#[test]
fn joints_whose_points_are_apart_are_refused_with_the_distance_and_closed_by_fix() {
    let place = Place::new();
    let apart = json!([{ "hinge": { "bodies": ["frame", "door"], "at": [0.1, 0.1], "second_at": [1.2, 0.3] } }]);
    let file = written(&place, &scene(&apart));
    let refused = ipcsim(&["check", &file]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.stderr.contains("is 1.118 m away from at"),
        "{refused:?}"
    );

    let out = place.path("mended.json");
    let fixed = ipcsim(&["check", &file, "--fix", &out]);
    assert_eq!(fixed.code, 0, "{fixed:?}");
    let mended = place.json("mended.json");
    let at = |k: usize| mended["bodies"][0]["position"][k].as_f64().unwrap();
    assert!(
        (at(0) - 0.2).abs() < 1e-12 && (at(1) - 0.2).abs() < 1e-12,
        "{mended}"
    );
    assert_eq!(ipcsim(&["check", &out]).code, 0);

    // A second joint says where the door is.
    let held = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [0.1, 0.1], "second_at": [1.2, 0.3] } },
        { "rod": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.3, 0.4]] } }
    ]);
    let file = written(&place, &scene(&held));
    assert_eq!(ipcsim(&["check", &file, "--fix", &out]).code, 2);
}

#[test]
fn ropes_that_are_too_short_are_lengthened_by_fix() {
    let place = Place::new();
    let short = json!([{ "rope": { "bodies": ["frame", "door"], "ends": [[0.0, 0.0], [1.2, 0.5]], "length": 1.0 } }]);
    let file = written(&place, &scene(&short));
    let out = place.path("mended.json");
    assert_eq!(ipcsim(&["check", &file]).code, 2);
    assert_eq!(ipcsim(&["check", &file, "--fix", &out]).code, 0);
    assert_eq!(
        place.json("mended.json")["joints"][0]["rope"]["length"],
        json!(1.3)
    );
}

#[test]
fn verify_states_the_largest_residual_and_a_joint_that_broke_is_in_the_report() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [1.2, 0.3], "name": "pin", "limits_deg": [-170, 90] } },
        { "rope": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "break_force": 20.0 } }
    ]);
    let file = written(&place, &scene(&joints));
    let out = place.path("run");
    let ended = ipcsim(&[
        "run",
        &file,
        "--out",
        &out,
        "--no-frames",
        "--quiet",
        "--certify",
    ]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = place.json("run/run.json");
    assert_eq!(report["broken"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["broken"][0]["joint"], json!(1));

    let verified = ipcsim(&["verify", &out]);
    assert_eq!(verified.code, 0, "{verified:?}");
    assert!(verified.stdout.contains("joints: 2 closed"), "{verified:?}");
    assert!(
        verified.stdout.contains("largest residual is"),
        "{verified:?}"
    );
}

#[test]
fn a_run_with_turns_and_broken_joints_resumes_with_the_same_bits() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["frame", "door"], "at": [1.2, 0.3], "limits_deg": [-100, 800],
                     "motor": { "speed_deg": 2000.0, "torque": 500.0 } } },
        { "rope": { "bodies": ["hook", "door"], "ends": [[2.0, 2.0], [1.4, 0.5]], "break_force": 20.0 } }
    ]);
    let file = written(&place, &scene(&joints));
    let run = |name: &str, more: &[&str]| {
        let out = place.path(name);
        let all = ["run", &file, "--out", &out, "--no-frames", "--quiet"];
        assert_ne!(ipcsim(&[&all[..], more].concat()).code, 2);
        out
    };
    run("whole", &[]);
    let parts = run("parts", &["--checkpoint-every", "7", "--max-wall", "1e-9"]);
    for _ in 0..60 {
        if place.json("parts/run.json")["status"] == json!("completed") {
            break;
        }
        ipcsim(&["run", "--resume", &parts, "--max-wall", "1e-9"]);
    }
    let hash = |name: &str| place.json(&format!("{name}/run.json"))["hash"].clone();
    assert_eq!(hash("whole"), hash("parts"));
    assert_eq!(
        place.read("whole/forces.csv"),
        place.read("parts/forces.csv")
    );
}
