//! What sticks stays where it is on what turns, whatever the angle of a step, and slides as Coulomb's law says above
//! its bound.

use crate::support::{Run, near_ratio, rectangle, rigid, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::json;
use std::f64::consts::TAU;

/// Distance (m) of the wall from the axis.
const WALL: f64 = 0.3;
/// Distance (m) of the block from the foot of the axis on the wall: it holds for friction above 0.1 / 0.25.
const OFF: f64 = 0.1;
/// Elastic slip at which friction is fully developed, relative to the reach of a pair.
const ELASTIC: f64 = 2e-3;

/// A block inside of a wall that turns about the origin once a second, scripted or free on a hinge, with this number of
/// steps in a turn, and in all.
fn on_a_wheel(mu: f64, [in_a_turn, steps]: [u32; 2], is_free: bool, integrator: &str) -> Scene {
    let spin = TAU;
    let center = WALL - 0.05 - 1e-4;
    let block = rigid(
        "block",
        rectangle(0.1, 0.1),
        [center, OFF],
        json!({ "velocity": [-spin * OFF, spin * center], "spin_deg": 360.0 }),
    );
    let behind = WALL + 0.1;
    let mut bodies = vec![block];
    let mut rest = json!({
        "gravity": [0.0, 0.0],
        "time": { "step": f64::from(in_a_turn).recip(), "steps": steps, "integrator": integrator },
        "contact": { "friction": { "default": mu } },
        "solver": {},
    });
    if is_free {
        bodies.push(json!({
            "name": "wheel", "kind": "rigid", "material": "heavy", "shape": rectangle(0.2, 1.2),
            "position": [behind, 0.0], "velocity": [0.0, spin * behind], "spin_deg": 360.0,
        }));
        rest["materials"] = json!({ "stone": { "density": 1000.0 }, "heavy": { "density": 1e5 } });
        rest["obstacles"] = json!([{ "name": "axle", "shape": { "circle": { "radius": 0.02 } } }]);
        rest["joints"] = json!([{ "hinge": { "bodies": ["wheel", "axle"], "at": [0.0, 0.0] } }]);
    } else {
        let shape = json!({ "polyline": { "points": [[WALL, -0.6], [WALL, 0.6]] } });
        rest["obstacles"] = json!([{ "name": "wheel", "shape": shape, "spin_deg": 360.0 }]);
    }
    stones(&bodies, rest)
}

/// Position (m) of the block along the wheel.
fn along_wheel(run: &Run) -> f64 {
    let world = run.world();
    let x = &run.state().x;
    let of = |name: &str| {
        let body = world.bodies.iter().find(|body| body.name == name).unwrap();
        let x = &x[body.vertices.clone()];
        (
            x[0],
            x[x.len() - 1],
            x.iter().sum::<Vec2>() / x.len() as f64,
        )
    };
    let (_, _, block) = of("block");
    let (first, last, center) = of("wheel");
    let axis = (last - first).normalize();
    (block - center).dot(&axis)
}

/// Largest drift along the wheel (m) after a number of steps, and the mean number of directions of a step.
fn drift(scene: &Scene, settled: usize) -> (f64, f64) {
    let mut run = Run::of(scene);
    let mut place = 0.0;
    let mut largest = 0.0_f64;
    let mut directions = 0;
    for step in 0..scene.time.steps {
        directions += run.try_step().unwrap().record.newton_iterations;
        if step + 1 == settled {
            place = along_wheel(&run);
        } else if step + 1 > settled {
            largest = largest.max((along_wheel(&run) - place).abs());
        }
    }
    (largest, directions as f64 / scene.time.steps as f64)
}

#[test]
fn a_block_that_sticks_to_a_wheel_does_not_drift() {
    let reach = 5e-3 * 0.1;
    for is_free in [false, true] {
        for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
            for in_a_turn in [400, 100] {
                let scene = on_a_wheel(0.5, [in_a_turn, 3 * in_a_turn], is_free, integrator);
                let (drift, directions) = drift(&scene, in_a_turn as usize / 4);
                let what = format!("{integrator}, {in_a_turn} steps a turn, free {is_free}");
                // Two stages yield more than the length of an anchor.
                let anchors = if integrator == "tr_bdf2" { 50.0 } else { 4.0 };
                assert!(drift < anchors * ELASTIC * reach, "{what}: {drift}");
                assert!(directions < 12.0, "{what}: {directions}");
                if integrator == "implicit_euler" && !is_free {
                    assert!(directions < 2.0, "{what}: {directions}");
                }
            }
        }
    }
}

#[test]
fn above_the_bound_a_block_slides_on_a_wheel_as_coulomb_s_law_says() {
    let mu = 0.3;
    let in_a_turn = 4000;
    let mut run = Run::of(&on_a_wheel(mu, [in_a_turn, 1000], false, "implicit_euler"));

    // After the impact, which no formula has.
    for _ in 0..399 {
        run.try_step().unwrap();
    }
    let before = along_wheel(&run);
    run.try_step().unwrap();
    let start = along_wheel(&run);
    let mut rate = (start - before) * f64::from(in_a_turn);
    for _ in 400..1000 {
        run.try_step().unwrap();
    }

    // In the frame of the wheel s'' = w^2 s - mu (w^2 c + 2 w s'), by many small steps.
    let w = TAU;
    let c = WALL - 0.05;
    let mut s = start;
    let count = 60_000;
    let h = 0.15 / f64::from(count);
    for _ in 0..count {
        rate += h * (w * w * s - mu * (w * w * c + 2.0 * w * rate));
        s += h * rate;
    }
    near_ratio(along_wheel(&run) - start, s - start, 0.01);
}

#[test]
fn a_platform_that_rocks_carries_what_stands_on_it() {
    for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
        let drift = drift_of_rocking(integrator);
        // Two stages, and velocities that alternate, yield more than the length of an anchor.
        let anchors = if integrator.starts_with("tr") {
            3.0
        } else {
            1.0
        };
        assert!(
            drift.abs() < anchors * ELASTIC * 9e-4,
            "{integrator}: {drift}"
        );
    }
}

/// Drift (m) of a block along a platform that rocks, in two cycles.
fn drift_of_rocking(integrator: &str) -> f64 {
    let key = |time: f64, turn: f64| json!({ "time": time, "position": [0.0, -0.1], "rotation_deg": turn });
    let scene = stones(
        &[rigid("block", rectangle(0.3, 0.3), [0.3, 0.151], json!({}))],
        json!({
            "time": { "step": 0.01, "steps": 500, "integrator": integrator },
            "contact": { "friction": { "default": 0.4 } },
            "obstacles": [{
                "name": "wheel", "shape": { "polyline": { "points": [[-0.8, 0.1], [0.8, 0.1]] } },
                "position": [0.0, -0.1], "interpolation": "smooth",
                "keyframes": [key(1.0, 15.0), key(3.0, -15.0), key(5.0, 15.0), key(7.0, -15.0), key(9.0, 0.0)],
            }],
        }),
    );
    let mut run = Run::of(&scene);
    // At the same angle, so that the block leans alike.
    for _ in 0..100 {
        run.try_step().unwrap();
    }
    let before = along_wheel(&run);
    for _ in 100..scene.time.steps {
        run.try_step().unwrap();
    }
    along_wheel(&run) - before
}
