//! Scenes in rigid-ipc's format, imported and run: bodies move, hold or block as they must.

use crate::importing::{imported, stored};
use crate::program::{Place, ipcsim, project};
use crate::rigid_ipc_scenes as scenes;
use crate::support::{Run, near, near_point};
use ipcsim::math::Vec2;
use serde_json::Value;
use std::f64::consts::PI;

fn run(scene: &Value) -> (Run, usize) {
    let scene = imported(scene);
    (Run::of(&scene), scene.time.steps)
}

fn finished(name: &str) -> Run {
    let scene = stored(name);
    let mut run = Run::of(&scene);
    run.steps(scene.time.steps);
    run
}

/// Vertex `k` of a body or obstacle (m).
fn vertex(run: &Run, body: usize, k: usize) -> Vec2 {
    run.state().x[run.world().bodies[body].vertices.start + k]
}

/// Lowest and highest y of a body (m).
fn height(run: &Run, body: usize) -> [f64; 2] {
    let ys = run.state().x[run.world().bodies[body].vertices.clone()]
        .iter()
        .map(|x| x.y);
    [
        ys.clone().fold(f64::INFINITY, f64::min),
        ys.fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// Where implicit Euler is under the constant acceleration `a` from rest, after `n` steps of `h`:
/// `a h^2 n (n + 1) / 2`.
fn fallen(a: f64, h: f64, n: f64) -> f64 {
    a * h * h * n * (n + 1.0) / 2.0
}

#[test]
fn every_scene_of_the_family_is_checked_run_and_verified() {
    let place = Place::new();
    let names = [
        "hook",
        "rods",
        "crossed",
        "touching",
        "axle",
        "separation",
        "push",
        "paddle",
        "old_keys",
    ];
    let mut all = Vec::new();
    for name in names {
        let path = project(&format!("tests/data/rigid_ipc/{name}.json"));
        all.push((name, std::fs::read_to_string(path).unwrap()));
    }
    for (name, scene) in scenes::small() {
        all.push((name, scene.to_string()));
    }

    for (name, text) in all {
        let [from, scene, out] = ["from.json", "scene.json", "out"].map(|file| place.path(file));
        std::fs::write(&from, text).unwrap();
        let commands: [&[&str]; 4] = [
            &["import", "rigid-ipc", &from, "-o", &scene],
            &["check", &scene],
            &[
                "run",
                &scene,
                "--no-frames",
                "--quiet",
                "--force",
                "--out",
                &out,
            ],
            &["verify", &out],
        ];

        for args in commands {
            let ended = ipcsim(args);
            // Bodies that touch in the file start so near that the barrier throws them apart.
            let warned = args[0] == "check" && ended.stderr.contains("pushes them apart");
            assert!(
                ended.code == 0 && (ended.stderr.is_empty() || warned),
                "{name}: {args:?}: {} {}",
                ended.stdout,
                ended.stderr
            );
        }
    }
}

#[test]
fn force_and_torque_accelerate_by_mass_and_inertia_of_the_edges() {
    // Edges of 4 m at 0.5 kg/m: 2 kg, half a kilogram at each corner, at a distance of sqrt(1/2): 1
    // kg m^2.
    let run = finished("push");
    let moved = fallen(4.0 / 2.0, 0.01, 50.0);
    near_point(run.centre(0), Vec2::new(moved, 0.0), 1e-6 * moved);

    let arm = vertex(&run, 0, 2) - run.centre(0);
    let turned = arm.y.atan2(arm.x) - PI / 4.0;
    let expected = fallen(PI / 3.0, 0.01, 50.0);

    near(turned, expected, 0.01 * expected);
}

#[test]
fn an_axle_turns_in_place() {
    let run = finished("axle");
    near_point(run.centre(0), Vec2::new(1.0, 2.0), 1e-12);

    // Four edges of 0.4 sqrt(2) m at 5 kg/m, all mass at a distance of 0.4 m.
    let inertia = 4.0 * 0.4 * 2.0_f64.sqrt() * 5.0 * 0.16;
    let expected = PI / 2.0 + fallen(PI / inertia, 0.005, 200.0);
    let arm = vertex(&run, 0, 0) - run.centre(0);

    near(arm.y.atan2(arm.x), expected, 0.01 * expected);
}

#[test]
fn collinear_rods_meet_end_to_end_and_keep_their_momentum() {
    let run = finished("rods");
    let [left, right] = [0, 1].map(|body| run.velocity(body));
    assert!(
        (left + right - Vec2::new(1.0, 0.0)).norm() < 1e-6 && right.x > 0.4,
        "{left:?}, {right:?}"
    );
    assert!(vertex(&run, 0, 1).x < vertex(&run, 1, 0).x);
    assert!(height(&run, 0) == [0.0, 0.0] && height(&run, 1) == [0.0, 0.0]);
}

#[test]
fn an_open_hook_hangs_on_its_bar() {
    let run = finished("hook");
    for k in [1, 2] {
        assert!(
            (0.0..2e-3).contains(&vertex(&run, 0, k).y),
            "{:?}",
            vertex(&run, 0, k)
        );
    }

    // Its ends press unequally, so one gap is wider. Without friction it slides down that slope,
    // which is at most the reach of 1 mm over its width of 0.6 m, for the rest of the 2 s.
    let slope = 1e-3 / 0.6;
    assert!(run.velocity(0).norm() < 9.81 * slope * 2.0);
}

#[test]
fn rods_of_one_group_fall_through_each_other_and_not_through_the_floor() {
    let run = finished("crossed");
    let [flat, upright] = [0, 1].map(|body| height(&run, body));
    assert!(
        flat[0] > 0.0 && upright[0] > 0.0 && flat[1] < upright[0] + 0.2,
        "{flat:?}, {upright:?}"
    );
}

#[test]
fn bricks_that_start_a_micrometre_apart_do_not_fly_off() {
    let run = finished("touching");
    let [lower, upper] = [0, 1].map(|body| height(&run, body));
    assert!(lower[0] > 0.0 && lower[0] < 2e-3, "{lower:?}");
    assert!(upper[0] > lower[1] && upper[0] < 0.104, "{upper:?}");
}

#[test]
fn surfaces_keep_their_minimum_separation() {
    let scene = stored("separation");
    let mut run = Run::of(&scene);

    for _ in 0..scene.time.steps {
        run.step();
        assert!(
            height(&run, 0)[0] > 0.05,
            "step {}: {:?}",
            run.state().step,
            height(&run, 0)
        );
    }

    assert!(height(&run, 0)[0] < 0.06);
}

#[test]
fn the_paddle_stops_after_a_quarter_of_a_turn() {
    let run = finished("paddle");

    // Obstacles follow the one body. The corner (-0.5, -0.05) of the paddle is now at (0.05, -0.5)
    // from its centre.
    near_point(vertex(&run, 1, 0), Vec2::new(0.55, -0.45), 1e-9);
    assert!(height(&run, 0)[0] > -1.0);
}

/// Angle by which each body turns about its mean vertex in all steps (rad).
fn turns(scene: &Value, count: usize) -> Vec<f64> {
    let (mut run, steps) = run(scene);
    let arm = |run: &Run, body| vertex(run, body, 0) - run.centre(body);
    let mut turns = vec![0.0; count];

    for _ in 0..steps {
        let before: Vec<Vec2> = (0..count).map(|body| arm(&run, body)).collect();
        run.step();
        for (body, a) in before.into_iter().enumerate() {
            let b = arm(&run, body);
            turns[body] += a.perp(&b).atan2(a.dot(&b));
        }
    }

    turns
}

/// Play of one of two gears of the generator while the other is held (rad). At the pitch circle a
/// tooth is `2 (0.3 - 0.16 * 0.16 / 0.28)` pitches wide, and a gap fills the rest.
fn play(teeth: usize) -> f64 {
    let width = 2.0 * (0.3 - 0.16 * 0.16 / 0.28);
    (1.0 - 2.0 * width) * 2.0 * PI / teeth as f64
}

#[test]
fn two_gears_turn_against_each_other() {
    let turns = turns(&scenes::gears_that_turn(12), 2);
    assert!(turns[0] > 2.0 * PI / 12.0, "{turns:?}");
    assert!((turns[0] + turns[1]).abs() < play(12), "{turns:?}");
}

#[test]
fn three_gears_in_mesh_lock() {
    let turns = turns(&scenes::gears_that_lock(12), 3);
    assert!(turns.iter().all(|turn| turn.abs() < play(12)), "{turns:?}");
}

#[test]
fn a_cradle_keeps_its_momentum_and_its_order() {
    let (mut run, steps) = run(&scenes::cradle(5, 8));
    run.steps(steps);
    let speeds: Vec<f64> = (0..5).map(|ball| run.velocity(ball).x).collect();
    near(speeds.iter().sum::<f64>(), 1.0, 1e-6);
    assert!(speeds[4] > 0.1 && speeds.is_sorted(), "{speeds:?}");
}

#[test]
fn plates_that_are_hit_at_ten_kilometres_a_second_stay_in_order() {
    let (mut run, _) = run(&scenes::plates(3, 1e4));
    for _ in 0..20 {
        run.step();
        let heights: Vec<f64> = (0..4).map(|body| run.centre(body).y).collect();
        assert!(
            heights.is_sorted() && heights[0] > -21.5 && heights[3] < 21.5,
            "{heights:?}"
        );
    }
}

#[test]
fn a_saw_of_a_hundred_teeth_comes_to_rest_in_another_one() {
    let (mut run, steps) = run(&scenes::saws(100));
    let start = vertex(&run, 0, 0);
    run.steps(steps);
    let fallen = start.y - vertex(&run, 0, 0).y;
    assert!(
        fallen > 0.04 && fallen < 0.05 && run.velocity(0).norm() < 1e-3,
        "{fallen}, {:?}",
        run.velocity(0)
    );
}

#[test]
fn a_tower_stands() {
    let (mut run, steps) = run(&scenes::tower(4, 0.1));
    run.steps(steps);

    for block in 0..4 {
        let place = Vec2::new(0.1 * block as f64, 0.5 + block as f64);
        near_point(run.centre(block), place, 0.01);
    }
}
