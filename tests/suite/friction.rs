//! Coulomb friction: blocks on slopes and on moving ground.

use crate::support::{Run, inline, near, near_ratio, scene};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Sliding speed from which on friction is fully developed (m/s).
const EPS_V: f64 = 1e-3;
/// The gap (m) at which the barrier about carries a block: `0.3 m kappa/2 (1/s - 1 - ln s) = 392 N`
/// at `s = 0.987`.
const GAP: f64 = 0.00987;

/// A stiff block that stands on the half-plane through the origin with inclination `theta`, `along`
/// from the origin.
fn block(name: &str, theta: f64, along: f64) -> Value {
    let (sin, cos) = theta.sin_cos();
    let height = 0.1 + GAP;
    json!({ "name": name, "shape": { "square": { "side": 0.2, "segments": 2 } }, "material": "stiff",
        "position": [along * cos - height * sin, along * sin + height * cos], "rotation_deg": theta.to_degrees() })
}

fn on_slope(theta: f64, bodies: &[Value], pairs: &[(&str, f64)], ground_speed: f64) -> Scene {
    let pairs: Vec<Value> = pairs
        .iter()
        .map(|(name, mu)| json!({ "between": ["ground", name], "coefficient": mu }))
        .collect();
    inline(json!({
        "time": { "step": 0.005, "steps": 200 },
        "materials": { "stiff": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e7, "poisson": 0.3 } } } },
        "bodies": bodies,
        "obstacles": [{ "name": "ground", "velocity": [ground_speed, 0.0],
            "shape": { "half_plane": { "normal": [-theta.sin(), theta.cos()], "origin": [0.0, 0.0] } } }],
        "contact": { "d_hat": 0.01, "kappa": 1e5, "friction": { "pairs": pairs, "eps_v": EPS_V, "stick": "creep" } },
        "solver": { "tolerance": 1e-6 }
    }))
}

#[test]
fn a_block_slides_down_a_slope_with_the_acceleration_of_coulomb_s_law() {
    for (theta, mu) in [(0.3_f64, 0.1), (0.5, 0.3), (0.2, 0.0)] {
        let mut run = Run::of(&on_slope(
            theta,
            &[block("block", theta, 0.0)],
            &[("block", mu)],
            0.0,
        ));
        let down = -Vec2::new(theta.cos(), theta.sin());
        run.steps(100);
        let before = run.velocity(0).dot(&down);
        run.steps(100);
        let acceleration = (run.velocity(0).dot(&down) - before) / (100.0 * run.world().h);
        let expected = GRAVITY * (theta.sin() - mu * theta.cos());

        assert!(
            (acceleration / expected - 1.0).abs() < 0.01,
            "{theta} {mu}: {acceleration} {expected}"
        );
    }
}

#[test]
fn a_block_that_friction_holds_creeps_at_the_speed_at_which_smoothed_friction_is_the_load() {
    for (theta, mu) in [(0.2_f64, 0.3), (0.3, 0.4), (0.1, 1.0)] {
        let mut run = Run::of(&on_slope(
            theta,
            &[block("block", theta, 0.0)],
            &[("block", mu)],
            0.0,
        ));
        let down = -Vec2::new(theta.cos(), theta.sin());
        run.steps(200);
        let start = run.centre(0).dot(&down);
        run.steps(100);
        let speed = (run.centre(0).dot(&down) - start) / (100.0 * run.world().h);

        // mu y (2 - y) = tan(theta) with y = speed / eps_v.
        let expected = EPS_V * (1.0 - (1.0 - theta.tan() / mu).sqrt());
        assert!(
            (speed / expected - 1.0).abs() < 0.02,
            "{theta} {mu}: {speed} {expected}"
        );
    }
}

#[test]
fn each_pair_of_bodies_has_its_own_coefficient() {
    let theta = 0.3_f64;
    let bodies = [block("held", theta, 0.5), block("sliding", theta, -0.5)];
    let mut run = Run::of(&on_slope(
        theta,
        &bodies,
        &[("held", 0.5), ("sliding", 0.1)],
        0.0,
    ));
    run.steps(200);
    let expected = GRAVITY * (theta.sin() - 0.1 * theta.cos());

    assert!(run.velocity(0).norm() < EPS_V, "{}", run.velocity(0));
    near_ratio(run.velocity(1).norm(), expected, 0.02);
}

#[test]
fn moving_ground_drags_a_block_until_it_moves_along() {
    let mu = 0.3;
    let speed = 0.8;
    let mut run = Run::of(&on_slope(
        0.0,
        &[block("block", 0.0, 0.0)],
        &[("block", mu)],
        speed,
    ));
    run.steps(25);
    let before = run.velocity(0).x;
    run.steps(20);
    let acceleration = (run.velocity(0).x - before) / (20.0 * run.world().h);

    near_ratio(acceleration, mu * GRAVITY, 0.02);
    run.steps(155);
    near(run.velocity(0).x, speed, EPS_V);
}

/// Lag residuals of the book's last chapter (m/s), with at most `lag_iterations` solves per step.
fn lag_residuals(lag_iterations: usize) -> Vec<f64> {
    let setting = format!("contact.friction.lag_iterations={lag_iterations}");
    let mut run = Run::of(&scene(
        "book/08_two_squares_friction",
        &[&setting, "solver.tolerance=1e-6"],
    ));
    (0..40).map(|_| run.step().lag_residual).collect()
}

#[test]
fn more_lag_iterations_bring_friction_up_to_date() {
    let once = lag_residuals(1);
    let often = lag_residuals(30);
    let sum = |residuals: &[f64]| residuals.iter().sum::<f64>();
    println!(
        "lag residuals: {:.3e} m/s, {:.3e} m/s",
        sum(&once),
        sum(&often)
    );
    assert!(sum(&once) > 0.1, "{once:?}");
    assert!(sum(&often) < 0.01 * sum(&once), "{often:?}");
}
