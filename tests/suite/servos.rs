//! Servos: motors with a stiffness and a damping.

use crate::support::{Run, assert_resumable, inline, near, near_ratio, rectangle};
use ipcsim::scene::{Scene, build};
use serde_json::{Value, json};

/// Stiffness (N m/rad or N/m).
const STIFF: f64 = 40.0;

/// Damping (N m s/rad or N s/m).
const DAMP: f64 = 3.0;

/// Inertia of the block (kg m^2 or kg).
const INERTIA: f64 = 2.0;

/// A block on a hinge or a slider with a motor with these keys.
fn scene(kind: &str, motor: &Value, time: &Value) -> Scene {
    let mut joint = json!({ "bodies": ["frame", "block"], "at": [0.0, 0.0], "motor": motor });
    if kind == "slider" {
        joint["axis"] = json!([1.0, 0.0]);
    }
    inline(json!({
        "time": time,
        "gravity": [0.0, 0.0],
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [{ "name": "block", "kind": "rigid", "shape": rectangle(0.4, 0.1), "material": "stone",
                     "mass": INERTIA, "moment": INERTIA, "group": "joined" }],
        "obstacles": [{ "name": "frame", "shape": { "circle": { "radius": 0.01 } }, "group": "joined" }],
        "joints": [{ kind: joint }],
        "solver": { "tolerance": 1e-10 },
    }))
}

/// Keys of a motor of a joint of this kind: its target in radians or metres, and the largest force.
fn motor(kind: &str, target: &str, most: f64) -> Value {
    if kind == "hinge" {
        let degrees = format!("{}*({target})", 1_f64.to_degrees());
        json!({ "angle_deg": degrees, "torque": most, "stiffness": STIFF, "damping": DAMP })
    } else {
        json!({ "place": target, "force": most, "stiffness": STIFF, "damping": DAMP })
    }
}

/// Angle (rad) or displacement (m) of the block.
fn place(run: &Run, kind: &str) -> f64 {
    if kind == "hinge" {
        run.angle(0)
    } else {
        run.center(0).x
    }
}

/// The same by Runge and Kutta's method after 1 s, towards `sin(2 t)`.
fn expected() -> f64 {
    let rate = |t: f64, [x, v]: [f64; 2]| {
        let force = STIFF * ((2.0 * t).sin() - x) + DAMP * (2.0 * (2.0 * t).cos() - v);
        [v, force / INERTIA]
    };
    let step = 1e-3;
    let mut y = [0.0, 0.0];
    for k in 0..1000 {
        let t = f64::from(k) * step;
        let moved = |by: [f64; 2], share: f64| [y[0] + share * by[0], y[1] + share * by[1]];
        let a = rate(t, y);
        let b = rate(t + 0.5 * step, moved(a, 0.5 * step));
        let c = rate(t + 0.5 * step, moved(b, 0.5 * step));
        let d = rate(t + step, moved(c, step));
        for k in 0..2 {
            y[k] += step / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
        }
    }
    y[0]
}

#[test]
fn a_servo_follows_its_target_to_the_order_of_the_integrator() {
    let expected = expected();
    for (integrator, order) in [
        ("implicit_euler", 1),
        ("bdf2", 2),
        ("trapezoid", 2),
        ("tr_bdf2", 2),
    ] {
        for kind in ["hinge", "slider"] {
            let error = |steps: u32| {
                let step = 1.0 / f64::from(steps);
                let time = json!({ "step": step, "steps": steps, "integrator": integrator });
                let mut run = Run::of(&scene(kind, &motor(kind, "sin(2*t)", 1e3), &time));
                for _ in 0..steps {
                    run.step();
                }
                (place(&run, kind) - expected).abs()
            };
            let ratio = error(100) / error(200);
            let least = if order == 1 { 1.7 } else { 3.3 };
            assert!(ratio > least, "{integrator} {kind}: {ratio}");
        }
    }
}

#[test]
fn a_servo_swings_about_its_target_without_loss_by_the_trapezoid() {
    let mut keys = motor("hinge", "0.3", 1e3);
    keys["damping"] = json!(0.0);
    let time = json!({ "step": 0.02, "steps": 1000, "integrator": "trapezoid" });
    let mut run = Run::of(&scene("hinge", &keys, &time));
    let mut most = 0.0_f64;
    for step in 0..1000 {
        run.step();
        if step >= 900 {
            most = most.max(run.angle(0));
        }
    }
    near_ratio(most, 0.6, 1e-3);
}

#[test]
fn a_servo_pushes_with_its_largest_force_far_from_its_target() {
    for kind in ["hinge", "slider"] {
        let time = json!({ "step": 0.01, "steps": 50, "integrator": "trapezoid" });
        let mut run = Run::of(&scene(kind, &motor(kind, "50", 6.0), &time));
        run.steps(50);
        near_ratio(place(&run, kind), 0.5 * 6.0 / INERTIA * 0.25, 1e-9);
    }
}

#[test]
fn a_servo_gives_way_to_a_load_by_its_stiffness() {
    let time = json!({ "step": 0.02, "steps": 1000 });
    let mut loaded = scene("hinge", &motor("hinge", "0.25", 1e3), &time);
    loaded.bodies[0].torque = 2.0;
    let mut run = Run::of(&loaded);
    run.steps(1000);
    near(run.angle(0), 0.25 + 2.0 / STIFF, 1e-7);
}

#[test]
fn a_servo_of_a_speed_alone_follows_it_by_its_damping() {
    let keys = json!({ "speed_deg": 90.0, "torque": 1e3, "damping": DAMP });
    let time = json!({ "step": 0.01, "steps": 200, "integrator": "bdf2" });
    let mut run = Run::of(&scene("hinge", &keys, &time));
    run.steps(200);
    let expected = 90.0 * (1.0 - (-DAMP / INERTIA * 2.0).exp());
    near(run.spin(0).to_degrees(), expected, 0.01);
}

#[test]
fn a_servo_goes_on_where_it_was_stored() {
    let time = json!({ "step": 0.01, "steps": 30, "integrator": "bdf2" });
    let follows = scene("hinge", &motor("hinge", "sin(9*t)", 5.0), &time);
    assert_resumable(&follows, 30, |_, _| {});
}

#[test]
fn aims_of_motors_and_servos_that_do_not_go_together_are_refused() {
    let time = json!({ "step": 0.01, "steps": 1 });
    for (keys, expected) in [
        (
            json!({ "torque": 1.0, "stiffness": 1.0 }),
            "a stiffness without a place",
        ),
        (
            json!({ "torque": 1.0, "speed_deg": 1.0, "stiffness": 1.0 }),
            "a stiffness without a place",
        ),
        (
            json!({ "torque": 1.0, "angle_deg": 1.0, "damping": 1.0 }),
            "no stiffness",
        ),
        (
            json!({ "torque": 1.0, "angle_deg": 1.0, "speed_deg": 1.0 }),
            "for a servo",
        ),
        (
            json!({ "torque": 1.0, "angle_deg": 1.0, "speed_deg": 1.0, "stiffness": 1.0 }),
            "only damping follows",
        ),
        (json!({ "torque": 1.0, "damping": 1.0 }), "has no aim"),
    ] {
        let built = build(scene("hinge", &keys, &time));
        let message = built.map_or_else(|error| error.to_string(), |_| String::new());
        assert!(message.contains(expected), "{keys}: {message}");
    }
}

#[test]
fn a_servo_between_joints_that_repeat_each_other_is_no_obstacle_to_their_names() {
    let mut scene = scene(
        "hinge",
        &motor("hinge", "0.3", 1e9),
        &json!({ "step": 0.01, "steps": 3 }),
    );
    scene.joints.push(scene.joints[0].clone());
    let setup = build(scene).unwrap();
    let sets = setup.world.repeated_joints(&setup.state);
    assert_eq!(sets.len(), 1);
    assert_eq!(sets[0].joints.len(), 2);
}
