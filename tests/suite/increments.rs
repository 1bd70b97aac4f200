//! Increments of statics begin where bodies would be if they went on: how many directions that leaves, and
//! that it changes no answer.

use crate::program::Place;
use crate::support::{Run, inline};
use serde_json::{Value, json};

/// A billet of metal between plates with friction that press it together by 5 % in ten increments.
fn upset() -> Value {
    let plate = |name: &str, side: f64| {
        json!({
            "name": name, "velocity": [0, 5e-4 * side],
            "shape": { "half_plane": { "normal": [0, side], "origin": [0, -0.00501 * side] } }
        })
    };
    json!({
        "time": { "step": 0.05, "steps": 10, "integrator": "static" },
        "gravity": [0, 0],
        "materials": {
            "aluminium": {
                "density": 2700,
                "law": { "j2": { "young": 7e10, "poisson": 0.3, "yield_stress": 1e8, "hardening": 1e9 } }
            }
        },
        "bodies": [{
            "name": "billet", "material": "aluminium", "elements": "quadratic",
            "shape": { "rectangle": { "size": [0.02, 0.01], "segments": [12, 6] } }
        }],
        "obstacles": [plate("top", -1.0), plate("bottom", 1.0)],
        "contact": { "friction": { "default": 0.3 } }
    })
}

/// A block of rubber whose ends a shear of this many metres moves, up and down along a table of values.
fn sheared(values: &[f64]) -> Value {
    let times: Vec<f64> = (0..values.len()).map(|k| 0.1 * k as f64).collect();
    json!({
        "time": { "step": 0.1, "steps": values.len() - 1, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{
            "name": "block", "material": "rubber",
            "shape": { "rectangle": { "size": [0.2, 0.1], "segments": [8, 4] } },
            "prescribed": [
                { "vertices": { "box": { "min": [-1, -1], "max": [1, -0.0499] } } },
                {
                    "vertices": { "box": { "min": [-1, 0.0499], "max": [1, 1] } },
                    "displacement": { "x": { "times": times, "values": values } }
                }
            ]
        }]
    })
}

/// Directions of each increment of a scene.
fn directions(scene: Value) -> Vec<usize> {
    let scene = inline(scene);
    let mut run = Run::of(&scene);
    let steps = 0..scene.time.steps;
    steps.map(|_| run.step().record.newton_iterations).collect()
}

#[test]
fn metal_between_plates_with_friction_takes_few_directions_an_increment() {
    let taken = directions(upset());
    let mean = taken.iter().sum::<usize>() as f64 / taken.len() as f64;
    assert!(
        mean <= 30.0 && taken.iter().all(|&one| one <= 100),
        "{taken:?}"
    );
}

#[test]
fn an_increment_that_goes_on_or_back_as_the_last_one_takes_fewer_directions_than_the_first() {
    // Out evenly, and back evenly: where the motion turns round it is that of the last increment, back.
    let taken = directions(sheared(&[0.0, 0.02, 0.04, 0.06, 0.04, 0.02, 0.0]));
    assert!(taken[1..].iter().all(|&one| one <= taken[0]), "{taken:?}");
    assert!(taken.iter().sum::<usize>() < 6 * taken[0], "{taken:?}");
}

#[test]
fn a_block_that_is_sheared_out_and_back_ends_where_it_began() {
    let mut run = Run::of(&inline(sheared(&[0.0, 0.02, 0.06, 0.01, 0.0])));
    let start = run.state().x.clone();
    for _ in 0..4 {
        run.step();
    }
    let ends = run.state().x.iter().zip(&start);
    let farthest = ends.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(farthest < 1e-9, "{farthest:e}");
}

#[test]
fn a_run_of_increments_resumes_to_the_same_bits() {
    Place::new().resumed(&upset(), ["4", "10"]);
}
