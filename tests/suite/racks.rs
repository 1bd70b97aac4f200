//! Racks and pinions.

use crate::support::{Run, assert_resumable, inline, near, near_ratio, rectangle};
use ipcsim::forces;
use ipcsim::scene::{Scene, build};
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Pitch radius of the pinion (m).
const RADIUS: f64 = 0.1;

/// Moment of inertia of the pinion (kg m^2), a disk of 0.12 m.
fn inertia() -> f64 {
    0.5 * 1000.0 * PI * 0.12_f64.powi(4)
}

/// A pinion at the origin on a rack below it, with joints, and a torque of 5 N m on the pinion.
fn scene(joints: &[Value], integrator: &str) -> Scene {
    let body = |name: &str, shape: Value, y: f64, torque: f64| {
        json!({ "name": name, "kind": "rigid", "shape": shape, "material": "stone", "position": [0.0, y],
                "group": "joined", "torque": torque })
    };
    inline(json!({
        "time": { "step": 0.01, "steps": 100, "integrator": integrator },
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [
            body("rack", rectangle(1.0, 0.05), -0.125, 0.0),
            body("pinion", json!({ "circle": { "radius": 0.12 } }), 0.0, 5.0),
        ],
        "obstacles": [{ "name": "frame", "shape": { "circle": { "radius": 0.01 } }, "group": "joined" }],
        "joints": joints,
        "solver": { "tolerance": 1e-8 },
    }))
}

/// Joints of a rack on a guide below a pinion on a fixed axle.
fn guided(more: &Value) -> Vec<Value> {
    let mut rack = json!({ "bodies": ["rack", "pinion"], "at": [0.0, 0.0], "axis": [2.0, 0.0], "radius": -RADIUS });
    rack.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    vec![
        json!({ "hinge": { "bodies": ["frame", "pinion"], "at": [0.0, 0.0] } }),
        json!({ "slider": { "bodies": ["frame", "rack"], "at": [0.0, -0.125], "axis": [1.0, 0.0] } }),
        json!({ "rack": rack }),
    ]
}

#[test]
fn a_pinion_drives_a_rack_by_its_radius_in_force_and_in_motion() {
    let mass = 50.0;
    let angular = 5.0 / (inertia() + mass * RADIUS * RADIUS);
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let mut run = Run::of(&scene(&guided(&json!({})), integrator));
        for _ in 0..100 {
            run.step();
            near(run.center(0).x, RADIUS * run.angle(1), 1e-10);
        }
        near_ratio(run.spin(1), angular, 1e-9);
        near_ratio(run.center_velocity(0).x, RADIUS * angular, 1e-9);

        // The teeth push the rack, and back on the axle.
        let of_rack = &forces::joints(run.world(), run.state())[2];
        let [x, y] = [of_rack.force.x, of_rack.force.y];
        near_ratio(x.abs(), mass * RADIUS * angular, 1e-7);
        near(y, 0.0, 1e-6);
    }
}

#[test]
fn a_pinion_on_a_carriage_rolls_down_a_rack_that_leans() {
    // The rack is an obstacle at 30 degrees; the carriage has no mass to speak of.
    let lean = 30.0_f64.to_radians();
    let axis = [lean.cos(), lean.sin()];
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 100, "integrator": "trapezoid" },
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [
            { "name": "carriage", "kind": "rigid", "shape": rectangle(0.1, 0.1), "material": "stone", "mass": 1e-3,
              "group": "joined" },
            { "name": "pinion", "kind": "rigid", "shape": { "circle": { "radius": 0.12 } }, "material": "stone",
              "group": "joined" }
        ],
        "obstacles": [{ "name": "rack", "shape": { "rectangle": { "size": [9.0, 0.05], "segments": [1, 1] } },
                        "position": [0.1, -0.173_205_08], "rotation_deg": 30.0, "group": "joined" }],
        "joints": [
            { "slider": { "bodies": ["rack", "carriage"], "at": [0.0, 0.0], "axis": axis } },
            { "hinge": { "bodies": ["carriage", "pinion"], "at": [0.0, 0.0] } },
            { "rack": { "bodies": ["rack", "pinion"], "at": [0.0, 0.0], "axis": axis, "radius": -RADIUS } }
        ],
        "solver": { "tolerance": 1e-8 },
    }));
    let mut run = Run::of(&scene);
    run.steps(100);

    // m a = m g sin - F, I a / r = F r.
    let mass = 1000.0 * PI * 0.12 * 0.12;
    let expected = 9.81 * lean.sin() / (1.0 + inertia() / (mass * RADIUS * RADIUS));
    let speed = run.center_velocity(1).norm();
    near_ratio(speed, expected, 1e-4);
    near_ratio(run.spin(1), speed / RADIUS, 1e-9);
}

#[test]
fn a_pinion_counts_turns_and_goes_on_where_it_was_stored() {
    let mut fast = scene(&guided(&json!({})), "bdf2");
    fast.bodies[1].spin_deg = 36_000.0;
    fast.bodies[0].velocity = [RADIUS * 200.0 * PI, 0.0];
    assert_resumable(&fast, 20, |parts, _| {
        let q = &parts.state.q;
        assert!((q[0].x - RADIUS * q[3].x).abs() < 1e-9 * q[0].x.abs());
    });
}

#[test]
fn teeth_of_a_rack_break_at_their_force_and_a_pinion_has_a_radius() {
    let force = 50.0 * RADIUS * 5.0 / (inertia() + 50.0 * RADIUS * RADIUS);
    for (share, breaks) in [(1.01, false), (0.99, true)] {
        let joints = guided(&json!({ "break_force": share * force }));
        let mut run = Run::of(&scene(&joints, "bdf2"));
        assert_eq!(
            run.step().broken_joints(),
            if breaks { vec![2] } else { vec![] }
        );
    }

    let message = build(scene(&guided(&json!({ "radius": 0.0 })), "bdf2"))
        .map_or_else(|e| e.to_string(), |_| String::new());
    assert!(message.contains("use a slot"), "{message}");
}
