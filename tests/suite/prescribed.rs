//! Vertices of a body whose motion is prescribed.

use crate::support::{Run, inline};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// A soft square above the ground at `y = -0.5` with some of its motion prescribed.
fn square(prescribed: &Value) -> Scene {
    inline(json!({
        "time": { "step": 0.01, "steps": 100 },
        "materials": { "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
        "bodies": [{ "name": "square", "shape": { "square": { "side": 0.4, "segments": 4 } }, "material": "rubber",
            "prescribed": prescribed }],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, -0.5] } } }],
        "contact": { "d_hat": 0.01, "kappa": 1e5 }
    }))
}

#[test]
fn a_corner_moved_at_speed_is_exactly_where_it_should_be_after_every_step() {
    for speed in [0.5, 5.0, 20.0] {
        let mut run = Run::of(&square(&json!([
            { "vertices": { "indices": [24] }, "velocity": [speed, 0.3 * speed], "travel": 1.5 },
            { "vertices": { "indices": [4] }, "velocity": [0.0, speed], "travel": 0.8 },
        ])));
        let start = [run.state().x[24], run.state().x[4]];

        for n in 1..=100 {
            run.step();
            let t = 0.01 * f64::from(n);
            let path = Vec2::new(speed, 0.3 * speed);
            let expected = [
                path * t.min(1.5 / path.norm()),
                Vec2::new(0.0, speed * t.min(0.8 / speed)),
            ];
            for (vertex, start, expected) in
                [(24, start[0], expected[0]), (4, start[1], expected[1])]
            {
                let error = (run.state().x[vertex] - start - expected).amax();
                assert!(
                    error < 1e-14,
                    "{speed} m/s, step {n}, vertex {vertex}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn a_corner_pushed_into_its_own_body_still_arrives() {
    // The straight way of the first step would turn the corner's triangles over: the penalty has to
    // bring it.
    let mut run = Run::of(&square(&json!([
        { "vertices": { "indices": [24] }, "velocity": [-12.0, -12.0], "travel": 0.3 },
        { "vertices": { "indices": [0] } },
    ])));
    let start = run.state().x[24];
    run.steps(20);
    let expected = start - Vec2::new(0.5, 0.5).normalize() * 0.3;

    assert!(
        (run.state().x[24] - expected).amax() < 1e-14,
        "{}",
        run.state().x[24]
    );
    assert!(run.world().least_area_ratio(&run.state().x).unwrap() > 0.0);
}

#[test]
fn a_body_prescribed_as_a_whole_that_meets_the_ground_is_reported_as_blocked() {
    let mut run = Run::of(&square(
        &json!([{ "vertices": "all", "velocity": [0.0, -1.0] }]),
    ));

    // The gap of 0.3 m is used up after 0.3 s.
    for n in 1..=30 {
        let before = run.state().clone();
        match run.try_step() {
            Ok(_) => assert!(
                n < 30 && (run.state().x[0].y + 0.2 + 0.01 * f64::from(n)).abs() < 1e-14,
                "step {n}"
            ),
            Err(failure) => {
                assert_eq!(
                    (failure.kind(), n >= 28),
                    ("blocked", true),
                    "step {n}: {failure}"
                );
                assert_eq!(*run.state(), before);
                return;
            }
        }
    }

    panic!("the ground was passed");
}
