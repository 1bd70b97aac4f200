//! Bodies that expand by heat keep the promises of all others: the same bits on any threads and after a
//! resumption, proofs, a closed ledger, with every integrator.

use crate::program::Place;
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use serde_json::{Value, json};

/// A strip of two materials on the ground, held at one end, which heats from the left and presses a block.
fn strip(integrator: &str) -> Value {
    json!({
        "time": { "step": 0.01, "steps": 12, "integrator": integrator },
        "materials": {
            "base": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } }, "expansion": 1e-3 },
            "top": { "density": 1000, "law": { "linear": { "young": 1e6, "poisson": 0.3 } }, "expansion": 3e-3 },
            "stone": { "density": 2000 }
        },
        "bodies": [
            {
                "name": "strip", "material": "base", "elements": "quadratic", "temperature": "300*t*(1+x)",
                "shape": { "rectangle": { "size": [1, 0.1], "segments": [12, 2] } }, "position": [0, 0.051],
                "regions": [{ "material": "top", "where": { "positive": "y" },
                    "temperature": { "times": [0, 0.1], "values": [0, 40] } }],
                "prescribed": [{ "vertices": { "side": "left" } }]
            },
            { "name": "block", "kind": "rigid", "material": "stone", "position": [0.553, 0.051],
              "shape": { "square": { "side": 0.1, "segments": 1 } } }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    })
}

#[test]
fn heated_bodies_have_the_same_bits_on_any_threads_with_every_integrator() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let scene = parse(&strip(integrator).to_string(), &[]).unwrap();
        let end = || {
            let mut simulation = Simulation::new(scene.clone()).unwrap();
            simulation.run(12).unwrap();
            let x = simulation.body("block").unwrap().centre().x;
            (simulation.state().hash(), x)
        };
        let (hash, x) = parallel::serially(end);
        assert_eq!(
            parallel::Pool::new(Some(3)).unwrap().run(end).0,
            hash,
            "{integrator}"
        );

        // The strip would grow by more than the gap, and pushes the block away.
        assert!(x > 0.5531, "{integrator}: {x}");
    }
}

#[test]
fn a_run_with_heat_resumes_to_the_same_bits_is_proved_and_has_a_closed_ledger() {
    let place = Place::new();
    place.resumed(&strip("bdf2"), ["5", "12"]);
}
