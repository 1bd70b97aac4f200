//! Exact circles: rolling, spinning, and the distance they keep.

use crate::support::{Run, ground, rigid, stone, stones};
use ipcsim::math::Vec2;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Acceleration of gravity (m/s^2).
const GRAVITY: f64 = 9.81;
/// Radius of the disk (m).
const RADIUS: f64 = 0.2;
/// Distance from which on the barrier is zero (m).
const D_HAT: f64 = 1e-3;
/// Gap between disk and slope at the start (m).
const GAP: f64 = 0.9 * D_HAT;

/// A plane under a body, inclined by `theta` down to the right.
fn slopes(theta: f64) -> [(&'static str, f64, Value); 3] {
    let (sin, cos) = theta.sin_cos();
    let plane = json!({ "name": "ground", "shape": { "half_plane": { "normal": [sin, cos], "origin": [0.0, 0.0] } } });
    let line = json!({ "name": "ground", "shape": { "polyline": { "points": [[-9.0, 0.0], [9.0, 0.0]] } },
        "rotation_deg": -theta.to_degrees() });
    [
        ("gravity", 0.0, ground()),
        ("half-plane", theta, plane),
        ("polyline", theta, line),
    ]
}

/// The acceleration along a slope between 0.3 s and 1 s, and the ratio of rim speed to speed at the
/// end.
fn acceleration(shape: &Value, mu: f64, theta: f64, (tilt, slope): (f64, &Value)) -> [f64; 2] {
    let height = RADIUS + GAP;
    let body = stone(
        "disk",
        shape.clone(),
        [height * tilt.sin(), height * tilt.cos()],
    );
    let (sin, cos) = (theta - tilt).sin_cos();
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": 0.005, "steps": 200 },
        "gravity": [GRAVITY * sin, -GRAVITY * cos], "obstacles": [slope],
        "contact": { "d_hat": D_HAT, "friction": { "default": mu, "eps_v": 1e-4 } }, "solver": { "tolerance": 1e-6 } }),
    ));

    // Mean acceleration after the start, and rolling: spin times radius over speed.
    let down = Vec2::new(tilt.cos(), -tilt.sin());
    run.steps(60);
    let before = run.center_velocity(0).dot(&down);
    run.steps(140);
    let after = run.center_velocity(0).dot(&down);
    [(after - before) / 0.7, -run.spin(0) * RADIUS / after]
}

#[test]
fn a_disk_rolls_down_a_slope_or_slides_as_friction_has_it() {
    for theta in [0.2_f64, 0.5] {
        for (name, tilt, slope) in slopes(theta) {
            for share in [0.0, 0.5, 0.95, 1.05, 2.0] {
                let mu = share * theta.tan() / 3.0;
                let rolling = 2.0 / 3.0 * GRAVITY * theta.sin();
                let sliding = GRAVITY * (theta.sin() - mu * theta.cos());
                let expected = if share > 1.0 { rolling } else { sliding };
                let [found, ratio] = acceleration(
                    &json!({ "circle": { "radius": RADIUS } }),
                    mu,
                    theta,
                    (tilt, &slope),
                );
                println!("{name} {theta} {share}: {found:.5} for {expected:.5}, {ratio:.5}");

                assert!(
                    (found / expected - 1.0).abs() < 0.01,
                    "{name} {theta} {share}: {found} {expected}"
                );
                assert!(share < 1.0 || (ratio - 1.0).abs() < 0.01, "{ratio}");
            }
        }
    }
}

#[test]
fn a_fine_polygon_rolls_as_a_disk_and_a_hoop_at_half_the_slope_s_acceleration() {
    let theta = 0.3_f64;
    let disk = json!({ "disk": { "radius": RADIUS, "segments": 192 } });
    let mut points = Vec::new();
    for k in 0..192 {
        let angle = TAU * f64::from(k) / 192.0;
        points.push([RADIUS * angle.cos(), RADIUS * angle.sin()]);
    }
    let hoop = json!({ "polyline": { "points": points, "closed": true } });

    for (shape, share) in [(disk, 2.0 / 3.0), (hoop, 0.5)] {
        for (name, tilt, slope) in slopes(theta) {
            let [found, ratio] = acceleration(&shape, 0.5, theta, (tilt, &slope));
            let expected = share * GRAVITY * theta.sin();
            println!("{name} {share}: {found:.5} for {expected:.5}, {ratio:.5}");
            assert!(
                (found / expected - 1.0).abs() < 0.01,
                "{name} {share}: {found} {expected}"
            );
        }
    }
}

#[test]
fn a_disk_that_turns_once_in_a_step_slips() {
    let h = 0.01;
    let mu = 0.3;
    for turns in [1.0, -1.0, 3.0, 0.37] {
        let spin: f64 = 360.0 * turns / h;
        let disk = rigid(
            "disk",
            json!({ "circle": { "radius": RADIUS } }),
            [0.0, RADIUS + GAP],
            json!({ "spin_deg": spin }),
        );
        let mut run = Run::of(&stones(
            &[disk],
            json!({ "time": { "step": h, "steps": 100 }, "obstacles": [ground()],
            "contact": { "d_hat": D_HAT, "kappa": 1e5, "friction": { "default": mu } } }),
        ));
        run.steps(10);
        let before = (run.center_velocity(0).x, run.spin(0));
        run.steps(80);
        let t = 0.8;
        let gained = run.center_velocity(0).x - before.0;
        let lost = run.spin(0) - before.1;

        // A turn counter-clockwise drives to the left. Torque mu m g R on m R^2 / 2.
        let sign = -spin.signum();
        let speed = sign * mu * GRAVITY * t;
        let slowed = sign * 2.0 * mu * GRAVITY * t / RADIUS;
        println!("{turns}: {gained:.5} for {speed:.5}, {lost:.5} for {slowed:.5}");

        assert!(
            (gained / speed - 1.0).abs() < 0.01 && (lost / slowed - 1.0).abs() < 0.01,
            "{turns}: {gained} {lost}"
        );
    }
}

/// The distance between a point and a segment, by its definition.
fn distance(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let t = (p - a).dot(&(b - a)) / (b - a).norm_squared().max(1e-300);
    (p - a - (b - a) * t.clamp(0.0, 1.0)).norm()
}

/// The smallest distance between outlines of different bodies, less radii.
fn least_gap(run: &Run) -> f64 {
    let surface = &run.world().model.surface;
    let x = &run.state().x;
    let mut least = f64::INFINITY;

    for &point in &surface.points {
        for edge in surface
            .edges
            .iter()
            .filter(|edge| surface.body[edge[0]] != surface.body[point])
        {
            let radii = surface.radius[point] + surface.radius[edge[0]];
            least = least.min(distance(x[point], x[edge[0]], x[edge[1]]) - radii);
        }
    }

    least
}

/// Body number `k` of those that fall into a funnel: circles, points, polygons and wires in turn.
fn falling(k: u32) -> Value {
    let shape = match k % 4 {
        0 => json!({ "circle": { "radius": 0.08 + 0.002 * f64::from(k) } }),
        1 => json!({ "point": { "mass": 3.0 } }),
        2 => {
            json!({ "regular_polygon": { "radius": 0.09, "sides": 3 + k / 4, "segments": 1 } })
        }
        _ => json!({ "polyline": { "points": [[-0.08, 0.05], [0.0, -0.05], [0.08, 0.05]] } }),
    };
    let position = [
        0.22 * f64::from(k % 4) - 0.33,
        0.3 + 0.25 * f64::from(k / 4),
    ];

    // A point has no spin.
    let spin = if k % 4 == 1 {
        0.0
    } else {
        400.0 * (f64::from(k) - 6.0)
    };
    let motion = json!({ "spin_deg": spin, "velocity": [0.0, -2.0] });
    rigid(&format!("body {k}"), shape, position, motion)
}

#[test]
fn disks_points_wires_and_polygons_that_fall_into_a_funnel_keep_their_distance() {
    for separation in [0.0, 0.005] {
        let bodies: Vec<Value> = (0..12).map(falling).collect();
        let funnel = json!({ "name": "funnel", "shape": { "polyline":
            { "points": [[-0.8, 1.0], [-0.3, 0.0], [0.1, -0.1], [0.3, 0.0], [0.8, 1.0]] } } });
        let mut run = Run::of(&stones(
            &bodies,
            json!({ "time": { "step": 0.01, "steps": 100 }, "obstacles": [funnel],
            "contact": { "d_hat": 2e-3, "min_separation": separation, "friction": { "default": 0.4 } },
            "solver": { "tolerance": 1e-3 } }),
        ));

        let mut least = f64::INFINITY;
        let mut contacts = 0;
        for step in 1..=100 {
            contacts += run.step().record.contacts;
            least = least.min(least_gap(&run));
            assert!(least > separation, "step {step}: {least}");
            run.assert_apart();
        }

        println!("separation {separation}: least gap {least:.3e} m in {contacts} contacts");
        assert!(contacts > 500 && least < separation + 2e-3);

        // Nobody has left the funnel.
        assert!((0..12).all(|k| run.center(k).y > -0.1));
    }
}
