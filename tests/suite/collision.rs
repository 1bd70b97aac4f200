//! Two bodies that collide in free space.

use crate::support::{Run, deviation, inline, scene};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::json;

/// Tolerance of the solver (m/s).
const TOLERANCE: f64 = 1e-8;
/// Number of steps of each run.
const STEPS: usize = 60;

/// Two equal squares that fly towards each other, the right one `offset` higher.
fn collision(barrier: &str, shared: &str, offset: f64) -> Scene {
    let square = |name: &str, x: f64, y: f64, velocity: f64| {
        json!({ "name": name, "shape": { "square": { "side": 0.4, "segments": 4 } }, "material": "rubber",
            "position": [x, y], "velocity": [velocity, 0.0] })
    };
    inline(json!({
        "time": { "step": 0.005, "steps": STEPS }, "gravity": [0.0, 0.0],
        "materials": { "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
        "bodies": [square("left", -0.22, 0.0, 1.0), square("right", 0.22, offset, -1.0)],
        "contact": { "d_hat": 0.01, "kappa": 1e5, "barrier": barrier, "shared_vertices": shared,
            "friction": { "default": 0.3 } },
        "solver": { "tolerance": TOLERANCE }
    }))
}

/// Shapes of the barrier, and ways to count shared vertices.
const VARIANTS: [(&str, &str); 4] = [
    ("log", "once"),
    ("log", "per_edge"),
    ("clamped_log", "once"),
    ("clamped_log", "per_edge"),
];

#[test]
fn a_free_collision_keeps_the_momentum_and_turns_the_bodies_back() {
    for (barrier, shared) in VARIANTS {
        let mut run = Run::of(&collision(barrier, shared, 0.07));
        let mass: f64 = run.world().model.mass.iter().map(|m| m.x).sum();
        let records = run.steps(STEPS);

        for record in &records {
            let bound = mass * TOLERANCE * record.step as f64;
            assert!(
                record.momentum.norm() <= bound,
                "{barrier} {shared} step {}: {}",
                record.step,
                record.momentum
            );
        }

        assert!(records.iter().any(|record| record.contacts > 2));
        assert!(
            run.velocity(0).x < -0.1 && run.velocity(1).x > 0.1,
            "{barrier} {shared}: {}",
            run.velocity(0)
        );
    }
}

#[test]
fn contact_and_friction_forces_between_bodies_are_equal_and_opposite() {
    for (barrier, shared) in VARIANTS {
        let mut run = Run::of(&collision(barrier, shared, 0.07));
        let mut met = 0;

        for _ in 0..STEPS {
            let before = [run.velocity(0), run.velocity(1)];
            let contacts = run.step().record.contacts;
            let gain = [run.velocity(0) - before[0], run.velocity(1) - before[1]];
            assert!(
                (gain[0] + gain[1]).norm() <= 1e-9 + 0.1 * gain[0].norm(),
                "{barrier} {shared}"
            );
            met += usize::from(contacts > 0 && gain[0].norm() > 1e-3);
        }

        assert!(met > 5, "{barrier} {shared}: {met}");
    }
}

#[test]
fn a_collision_with_a_centre_of_symmetry_keeps_it() {
    for (barrier, shared) in VARIANTS {
        let mut run = Run::of(&collision(barrier, shared, 0.07));
        let centre = Vec2::new(0.0, 0.07);

        for step in 1..=STEPS {
            run.step();
            let x = &run.state().x;

            // Vertex i of the left square is opposite to vertex 24 - i of the right one.
            let error = deviation(x, |i| centre - x[25 * (1 - i / 25) + 24 - i % 25]);
            assert!(
                error <= TOLERANCE,
                "{barrier} {shared} step {step}: {error:e}"
            );
        }
    }
}

#[test]
fn a_mirror_symmetric_collision_stays_so() {
    // A square of 3 x 3 cells flies into the middle of one of 4 x 4: no vertex meets a vertex,
    // where symmetry is unstable.
    let square = |name: &str, side: f64, segments: usize, x: f64, velocity: f64| {
        json!({ "name": name, "shape": { "square": { "side": side, "segments": segments } }, "material": "net",
            "lumping": "uniform",
            "position": [x, 0.0], "velocity": [velocity, 0.0] })
    };
    let mirrored = |i: usize| {
        if i < 25 {
            i / 5 * 5 + 4 - i % 5
        } else {
            25 + (i - 25) / 4 * 4 + 3 - (i - 25) % 4
        }
    };

    for (barrier, shared) in VARIANTS {
        let mut run = Run::of(&inline(json!({
            "time": { "step": 0.005, "steps": STEPS }, "gravity": [0.0, 0.0],
            "materials": { "net": { "density": 1000.0, "law": { "mass_spring": { "stiffness": 2e4 } } } },
            "bodies": [square("left", 0.4, 4, -0.22, 1.0), square("right", 0.3, 3, 0.17, -1.0)],
            "contact": { "d_hat": 0.01, "kappa": 1e5, "barrier": barrier, "shared_vertices": shared,
                "friction": { "default": 0.3 } },
            "solver": { "tolerance": TOLERANCE }
        })));
        let mut contacts = 0;

        for step in 1..=STEPS {
            contacts += run.step().record.contacts;
            let x = &run.state().x;
            let error = deviation(x, |i| Vec2::new(x[mirrored(i)].x, -x[mirrored(i)].y));
            assert!(
                error <= TOLERANCE,
                "{barrier} {shared} step {step}: {error:e}"
            );
        }

        assert!(contacts > 0);
    }
}

#[test]
fn the_book_s_scenes_run_with_the_smoother_barrier_and_with_vertices_counted_once_too() {
    for chapter in [
        "04_friction",
        "06_inversion_free",
        "08_two_squares_friction",
    ] {
        for shared in ["once", "per_edge"] {
            let sharing = format!("contact.shared_vertices={shared}");
            let mut run = Run::of(&scene(
                &format!("book/{chapter}"),
                &["contact.barrier=clamped_log", &sharing],
            ));

            for record in run.steps(120) {
                assert!(record.total.is_finite() && record.min_gap.is_none_or(|gap| gap > 0.0));
                assert!(
                    record.min_area_ratio.is_none_or(|ratio| ratio > 0.0)
                        || chapter == "04_friction"
                );
            }
        }
    }
}
