//! Joints on bodies that follow keyframes, against closed-form kinematics.

use crate::joints::{CLOSED, bar, crossing, hinge, point, wall};
use crate::support::{Run, inline};
use ipcsim::math::Vec2;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// A block of a width (m) that follows keyframes as a whole: a rigid body by a script, a soft one
/// by all of its vertices.
fn driver(is_rigid: bool, width: f64, at: Vec2, motion: &Value) -> Value {
    let mut body = json!({
        "name": "driver", "position": [at.x, at.y], "group": "bars",
        "shape": { "rectangle": { "size": [width, 0.2], "segments": [4, 2] } }
    });
    if is_rigid {
        body["kind"] = json!("rigid");
        body["material"] = json!("stone");
        body["script"] = motion.clone();
    } else {
        body["material"] = json!("rubber");
        let mut all = motion.clone();
        all["vertices"] = json!("all");
        body["prescribed"] = json!([all]);
    }
    body
}

/// A scene of these bodies and joints beside a wall at the origin and a base far to the right.
fn driven(bodies: &[Value], joints: &Value) -> Run {
    let mut base = wall();
    base["name"] = json!("base");
    base["position"] = json!([4.0, 0.0]);
    Run::of(&inline(json!({
        "time": { "step": 0.01, "steps": 100 },
        "materials": {
            "stone": { "density": 1000.0 },
            "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } }
        },
        "bodies": bodies, "obstacles": [wall(), base], "joints": joints,
        "solver": { "tolerance": 1e-8 }
    })))
}

/// The trammel of Archimedes: one end of a bar of 1 m on the x axis, where a script puts it, the
/// other on the y axis, at `sqrt(1 - x^2)`.
#[test]
fn a_bar_between_a_script_and_a_slot_follows_the_trammel() {
    // From 0.2 to 0.8 m in a second, smoothly.
    let motion = json!({
        "keyframes": [{ "time": 1.0, "position": [0.8, 0.0] }], "interpolation": "smooth"
    });
    let foot = |t: f64| Vec2::new(0.2 + 0.6 * t * t * (3.0 - 2.0 * t), 0.0);
    let head = |t: f64| Vec2::new(0.0, (1.0 - foot(t).x.powi(2)).sqrt());
    let slot = json!({ "bodies": ["wall", "bar"], "at": [0.0, head(0.0).y], "axis": [0, 1] });
    let joints = json!([hinge("driver", "bar", foot(0.0)), { "slot": slot }]);
    for is_rigid in [true, false] {
        let bodies = [
            bar("bar", foot(0.0), head(0.0)),
            driver(is_rigid, 0.2, foot(0.0), &motion),
        ];
        let mut run = driven(&bodies, &joints);
        let start = driven(&bodies, &joints);
        for step in 1..=100 {
            run.step();
            let t = 0.01 * f64::from(step);
            let places: [&dyn Fn(f64) -> Vec2; 2] = [&foot, &head];
            for place in places {
                let error = (point(&run, &start, 0, place(0.0)) - place(t)).norm();
                // The head moves at most 4/3 as far as the foot.
                assert!(
                    error < 5.0 * CLOSED,
                    "rigid {is_rigid}, step {step}: {error:e}"
                );
            }
        }
    }
}

/// The crank of a four-bar linkage is a body that keyframes turn once a second: coupler of 3.5 m,
/// rocker of 3 m, and a crank pin 1 m beside the axle.
#[test]
fn a_four_bar_linkage_follows_a_body_that_keyframes_turn() {
    let motion = json!({
        "keyframes": [{ "time": 1.0, "position": [0.0, 0.0], "rotation_deg": 360.0 }]
    });
    let far = Vec2::new(4.0, 0.0);
    let pin = |angle: f64| Vec2::new(angle.cos(), angle.sin());
    let knee = |angle: f64| crossing(pin(angle), 3.5, far, 3.0);
    let joints = json!([
        hinge("driver", "coupler", pin(0.0)),
        hinge("coupler", "rocker", knee(0.0)),
        hinge("base", "rocker", far)
    ]);
    for is_rigid in [true, false] {
        let bodies = [
            bar("coupler", pin(0.0), knee(0.0)),
            bar("rocker", knee(0.0), far),
            driver(is_rigid, 2.2, Vec2::zeros(), &motion),
        ];
        let mut run = driven(&bodies, &joints);
        let start = driven(&bodies, &joints);
        for step in 1..=100 {
            run.step();
            let angle = TAU * 0.01 * f64::from(step);
            for (body, from, to) in [
                (0, pin(0.0), pin(angle)),
                (0, knee(0.0), knee(angle)),
                (1, knee(0.0), knee(angle)),
            ] {
                let error = (point(&run, &start, body, from) - to).norm();
                assert!(
                    error < 5.0 * CLOSED,
                    "rigid {is_rigid}, step {step}: {error:e}"
                );
            }
        }
    }
}
