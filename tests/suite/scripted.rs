//! Scripted bodies and obstacles, and their effect on others.

use crate::support::{Run, ground, near, near_ratio, rectangle, rigid, stone, stones};
use ipcsim::math::{Vec2, cross};
use serde_json::{Value, json};
use std::f64::consts::{PI, TAU};

/// Time step (s).
const H: f64 = 0.01;

/// The vector, turned by an angle (rad).
fn turned(v: Vec2, angle: f64) -> Vec2 {
    Vec2::new(
        v.x * angle.cos() - v.y * angle.sin(),
        v.x * angle.sin() + v.y * angle.cos(),
    )
}

/// A keyframe: time (s), position (m) and angle (degrees).
type Pose = (f64, [f64; 2], f64);

/// Position (m) and angle (rad) at the time `t` between two keyframes.
fn between(first: Pose, second: Pose, t: f64, interpolation: &str) -> (Vec2, f64) {
    let s = (t - first.0) / (second.0 - first.0);
    let s = if interpolation == "smooth" {
        s * s * (3.0 - 2.0 * s)
    } else {
        s
    };
    let origin = Vec2::from(first.1) * (1.0 - s) + Vec2::from(second.1) * s;
    (origin, (first.2 * (1.0 - s) + second.2 * s).to_radians())
}

/// A triangle whose centre of mass is not at its origin, and an obstacle of the same shape that
/// passes through it, both on one script.
fn scripted_triangles(interpolation: &str) -> Run {
    let script = json!({ "interpolation": interpolation, "keyframes": [
        { "time": 0.4, "position": [1.0, 0.5], "rotation_deg": 30.0 },
        { "time": 0.6, "position": [1.0, 0.5], "rotation_deg": 750.0 },
        { "time": 0.9, "position": [-2.0, 0.0], "rotation_deg": 0.0 }] });
    let shape = json!({ "outline": { "points": [[0.0, 0.0], [0.5, 0.0], [0.1, 0.4]] } });
    let keys = json!({ "rotation_deg": 10.0, "script": script });
    let body = rigid("body", shape.clone(), [0.2, 0.1], keys);

    // An obstacle has the keys of its script itself.
    let mut obstacle = script;
    for (key, value) in [
        ("name", json!("obstacle")),
        ("shape", shape),
        ("position", json!([0.2, 0.1])),
        ("rotation_deg", json!(10.0)),
        ("group", json!("apart")),
    ] {
        obstacle[key] = value;
    }

    Run::of(&stones(
        &[body],
        json!({ "time": { "step": H, "steps": 100 }, "obstacles": [obstacle],
        "contact": { "exclude": [["body", "obstacle"]] } }),
    ))
}

#[test]
fn keyframes_are_reached_exactly_with_the_body_s_origin() {
    for interpolation in ["linear", "smooth"] {
        let mut run = scripted_triangles(interpolation);
        let poses = [
            (0.0, [0.2, 0.1], 10.0),
            (0.4, [1.0, 0.5], 30.0),
            (0.6, [1.0, 0.5], 750.0),
            (0.9, [-2.0, 0.0], 0.0),
            (9.0, [-2.0, 0.0], 0.0),
        ];
        let points = [[0.0, 0.0], [0.5, 0.0], [0.1, 0.4]].map(Vec2::from);

        for n in 1..=100 {
            run.step();
            let t = H * f64::from(n);
            let next = poses.iter().position(|pose| pose.0 > t + 1e-9).unwrap();
            let (origin, angle) = between(poses[next - 1], poses[next], t, interpolation);
            for (k, x) in run.state().x.iter().enumerate() {
                let error = (x - origin - turned(points[k % 3], angle)).amax();
                assert!(
                    error < 1e-13,
                    "{interpolation}, step {n}, vertex {k}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn a_body_that_is_let_go_keeps_its_velocity() {
    let script = json!({ "velocity": [2.0, 1.0], "spin_deg": 720.0, "until": 0.5 });
    let body = rigid(
        "body",
        rectangle(0.4, 0.2),
        [0.0, 0.0],
        json!({ "script": script }),
    );
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": H, "steps": 100 } }),
    ));
    run.steps(50);
    let start = run.center(0);
    let angle = run.angle(0);

    assert!((start - Vec2::new(1.0, 0.5)).amax() < 1e-14 && (angle - TAU).abs() < 1e-13);
    run.steps(50);
    let fallen = 9.81 * H * H * 1275.0;

    assert!(
        (run.center(0) - start - Vec2::new(1.0, 0.5 - fallen)).amax() < 1e-11,
        "{}",
        run.center(0)
    );
    near(run.angle(0) - angle, TAU, 1e-11);
}

#[test]
fn a_plate_that_a_trapped_box_cannot_follow_is_reported_as_blocked_with_the_pair() {
    for kind in ["obstacle", "body"] {
        let box_ = stone("box", rectangle(0.5, 0.5), [0.0, 0.26]);
        let mut plate =
            json!({ "name": "plate", "shape": rectangle(2.0, 0.1), "position": [0.0, 0.8] });
        let motion = json!({ "velocity": [0.0, -0.5] });
        let mut bodies = vec![box_];
        let mut obstacles = vec![ground()];

        if kind == "body" {
            (plate["kind"], plate["material"], plate["script"]) =
                (json!("rigid"), json!("stone"), motion);
            bodies.push(plate);
        } else {
            plate["velocity"] = motion["velocity"].clone();
            obstacles.push(plate);
        }

        let mut run = Run::of(&stones(
            &bodies,
            json!({ "time": { "step": H, "steps": 100 }, "obstacles": obstacles,
            "contact": { "d_hat": 1e-3 } }),
        ));

        // Between the bottom of the plate, at 0.75, and the box of 0.5 on the ground there is 0.25
        // m, half a second.
        let failure = (1..=60).find_map(|step| {
            let before = run.state().clone();
            let failure = run.try_step().err()?;
            assert!(step >= 48 && *run.state() == before, "step {step}");
            Some(failure)
        });
        let failure = failure.unwrap_or_else(|| panic!("{kind}: the plate went through"));
        let named: Vec<&str> = failure
            .vertices()
            .iter()
            .map(|&i| run.world().owner(i).unwrap().0.name.as_str())
            .collect();
        println!("{kind}: {failure}, {named:?}");

        assert_eq!(failure.kind(), "blocked", "{failure}");
        assert!(
            named.contains(&"box") && named.contains(&"plate"),
            "{failure}: {named:?}"
        );
    }
}

#[test]
fn a_paddle_turns_ten_times_through_balls_and_nothing_is_passed() {
    let corner = |k: u32| TAU * f64::from(k) / 24.0;
    let wall: Vec<[f64; 2]> = (0..24)
        .map(|k| [corner(k).cos(), corner(k).sin()])
        .collect();
    let drum =
        json!({ "name": "drum", "shape": { "polyline": { "points": wall, "closed": true } } });
    let paddle = json!({ "name": "paddle", "shape": rectangle(1.7, 0.05), "spin_deg": 360.0 });
    let ball = |k: u32| {
        let at = Vec2::new(0.55, 0.0);
        let at = turned(at, PI * (f64::from(k) + 0.5) / 5.0);
        let shape = if k.is_multiple_of(2) {
            json!({ "circle": { "radius": 0.07 } })
        } else {
            rectangle(0.12, 0.1)
        };
        stone(&format!("ball {k}"), shape, [at.x, at.y])
    };
    let bodies: Vec<Value> = (0..10).map(ball).collect();
    let h = 0.02;
    let mut run = Run::of(&stones(
        &bodies,
        json!({ "time": { "step": h, "steps": 500 }, "obstacles": [drum, paddle],
        "contact": { "d_hat": 2e-3, "friction": { "default": 0.3 } }, "solver": { "tolerance": 1e-3 } }),
    ));
    let mut contacts = 0;

    for step in 1..=500 {
        contacts += run.step().record.contacts;
        let expected = TAU * h * f64::from(step);
        assert!(
            (run.angle(11) - expected).abs() < 1e-12 * expected,
            "step {step}"
        );
        run.assert_apart();
        assert!((0..10).all(|k| run.center(k).norm() < 1.0), "step {step}");
    }

    assert!(contacts > 5000, "{contacts}");
}

/// Gear on a fixed axle. A tooth or a gap points to the other wheel.
fn gear(name: &str, teeth: usize, pitch_radius: f64, at: f64, turned: f64) -> Value {
    let shape =
        json!({ "gear": { "teeth": teeth, "pitch_radius": pitch_radius, "addendum": 0.01 } });
    rigid(
        name,
        shape,
        [at, 0.0],
        json!({ "rotation_deg": turned, "fixed": ["x", "y"] }),
    )
}

#[test]
fn gears_turn_at_the_ratio_of_their_teeth() {
    for (driver, driven) in [(20, 20), (16, 32), (30, 20)] {
        // A module of 0.01: the pitch radius is half of it per tooth.
        let radius = |teeth: usize| 0.005 * teeth as f64;
        let mut first = gear("driver", driver, radius(driver), 0.0, 0.0);
        first["fixed"] = json!([]);
        first["script"] = json!({ "spin_deg": 90.0 });

        // The tooth at angle 0 of the driver meets a gap of the other, at 180 degrees of it.
        let pitch = 360.0 / driven as f64;
        let turned = 180.0 - pitch * (0.5 + ((180.0 / pitch).floor()));
        let second = gear(
            "driven",
            driven,
            radius(driven),
            radius(driver) + radius(driven),
            turned,
        );
        let h = 0.005;
        let mut run = Run::of(&stones(
            &[first, second],
            json!({ "time": { "step": h, "steps": 400 }, "gravity": [0.0, 0.0],
            "contact": { "d_hat": 1e-4, "friction": { "default": 0.1 } }, "solver": { "tolerance": 1e-4 } }),
        ));
        let start = run.center(1);
        run.steps(50);
        let (angle, other) = (run.angle(0), run.angle(1));
        run.steps(350);
        let ratio = (run.angle(1) - other) / (run.angle(0) - angle);
        let expected = -(driver as f64) / driven as f64;
        println!("{driver}:{driven}: {ratio} for {expected}");

        near_ratio(ratio, expected, 0.01);
        assert_eq!(run.center(1), start);
    }
}

#[test]
fn a_fast_bar_pushes_a_disk_in_front_of_it() {
    // The ring keeps the disk from slipping off the bar's ends.
    let corner = |k: u32| TAU * f64::from(k) / 48.0;
    let wall: Vec<[f64; 2]> = (0..48)
        .map(|k| [corner(k).cos(), corner(k).sin()])
        .collect();
    let ring =
        json!({ "name": "ring", "shape": { "polyline": { "points": wall, "closed": true } } });

    for degrees in [1.0, 5.0, 10.0] {
        let bar = json!({ "name": "bar", "shape": { "polyline": { "points": [[-0.95, 0.0], [0.95, 0.0]] } },
            "spin_deg": degrees / H });
        let disk = stone("disk", json!({ "circle": { "radius": 0.05 } }), [0.6, 0.1]);
        let mut run = Run::of(&stones(
            &[disk],
            json!({ "time": { "step": H, "steps": 30 }, "gravity": [0.0, 0.0],
            "obstacles": [bar, ring], "solver": { "tolerance": 1e-4 } }),
        ));

        for step in 1..=30 {
            run.try_step().unwrap_or_else(|failure| {
                panic!("{degrees} degrees per step, step {step}: {failure}")
            });
            let along = turned(Vec2::new(1.0, 0.0), run.angle(1));
            assert!(
                cross(along, run.center(0)) > 0.05,
                "{degrees} degrees per step, step {step}"
            );
        }
    }
}

#[test]
fn bodies_of_all_kinds_move_by_the_same_bits_on_any_number_of_threads() {
    let square = json!({ "square": { "side": 0.3, "segments": 3 } });
    let kinds = [
        json!("deformable"),
        json!("rigid"),
        json!({ "affine": {} }),
        json!({ "polynomial": { "order": 2 } }),
        json!({ "modal": { "modes": 8 } }),
    ];
    let body = |k: usize| {
        let at = [0.4 * (k % 5) as f64 - 0.8, 0.4 + 0.45 * (k / 5) as f64];
        // Few modes cannot turn.
        let kind = &kinds[(k + k / 5) % 5];
        let spin = if kind.get("modal").is_some() {
            0.0
        } else {
            50.0
        };
        let more = json!({ "kind": kind, "material": "rubber", "spin_deg": spin });
        rigid(&format!("body {k}"), square.clone(), at, more)
    };
    let mut bodies: Vec<Value> = (0..15).map(body).collect();
    bodies.push(stone(
        "disk",
        json!({ "circle": { "radius": 0.1 } }),
        [-0.2, 1.8],
    ));
    bodies.push(stone("point", json!({ "point": {} }), [0.2, 1.8]));
    let mixer = json!({ "name": "mixer", "shape": rectangle(1.6, 0.05), "position": [0.0, 0.1], "spin_deg": 20.0 });
    let scene = stones(
        &bodies,
        json!({ "time": { "step": H, "steps": 40 }, "obstacles": [ground_below(), mixer],
        "materials": { "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } },
            "stone": { "density": 1000.0 } },
        "contact": { "d_hat": 5e-3, "friction": { "default": 0.3 } }, "solver": { "tolerance": 1e-3 } }),
    );
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut run = Run::of(&scene);
            let contacts: usize = run.steps(40).iter().map(|record| record.contacts).sum();
            assert!(contacts > 500, "{contacts}");
            run.state().hash()
        })
    };
    let one = hash(1);

    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

fn ground_below() -> Value {
    json!({ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, -0.8] } } })
}
