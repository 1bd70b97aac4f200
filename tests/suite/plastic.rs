//! Bodies that flow keep the promises of all others: the same bits on any threads and after a resumption
//! in the middle of yielding, proofs, a closed ledger, with every integrator; and what a run tells of
//! their flow.

use crate::program::{Place, ipcsim};
use crate::support::near;
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim::time::{SavedState, State};
use serde_json::{Value, json};
use std::fs;

/// Two plates that fall on the ground and are dented by a block on them: one of quadratic triangles, in part
/// warm, one of linear ones with a region that does not flow.
fn dented(integrator: &str) -> Value {
    let metal =
        json!({ "j2": { "young": 1e7, "poisson": 0.3, "yield_stress": 5e3, "hardening": 1e5 } });
    json!({
        "time": { "step": 0.01, "steps": 16, "integrator": integrator },
        "materials": {
            "metal": { "density": 1000, "law": metal, "expansion": 1e-4 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.4 } } },
            "stone": { "density": 2000 }
        },
        "bodies": [
            {
                "name": "plate", "material": "metal", "elements": "quadratic", "temperature": "100*t*x",
                "shape": { "rectangle": { "size": [0.5, 0.1], "segments": [6, 2] } }, "position": [0, 0.051],
            },
            {
                "name": "mixed", "material": "metal", "position": [0.6, 0.051],
                "shape": { "rectangle": { "size": [0.5, 0.1], "segments": [6, 2] } },
                "regions": [{ "material": "rubber", "where": { "positive": "-y" } }]
            },
            { "name": "block", "kind": "rigid", "material": "stone", "position": [0.3, 0.253], "velocity": [0, -1],
              "shape": { "square": { "side": 0.3, "segments": 1 } } }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true, "vtu": { "every": 4, "fields": ["plastic_strain", "von_mises"] } }
    })
}

/// Largest equivalent plastic strain of a state.
fn most(state: &State) -> f64 {
    let flowed = state.memory.options.plasticity.flowed.iter();
    flowed.map(|flow| flow.hardened).fold(0.0, f64::max)
}

#[test]
fn metals_have_the_same_bits_on_any_threads_and_keep_their_volume_with_every_integrator() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let scene = parse(&dented(integrator).to_string(), &[]).unwrap();
        let end = || {
            let mut simulation = Simulation::new(scene.clone()).unwrap();
            simulation.run(16).unwrap();
            simulation
        };
        let alone = parallel::serially(end);
        let hash = parallel::Pool::new(Some(3))
            .unwrap()
            .run(|| end().state().hash());
        assert_eq!(alone.state().hash(), hash, "{integrator}");

        // Both plates have flowed, at 3 points of 24 triangles and at the 12 of the metal half.
        let flowed = &alone.state().memory.options.plasticity.flowed;
        assert_eq!(flowed.len(), 3 * 24 + 12, "{integrator}");
        let [quadratic, linear] = [&flowed[..72], &flowed[72..]]
            .map(|own| own.iter().map(|flow| flow.hardened).fold(0.0, f64::max));
        assert!(
            quadratic.max(linear) > 0.005 && quadratic.min(linear) > 1e-4,
            "{integrator}: {quadratic} {linear}"
        );

        // Flow changes no volume: the distortion in space has the determinant 1.
        for flow in flowed {
            near(flow.distortion().volume(), 1.0, 1e-14);
        }
    }
}

#[test]
fn the_hash_has_the_flow_and_a_failed_step_leaves_it() {
    let scene = parse(&dented("implicit_euler").to_string(), &[]).unwrap();
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.run(8).unwrap();
    let saved = simulation.state().save();
    assert!(most(simulation.state()) > 0.0);

    let restored = |saved: &SavedState| saved.restore(&simulation.world().model.coordinates);
    let mut changed = saved.clone();
    let mut flowed = changed.memory.options.plasticity.flowed.iter_mut();
    let flow = flowed.find(|flow| flow.hardened > 0.0);
    flow.unwrap().hardened *= 1.0 + 1e-15;
    let [same, other] = [&saved, &changed].map(|saved| restored(saved).unwrap().hash());
    assert_eq!(same, simulation.state().hash());
    assert_ne!(same, other);

    // What is no flow is no state.
    changed.memory.options.plasticity.flowed[0].plane *= f64::NAN;
    assert!(restored(&changed).is_none());
}

#[test]
fn a_run_of_metals_resumes_to_the_same_bits_is_proved_and_shows_its_flow() {
    let place = Place::new();
    let [whole, part] = place.resumed(&dented("bdf2"), ["9", "16"]);

    // The flow of all written states, and the same fields during the run and later.
    let [own, other] = [&whole, &part].map(|dir| fs::read(format!("{dir}/flow.npy")).unwrap());
    assert!(String::from_utf8_lossy(&own[..128]).contains("(17, 84, 5, )"));
    assert_eq!(own, other);
    let out = place.path("out");
    let fields = "plastic_strain,von_mises";
    ipcsim(&[
        "export", &whole, "--out", &out, "--every", "4", "--fields", fields,
    ])
    .exits(0);
    for step in ["000004", "000016"] {
        let [during, later] = [format!("{whole}/fields"), format!("{out}/fields")]
            .map(|dir| fs::read(format!("{dir}/{step}.vtu")).unwrap());
        assert!(during == later, "{step}");
    }

    // Without the file nobody knows the stress.
    fs::remove_file(format!("{whole}/flow.npy")).unwrap();
    ipcsim(&["export", &whole, "--out", &place.path("none")])
        .exits(2)
        .complains("flow.npy: is missing, without which nobody knows the stress");
}

#[test]
fn a_body_without_metal_has_no_plastic_strain() {
    let place = Place::new();
    let path = place.path("scene.json");
    let mut scene = dented("bdf2");
    scene["materials"]["metal"]["law"] = json!({ "linear": { "young": 1e7, "poisson": 0.3 } });
    fs::write(&path, scene.to_string()).unwrap();
    let dir = place.path("run");
    ipcsim(&["run", &path, "--out", &dir, "--no-frames", "--steps", "2"]).exits(0);
    assert!(!fs::exists(format!("{dir}/flow.npy")).unwrap());
    let out = place.path("out");
    ipcsim(&["export", &dir, "--out", &out, "--fields", "plastic_strain"])
        .exits(2)
        .complains("has no material that may flow");
}
