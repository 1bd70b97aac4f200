//! Bodies of revolution in whole runs: the same bits after resuming and on any number of threads,
//! certificates, the axis as a wall, forces of the full turn, and fields.

use crate::cli_resume::same_and_proved;
use crate::program::{Npy, Place, ipcsim_in};
use ipcsim::prelude::*;
use serde_json::{Value, json};

/// A pile of bodies of revolution that falls into a cone: a rigid punch, a ring, a disk and a metal.
fn pile(integrator: &str) -> Value {
    let elastic = json!({ "young": 2e5, "poisson": 0.35 });
    let block = |name: &str, size: [f64; 2], at: [f64; 2]| {
        json!({ "name": name, "material": name, "position": at,
            "shape": { "rectangle": { "size": size, "segments": [3, 2] } } })
    };
    let mut punch = block("steel", [0.3, 0.2], [0.15, 1.0]);
    punch["kind"] = json!("rigid");
    punch["fixed"] = json!(["x", "angle"]);
    punch["velocity"] = json!([0, -3]);
    let mut disk = block("rubber", [0.5, 0.3], [0.25, 0.3]);
    disk["elements"] = json!("quadratic");
    let mut ring = block("soft", [0.2, 0.3], [0.75, 0.3]);
    ring["dilatation"] = json!("mean");
    let lead = block("lead", [0.2, 0.2], [0.35, 0.6]);
    json!({
        "time": { "step": 0.01, "steps": 20, "integrator": integrator },
        "plane": "axisymmetric",
        "materials": {
            "steel": { "density": 7800.0 },
            "rubber": { "density": 1000.0, "law": { "stable_neo_hookean": elastic }, "damping": { "mass": 1.0 } },
            "soft": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.49 } } },
            "lead": { "density": 3000.0, "law": { "j2": { "young": 1e6, "poisson": 0.4, "yield_stress": 2e3, "hardening": 1e4 } } }
        },
        "bodies": [disk, ring, lead, punch],
        "obstacles": [{ "name": "cone", "shape": { "half_plane": { "normal": [-0.2, 1.0], "origin": [0.0, -0.1] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    })
}

#[test]
fn runs_keep_their_bits_on_any_threads_and_after_resuming_and_are_proved() {
    for integrator in ["implicit_euler", "bdf2"] {
        let place = Place::new();
        let scene = place.scene(&pile(integrator));
        same_and_proved(&place, &scene, 6);
    }
}

#[test]
fn a_tube_that_is_crushed_to_its_axis_stops_before_it() {
    let scene = json!({
        "time": { "step": 1, "steps": 1, "integrator": "static" },
        "gravity": [0, 0],
        "plane": "axisymmetric",
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{ "name": "tube", "material": "m", "position": [0.15, 0.1],
            "shape": { "rectangle": { "size": [0.1, 0.2], "segments": [2, 4] } },
            "prescribed": [{ "vertices": { "side": "bottom" }, "axis": "y" }, { "vertices": { "side": "top" }, "axis": "y" }] }],
        "loads": [{ "name": "p", "body": "tube", "on": { "side": "right" }, "pressure": 1e6 }]
    });
    let scene = ipcsim::scene::parse(&scene.to_string(), &[]).unwrap();
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.step().unwrap();
    let x = &simulation.state().x;
    let nearest = x.iter().map(|x| x.x).fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.0 && nearest < 0.05, "{nearest}");
}

#[test]
fn vertices_on_the_axis_stay_there_and_bodies_beyond_it_are_refused() {
    let mut simulation =
        Simulation::new(ipcsim::scene::parse(&pile("implicit_euler").to_string(), &[]).unwrap())
            .unwrap();
    simulation.run(10).unwrap();
    let rest = &simulation.world().rest;
    let both = simulation.state().x.iter().zip(rest);
    let mut on_axis = 0;
    for (x, rest) in both {
        let is_obstacle = rest.y < 0.0;
        if rest.x == 0.0 && !is_obstacle {
            assert!(x.x == 0.0);
            on_axis += 1;
        }
    }
    assert!(on_axis > 4);

    let mut beyond = pile("implicit_euler");
    beyond["bodies"][0]["position"] = json!([0.1, 0.3]);
    let scene = ipcsim::scene::parse(&beyond.to_string(), &[]).unwrap();
    let refused = Simulation::new(scene).unwrap_err().to_string();
    assert!(refused.contains("reaches over the axis"), "{refused}");
}

#[test]
fn the_tip_of_a_cone_is_held_by_its_contact() {
    // The tip is on the axis, where a turn has no area.
    let place = Place::new();
    let scene = place.scene(&json!({
        "plane": "axisymmetric",
        "time": { "step": 1, "steps": 2, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{
            "name": "cone",
            "material": "rubber",
            "shape": { "area": {
                "outline": { "path": { "points": [[0, 1e-4], [0.1, 0.02], [0.1, 0.1], [0, 0.1]] } },
                "mesh": { "size": 0.03 }
            } },
            "prescribed": [{ "vertices": { "side": "top" }, "displacement": { "x": 0, "y": { "times": [0, 2], "values": [0, -0.01] } } }]
        }],
        "obstacles": [{ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "measure": [{ "name": "force", "value": "reaction_y", "of": "floor" }]
    }));
    let folder = place.ran(&scene, "run", &[]);
    ipcsim_in(place.root(), &["verify", &folder]).exits(0);
    let report = place.json("run/run.json");
    let force = report["measures"][0]["value"].as_f64().unwrap();
    assert!(force.abs() > 1.0, "{force}");
}

#[test]
fn a_stored_state_that_leaves_the_axis_is_caught() {
    let place = Place::new();
    let scene = place.scene(&pile("implicit_euler"));
    for (k, radius) in [1e-12, -1e-12].into_iter().enumerate() {
        let folder = place.ran(&scene, &format!("run {k}"), &["--steps", "3"]);
        ipcsim_in(place.root(), &["verify", &folder]).exits(0);
        let mesh = place.json(&format!("run {k}/mesh.json"));
        let rest = |vertex: usize| mesh["vertices_rest"][vertex][0].as_f64().unwrap();
        let on_axis = (0..20).find(|&vertex| rest(vertex) == 0.0).unwrap();
        let file = format!("{folder}/trajectory.npy");
        let [_, y] = Npy::open(&file).at(2, on_axis);
        Npy::open(&file).put(2, on_axis, [radius, y]);
        let found = ipcsim_in(place.root(), &["verify", &folder]);
        found.exits(1).prints("the axis x = 0");
    }
}

#[test]
fn hoop_stress_and_strain_are_fields_of_bodies_of_revolution() {
    let place = Place::new();
    let scene = place.scene(&pile("implicit_euler"));
    place.ran(&scene, "run", &["--steps", "2"]);
    let root = place.root();
    ipcsim_in(root, &["render", "run", "--color-by", "hoop"]).exits(0);
}
