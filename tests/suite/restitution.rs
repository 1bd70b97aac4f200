//! The law of restitution: speeds after impacts, rebounds, rows of balls, stacks, bad input.

use crate::support::{Run, ground, inline, near, rectangle, rigid, stones};
use ipcsim::scene::Scene;
use ipcsim::scene::check;
use serde_json::{Value, json};

const G: f64 = 9.81;

/// Integrators of a scene, by name.
pub(crate) const SCHEMES: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// A disk, a box or an affine box of 0.2 m, whose lowest point is at `height` (m).
pub(crate) fn body(kind: &str, name: &str, height: f64, velocity: f64) -> Value {
    let more = json!({ "velocity": [0.0, velocity] });
    let position = [0.0, height + 0.1];
    if kind == "disk" {
        return rigid(name, json!({ "circle": { "radius": 0.1 } }), position, more);
    }
    let mut body = rigid(name, rectangle(0.2, 0.2), position, more);
    if kind == "affine" {
        body["kind"] = json!({ "affine": {} });
    }
    body
}

/// A scene of bodies above the ground, with one coefficient of restitution.
fn above_ground(bodies: &[Value], scheme: &str, h: f64, contact: &Value) -> Scene {
    let rest = json!({
        "time": { "step": h, "steps": 10, "integrator": scheme },
        "obstacles": [ground()],
        "gravity": [0.0, -G],
        "contact": contact,
    });
    stones(bodies, rest)
}

/// Ratio of the speeds after and before the first impact of a body with the ground under this gravity
/// (m/s^2), as if both were at the height at which the impact leaves the body.
fn ratio(run: &mut Run, gravity: f64) -> f64 {
    for _ in 0..1000 {
        let [height, speed] = [run.center(0).y, run.center_velocity(0).y];
        run.step();
        let fallen = height - run.center(0).y;
        let arrived = (speed * speed + 2.0 * gravity * fallen).sqrt();
        let left = run.center_velocity(0).y;
        if left > -0.5 * arrived {
            return left / arrived;
        }
    }
    panic!("no impact")
}

#[test]
fn speeds_after_an_impact_are_the_coefficient_times_those_before() {
    let cases = ["disk", "box", "affine"].into_iter().flat_map(|kind| {
        let of_scheme = move |scheme| [1e-4, 1e-3, 1e-2].map(|h| (kind, scheme, h));
        SCHEMES.into_iter().flat_map(of_scheme)
    });
    for (kind, scheme, h) in cases {
        // The second stage of tr_bdf2 flies on after an impact in the first one.
        let gravities: &[f64] = if scheme == "tr_bdf2" {
            &[0.0]
        } else {
            &[0.0, G]
        };
        for &gravity in gravities {
            for e in [0.0, 0.25, 0.5, 0.75, 1.0] {
                for speed in [12.0 * G * h, (12.0 * G * h).max(3.0)] {
                    let falling = body(kind, "body", 0.0015, -speed);
                    let contact = json!({ "restitution": { "default": e } });
                    let mut scene = above_ground(&[falling], scheme, h, &contact);
                    scene.gravity = [0.0, -gravity];
                    let measured = ratio(&mut Run::of(&scene), gravity);
                    let what = format!("{kind} {scheme} h {h} g {gravity} e {e} v {speed}");
                    assert!((measured - e).abs() < 0.01, "{what}: {measured}");
                }
            }
        }
    }
}

#[test]
fn balls_that_meet_part_with_the_coefficient_and_keep_their_momentum() {
    for scheme in SCHEMES {
        for e in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let ball = |name: &str, x: f64, radius: f64, v: f64| {
                let shape = json!({ "circle": { "radius": radius } });
                rigid(name, shape, [x, 0.0], json!({ "velocity": [v, 0.0] }))
            };
            let bodies = [ball("a", -0.11, 0.1, 1.0), ball("b", 0.21, 0.2, -0.5)];
            let mut run = Run::of(&stones(
                &bodies,
                json!({
                    "time": { "step": 1e-3, "steps": 10, "integrator": scheme },
                    "gravity": [0.0, 0.0],
                    "contact": { "restitution": { "default": e } },
                }),
            ));
            run.steps(60);

            // Masses are as 1 to 4: the centre of mass moves with (1 - 4 * 0.5) / 5.
            let [a, b] = [0, 1].map(|k| run.center_velocity(k).x);
            assert!((b - a - 1.5 * e).abs() < 1e-6, "{scheme} e {e}: {a} {b}");
            assert!((a + 4.0 * b + 1.0).abs() < 1e-6, "{scheme} e {e}: {a} {b}");
        }
    }
}

/// Height of the first rebound of a body that falls from 1 m (m), and the last time at which it moves
/// (s).
fn bounces(kind: &str, scheme: &str, e: f64, until: f64) -> [f64; 2] {
    let contact = json!({ "restitution": { "default": e } });
    let falling = body(kind, "body", 1.0, 0.0);
    let mut run = Run::of(&above_ground(&[falling], scheme, 1e-3, &contact));
    let [mut top, mut moved] = [0.0_f64, 0.0];
    while run.state().time < until {
        run.step();
        if run.state().time > 0.5 {
            top = top.max(run.center(0).y - 0.1);
        }
        if run.center_velocity(0).y.abs() > 0.5 * G * 1e-3 {
            moved = run.state().time;
        }
    }
    [top, moved]
}

#[test]
fn a_body_rebounds_to_the_square_of_the_coefficient_and_comes_to_rest_in_time() {
    for kind in ["disk", "box", "affine"] {
        for scheme in ["bdf2", "tr_bdf2"] {
            // Fall from 1 m, then flights of e, e^2, ... times twice that time.
            for (e, total) in [(0.5, 1.354_571), (0.9, 8.578_949)] {
                let [top, last] = bounces(kind, scheme, e, 1.1 * total);
                let what = format!("{kind} {scheme} {e}: {top} m, {last} s");
                assert!((top / (e * e) - 1.0).abs() < 0.01, "{what}");
                assert!((last / total - 1.0).abs() < 0.015, "{what}");
            }
        }
    }
}

/// Speeds of five equal balls in a row with gaps (m) after the first has hit with 1 m/s.
fn cradle(scheme: &str, gap: f64, h: f64) -> Vec<f64> {
    let ball = |k: usize| {
        let x = k as f64 * (0.2 + gap) - if k == 0 { 0.02 } else { 0.0 };
        let velocity = [if k == 0 { 1.0 } else { 0.0 }, 0.0];
        let shape = json!({ "circle": { "radius": 0.1 } });
        rigid(
            &format!("ball {k}"),
            shape,
            [x, 0.0],
            json!({ "velocity": velocity }),
        )
    };
    let bodies: Vec<Value> = (0..5).map(ball).collect();
    let mut run = Run::of(&stones(
        &bodies,
        json!({
            "time": { "step": h, "steps": 10, "integrator": scheme },
            "gravity": [0.0, 0.0],
            "contact": { "d_hat": 1e-3, "restitution": { "default": 1.0 } },
        }),
    ));
    while run.state().time < 0.2 {
        run.step();
    }
    (0..5).map(|k| run.center_velocity(k).x).collect()
}

#[test]
fn a_row_of_balls_hands_the_motion_on_to_the_last_one() {
    for scheme in ["implicit_euler", "bdf2", "tr_bdf2"] {
        for gap in [0.0005, 0.0021] {
            for h in [1e-3, 1e-2] {
                let speeds = cradle(scheme, gap, h);
                let others = speeds[..4]
                    .iter()
                    .fold(0.0_f64, |most, v| most.max(v.abs()));
                let what = format!("{scheme} gap {gap} h {h}: {speeds:?}");
                assert!(speeds[4] >= 0.98 && others <= 0.02, "{what}");
            }
        }
    }
}

/// Eight boxes that fall on the ground and on each other.
fn stack(scheme: &str) -> Scene {
    let mut bodies = Vec::new();
    for k in 0..8 {
        let mut own = body("box", &format!("box {k}"), 0.02 + 0.24 * f64::from(k), 0.0);
        own["position"][0] = json!(0.003 * f64::from(k % 2));
        bodies.push(own);
    }
    let contact = json!({ "friction": { "default": 0.3 }, "restitution": { "default": 0.5 } });
    above_ground(&bodies, scheme, 2e-3, &contact)
}

#[test]
fn a_stack_that_bounces_comes_to_rest_and_carries_its_weight() {
    for scheme in ["implicit_euler", "bdf2", "tr_bdf2"] {
        let mut run = Run::of(&stack(scheme));
        // By bdf2 a tower sways on, at 1 mm/s, as its barriers are springs.
        run.steps(500);
        for _ in 0..100 {
            run.step();
            for k in 0..8 {
                let speed = run.center_velocity(k).norm();
                assert!(speed < 0.1 * G * 2e-3, "{scheme} box {k}: {speed} m/s");
            }
        }
        for k in 0..8 {
            let height = 0.1 + 0.2 * f64::from(u8::try_from(k).unwrap());
            assert!((run.center(k).y - height).abs() < 0.012, "{scheme} box {k}");
        }
    }
}

#[test]
fn positions_of_the_step_in_which_bodies_meet_are_those_without_the_law() {
    let scene =
        |contact: Value| above_ground(&[body("box", "box", 0.01, -3.0)], "bdf2", 1e-3, &contact);
    let mut lawful = Run::of(&scene(json!({ "restitution": { "default": 0.5 } })));
    let mut lawless = Run::of(&scene(json!({})));
    while lawful.center_velocity(0).y < 0.0 {
        assert_eq!(lawful.state(), lawless.state());
        lawful.step();
        lawless.step();
    }
    assert_eq!(lawful.state().q, lawless.state().q);
    assert_ne!(lawful.state().q_dot, lawless.state().q_dot);
}

#[test]
fn a_pair_of_its_own_alone_rebounds() {
    let contact = json!({ "restitution": { "pairs": [
        { "between": ["ground", "left"], "coefficient": 1.0 }
    ] } });
    let [mut left, mut right] = ["left", "right"].map(|name| body("disk", name, 0.01, -2.0));
    left["position"][0] = json!(-1.0);
    right["position"][0] = json!(1.0);
    let of = |contact: Value| {
        let bodies = [left.clone(), right.clone()];
        let mut run = Run::of(&above_ground(&bodies, "implicit_euler", 1e-3, &contact));
        run.steps(20);
        [0, 1].map(|k| run.center_velocity(k).y)
    };
    let [with, without] = [of(contact), of(json!({}))];
    assert!(with[0] > 1.8, "{with:?}");
    near(with[1], without[1], 1e-4);
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    let soft = json!({ "default": 0.5 });
    let pairs = json!({ "pairs": [
        { "between": ["ball", "box"], "coefficient": 1.5 },
        { "between": ["box", "ball"], "coefficient": 0.5 },
        { "between": ["box", "grond"], "coefficient": -0.1 },
    ], "rest_speed": -1.0 });
    let messages = |restitution: Value| -> Vec<String> {
        let scene = inline(json!({
            "time": { "step": 0.01, "steps": 1 },
            "materials": {
                "stone": { "density": 1000.0 },
                "rubber": {
                    "density": 1000.0,
                    "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } },
                },
            },
            "bodies": [
                body("box", "box", 0.1, 0.0),
                { "name": "ball", "shape": { "disk": { "radius": 0.1, "segments": 8 } },
                  "material": "rubber", "position": [0.0, 1.0] },
            ],
            "obstacles": [ground()],
            "contact": { "restitution": restitution },
        }));
        let problems = check(&scene).into_iter();
        problems.map(|problem| problem.to_string()).collect()
    };

    let found = messages(soft);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("\"ball\" deforms"), "{found:?}");

    let found = messages(pairs).join("\n");
    for expected in [
        "\"ball\" deforms",
        "is 1.5, but must be between 0 and 1",
        "is given twice",
        "grond",
        "is -0.1, but must be between 0 and 1",
        "is -1 m/s, but must not be negative",
    ] {
        assert!(found.contains(expected), "{expected} in\n{found}");
    }
}

#[test]
fn a_scene_without_coefficients_writes_none() {
    let scene = above_ground(&[body("box", "box", 0.1, 0.0)], "bdf2", 1e-3, &json!({}));
    let written = serde_json::to_value(&scene).unwrap();
    assert!(written["contact"].get("restitution").is_none());
}
