//! Limits of joints and ropes stop what hits them, with a coefficient of restitution.

use crate::restitution::SCHEMES;
use crate::support::{Run, rectangle, rigid, stones};
use ipcsim::scene::Scene;
use serde_json::json;

/// A bar of 0.5 m that turns about its end at 300 degrees a second towards a limit at 20 degrees.
fn swinging(integrator: &str, h: f64, restitution: f64) -> Scene {
    let spin = 300.0_f64;
    let more = json!({ "velocity": [0.0, 0.25 * spin.to_radians()], "spin_deg": spin });
    let bar = rigid("bar", rectangle(0.5, 0.05), [0.25, 0.0], more);
    let rest = json!({
        "time": { "step": h, "steps": 10, "integrator": integrator },
        "gravity": [0.0, 0.0],
        "obstacles": [{ "name": "post", "shape": { "circle": { "radius": 0.01 } } }],
        "joints": [{ "hinge": {
            "bodies": ["post", "bar"], "at": [0.0, 0.0],
            "limits_deg": [-90.0, 20.0], "limit_restitution": restitution,
        } }],
    });
    stones(&[bar], rest)
}

#[test]
fn a_limit_throws_back_with_its_coefficient_by_every_integrator() {
    for integrator in SCHEMES {
        for h in [3e-3, 1e-3] {
            for e in [0.0, 0.5, 1.0] {
                let mut run = Run::of(&swinging(integrator, h, e));
                while run.state().time < 0.12 {
                    run.step();
                }
                let ratio = -run.state().q_dot[1].x / f64::to_radians(300.0);
                assert!((ratio - e).abs() < 0.01, "{integrator} {h} {e}: {ratio}");
            }
        }
    }
}

#[test]
fn a_slider_stops_at_its_limit_and_a_rope_does_not_throw_back() {
    let joints = [
        json!({ "slider": { "bodies": ["post", "box"], "at": [0.5, 0.0], "axis": [1.0, 0.0], "limits": [-1.0, 0.1] } }),
        json!({ "rope": { "bodies": ["post", "box"], "ends": [[0.0, 0.0], [0.5, 0.0]], "length": 0.6 } }),
    ];
    for joint in joints {
        for integrator in SCHEMES {
            let more = json!({ "velocity": [2.0, 0.0] });
            let body = rigid("box", rectangle(0.2, 0.2), [0.5, 0.0], more);
            let rest = json!({
                "time": { "step": 2e-3, "steps": 10, "integrator": integrator },
                "gravity": [0.0, 0.0],
                "obstacles": [{ "name": "post", "shape": { "circle": { "radius": 0.01 } } }],
                "joints": [joint],
            });
            let mut run = Run::of(&stones(&[body], rest));
            run.steps(80);
            let speed = run.center_velocity(0).x;
            assert!(speed.abs() < 1e-6, "{integrator} {joint}: {speed} m/s");
        }
    }
}

/// Speeds after a ball of 5 cm has hit a box with 2 m/s and a coefficient of 0.8, along the line of a motor with a
/// largest force (N) that keeps the box at its place.
fn after_hit(integrator: &str, force: f64) -> [f64; 2] {
    let ball = rigid(
        "ball",
        json!({ "circle": { "radius": 0.05 } }),
        [-0.2, 0.0],
        json!({ "velocity": [2.0, 0.0] }),
    );
    let block = rigid("box", rectangle(0.1, 0.1), [0.0, 0.0], json!({}));
    let rest = json!({
        "time": { "step": 2e-3, "steps": 10, "integrator": integrator },
        "gravity": [0.0, 0.0],
        "obstacles": [{ "name": "post", "group": "box", "shape": { "circle": { "radius": 0.01 } },
            "position": [1.0, 1.0] }],
        "joints": [{ "slider": { "bodies": ["post", "box"], "at": [0.0, 0.0], "axis": [1.0, 0.0],
            "motor": { "place": 0.0, "force": force } } }],
        "contact": { "restitution": { "default": 0.8 } },
    });
    let mut run = Run::of(&stones(&[ball, block], rest));
    run.steps(60);
    [0, 1].map(|body| run.center_velocity(body).x)
}

#[test]
fn a_motor_keeps_its_place_through_an_impact_as_far_as_its_force_allows() {
    for integrator in SCHEMES {
        let [ball, held] = after_hit(integrator, 1e9);
        assert!((ball + 1.6).abs() < 2e-2, "{integrator}: {ball} m/s");
        assert!(held.abs() < 1e-6, "{integrator}: {held} m/s");

        // A weak motor gives next to nothing: the law between two free bodies.
        let masses = [std::f64::consts::PI * 0.05 * 0.05, 0.01];
        let common = 2.0 * masses[0] / (masses[0] + masses[1]);
        let expected = common - 0.8 * 2.0 * masses[1] / (masses[0] + masses[1]);
        let [ball, _] = after_hit(integrator, 1e-3);
        assert!(
            (ball - expected).abs() < 2e-2,
            "{integrator}: {ball} for {expected} m/s"
        );
    }
}
