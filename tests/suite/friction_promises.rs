//! What every run promises, with kinetic friction, belts and rolling resistance together: equal bits
//! on any number of threads and after resuming, and a certificate.

use crate::certificates::verify;
use crate::cli_resume::{assert_same, resumed};
use crate::program::Place;
use serde_json::{Value, json};

/// Disks, blocks and an affine block that fall on a belt, run against a roller and pile up.
fn scene() -> Value {
    let stack = |name: &str, shape: Value, kind: Value, at: [f64; 2]| {
        json!({ "name": name, "kind": kind, "shape": shape, "material": "stone", "position": at,
            "copies": { "counts": [3, 2], "spacing": [0.3, 0.3], "jitter": [0.02, 0.01] } })
    };
    let square = json!({ "square": { "side": 0.16, "segments": 2 } });
    let circle = json!({ "circle": { "radius": 0.08 } });
    let ground = json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } });
    json!({
        "time": { "step": 0.005, "steps": 60 },
        "materials": { "stone": { "density": 1000 }, "rubber": { "density": 1000 } },
        "bodies": [
            stack("disk", circle.clone(), json!("rigid"), [-0.5, 0.12]),
            stack("block", square.clone(), json!("rigid"), [-0.5, 0.72]),
            stack("soft", square, json!({ "affine": {} }), [-0.5, 1.32])
        ],
        "obstacles": [
            { "name": "ground", "shape": ground, "material": "rubber", "belt": -1.5 },
            { "name": "roller", "shape": circle, "position": [0.6, 0.09], "belt": 2.0 }
        ],
        "contact": { "friction": {
            "default": 0.5, "kinetic": 0.3, "rolling": 0.002,
            "materials": [{ "between": ["stone", "rubber"], "coefficient": 0.8, "kinetic": 0.5, "rolling": 0.004 }],
            "pairs": [{ "between": ["disk 1", "ground"], "coefficient": 0.2, "kinetic": 0.0 }]
        } }
    })
}

/// Runs the scene into the folder `name`; the run must complete its part.
fn run(place: &Place, name: &str, more: &[&str]) {
    place.certified(&place.scene(&scene()), name, more);
}

#[test]
fn threads_and_interruptions_change_no_bit_and_the_motion_is_proved() {
    let place = Place::new();
    run(&place, "one", &["--threads", "1"]);
    run(&place, "two", &["--threads", "2"]);
    assert_same(&place, "two", "one", "two threads");

    run(&place, "resumed", &["--max-wall", "1e-9"]);
    for _ in 0..5 {
        resumed(&place, "resumed", &["--max-wall", "1e-9"]);
    }
    resumed(&place, "resumed", &[]);
    assert_same(&place, "resumed", "one", "resumed");

    let ended = verify(&place, "one");
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended.prints(" from step 0 to step 60 join all stored states");
}
