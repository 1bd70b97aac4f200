//! Scenes at which other programs are known to fail.

use crate::support::{self, Run, inline, rectangle, scene, stone, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// A block of 0.1 m x 0.1 m at 100 m/s between walls 0.1 mm away from it, without friction; steps
/// of 1 ms. Walls of many edges need a barrier that ends before them: one that is 30 times as wide
/// as the tunnel is clear feels their vertices.
fn tunnel(kind: &str, walls: &str) -> Scene {
    let clear = 0.05 + 1e-4;
    let wall = |name: &str, side: f64| {
        let segments = if walls == "many edges" { 40 } else { 1 };
        let shape = match walls {
            "half-planes" => {
                json!({ "half_plane": { "normal": [0.0, -side], "origin": [0.0, side * clear] } })
            }
            _ => json!({ "rectangle": { "size": [4.0, 0.1], "segments": [segments, 1] } }),
        };
        let position = if walls == "half-planes" {
            [0.0; 2]
        } else {
            [1.0, side * (clear + 0.05)]
        };
        json!({ "name": name, "position": position, "shape": shape })
    };

    let contact = if walls == "many edges" {
        json!({ "d_hat": 5e-5 })
    } else {
        json!({})
    };
    inline(json!({
        "time": { "step": 0.001, "steps": 11 }, "contact": contact,
        "materials": { "stone": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e7, "poisson": 0.3 } } } },
        "bodies": [{ "name": "block", "kind": kind, "shape": { "square": { "side": 0.1, "segments": 2 } },
            "material": "stone", "velocity": [100.0, 0.0] }],
        "obstacles": [wall("above", 1.0), wall("below", -1.0)],
    }))
}

/// The scene of the supplement of Li et al. 2020 at which a commercial program fails: a pusher
/// moves by 0.6 m in `seconds` and squeezes two soft squares of 0.5 m against a fixed block, in the
/// air or with friction on the ground.
fn squeeze(seconds: f64, steps: usize, segments: usize, ground: bool) -> Value {
    let square = |name: &str, x: f64| {
        json!({ "name": name, "shape": { "square": { "side": 0.5, "segments": segments } }, "material": "jelly",
            "position": [x, 0.26] })
    };
    let mut scene = json!({
        "time": { "step": seconds / steps as f64, "steps": steps },
        "gravity": [0.0, 0.0], "contact": { "friction": { "default": if ground { 0.5 } else { 0.0 } } },
        "materials": { "jelly": { "density": 1000, "law": { "neo_hookean": { "young": 1000, "poisson": 0.4 } } } },
        "bodies": [square("first", 0.36), square("second", 0.87)],
        "obstacles": [
            { "name": "block", "shape": { "rectangle": { "size": [0.2, 0.7], "segments": [1, 1] } }, "position": [0.0, 0.36] },
            { "name": "pusher", "shape": { "rectangle": { "size": [0.2, 0.7], "segments": [1, 1] } },
              "position": [1.23, 0.36], "velocity": [-0.6 / seconds, 0.0], "travel": 0.6 }
        ],
        "solver": { "tolerance": 1e-3 }
    });

    if ground && let Some(obstacles) = scene["obstacles"].as_array_mut() {
        obstacles.push(support::ground());
    }

    scene
}

/// A bar that turns by `degrees` in each step and takes a disk along, round and round inside a
/// ring.
fn churn(degrees: f64) -> Scene {
    let disk = stone("disk", json!({ "circle": { "radius": 0.1 } }), [0.5, 0.3]);
    let ring = json!({ "name": "ring", "shape": { "ring": { "radius": 1.0, "inner_radius": 0.9, "segments": 48 } } });
    let bar = json!({ "name": "bar", "shape": rectangle(1.6, 0.05), "spin_deg": degrees / 0.01 });
    stones(
        &[disk],
        json!({ "time": { "step": 0.01, "steps": 48 }, "gravity": [0.0, 0.0], "obstacles": [ring, bar],
        "solver": { "tolerance": 1e-3 } }),
    )
}

/// Runs a scene to its end and prints its cost.
fn end(name: &str, scene: &Scene) -> Run {
    let mut run = Run::of(scene);
    let mut iterations = 0;

    for step in 1..=scene.time.steps {
        let report = run
            .try_step()
            .unwrap_or_else(|failure| panic!("{name}, step {step}: {failure}"));
        iterations += report.record.newton_iterations;
        assert_eq!(super::unsound(&run), None, "{name}, step {step}");

        if let Some(recovery) = report.recovery {
            println!(
                "{name}, step {step}: {:?} after {}",
                recovery.rung, recovery.why
            );
        }
    }

    println!("{name}: {iterations} iterations");
    run
}

#[test]
fn a_block_at_100_m_s_goes_through_a_tunnel_with_a_tenth_of_a_millimetre_to_spare() {
    for kind in ["rigid", "deformable"] {
        for walls in ["half-planes", "two edges", "many edges"] {
            let run = end(&format!("{kind} {walls}"), &tunnel(kind, walls));
            println!("{kind} {walls}: {} m", run.centre(0).x);
            assert!(
                run.centre(0).x >= 1.09,
                "{kind} {walls}: {} m",
                run.centre(0).x
            );
        }
    }
}

#[test]
fn two_soft_squares_squeezed_against_a_block_end_every_step_without_intersection() {
    for (seconds, segments, ground) in [
        (6.0, 4, false),
        (60.0, 4, false),
        (3.0, 8, false),
        (6.0, 6, true),
        (60.0, 6, true),
    ] {
        let scene = inline(squeeze(seconds, 150, segments, ground));
        let mut run = Run::of(&scene);
        let width = |run: &Run, k: usize| {
            let vertices = run.world().bodies[k].vertices.clone();
            let x = || run.state().x[vertices.clone()].iter().map(|x| x.x);
            x().fold(f64::NEG_INFINITY, f64::max) - x().fold(f64::INFINITY, f64::min)
        };
        let mut least = f64::INFINITY;

        for step in 1..=150 {
            run.try_step()
                .unwrap_or_else(|failure| panic!("{seconds} s, step {step}: {failure}"));
            assert_eq!(super::unsound(&run), None, "{seconds} s, step {step}");
            least = least.min(width(&run, 0).min(width(&run, 1)));
        }

        println!("{seconds} s, {segments} segments, ground {ground}: {least} m");

        // How far they are squeezed before they slip out is up to speed and mesh; squeezed they
        // are.
        assert!(least < 0.48, "{least}");
    }
}

#[test]
fn a_bar_that_turns_by_30_degrees_in_a_step_takes_a_disk_along() {
    for degrees in [5.0, 10.0, 20.0, 30.0] {
        let run = end(&format!("{degrees} degrees"), &churn(degrees));

        // It is still between the bar, which it cannot pass, and the ring.
        let turned = (48.0 * degrees).to_radians();
        let ahead = Vec2::new(-turned.sin(), turned.cos()).dot(&run.center(0));
        assert!(
            ahead > 0.125 && run.center(0).norm() < 0.8,
            "{degrees} degrees: {ahead} m"
        );
    }
}

#[test]
fn a_vertex_at_1e150_m_s_ends_in_a_step_or_in_a_named_failure() {
    for speed in [1e10, 1e50, 1e150] {
        let mut start = support::setup(&scene("two_squares", &[]));
        start.state.q_dot[4].x = speed;
        let before = start.state.clone();
        let mut run = Run::from(start);

        match run.try_step() {
            Ok(report) => println!(
                "{speed:e} m/s: {:?}, {:e} m/s left",
                report.status, report.residual
            ),
            Err(failure) => {
                println!("{speed:e} m/s: {failure}");
                assert_eq!(*run.state(), before);
            }
        }

        assert_eq!(super::unsound(&run), None, "{speed:e} m/s");
    }
}
