//! Vertices of a body whose motion is prescribed.

use crate::cli_resume::same_and_proved;
use crate::program::Place;
use crate::support::{Run, inline, near, near_point};
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

#[test]
fn displacements_by_formulas_tables_and_keyframes_are_followed_exactly() {
    let table = json!({ "times": [0, 0.2, 0.5], "values": [0, 0.02, -0.01] });
    let mut run = Run::of(&square(&json!([
        { "vertices": { "indices": [24] }, "displacement": { "x": "0.05*sin(10*t)", "y": "0.1*t*(y - x)" } },
        { "vertices": { "indices": [20] }, "displacement": { "y": table } },
        { "vertices": { "indices": [0] }, "keyframes": [{ "time": 0.5, "position": [0.02, 0.01], "rotation_deg": 6 }] },
    ])));
    let start = run.state().x.clone();
    for n in 1..=60 {
        run.step();
        let t = 0.01 * f64::from(n);
        let x = &run.state().x;
        let wave = Vec2::new(
            0.05 * (10.0 * t).sin(),
            0.1 * t * (start[24].y - start[24].x),
        );
        assert!((x[24] - start[24] - wave).amax() < 1e-14, "step {n}");

        // One component, the other is free.
        let along = if t < 0.2 {
            0.1 * t
        } else if t < 0.5 {
            0.02 - 0.1 * (t - 0.2)
        } else {
            -0.01
        };
        assert!(
            (x[20].y - start[20].y - along).abs() < 1e-14,
            "step {n}: {}",
            x[20].y
        );

        // The shape's origin moves and turns, and the vertex with it.
        let share = (t / 0.5).min(1.0);
        let (sin, cos) = (6_f64.to_radians() * share).sin_cos();
        let arm = start[0];
        let turned = Vec2::new(cos * arm.x - sin * arm.y, sin * arm.x + cos * arm.y);
        assert!(
            (x[0] - turned - Vec2::new(0.02, 0.01) * share).amax() < 1e-14,
            "step {n}"
        );
    }
    let x = &run.state().x;
    assert!((x[20].x - start[20].x).abs() > 1e-6);
}

#[test]
fn windows_of_time_hold_let_go_and_take_again() {
    // All vertices are moved to the right, fly, and are stopped where they are.
    let mut scene = square(&json!([
        { "vertices": "all", "velocity": [2, 0], "until": 0.1 },
        { "vertices": "all", "from": 0.2, "until": 0.3 },
        { "vertices": "all", "from": 0.4, "displacement": { "x": "0.5*(t - 0.4)^2" } },
    ]));
    scene.gravity = [0.0, -4.0];
    scene.obstacles.clear();
    scene.time.step = 1.0 / 64.0;
    for (k, [from, until]) in [
        (0, [0.0, 0.125]),
        (1, [0.25, 0.375]),
        (2, [0.5, f64::INFINITY]),
    ] {
        let entry = scene.bodies[0].prescribed[k].clone();
        scene.bodies[0].prescribed[k] = entry.between(from, until);
    }
    let mut run = Run::of(&scene);
    let h = 1.0 / 64.0;
    let mut places = vec![run.centre(0)];
    let mut velocities = vec![run.velocity(0)];
    for _ in 0..48 {
        run.step();
        places.push(run.centre(0));
        velocities.push(run.velocity(0));
    }

    // Held until 8 h: 2 m/s. Then free, with that velocity.
    near_point(velocities[8], Vec2::new(2.0, 0.0), 1e-12);
    for n in 9_u8..=16 {
        let t = h * f64::from(n - 8);
        let expected = Vec2::new(2.0, -4.0 * t);
        near_point(velocities[usize::from(n)], expected, 1e-9);
    }

    // Stopped where it is, and let go at rest.
    assert!((places[24] - places[16]).norm() < 1e-12 && velocities[24].norm() < 1e-12);
    near_point(velocities[32], Vec2::new(0.0, -0.5), 1e-9);

    // Taken along x alone, by the change of the displacement since then.
    let way = |t: f64| 0.5 * (t - 0.4) * (t - 0.4);
    let moved = places[48].x - places[32].x;
    near(moved, way(0.75) - way(0.5), 1e-12);
    assert!(velocities[48].y < -1.4);
    let reaction = run.world().prescribed.len();
    assert_eq!(reaction, 75);
}

#[test]
fn windows_and_formulas_resume_with_the_same_bits_on_any_number_of_threads() {
    let place = Place::new();
    let scene = json!({
        "time": { "step": 0.01, "steps": 30 },
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
        "bodies": [{ "name": "square", "shape": { "square": { "side": 0.4, "segments": 4 } }, "material": "rubber",
            "prescribed": [
                { "vertices": { "side": "top" }, "displacement": { "x": "0.02*sin(20*t)", "y": "-0.5*t" }, "until": 0.12 },
                { "vertices": { "side": "left" }, "from": 0.145, "until": 0.2 },
                { "vertices": { "side": "top" }, "from": 0.245, "axis": "y" }
            ] }],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.21] } } }],
        "contact": { "friction": { "default": 0.4 } }
    });
    same_and_proved(&place, &place.scene(&scene), 28);
    assert!(place.read("whole/forces.csv").contains(",contact,"));

    // Reactions are listed while something is held.
    let table = place.read("whole/forces.csv");
    let rows = |kind: &str| table.lines().filter(|row| row.contains(kind)).count();
    assert_eq!(
        [
            rows("prescribed 0"),
            rows("prescribed 1"),
            rows("prescribed 2")
        ],
        [12, 6, 6]
    );
}
