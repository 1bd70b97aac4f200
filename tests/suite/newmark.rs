//! Newmark's method with any parameter: rest on contact, bits of the trapezoid, proofs and
//! resumption.
//!
//! Its amplification matrix is a case of `validate` (`motion_newmark`), its reactions are in
//! `schemes_forces`, its ledger is in `ledger`.

use crate::program::Place;
use crate::support::{Parts, Run, ground, inline, scene};
use serde_json::{Value, json};

/// A soft block on the ground, in equilibrium at the start.
fn resting(gamma: f64) -> Value {
    json!({
        "time": { "step": 0.01, "steps": 200, "integrator": "trapezoid", "gamma": gamma },
        "start": "equilibrium",
        "materials": { "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{
            "name": "block", "material": "rubber", "position": [0.0, 0.101],
            "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [4, 2] } }
        }],
        "obstacles": [ground()],
        "contact": { "friction": { "default": 0.5 } },
        "solver": { "tolerance": 1e-9 }
    })
}

/// Without the equality of `beta` and `gamma / 2` the block would be moved by a share of `g h^2`,
/// a millimetre, in each step.
#[test]
fn a_body_in_equilibrium_on_the_ground_stays_there() {
    for gamma in [0.5, 0.6, 0.75, 1.0] {
        let mut run = Run::of(&inline(resting(gamma)));
        run.step();
        let start = run.state().x.clone();
        for step in 2..=200 {
            run.step();
            let moved = run.moved(0, &start);
            assert!(moved < 1e-7, "{gamma}, step {step}: {moved:e}");
        }
    }
}

#[test]
fn a_half_is_the_trapezoid_to_the_last_bit() {
    let trapezoid = "time.integrator=trapezoid";
    for (name, steps) in [("two_squares", 40), ("showcase/all_kinds", 10)] {
        let mut plain = Parts::of(&scene(name, &[trapezoid]));
        let mut half = Parts::of(&scene(name, &[trapezoid, "time.gamma=0.5"]));
        for step in 0..steps {
            assert_eq!(plain.step(), half.step(), "{name}, {step}");
        }
    }
}

#[test]
fn a_larger_parameter_damps_an_impact_and_runs_are_proved_and_resumed() {
    let kinetic = |gamma: f64| {
        let more = format!("time.gamma={gamma}");
        let mut run = Run::of(&scene("two_squares", &["time.integrator=trapezoid", &more]));
        let records = run.steps(120);
        records.iter().map(|record| record.kinetic).sum::<f64>()
    };
    assert!(kinetic(1.0) < kinetic(0.5));

    let text = std::fs::read_to_string("scenes/two_squares.json").unwrap();
    let mut squares: Value = serde_json::from_str(&text).unwrap();
    squares["time"] =
        json!({ "step": 0.01, "steps": 30, "integrator": "trapezoid", "gamma": 0.75 });
    Place::new().resumed(&squares, ["11", "30"]);
}
