//! Static and kinetic friction, of pairs of bodies and of materials.

use crate::support::{Run, inline, near};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Reach (m) and stiffness (Pa) of the barrier, density of the bodies (kg/m^3).
pub(crate) const D_HAT: f64 = 1e-3;
pub(crate) const KAPPA: f64 = 1e5;
pub(crate) const DENSITY: f64 = 1000.0;
/// Sliding speed at which friction is fully developed (m/s).
const EPS_V: f64 = 1e-5;
/// All integrators by their names in scenes.
pub(crate) const SCHEMES: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// Gap (m) at which the barrier of a half-plane has this pressure (Pa): `p = -kappa/2 (ln s + (s -
/// 1)/s)` for the share `s` of the reach.
pub(crate) fn rest_gap(pressure: f64) -> f64 {
    let mut low = 1e-9_f64;
    let mut high = 1.0_f64;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if -0.5 * KAPPA * (middle.ln() + (middle - 1.0) / middle) > pressure {
            low = middle;
        } else {
            high = middle;
        }
    }
    D_HAT * low
}

/// A block with sides of 0.2 m at its gap at rest, `along` (m) down a slope of the angle `theta` (rad)
/// that falls to the right, with a speed (m/s) down the slope.
pub(crate) fn block(name: &str, theta: f64, along: f64, speed: f64) -> Value {
    let (sin, cos) = theta.sin_cos();
    let above = 0.1 + rest_gap(0.5 * DENSITY * GRAVITY * cos * 0.2);
    json!({ "name": name, "kind": "rigid", "material": "stone",
        "shape": { "square": { "side": 0.2, "segments": 1 } },
        "position": [along * cos + above * sin, above * cos - along * sin],
        "rotation_deg": -theta.to_degrees(), "velocity": [speed * cos, -speed * sin] })
}

/// A slope of the angle `theta` (rad) that falls to the right.
pub(crate) fn slope(theta: f64) -> Value {
    let normal = [theta.sin(), theta.cos()];
    json!({ "name": "ground", "shape": { "half_plane": { "normal": normal, "origin": [0, 0] } } })
}

/// A scene of these bodies and obstacles with this friction, in steps of 2 ms by an integrator.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
pub(crate) fn rubbing(
    scheme: &str,
    bodies: &[Value],
    obstacles: &[Value],
    friction: Value,
) -> Scene {
    inline(json!({
        "time": { "step": 0.002, "steps": 500, "integrator": scheme },
        "materials": { "stone": { "density": DENSITY }, "ice": { "density": DENSITY } },
        "bodies": bodies,
        "obstacles": obstacles,
        "contact": { "d_hat": D_HAT, "kappa": KAPPA, "barrier": "log", "friction": friction },
        "solver": { "tolerance": 1e-9 }
    }))
}

#[test]
fn between_both_coefficients_a_block_stays_or_slides_on_by_every_integrator() {
    let theta = 0.35_f64.atan();
    let down = Vec2::new(theta.cos(), -theta.sin());
    let friction = json!({ "default": 0.5, "kinetic": 0.2, "eps_v": EPS_V, "kinetic_speed": 0.02 });
    for scheme in SCHEMES {
        for kind in [json!("rigid"), json!({ "affine": {} })] {
            let [mut rests, mut slides] = [
                block("rests", theta, -0.5, 0.0),
                block("slides", theta, 0.5, 0.1),
            ];
            rests["kind"] = kind.clone();
            slides["kind"] = kind.clone();
            let scene = rubbing(scheme, &[rests, slides], &[slope(theta)], friction.clone());
            let mut run = Run::of(&scene);
            run.steps(250);
            let before = run.velocity(1).dot(&down);
            run.steps(250);

            let creep = run.velocity(0).norm();
            assert!(creep < EPS_V, "{scheme} {kind}: {creep}");
            let acceleration = (run.velocity(1).dot(&down) - before) / 0.5;
            let expected = GRAVITY * (theta.sin() - 0.2 * theta.cos());
            let error = acceleration / expected - 1.0;
            assert!(error.abs() < 1e-3, "{scheme} {kind}: {error}");
        }
    }
}

#[test]
fn the_transition_of_a_block_follows_the_cubic_that_scenes_describe() {
    // Implicit Euler with mu(v) = 0.5 - 0.3 (3 z^2 - 2 z^3), solved by bisection in every step.
    let [h, eps_v, slides] = [0.002, 0.01, 0.4];
    let friction = json!({ "default": 0.5, "kinetic": 0.2, "eps_v": eps_v, "kinetic_speed": slides, "stick": "creep" });
    let mut block = block("block", 0.0, 0.0, 0.6);
    block["fixed"] = json!(["angle"]);
    let scene = rubbing("implicit_euler", &[block], &[slope(0.0)], friction);
    let mut run = Run::of(&scene);
    let law = |v: f64| {
        let z = ((v - eps_v) / (slides - eps_v)).clamp(0.0, 1.0);
        0.5 - 0.3 * (3.0 * z * z - 2.0 * z * z * z)
    };
    let mut v = 0.6;
    let mut between = 0;
    while v > 1.5 * eps_v {
        let [mut low, mut high] = [0.0, v];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if middle + h * law(middle) * GRAVITY > v {
                high = middle;
            } else {
                low = middle;
            }
        }
        v = low;
        if v < eps_v {
            break;
        }
        run.step();
        let got = run.center_velocity(0).x;
        near(got, v, 1e-6);
        between += usize::from(v < 0.9 * slides);
    }
    assert!(between > 20);
}

#[test]
fn a_pair_of_bodies_comes_before_their_materials_and_these_before_the_default() {
    let theta = 0.3_f64.atan();
    let mut bodies = [-1.0, 0.0, 1.0].map(|along| block("", theta, along, 0.1));
    for (body, name) in bodies.iter_mut().zip(["held", "slides", "free"]) {
        body["name"] = json!(name);
    }
    bodies[1]["material"] = json!("ice");
    bodies[2]["material"] = json!("ice");
    let mut ground = slope(theta);
    ground["material"] = json!("stone");
    let friction = json!({
        "default": 0.6,
        "materials": [{ "between": ["stone", "ice"], "coefficient": 0.1, "kinetic": 0.05 }],
        "pairs": [{ "between": ["ground", "free"], "coefficient": 0.0 }],
        "eps_v": EPS_V
    });
    let mut run = Run::of(&rubbing("implicit_euler", &bodies, &[ground], friction));
    run.steps(250);

    let time = 0.5;
    let accelerations = [0.05, 0.0].map(|mu| GRAVITY * (theta.sin() - mu * theta.cos()));
    for (body, acceleration) in [(1, accelerations[0]), (2, accelerations[1])] {
        let error = run.velocity(body).norm() / (0.1 + acceleration * time) - 1.0;
        assert!(error.abs() < 1e-4, "{body}: {error}");
    }
    assert!(run.velocity(0).norm() < EPS_V);
}

#[test]
fn equal_coefficients_give_the_bits_of_one() {
    let theta = 0.3_f64.atan();
    let bodies = [
        block("held", theta, 0.5, 0.0),
        block("slides", theta, -0.5, 1.0),
    ];
    let one = json!({ "default": 0.4 });
    let both = json!({ "default": 0.4, "kinetic": 0.4, "kinetic_speed": 0.5, "rolling": 0.0 });
    let [mut one, mut both] =
        [one, both].map(|friction| Run::of(&rubbing("bdf2", &bodies, &[slope(theta)], friction)));
    for _ in 0..100 {
        one.step();
        both.step();
        assert_eq!(one.state().hash(), both.state().hash());
    }
}
