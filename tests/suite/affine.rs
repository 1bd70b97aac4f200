//! Affine bodies, compared with rigid and soft ones.

use crate::support::{Run, ground, inline, near_ratio, rectangle, rigid, stones};
use ipcsim::math::{Vec2, cross};
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;

fn affine(name: &str, shape: Value, position: [f64; 2], stiffness: f64, mut more: Value) -> Value {
    more["kind"] = json!({ "affine": { "stiffness": stiffness } });
    rigid(name, shape, position, more)
}

/// The columns of the linear map of an affine body.
fn map(run: &Run, body: usize) -> [Vec2; 2] {
    let first = run.world().bodies[body].nodes.start;
    [run.state().q[first + 1], run.state().q[first + 2]]
}

/// The largest entry of `A^T A - I`.
fn strain(run: &Run, body: usize) -> f64 {
    let [a, b] = map(run, body);
    (a.norm_squared() - 1.0)
        .abs()
        .max((b.norm_squared() - 1.0).abs())
        .max(a.dot(&b).abs())
}

/// `A` is kept in its columns' frame: the angle by which the first has turned.
fn heading(run: &Run, body: usize) -> f64 {
    let [a, _] = map(run, body);
    a.y.atan2(a.x)
}

#[test]
fn a_stiff_affine_body_flies_straight_and_spins_as_implicit_euler_turns_a_rod() {
    let h = 0.01;
    let spin = 3.0_f64;
    let velocity = Vec2::new(2.0, -1.0);
    let more = json!({ "velocity": [velocity.x, velocity.y], "spin_deg": spin.to_degrees() });
    let body = affine("box", rectangle(1.0, 0.4), [0.1, 0.2], 1e10, more);
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": h, "steps": 100 }, "gravity": [0.0, 0.0] }),
    ));
    let start = run.center(0);
    let mut heading_before = heading(&run, 0);

    // The first step starts from a velocity, x_tilde = a + h spin perp(a). Later ones from the arc
    // before: x_tilde = 2 a_n - a_(n-1), at the angle atan(sin phi / (2 - cos phi)) from a_n.
    let mut expected = (h * spin).atan();
    for n in 1..=100 {
        run.step();
        let turned = (heading(&run, 0) - heading_before).rem_euclid(std::f64::consts::TAU);
        heading_before = heading(&run, 0);

        assert!(
            (turned / expected - 1.0).abs() < 1e-3,
            "step {n}: {turned} {expected}"
        );
        expected = turned.sin().atan2(2.0 - turned.cos());
        assert!((run.center(0) - start - velocity * (h * f64::from(n))).amax() < 1e-10);
        assert!(strain(&run, 0) < 1e-5, "{}", strain(&run, 0));
    }

    println!("after 1 s at {spin} rad/s it has turned by {heading_before}");
}

#[test]
fn forces_accelerate_an_affine_body_as_a_whole() {
    let body = affine(
        "box",
        rectangle(2.0, 1.0),
        [0.0, 0.0],
        1e8,
        json!({ "force": [300.0, -40.0] }),
    );
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": 0.01, "steps": 100 } }),
    ));
    let start = run.state().x.clone();
    run.steps(100);
    let moved = (Vec2::new(300.0, -40.0) / 2000.0 - Vec2::new(0.0, GRAVITY)) * (1e-4 * 5050.0);

    assert!(
        run.state()
            .x
            .iter()
            .zip(&start)
            .all(|(x, start)| (x - start - moved).amax() < 1e-9)
    );
}

#[test]
fn an_affine_body_under_a_strong_press_gives_way_but_never_turns_over() {
    for stiffness in [1e3, 1e5, 1e7] {
        // A line comes down on a tilted box.
        let press = json!({ "name": "press", "shape": { "polyline": { "points": [[-2.0, 0.0], [2.0, 0.0]] } },
            "position": [0.0, 1.1], "velocity": [0.0, -2.0], "travel": 0.7 });
        let body = affine(
            "box",
            rectangle(0.8, 1.0),
            [0.0, 0.55],
            stiffness,
            json!({ "rotation_deg": 3.0 }),
        );
        let mut run = Run::of(&stones(
            &[body],
            json!({ "time": { "step": 0.01, "steps": 60 },
            "obstacles": [ground(), press], "contact": { "d_hat": 1e-3, "friction": { "default": 0.3 } },
            "solver": { "tolerance": 1e-4 } }),
        ));
        let mut least = f64::INFINITY;

        for _ in 0..60 {
            run.step();
            let [a, b] = map(&run, 0);
            least = least.min(cross(a, b));
        }

        println!("stiffness {stiffness:e}: least area {least}");
        assert!(least > 0.0 && least < 0.9, "{stiffness}: {least}");
    }
}

#[test]
fn thrown_affine_bodies_do_not_turn_over() {
    // Soft enough for an impact at 50 m/s to go through them, were there no bound.
    let body = |k: usize| {
        let more = json!({ "velocity": [0.0, -50.0], "spin_deg": 500.0 });
        affine(
            &format!("box {k}"),
            rectangle(0.5, 0.5),
            [0.0, 0.6 + 0.8 * k as f64],
            1e4,
            more,
        )
    };
    let bodies: Vec<Value> = (0..3).map(body).collect();
    let mut run = Run::of(&stones(
        &bodies,
        json!({ "time": { "step": 0.01, "steps": 60 }, "obstacles": [ground()],
        "contact": { "d_hat": 1e-3, "friction": { "default": 0.3 } }, "solver": { "tolerance": 1e-3 } }),
    ));

    for step in 1..=60 {
        run.step();
        for body in 0..3 {
            let [a, b] = map(&run, body);
            assert!(cross(a, b) > 0.0, "step {step}, body {body}: {a} {b}");
        }
    }
}

/// The same box, of a soft body's kind and law, that falls from 0.3 m; its centre height after each
/// step, and the barrier's impulse upwards.
fn drop(kind: &Value, tilt: f64) -> (Vec<f64>, f64) {
    let h = 0.002;
    let steps = 400_u32;
    let mut run = Run::of(&inline(json!({
        "time": { "step": h, "steps": steps },
        "materials": { "stuff": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e9, "poisson": 0.3 } } } },
        "bodies": [{ "name": "box", "kind": kind, "material": "stuff", "position": [0.0, 0.55], "rotation_deg": tilt,
            "shape": { "square": { "side": 0.5, "segments": 2 } } }],
        "obstacles": [ground()],
        "contact": { "model": "vertices", "d_hat": 0.02, "kappa": 2e4, "friction": { "default": 0.2 } },
        "solver": { "tolerance": 1e-6 } })));
    let mass = 250.0;
    let heights: Vec<f64> = (0..steps)
        .map(|_| {
            run.step();
            // The mean of a rectangle's corners; vertices of a soft one come in columns of 3, those
            // of others without the middle.
            let corners = if run.state().x.len() == 10 {
                [0, 2, 6, 8]
            } else {
                [0, 2, 5, 7]
            };
            corners.iter().map(|&i| run.state().x[i].y).sum::<f64>() / 4.0
        })
        .collect();
    let momentum = run.step().record.momentum.y;
    (
        heights,
        momentum + mass * GRAVITY * h * f64::from(steps + 1),
    )
}

#[test]
fn a_rigid_a_stiff_affine_and_a_stiff_soft_box_fall_alike() {
    // Masses lumped to vertices turn less easily than the box that they stand for: the soft ones
    // fall flat.
    let affine = json!({ "affine": { "stiffness": 1e9 } });
    let soft = [json!("deformable"), json!({ "polynomial": { "order": 1 } })];

    for (tilt, kinds) in [
        (0.0, &soft[..]),
        (0.0, std::slice::from_ref(&affine)),
        (20.0, std::slice::from_ref(&affine)),
    ] {
        let (rigid, impulse) = drop(&json!("rigid"), tilt);
        for kind in kinds {
            let (heights, found) = drop(kind, tilt);
            let worst = heights
                .iter()
                .zip(&rigid)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            println!(
                "{kind} at {tilt} degrees: differs by {worst:.2e} m, impulse {found} for {impulse}"
            );

            assert!(worst < 0.01 * 0.3, "{kind}: {worst}");
            assert!(
                (found / impulse - 1.0).abs() < 0.01,
                "{kind}: {found} {impulse}"
            );
        }
    }
}

#[test]
fn a_spinning_affine_body_loses_what_the_documentation_says() {
    // w' = -h w^3 to first order in h: of w a share 1 / sqrt(1 + 2 w^2 h t) is left. One turn a second, 2 s.
    let h = 0.001;
    let spin = std::f64::consts::TAU;
    let more = json!({ "spin_deg": 360.0 });
    let body = affine("box", rectangle(0.4, 0.4), [0.0, 0.0], 1e8, more);
    let rest = json!({ "time": { "step": h, "steps": 2000 }, "gravity": [0.0, 0.0] });
    let mut run = Run::of(&stones(&[body], rest));
    let momentum = |run: &Run| run.angular_momentum(&run.state().q, &run.state().q_dot);

    let start = momentum(&run);
    run.steps(2000);
    let left = momentum(&run) / start;
    let expected = 1.0 / (1.0 + 2.0 * spin * spin * h * 2.0).sqrt();
    near_ratio(left, expected, 5e-3);
}
