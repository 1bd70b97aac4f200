//! Sections that are tightened: the force at the end of each step, what follows when they are locked, the
//! promises of all runs, and what is refused.

use crate::program::{Place, ipcsim};
use crate::support::scene;
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::quantities::{Moment, of_body};
use ipcsim::scene::parse;
use serde_json::{Value, json};

/// A clamp in motion: two bolts with heads and feet press two washers each. The first bolt is of a metal that may flow.
fn clamp(integrator: &str) -> Value {
    let bolt = |name: &str, x: f64, material: &str, force: f64| {
        json!({
            "name": name, "material": material, "position": [x, 0], "layer": 1,
            "shape": { "area": { "mesh": { "size": 0.01 }, "outline": { "path": { "points": [
                [-0.02, -0.05], [0.02, -0.05], [0.02, -0.04], [0.01, -0.04], [0.01, 0.04], [0.02, 0.04],
                [0.02, 0.05], [-0.02, 0.05], [-0.02, 0.04], [-0.01, 0.04], [-0.01, -0.04], [-0.02, -0.04]] } } } },
            "preload": { "section": [[0.015, 0], [-0.015, 0]], "force": { "times": [0, 0.004], "values": [0, force] }, "lock": 0.005 }
        })
    };
    let washer = |name: &str, x: f64| {
        json!({
            "name": name, "material": "rubber", "position": [x, 0], "layer": 1,
            "shape": { "rectangle": { "size": [0.008, 0.0798], "segments": [1, 6] } }
        })
    };

    // Washers fill the space beside the shanks.
    json!({
        "time": { "step": 0.0005, "steps": 16, "integrator": integrator },
        "gravity": [0, 0],
        "materials": {
            "steel": { "density": 2000, "law": { "neo_hookean": { "young": 1e8, "poisson": 0.3 } }, "damping": { "mass": 200 } },
            "metal": { "density": 2000, "law": { "j2": { "young": 1e8, "poisson": 0.3, "yield_stress": 4e6, "hardening": 1e7 } } },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e7, "poisson": 0.3 } }, "damping": { "mass": 200 } }
        },
        "bodies": [
            bolt("one", 0.0, "metal", 2e3), bolt("two", 0.1, "steel", 4e3),
            washer("a", -0.0155), washer("b", 0.0155), washer("c", 0.0845), washer("d", 0.1155)
        ],
        "contact": { "friction": { "default": 0.2 } },
        "output": { "ledger": true }
    })
}

/// Value of a quantity of a body.
fn of(simulation: &Simulation, body: &str, name: &str) -> f64 {
    let moment = Moment::of(simulation.world(), simulation.state());
    let body = simulation.body(body).unwrap();
    of_body(name)
        .unwrap()
        .at_body(&moment, body.body())
        .unwrap()
}

#[test]
fn bolts_have_the_wanted_force_after_each_step_and_then_keep_their_length() {
    for integrator in ["implicit_euler", "bdf2"] {
        let scene = parse(&clamp(integrator).to_string(), &[]).unwrap();
        let mut simulation = Simulation::new(scene).unwrap();
        let mut locked = [0.0; 2];

        // Forces grow for eight steps and are held for two.
        for step in 1..=16 {
            simulation.step().unwrap();
            for (k, (name, force)) in [("one", 2e3), ("two", 4e3)].into_iter().enumerate() {
                let shortening = of(&simulation, name, "shortening");
                if step <= 10 {
                    let wanted = force * (f64::from(step) / 8.0).min(1.0);
                    let found = of(&simulation, name, "tension");
                    let error = (found / wanted - 1.0).abs();
                    assert!(
                        error < 1e-3,
                        "{integrator}, step {step}, {name}: {found} for {wanted}"
                    );
                    locked[k] = shortening;
                } else {
                    assert!(
                        (shortening - locked[k]).abs() < 1e-15,
                        "{integrator}: {name}"
                    );
                }
            }
        }
    }
}

#[test]
fn in_statics_a_bolt_closes_gaps_between_parts_with_weight_and_without_and_takes_its_share_of_a_load()
 {
    for gravity in [0.0, -9.81] {
        let set = format!("gravity.1={gravity}");
        let mut simulation = Simulation::new(scene("showcase/bolted_joint", &[&set])).unwrap();
        for step in 1..=100 {
            simulation.step().unwrap();
            let force = of(&simulation, "bolt", "tension");
            if step <= 50 {
                let wanted = 4e2 * f64::from(step);

                // A strain of the piece of 1e-9 counts for nothing.
                let error = (force - wanted).abs();
                assert!(error < 2e-6 * wanted + 0.02, "{step}: {force}");
            }
        }

        // A load of 8 kN is mostly taken off what presses the flanges.
        let more = of(&simulation, "bolt", "tension") - 2e4;
        assert!((250.0..300.0).contains(&more), "{more}");
    }
}

#[test]
fn tightened_runs_have_the_same_bits_on_any_threads_and_after_a_resumption() {
    let scene = parse(&clamp("implicit_euler").to_string(), &[]).unwrap();
    let end = || {
        let mut simulation = Simulation::new(scene.clone()).unwrap();
        simulation.run(16).unwrap();
        simulation.state().hash()
    };
    let hash = parallel::serially(end);
    assert_eq!(hash, parallel::with_threads(Some(2), end).unwrap());

    let place = Place::new();
    let path = place.path("clamp.json");
    std::fs::write(&path, clamp("implicit_euler").to_string()).unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| place.path(name));
    let run = |out: &str, steps: &str| {
        let rest = ["--certify", "--no-frames", "--steps", steps, "--out", out];
        ipcsim(&[&["run", path.as_str()], &rest[..]].concat()).exits(0);
    };
    run(&whole, "16");
    run(&parts, "6");
    ipcsim(&["run", "--resume", &parts, "--steps", "16"]).exits(0);
    for out in [&whole, &parts] {
        ipcsim(&["verify", out]).exits(0).prints("segments");
    }
    for file in ["energies.csv", "bodies.csv", "flow.npy"] {
        let read = |out: &str| std::fs::read(format!("{out}/{file}")).unwrap();
        assert!(read(&whole) == read(&parts), "{file}");
    }
    assert!(
        place
            .read("whole/run.json")
            .contains(&format!("{hash:016x}"))
    );
}

/// A strip of 2 by 8 squares between two held ends, with a preload.
fn strip(preload: &Value) -> Value {
    json!({
        "time": { "step": 0.5, "steps": 2, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [ {
            "name": "strip", "material": "rubber", "position": [2, 3], "rotation_deg": 30,
            "shape": { "rectangle": { "size": [0.2, 0.8], "segments": [2, 8] } },
            "prescribed": [ { "vertices": { "disk": { "center": [1.8, 3.3464], "radius": 0.12 } } },
                            { "vertices": { "disk": { "center": [2.2, 2.6536], "radius": 0.12 } } } ],
            "preload": preload
        } ]
    })
}

#[test]
fn a_turned_strip_has_the_force_along_itself_whichever_side_gets_shorter() {
    let mut lengths = Vec::new();
    for section in [[[0.2, 0.0], [-0.2, 0.0]], [[-0.2, 0.0], [0.2, 0.0]]] {
        let preload = json!({ "section": section, "force": 2e4 });
        let scene = strip(&preload);
        let mut simulation = Simulation::new(parse(&scene.to_string(), &[]).unwrap()).unwrap();
        simulation.run(2).unwrap();
        let reactions: f64 = simulation.reactions().map(|own| own.force.norm()).sum();
        assert!((reactions / 4e4 - 1.0).abs() < 1e-4, "{reactions}");
        lengths.push(of(&simulation, "strip", "shortening"));
    }
    assert!((lengths[0] / lengths[1] - 1.0).abs() < 1e-6, "{lengths:?}");
}

#[test]
fn sections_that_do_not_part_a_body_and_steps_that_do_not_go_with_them_are_refused() {
    let place = Place::new();
    let across = json!([[0.2, 0.0], [-0.2, 0.0]]);
    let plain = json!({ "section": across, "force": 1e3 });
    let cases = [
        (
            json!({ "section": [[1.2, 5.0], [0.8, 5.0]], "force": 1e3 }),
            json!({}),
            "does not cross the body",
        ),
        (
            json!({ "section": [[0.02, 0.0], [-0.2, 0.0]], "force": 1e3 }),
            json!({}),
            "does not part the body",
        ),
        (
            json!({ "section": [[0.0, 0.0], [0.0, 0.0]], "force": 1e3 }),
            json!({}),
            "begins and ends at one point",
        ),
        (
            json!({ "section": across, "force": 1e3, "length": 0.9 }),
            json!({}),
            "nothing of the body is beyond",
        ),
        (
            json!({ "section": across, "force": "1e3*x" }),
            json!({}),
            "depends on the place",
        ),
        (
            plain.clone(),
            json!({ "time": { "step": 0.5, "steps": 2, "adaptive": { "tolerance": 1e-3, "smallest": 0.1 } } }),
            "time.adaptive",
        ),
        (
            plain.clone(),
            json!({ "time": { "step": 0.5, "steps": 2, "integrator": "trapezoid" } }),
            "at the end of a step",
        ),
        (plain, json!({ "plane": "axisymmetric" }), "across the axis"),
    ];

    for (preload, keys, message) in cases {
        let mut scene = strip(&preload);
        for (key, value) in keys.as_object().unwrap() {
            scene[key] = value.clone();
        }
        let path = place.path("scene.json");
        std::fs::write(&path, scene.to_string()).unwrap();
        let checked = ipcsim(&["check", &path]);
        assert_eq!(checked.code, 2, "{message}");
        assert!(
            checked.stderr.contains(message),
            "{message}: {}",
            checked.stderr
        );
    }
}
