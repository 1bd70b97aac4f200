//! Rigid and affine bodies whose mass is given by numbers, and that resist their motion.

use crate::support::{Run, inline, near, near_point, near_ratio, rectangle};
use ipcsim::math::Vec2;
use ipcsim::scene::{Scene, build};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, PI};

/// A scene of some bodies of 1000 kg/m^3.
fn scene(bodies: &[Value], more: &Value) -> Scene {
    let mut scene = json!({
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": bodies,
        "solver": { "tolerance": 1e-10 },
    });
    let all = scene.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    inline(scene)
}

/// A block of 0.4 by 0.2 m at (1, 2), a quarter of a turn around, with more keys.
fn block(kind: &Value, more: &Value) -> Value {
    let mut block = json!({
        "name": "block", "kind": kind, "shape": rectangle(0.4, 0.2), "material": "stone",
        "position": [1.0, 2.0], "rotation_deg": 90.0
    });
    let all = block.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    block
}

#[test]
fn a_body_of_given_mass_centre_and_moment_flies_and_turns_by_them() {
    let time = json!({ "step": 0.005, "steps": 200, "integrator": "trapezoid" });
    let keys = json!({ "mass": 5.0, "centre": [0.05, 0.02], "moment": 0.3, "velocity": [0.3, 0.0],
                       "spin_deg": 90.0, "force": [2.0, 0.0] });
    for kind in [json!("rigid"), json!({ "affine": {} })] {
        let mut run = Run::of(&scene(&[block(&kind, &keys)], &json!({ "time": time })));
        let centre = Vec2::new(1.0 - 0.02, 2.0 + 0.05);
        near_point(run.center(0), centre, 1e-12);
        near(run.mass(0), 5.0, 1e-12);
        let start = run.state();
        let spin = run.angular_momentum(&start.q, &start.q_dot) - 5.0 * (-centre.y * 0.3);
        near(spin, 0.3 * FRAC_PI_2, 1e-12);

        run.steps(200);
        let flown = Vec2::new(0.3 + 0.5 * 2.0 / 5.0, -0.5 * 9.81);
        near_point(run.center(0), centre + flown, 1e-9);
    }
}

#[test]
fn mass_alone_scales_the_moment_of_the_shape_and_a_torque_turns_by_it() {
    let time = json!({ "step": 0.01, "steps": 50, "integrator": "trapezoid" });
    for (keys, moment) in [
        (json!({ "mass": 5.0 }), 5.0 * (0.16 + 0.04) / 12.0),
        (json!({ "moment": 0.7 }), 0.7),
    ] {
        let mut scene = scene(&[block(&json!("rigid"), &keys)], &json!({ "time": time }));
        scene.bodies[0].torque = 2.0;
        let mut run = Run::of(&scene);
        run.steps(50);
        near_ratio(run.spin(0), 2.0 * 0.5 / moment, 1e-9);
    }
}

#[test]
fn an_impact_has_the_given_masses() {
    let disk = |name: &str, x: f64, mass: f64, speed: f64| {
        json!({ "name": name, "kind": "rigid", "shape": { "circle": { "radius": 0.1 } }, "material": "stone",
                "position": [x, 0.0], "velocity": [speed, 0.0], "mass": mass })
    };
    let more = json!({ "time": { "step": 0.001, "steps": 300 }, "gravity": [0.0, 0.0],
                       "contact": { "restitution": { "default": 1.0 } } });
    let bodies = [disk("a", 0.0, 5.0, 1.0), disk("b", 0.3, 2.0, 0.0)];
    let mut run = Run::of(&scene(&bodies, &more));
    run.steps(300);
    near(run.center_velocity(0).x, 3.0 / 7.0, 1e-4);
    near(run.center_velocity(1).x, 10.0 / 7.0, 1e-4);
}

#[test]
fn a_disk_with_its_mass_off_centre_rolls_as_it_should() {
    let [radius, off, mass, moment] = [0.2, 0.08, 5.0, 0.1];
    let disk = json!({ "name": "disk", "kind": "rigid", "shape": { "circle": { "radius": radius } },
                       "material": "stone", "position": [0.0, radius + 1e-4], "mass": mass, "centre": [off, 0.0],
                       "moment": moment });
    let more = json!({
        "time": { "step": 0.001, "steps": 750, "integrator": "bdf2" },
        "contact": { "friction": { "default": 1.0 } },
        "obstacles": [{ "name": "floor", "shape": rectangle(10.0, 0.2), "position": [0.0, -0.1] }]
    });
    let mut run = Run::of(&scene(&[disk], &more));
    run.steps(750);

    // Lagrange's equation of the angle of the centre of mass, rolling without slip.
    let rate = |[a, w]: [f64; 2]| {
        let inertia = mass * (radius * radius + 2.0 * radius * off * a.sin() + off * off) + moment;
        let change = 2.0 * mass * radius * off * a.cos();
        [
            w,
            (-mass * 9.81 * off * a.cos() - 0.5 * change * w * w) / inertia,
        ]
    };
    let step = 1e-4;
    let mut y = [0.0, 0.0];
    for _ in 0..7500 {
        let middle = rate(y);
        let half = [y[0] + 0.5 * step * middle[0], y[1] + 0.5 * step * middle[1]];
        let slope = rate(half);
        y = [y[0] + step * slope[0], y[1] + step * slope[1]];
    }
    near(run.angle(0), y[0], 1e-3);
}

#[test]
fn a_deformable_body_and_a_point_have_no_mass_by_number() {
    let time = json!({ "step": 0.01, "steps": 1 });
    let law = json!({ "neo_hookean": { "young": 1e6, "poisson": 0.3 } });
    let materials = json!({ "stone": { "density": 1000.0, "law": law } });
    let soft = block(
        &json!("deformable"),
        &json!({ "mass": 5.0, "damping": { "linear": 1.0 } }),
    );
    let built = build(scene(
        &[soft],
        &json!({ "time": time, "materials": materials }),
    ));
    let message = built.map_or_else(|error| error.to_string(), |_| String::new());
    assert!(message.contains("the density of its material"), "{message}");
    assert!(message.contains("to its material"), "{message}");

    let point = json!({ "name": "p", "kind": "rigid", "shape": { "point": {} }, "material": "stone", "moment": 1.0 });
    let built = build(scene(&[point], &json!({ "time": time })));
    let message = built.map_or_else(|error| error.to_string(), |_| String::new());
    assert!(
        message.contains("a point has its mass in its shape"),
        "{message}"
    );
}

/// Errors of a damped block after 1 s: of its displacement and velocity (m, m/s) and its angle (rad).
fn damped(integrator: &str, steps: u32) -> [f64; 3] {
    let step = 1.0 / f64::from(steps);
    let keys = json!({ "velocity": [1.0, 0.0], "spin_deg": 90.0, "damping": { "linear": 2.0, "angular": 3.0 } });
    let more = json!({ "time": { "step": step, "steps": steps, "integrator": integrator } });
    let mut run = Run::of(&scene(&[block(&json!("rigid"), &keys)], &more));
    for _ in 0..steps {
        run.step();
    }
    let [slow, turned] = [2.0, 3.0].map(|rate: f64| (1.0 - (-rate).exp()) / rate);
    [
        run.center(0).x - 1.0 - slow,
        run.center_velocity(0).y + 9.81 * slow,
        run.angle(0) - FRAC_PI_2 * turned,
    ]
}

#[test]
fn damping_slows_a_rigid_body_to_the_order_of_the_integrator() {
    for (integrator, least) in [
        ("implicit_euler", 1.8),
        ("bdf2", 3.8),
        ("trapezoid", 3.8),
        ("tr_bdf2", 3.8),
    ] {
        let [long, short] = [50, 100].map(|steps| damped(integrator, steps));
        for k in 0..3 {
            let ratio = long[k] / short[k];
            assert!(
                ratio > least && ratio < 1.2 * least,
                "{integrator} {k}: {ratio}"
            );
        }
    }
}

#[test]
fn the_mass_part_of_a_material_slows_bodies_that_move_as_wholes() {
    let materials = json!({ "stone": { "density": 1000.0, "damping": { "mass": 2.0 } } });
    let more = json!({ "time": { "step": 0.01, "steps": 100, "integrator": "trapezoid" }, "gravity": [0.0, 0.0],
                       "materials": materials });
    for kind in [json!("rigid"), json!({ "affine": {} })] {
        let moving = block(&kind, &json!({ "velocity": [1.0, 0.0], "spin_deg": 30.0 }));
        let mut run = Run::of(&scene(&[moving], &more));
        run.steps(100);
        near(run.center_velocity(0).x, (-2.0_f64).exp(), 1e-4);
        let state = run.state();
        let still = Vec2::new(0.0, 0.0);
        let mut own = state.q.clone();
        own[0] = still;
        let spin = run.angular_momentum(&own, &state.q_dot);
        let moment = 80.0 * (0.16 + 0.04) / 12.0;
        near_ratio(spin, moment * PI / 6.0 * (-2.0_f64).exp(), 2e-3);
    }
}

#[test]
fn the_ledger_has_the_work_of_damping() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let keys = json!({ "velocity": [1.0, 0.0], "spin_deg": 90.0, "damping": { "linear": 2.0, "angular": 3.0 } });
        let more = json!({ "time": { "step": 0.01, "steps": 100, "integrator": integrator },
                           "gravity": [0.0, 0.0], "output": { "ledger": true } });
        let mut run = Run::of(&scene(&[block(&json!("rigid"), &keys)], &more));
        let before = 0.5 * 80.0 + 0.5 * 80.0 * 0.2 / 12.0 * FRAC_PI_2 * FRAC_PI_2;
        let mut taken = 0.0;
        let mut inertia = 0.0;
        let mut last = 0.0;
        for record in run.steps(100) {
            let ledger = record.ledger.unwrap();
            taken += ledger.work.damping;
            inertia += ledger.work.inertia;
            last = record.kinetic;
        }
        near(before + taken + inertia, last, 1e-9 * before);
        assert!(taken < -0.9 * before);
    }
}
