//! Joints against closed forms: kinematics of linkages, reactions, small oscillations; and joints that cannot be closed.

use crate::support::{Run, inline, near, near_point, rectangle, rigid, stone, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::solve::Failure;
use nalgebra::Complex;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;

/// Largest opening of a joint (m) that the project promises.
pub(crate) const CLOSED: f64 = 1e-10;

/// A hinge between two bodies.
pub(crate) fn hinge(first: &str, second: &str, at: Vec2) -> Value {
    json!({ "hinge": { "bodies": [first, second], "at": [at.x, at.y] } })
}

/// A bar of a group in which nothing collides, from one point to another (m).
pub(crate) fn bar(name: &str, from: Vec2, to: Vec2) -> Value {
    let middle = (from + to) * 0.5;
    let along = to - from;
    let more = json!({ "rotation_deg": along.y.atan2(along.x).to_degrees(), "group": "bars" });
    rigid(
        name,
        rectangle(along.norm(), 0.1),
        [middle.x, middle.y],
        more,
    )
}

/// A wall of the same group.
pub(crate) fn wall() -> Value {
    json!({ "name": "wall", "shape": rectangle(0.2, 0.2), "position": [0.0, 0.0], "group": "bars" })
}

/// Position now of the point of a rigid body that was at `at` (m) at the start.
pub(crate) fn point(run: &Run, start: &Run, body: usize, at: Vec2) -> Vec2 {
    let turn = nalgebra::Rotation2::new(run.angle(body) - start.angle(body));
    run.center(body) + turn * (at - start.center(body))
}

/// Bars in a row, hinged to the wall at the origin and to each other, to the right.
fn chain(links: usize, length: f64, rest: Value) -> Scene {
    let at = |k: usize| Vec2::new(length * k as f64, 0.0);
    let bars: Vec<Value> = (0..links)
        .map(|k| bar(&format!("bar {k}"), at(k), at(k + 1)))
        .collect();
    let before = |k: usize| match k {
        0 => "wall".to_owned(),
        _ => format!("bar {}", k - 1),
    };
    let joints: Vec<Value> = (0..links)
        .map(|k| hinge(&before(k), &format!("bar {k}"), at(k)))
        .collect();

    let mut all = json!({ "obstacles": [wall()], "joints": joints });
    let (Value::Object(map), Value::Object(rest)) = (&mut all, rest) else {
        panic!("not an object")
    };
    map.extend(rest);
    stones(&bars, all)
}

/// Largest opening of the hinges of a [`chain`] (m).
fn opening(run: &Run, start: &Run, links: usize, length: f64) -> f64 {
    let at = |k: usize| Vec2::new(length * k as f64, 0.0);
    let gap = |k: usize| {
        let before = if k == 0 {
            Vec2::zeros()
        } else {
            point(run, start, k - 1, at(k))
        };
        (point(run, start, k, at(k)) - before).norm()
    };
    (0..links).map(gap).fold(0.0, f64::max)
}

/// The intersection of two circles that is to the left of the way from the first centre to the second (m).
pub(crate) fn crossing(a: Vec2, radius_a: f64, b: Vec2, radius_b: f64) -> Vec2 {
    let way = b - a;
    let d = way.norm();
    let along = (d * d + radius_a * radius_a - radius_b * radius_b) / (2.0 * d);
    let across = (radius_a * radius_a - along * along).sqrt();
    let unit = way / d;
    a + unit * along + Vec2::new(-unit.y, unit.x) * across
}

#[test]
fn a_four_bar_linkage_follows_its_kinematics() {
    // Crank of 1 m, coupler of 3.5 m, rocker of 3 m; the crank turns once a second, so that its end jumps by 6 cm a step.
    let h = 0.01;
    let (crank, far) = (Vec2::zeros(), Vec2::new(4.0, 0.0));
    let at = |angle: f64| Vec2::new(angle.cos(), angle.sin());
    let knee = |angle: f64| crossing(at(angle), 3.5, far, 3.0);
    let scene = inline(json!({
        "time": { "step": h, "steps": 200 },
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [bar("coupler", at(0.0), knee(0.0)), bar("rocker", knee(0.0), far)],
        "obstacles": [
            {
                "name": "crank", "shape": rectangle(2.0, 0.1), "position": [crank.x, crank.y], "spin_deg": 360.0, "group": "bars"
            },
            { "name": "base", "shape": rectangle(0.2, 0.2), "position": [far.x, far.y], "group": "bars" }
        ],
        "joints": [
            hinge("crank", "coupler", at(0.0)), hinge("coupler", "rocker", knee(0.0)), hinge("base", "rocker", far)
        ],
    }));
    let (mut run, start) = (Run::of(&scene), Run::of(&scene));

    let mut iterations = 0;
    for step in 1..=200 {
        iterations += run.step().record.newton_iterations;
        let angle = std::f64::consts::TAU * h * f64::from(step);
        for (body, from, to) in [
            (0, at(0.0), at(angle)),
            (0, knee(0.0), knee(angle)),
            (1, knee(0.0), knee(angle)),
        ] {
            let error = (point(&run, &start, body, from) - to).norm();
            // Both bodies are at most 3.5 m long, and the openings of the other hinges move the ends.
            assert!(error < 5.0 * CLOSED, "step {step}: {error:e}");
        }
    }
    println!("{iterations} iterations");
}

#[test]
fn a_hinge_carries_the_weight_and_what_turns_a_body() {
    // Hanging straight down at rest, and then turning: force times h^2 is mass times second difference of the centre.
    let run_at = |direction: Vec2, spin: f64, gravity: f64| {
        let mut rod = bar("rod", Vec2::zeros(), direction * 2.0);
        rod["spin_deg"] = json!(spin);
        rod["velocity"] = json!([
            -direction.y * spin.to_radians(),
            direction.x * spin.to_radians()
        ]);
        Run::of(&stones(
            &[rod],
            json!({
                "time": { "step": 0.01, "steps": 100 },
                "gravity": [0.0, -gravity],
                "obstacles": [wall()],
                "joints": [hinge("wall", "rod", Vec2::zeros())],
            }),
        ))
    };

    let mut hanging = run_at(Vec2::new(0.0, -1.0), 0.0, GRAVITY);
    hanging.step();
    let weight = GRAVITY * hanging.mass(0);
    let force = hanging.state().memory.multipliers[0];
    // Forces are in balance to the solver's tolerance, 1e-8 m/s.
    let tolerance = hanging.mass(0) * 1e-8 / 0.01;
    near_point(force, Vec2::new(0.0, weight), tolerance);

    for spin in [90.0, -720.0, 3600.0] {
        let mut run = run_at(Vec2::new(1.0, 0.0), spin, 0.0);
        let mut velocity = run.center_velocity(0);
        for step in 0..50 {
            run.step();
            let change = run.center_velocity(0) - velocity;
            velocity = run.center_velocity(0);
            let expected = change * (run.mass(0) / 0.01);
            let force = run.state().memory.multipliers[0];
            let error = (force - expected).norm() / expected.norm();
            assert!(error < 1e-6, "{spin} degrees/s, step {step}: {error:e}");
        }
    }
}

#[test]
fn a_pendulum_swings_as_implicit_euler_has_it() {
    // Implicit Euler takes exp(i w h) for 1/(1 - i w h). A rod of length l: w^2 = 3/2 g/l (1 + 1/4 d^2/l^2)^-1.
    let (h, length, width, amplitude) = (0.01_f64, 2.0_f64, 0.1_f64, 1e-3_f64);
    let direction = Vec2::new(amplitude.sin(), -amplitude.cos());
    let mut run = Run::of(&stones(
        &[bar("rod", Vec2::zeros(), direction * length)],
        json!({
            "time": { "step": h, "steps": 200 },
            "obstacles": [wall()],
            "joints": [hinge("wall", "rod", Vec2::zeros())],
            "solver": { "tolerance": 1e-12 },
        }),
    ));
    let inertia = length * length / 3.0 + width * width / 12.0;
    let frequency = (GRAVITY * 0.5 * length / inertia).sqrt();
    let factor = Complex::new(1.0, -frequency * h).inv();

    let mut state = Complex::new(amplitude, 0.0);
    for step in 1..=200 {
        run.step();
        state *= factor;
        let angle = amplitude + run.angle(0);
        assert!(
            (angle - state.re).abs() < 1e-5 * amplitude,
            "step {step}: {angle} {}",
            state.re
        );
    }
}

#[test]
fn a_ball_on_a_rod_swings_as_a_point_and_the_rod_carries_its_weight() {
    // The rod holds the ball at its centre, so that the ball does not turn: w^2 = g/l.
    let (h, length, amplitude) = (0.01_f64, 2.0_f64, 1e-3_f64);
    let center = Vec2::new(amplitude.sin(), -amplitude.cos()) * length;
    let ball = stone(
        "ball",
        json!({ "circle": { "radius": 0.1 } }),
        [center.x, center.y],
    );
    let mut run = Run::of(&stones(
        &[ball],
        json!({
            "time": { "step": h, "steps": 200 },
            "obstacles": [wall()],
            "joints": [{ "rod": { "bodies": ["wall", "ball"], "ends": [[0.0, 0.0], [center.x, center.y]] } }],
            "solver": { "tolerance": 1e-12 },
        }),
    ));
    let factor = Complex::new(1.0, -(GRAVITY / length).sqrt() * h).inv();

    let mut state = Complex::new(amplitude, 0.0);
    for step in 1..=200 {
        run.step();
        state *= factor;
        let at = run.center(0);
        assert!(
            (at.norm() - length).abs() < CLOSED,
            "step {step}: {}",
            at.norm()
        );
        let angle = at.x.atan2(-at.y);
        assert!(
            (angle - state.re).abs() < 1e-5 * amplitude,
            "step {step}: {angle}"
        );
    }

    // The pull is the weight, up to the square of the amplitude.
    let weight = GRAVITY * run.mass(0);
    let pull = run.state().memory.multipliers[0];
    assert!(
        (pull.x.abs() / weight - 1.0).abs() < 1e-5 && pull.y == 0.0,
        "{pull}"
    );
}

#[test]
fn chains_stay_closed_and_keep_momentum() {
    for (links, length, spin) in [(2, 1.0, 0.0), (40, 0.2, 0.0), (5, 1.0, 0.0)] {
        let scene = chain(
            links,
            length,
            json!({ "time": { "step": 0.01, "steps": 100 } }),
        );
        let (mut run, start) = (Run::of(&scene), Run::of(&scene));
        let mut iterations = 0;
        for step in 0..100 {
            iterations += run.step().record.newton_iterations;
            let gap = opening(&run, &start, links, length);
            assert!(gap < CLOSED, "{links} links, step {step}: {gap:e} m");
        }
        println!("{links} links {spin}: {iterations} iterations");
    }
}

#[test]
fn a_chain_of_light_links_holds_a_heavy_weight() {
    // The last bar weighs 10,000 times as much as the others.
    let mut scene = chain(6, 0.5, json!({ "time": { "step": 0.01, "steps": 100 } }));
    let heavy = scene.materials["stone"];
    scene.materials.insert(
        "lead".to_owned(),
        ipcsim::scene::schema::Material {
            density: 1e4 * heavy.density,
            ..heavy
        },
    );
    scene.bodies[5].material = "lead".to_owned();
    let (mut run, start) = (Run::of(&scene), Run::of(&scene));
    let mut iterations = 0;
    for step in 0..100 {
        iterations += run.step().record.newton_iterations;
        let gap = opening(&run, &start, 6, 0.5);
        assert!(gap < CLOSED, "step {step}: {gap:e} m");
    }
    println!("{iterations} iterations");
}

#[test]
fn joints_that_contradict_each_other_are_a_failure_that_names_them() {
    let ends = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
    let scene = stones(
        &[bar("rod", ends[0], ends[1])],
        json!({
            "time": { "step": 0.01, "steps": 100 },
            "obstacles": [
                { "name": "left", "shape": rectangle(0.2, 0.2), "position": [-1.0, 0.0], "group": "bars" },
                { "name": "right", "shape": rectangle(0.2, 0.2), "position": [1.0, 0.0], "group": "bars", "velocity": [1.0, 0.0] }
            ],
            "joints": [hinge("left", "rod", ends[0]), hinge("right", "rod", ends[1])],
        }),
    );
    let mut run = Run::of(&scene);
    let before = run.state().clone();
    let failure = run.try_step().expect_err("the obstacles move apart");
    let Failure::Open { distance, .. } = failure else {
        panic!("{failure}")
    };
    near(distance, 0.005, 1e-4);
    assert_eq!(*run.state(), before);
}
