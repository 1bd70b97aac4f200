//! Gradients of three motions of implicit Euler, each with a closed form.
//!
//! - A projectile: `x` by the initial speed is `t`, and `y` by gravity is `h^2 n (n + 1) / 2`.
//! - A block that slides on a slope: the travel `(g_t - mu g_n) h^2 n (n + 1) / 2` by the coefficient
//!   of friction. The block starts at the gap at which the barrier carries it.
//! - A mass on a spring: `v' = (v - h k/m x) / (1 + h^2 k/m)`, `x' = x + h v'`, and the derivative of
//!   this recursion by `k`.

use crate::formulas::rest_gap;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use ipcsim::scene::{SHAPES, Source};
use ipcsim_diff::{Objective, Omitted, Problem, Run, gradient};
use serde_json::{Value, json};

pub(super) const CASE: Case = Case {
    name: "motion_gradient",
    title: "Gradients of a projectile, a slide and a vibration",
    proves: "Gradients are those of the closed forms of implicit Euler.",
    formula: "d x / d v = t; d x / d mu = -g_n h^2 n (n + 1)/2; derivative of the recursion of a spring",
    source: "Sums of the series of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Step (s), number of steps, density (kg/m^3), side (m), and parts of gravity (m/s^2).
const H: f64 = 0.01;
const STEPS: usize = 30;
const DENSITY: f64 = 1000.0;
const SIDE: f64 = 0.2;
const ALONG: f64 = 6.0;
const ACROSS: f64 = 9.0;
/// Reach (m) and stiffness (Pa) of the barrier, and stiffness of the spring (N/m).
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 2e4;
const SPRING: f64 = 4000.0;

#[allow(clippy::unnecessary_wraps, reason = "all cases may fail to run")]
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("step", "derivative by stiffness (m^2/N)"));
    let sum = H * H * (STEPS * (STEPS + 1)) as f64 / 2.0;

    // Flight.
    let flight = scene(json!({"position": [0, 0], "velocity": [3, 5]}), json!({}));
    let time = H * STEPS as f64;
    let by_speed = derivative(&flight, "block.x", "bodies.block.velocity.0");
    outcome.relative("flight: x by v_x", "s", time, by_speed, 1e-12);
    let by_gravity = derivative(&flight, "block.y", "gravity.1");
    outcome.relative("flight: y by gravity", "s^2", sum, by_gravity, 1e-9);

    // Slide.
    let share = 0.5 * DENSITY * ACROSS * SIDE / KAPPA;
    let height = 0.5 * SIDE + D_HAT * rest_gap(BarrierShape::Inverse, share);
    let slide = scene(
        json!({"position": [0, height]}),
        json!({
            "obstacles": [
                {"name": "slope", "shape": {"half_plane": {"normal": [0, 1], "origin": [0, 0]}}}
            ],
            "contact": {"d_hat": D_HAT, "kappa": KAPPA, "friction": {"default": 0.3}}
        }),
    );
    let by_friction = derivative(&slide, "block.x", "contact.friction.default");
    outcome.relative(
        "slide: x by friction",
        "m",
        -ACROSS * sum,
        by_friction,
        1e-3,
    );

    // Vibration.
    let vibration = scene(
        json!({"position": [0.5, 0], "velocity": [1, 0]}),
        json!({
            "gravity": [0, 0],
            "joints": [{"spring": {
                "bodies": ["world", "block"], "ends": [[0, 0], [0.5, 0]], "stiffness": SPRING
            }}]
        }),
    );
    let recursion = by_stiffness();
    let path = "joints.0.spring.stiffness";
    let found = derivative(&vibration, "block.x", path);
    outcome.relative(
        "vibration: x by k",
        "m^2/N",
        recursion[STEPS][1],
        found,
        1e-9,
    );
    outcome.plot.points("recursion", recursion);
    Ok(outcome)
}

/// A rigid square with these keys in a scene with others.
fn scene(body: Value, keys: Value) -> Value {
    let mut block = json!({
        "name": "block", "kind": "rigid", "material": "stone",
        "shape": {"square": {"side": SIDE, "segments": 1}}
    });
    let mut scene = json!({
        "time": {"step": H, "steps": STEPS},
        "gravity": [ALONG, -ACROSS],
        "materials": {"stone": {"density": DENSITY}}
    });
    for (target, more) in [(&mut block, body), (&mut scene, keys)] {
        for (key, value) in more.as_object().into_iter().flatten() {
            target[key] = value.clone();
        }
    }
    scene["bodies"] = json!([block]);
    scene
}

/// Derivative of a number of a scene by a parameter; not a number if there is none.
pub(super) fn derivative(scene: &Value, of: &str, by: &str) -> f64 {
    derivative_without(scene, of, by, Omitted::default())
}

/// The same with some parts left out of the adjoint, as a wrong adjoint would have them.
pub(super) fn derivative_without(scene: &Value, of: &str, by: &str, omitted: Omitted) -> f64 {
    let found = run_of(scene, of, &[by.to_owned()]);
    let found =
        found.and_then(|(problem, objectives, run)| gradient(&problem, &run, &objectives, omitted));
    found.map_or(f64::NAN, |found| found[0].by[0])
}

/// A number of a scene; not a number if there is none.
pub(super) fn value(scene: &Value, of: &str) -> f64 {
    let found = run_of(scene, of, &[]);
    found.map_or(f64::NAN, |(_, objectives, run)| run.values(&objectives)[0])
}

/// A scene that has been run, with a number of its run.
fn run_of(
    scene: &Value,
    of: &str,
    paths: &[String],
) -> Result<(Problem, [Objective; 1], Run), ipcsim_diff::Error> {
    let source = Source {
        text: scene.to_string(),
        overrides: Vec::new(),
        name: Some("gradient".to_owned()),
        folder: None,
        shapes: SHAPES,
    };
    let problem = Problem::new(&source, paths, None)?;
    let objectives = [Objective::read(&problem, of)?];
    let run = Run::new(&problem, &objectives)?;
    Ok((problem, objectives, run))
}

/// Derivative of the recursion of a mass on a spring by the stiffness, after each step.
fn by_stiffness() -> Vec<[f64; 2]> {
    let mass = DENSITY * SIDE * SIDE;
    let factor = 1.0 / (1.0 + H * H * SPRING / mass);
    let factor_by = -factor * factor * H * H / mass;
    let [mut x, mut v, mut x_by, mut v_by] = [0.0, 1.0, 0.0, 0.0];
    let mut all = vec![[0.0, 0.0]];
    for step in 1..=STEPS {
        let free = v - H * SPRING / mass * x;
        let free_by = v_by - H / mass * (x + SPRING * x_by);
        v = factor * free;
        v_by = factor_by * free + factor * free_by;
        x += H * v;
        x_by += H * v_by;
        all.push([step as f64, x_by]);
    }
    all
}
