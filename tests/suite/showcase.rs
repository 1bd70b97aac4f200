//! What the showcase scenes promise.

use crate::support::{Run, scene};

/// Mean position along x of the body with this name.
fn center_x(run: &Run, name: &str) -> f64 {
    let body = run.world.bodies.iter().find(|body| body.name == name).unwrap();
    run.state.x[body.vertices.clone()].iter().map(|p| p.x).sum::<f64>() / body.vertices.len() as f64
}

#[test]
fn no_ball_passes_a_sheet_or_a_wall_of_a_millimetre_at_any_speed() {
    let mut run = Run::of(&scene("showcase/bullet_through_paper", &[]));
    let speeds = [10, 100, 1000, 10_000];
    let surface = run.world.surface.clone();
    let outlines = surface.outlines();
    let mut nearest = [f64::INFINITY; 4];
    for _ in 0..300 {
        run.step();
        assert_eq!(outlines.intersections(&run.state.x), [], "step {}", run.state.step);
        for (k, speed) in speeds.into_iter().enumerate() {
            let ball = center_x(&run, &format!("ball at {speed} m/s"));
            let wall = center_x(&run, &format!("wall {}", k + 1));
            assert!(ball < wall, "step {}: {speed} m/s", run.state.step);
            nearest[k] = nearest[k].min(wall - ball);
        }
    }
    // Faster than 100 m/s, balls carry their sheet to the wall and are flattened against it.
    assert!(nearest[2] < 0.02 && nearest[3] < 0.02, "{nearest:?}");
}
