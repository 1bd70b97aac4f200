//! Crowds of bodies with restitution: energy, resumption, threads, proof.

use crate::program::{Place, ipcsim};
use crate::restitution::{SCHEMES, body};
use crate::support::{Parts, Run, stones};
use ipcsim::scene::Scene;
use ipcsim::time::SavedState;
use serde_json::json;

/// Kinetic energy of all bodies (J).
pub(crate) fn kinetic(run: &Run) -> f64 {
    let mass = &run.world().model.mass;
    let parts = run.state().q_dot.iter().zip(mass);
    parts.map(|(v, m)| 0.5 * v.dot(&v.component_mul(m))).sum()
}

/// Bodies of these kinds that fly about in a box without gravity.
pub(crate) fn crowd(scheme: &str, e: f64, kinds: &[&str]) -> Scene {
    let mut random = 1_u64;
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 40) as f64 / f64::from(1_u32 << 24) - 0.5
    };

    let mut bodies = Vec::new();
    for k in 0..16_u32 {
        let kind = kinds[k as usize % kinds.len()];
        let mut own = body(kind, &format!("body {k}"), 0.0, 0.0);
        own["position"] = json!([0.3 * f64::from(k % 4), 0.3 * f64::from(k / 4)]);
        own["velocity"] = json!([6.0 * next(), 6.0 * next()]);
        own["spin_deg"] = json!(200.0 * next());
        bodies.push(own);
    }
    let wall = |k: usize, normal: [f64; 2], origin: [f64; 2]| {
        json!({
            "name": format!("wall {k}"),
            "shape": { "half_plane": { "normal": normal, "origin": origin } },
        })
    };
    let walls = [
        wall(0, [1.0, 0.0], [-0.18, 0.0]),
        wall(1, [-1.0, 0.0], [1.08, 0.0]),
        wall(2, [0.0, 1.0], [0.0, -0.18]),
        wall(3, [0.0, -1.0], [0.0, 1.08]),
    ];
    stones(
        &bodies,
        json!({
            "time": { "step": 2e-3, "steps": 10, "integrator": scheme },
            "gravity": [0.0, 0.0],
            "obstacles": walls,
            "contact": { "restitution": {
                "default": e,
                "pairs": [{ "between": ["body 5", "body 6"], "coefficient": 0.1 }],
            } },
        }),
    )
}

#[test]
fn no_impact_in_a_crowd_raises_the_kinetic_energy() {
    for scheme in ["implicit_euler", "bdf2", "tr_bdf2"] {
        for e in [0.6, 1.0] {
            let mut run = Run::of(&crowd(scheme, e, &["disk", "box"]));
            let start = kinetic(&run);
            let mut before = start;
            for step in 0..150 {
                run.step();
                let after = kinetic(&run);
                assert!(after < before * (1.0 + 1e-6), "{scheme} e {e} step {step}");
                before = after;
            }
            // Impacts took place, and elastic ones of rigid bodies take little.
            assert!(
                before < 0.999 * start,
                "{scheme} e {e}: {before} of {start}"
            );
        }
    }
}

#[test]
fn a_run_resumes_at_any_step_and_on_any_solver_with_the_same_bits() {
    for scheme in SCHEMES {
        let scene = crowd(scheme, 0.8, &["disk", "box", "affine"]);
        let mut whole = Parts::of(&scene);
        let mut resumed = Parts::of(&scene);
        for step in 0..60 {
            let done = whole.step();
            let stored = postcard::to_stdvec(&resumed.state.save()).unwrap();
            let memory = resumed.solver.memory();

            resumed = Parts::of(&scene);
            let state: SavedState = postcard::from_bytes(&stored).unwrap();
            let coordinates = &resumed.world.model.coordinates;
            resumed.state = state.restore(coordinates).unwrap();
            resumed
                .solver
                .recall(&resumed.world.model, &memory)
                .unwrap();
            assert_eq!(resumed.step(), done, "{scheme} step {step}");
        }
    }
}

#[test]
fn threads_and_an_interruption_do_not_change_a_bit_and_the_run_is_proved() {
    let place = Place::new();
    let scene = crowd("bdf2", 0.8, &["disk", "box", "affine"]);
    let file = place.path("scene.json");
    std::fs::write(&file, serde_json::to_string(&scene).unwrap()).unwrap();
    let run = |name: &str, more: &[&str]| {
        let out = place.path(name);
        let fixed = ["run", &file, "--steps", "60", "--no-frames", "--out", &out];
        ipcsim(&[&fixed[..], more].concat()).exits(0);
    };
    run("one", &["--threads", "1", "--certify"]);
    run("three", &["--threads", "3"]);
    run("stopped", &["--max-wall", "1e-9"]);
    let stopped = place.path("stopped");
    assert_eq!(ipcsim(&["run", "--resume", &stopped]).code, 0);

    let of = |name: &str| {
        let mut files = place.files(name);
        ["trajectory.npy", "energies.csv"].map(|file| files.remove(file).unwrap())
    };
    assert!(of("one") == of("three"), "threads");
    assert!(of("one") == of("stopped"), "resumed");
    assert_eq!(ipcsim(&["verify", &place.path("one")]).code, 0);
}
