//! Belts: surfaces that move along their outlines.

use crate::friction_kinetic::{SCHEMES, block, rubbing, slope};
use crate::support::{Run, near_ratio};
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2), coefficient of friction (1), speed of belts (m/s).
const GRAVITY: f64 = 9.81;
const MU: f64 = 0.4;
const SPEED: f64 = 0.5;

/// Friction of all pairs.
fn friction() -> Value {
    json!({ "default": MU, "eps_v": 1e-5 })
}

/// Obstacles that end at a height of 0, with this speed of their belts.
fn belts(speed: f64) -> Vec<(&'static str, Vec<Value>)> {
    let named = |name: &str, shape: Value, position: [f64; 2]| json!({ "name": name, "shape": shape, "position": position, "belt": speed });
    let mut plane = slope(0.0);
    plane["belt"] = json!(speed);
    let mut turning = plane.clone();
    turning["keyframes"] = json!([{ "time": 9.0, "position": [0, 0] }, { "time": 10.0, "position": [0, 0], "rotation_deg": 9 }]);
    let beam = json!({ "rectangle": { "size": [4, 0.1], "segments": [1, 1] } });
    let fine = json!({ "rectangle": { "size": [4, 0.1], "segments": [37, 1] } });
    let circle = json!({ "circle": { "radius": 0.1 } });
    let roller = |name: &str, x: f64| named(name, circle.clone(), [x, -0.1]);
    vec![
        ("half-plane", vec![plane]),
        ("half-plane that turns later", vec![turning]),
        ("outline", vec![named("beam", beam, [0.0, -0.05])]),
        ("fine outline", vec![named("beam", fine, [0.0, -0.05])]),
        (
            "circles",
            vec![roller("left", -0.08), roller("right", 0.08)],
        ),
    ]
}

#[test]
fn the_top_of_every_belt_moves_to_the_left_if_its_speed_is_positive() {
    for sign in [1.0, -1.0] {
        for (label, obstacles) in belts(sign * SPEED) {
            let bodies = [block("block", 0.0, 0.0, 0.0)];
            let mut run = Run::of(&rubbing("implicit_euler", &bodies, &obstacles, friction()));
            run.steps(25);

            let error = run.center_velocity(0).x / (-sign * MU * GRAVITY * 0.05) - 1.0;
            assert!(error.abs() < 1e-2, "{label} {sign}: {error}");
        }
    }
}

#[test]
fn every_integrator_brings_a_block_to_the_speed_of_the_belt_in_the_time_of_coulomb_s_law() {
    for scheme in SCHEMES {
        let (_, obstacles) = belts(-SPEED).swap_remove(0);
        let mut run = Run::of(&rubbing(
            scheme,
            &[block("block", 0.0, 0.0, 0.0)],
            &obstacles,
            friction(),
        ));
        let mut arrival = f64::NAN;
        for step in 1..=100 {
            run.step();
            if arrival.is_nan() && run.center_velocity(0).x > 0.999 * SPEED {
                arrival = 0.002 * f64::from(step);
            }
        }
        let expected = SPEED / (MU * GRAVITY);
        assert!(
            (arrival - expected).abs() < 0.003,
            "{scheme}: {arrival} {expected}"
        );
        // What begins to stick swings on its anchors for a while.
        run.steps(100);
        let last = run.center_velocity(0).x;
        assert!((last / SPEED - 1.0).abs() < 1e-4, "{scheme}: {last}");
    }
}

#[test]
fn a_vehicle_with_a_belt_pushes_a_free_plank_back_and_momentum_stays_zero() {
    let plank = json!({ "name": "plank", "kind": "rigid", "material": "stone",
        "shape": { "rectangle": { "size": [2, 0.1], "segments": [1, 1] } },
        "position": [0, 0.05 + 0.99e-3] });
    let mut vehicle = block("vehicle", 0.0, 0.0, 0.0);
    vehicle["position"] = json!([0, 0.2 + 2.0 * 0.99e-3]);
    vehicle["belt"] = json!(SPEED);
    let mut friction = friction();
    friction["pairs"] = json!([{ "between": ["plank", "ground"], "coefficient": 0.0 }]);
    let scene = rubbing("implicit_euler", &[plank, vehicle], &[slope(0.0)], friction);
    let mut run = Run::of(&scene);
    run.steps(200);

    // The relative speed is that of the belt.
    let [plank, vehicle] = [0, 1].map(|body| run.center_velocity(body).x);
    let [m, n] = [0, 1].map(|body| run.mass(body));
    assert!((m * plank + n * vehicle).abs() < 1e-6 * m * SPEED);
    near_ratio(vehicle, -SPEED * m / (m + n), 1e-4);
    near_ratio(plank, SPEED * n / (m + n), 1e-4);
}

#[test]
fn a_soft_block_is_carried_as_a_rigid_one() {
    let mut soft = block("block", 0.0, 0.0, 0.0);
    soft["kind"] = json!("deformable");
    soft["shape"] = json!({ "square": { "side": 0.2, "segments": 2 } });
    let (_, obstacles) = belts(-SPEED).swap_remove(2);
    let mut scene = rubbing("implicit_euler", &[soft], &obstacles, friction());
    let law = ipcsim::scene::schema::Material::neo_hookean(1000.0, 1e6, 0.3);
    scene.materials.insert("stone".to_owned(), law);
    let mut run = Run::of(&scene);
    run.steps(200);

    // It still trembles a little from the pull at its lower side.
    let speed = run.velocity(0).x;
    near_ratio(speed, SPEED, 5e-3);
}
