//! Half-planes that turn, obstacles that cross, and scripts that start slowly.

use crate::support::{Run, ground, near, rectangle, stone, stones};
use ipcsim::math::Vec2;
use serde_json::json;

#[test]
fn on_a_half_plane_that_turns_a_block_slides_beyond_the_angle_of_friction() {
    let block = stone("block", rectangle(1.0, 0.5), [0.5, 0.2505]);
    let plane = json!({ "name": "plane", "spin_deg": 10.0, "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } });
    let mut run = Run::of(&stones(
        &[block],
        json!({ "time": { "step": 0.01, "steps": 300 }, "obstacles": [plane],
        "contact": { "d_hat": 1e-3, "friction": { "default": 0.5, "eps_v": 1e-4 } }, "solver": { "tolerance": 1e-6 } }),
    ));

    // Along the plane, as it turns about the origin; friction holds to atan 0.5, 26.57 degrees.
    let along = |run: &Run, degrees: f64| {
        let angle = degrees.to_radians();
        run.center(0).dot(&Vec2::new(angle.cos(), angle.sin()))
    };
    run.steps(250);
    let before = along(&run, 25.0);

    near(before, 0.5, 2e-3);
    run.steps(50);
    let after = along(&run, 30.0);

    assert!(after < before - 5e-3, "{before} {after}");
    let height = run.center(0).dot(&Vec2::new(-0.5, 0.75_f64.sqrt()));
    assert!(height > 0.25 && height < 0.251, "{height}");
}

#[test]
fn obstacles_pass_through_each_other() {
    let bar = |name: &str, x: f64, speed: f64| json!({ "name": name, "shape": rectangle(0.2, 1.0), "position": [x, 3.0], "velocity": [speed, 0.0] });
    let body = stone("body", rectangle(0.5, 0.5), [0.0, 0.3]);
    let obstacles = json!([ground(), bar("left", -1.0, 2.0), bar("right", 1.0, -2.0)]);
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": 0.01, "steps": 100 }, "obstacles": obstacles }),
    ));
    run.steps(100);

    assert!(
        (run.center(2) - Vec2::new(1.0, 3.0)).norm() < 1e-9
            && (run.center(3) - Vec2::new(-1.0, 3.0)).norm() < 1e-9
    );
}

#[test]
fn a_body_falls_however_short_the_step() {
    // In one such step gravity adds 1e-3 m/s, a tenth of the tolerance.
    let body = stone("body", rectangle(0.5, 0.5), [0.0, 1.0]);
    let mut run = Run::of(&stones(
        &[body],
        json!({ "time": { "step": 1e-4, "steps": 100 }, "solver": { "tolerance": 1e-2 } }),
    ));
    run.steps(100);
    let expected = 1.0 - 9.81e-8 * 0.5 * 100.0 * 101.0;

    near(run.center(0).y, expected, 1e-12);
}
