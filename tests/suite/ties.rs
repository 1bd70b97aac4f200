//! Ties between displacements in whole runs: the same bits after resuming and on any number of threads,
//! proofs, a closed ledger, and what is refused.

use crate::cli_resume::same_and_proved;
use crate::program::{Place, ipcsim_in};
use crate::support::near;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use ipcsim_store::ledger::Books;
use serde_json::{Value, json};

/// A term of a tie.
fn term(body: &str, vertices: &Value, axis: &str, factor: f64) -> Value {
    json!({ "body": body, "vertices": vertices, "axis": axis, "factor": factor })
}

/// A soft block whose top stays plane falls on the ground, and a second one shares its sideways motion and
/// rises against it.
fn blocks(integrator: &str) -> Value {
    let block = |name: &str, x: f64| {
        json!({ "name": name, "material": "m", "position": [x, 0.11],
            "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [4, 2] } } })
    };
    let top = json!({ "side": "top" });
    let nearest = |x: f64, y: f64| json!({ "nearest": [x, y] });
    json!({
        "time": { "step": 0.01, "steps": 12, "integrator": integrator },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [block("left", 0.0), block("right", 0.6)],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0.1, 1], "origin": [0, -0.1] } } }],
        "ties": [
            { "name": "plane", "terms": [term("left", &top, "y", 1.0), term("left", &nearest(0.2, 0.21), "y", -1.0)] },
            { "name": "together", "terms": [term("left", &nearest(0.2, 0.01), "x", 1.0), term("right", &nearest(0.4, 0.01), "x", -1.0)] },
            { "name": "lift", "terms": [term("right", &nearest(0.8, 0.21), "y", 1.0)], "equals": "0.02*sin(20*t)" }
        ],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    })
}

/// Simulation of a scene in JSON.
fn simulation(scene: &Value) -> Result<Simulation, Error> {
    Simulation::new(parse(&scene.to_string(), &[]).unwrap())
}

/// Displacement (m) of the vertex that is nearest to a place (m).
fn moved(simulation: &Simulation, x: f64, y: f64) -> ipcsim::math::Vec2 {
    let rest = &simulation.world().rest;
    let at = ipcsim::math::Vec2::new(x, y);
    let distance = |k: usize| (rest[k] - at).norm();
    let nearest = (0..rest.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(at, |k| simulation.state().x[k] - rest[k])
}

#[test]
fn runs_keep_their_bits_on_any_threads_and_after_resuming_and_are_proved() {
    for integrator in ["implicit_euler", "bdf2"] {
        let place = Place::new();
        let scene = place.scene(&blocks(integrator));
        same_and_proved(&place, &scene, 6);
    }
}

#[test]
fn displacements_are_tied_at_the_end_of_every_step() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let mut simulation = simulation(&blocks(integrator)).unwrap();
        for _ in 0..12 {
            simulation.step().unwrap();
            let t = simulation.state().time;
            let corner = moved(&simulation, 0.2, 0.21);
            for k in 0..4 {
                near(
                    moved(&simulation, 0.1 * f64::from(k) - 0.2, 0.21).y,
                    corner.y,
                    1e-10,
                );
            }
            let both = [moved(&simulation, 0.2, 0.01), moved(&simulation, 0.4, 0.01)];
            near(both[0].x, both[1].x, 1e-10);
            near(
                moved(&simulation, 0.8, 0.21).y,
                0.02 * (20.0 * t).sin(),
                1e-10,
            );
        }
        assert!(moved(&simulation, 0.2, 0.01).norm() > 1e-3, "{integrator}");
    }
}

#[test]
fn the_work_and_impulses_of_ties_close_the_ledger() {
    for integrator in ["implicit_euler", "bdf2"] {
        let mut simulation = simulation(&blocks(integrator)).unwrap();
        let mut books = Books::default();
        books.enter(&simulation.begin().unwrap().record);
        for _ in 0..12 {
            books.enter(&simulation.step().unwrap().record);
            near(books.unexplained_work(), 0.0, 1e-9);
            let left = books.unexplained_impulse().linear.norm();
            assert!(left < 1e-8, "{integrator}: {left}");
        }
    }
}

#[test]
fn a_stored_tie_that_was_changed_is_found() {
    let place = Place::new();
    let scene = place.scene(&blocks("implicit_euler"));
    let folder = place.ran(&scene, "run", &["--steps", "4"]);
    ipcsim_in(place.root(), &["verify", &folder]).exits(0);

    // The last tie is one of another place.
    let mut mesh = place.json("run/mesh.json");
    let ties = mesh["joints"].as_array_mut().unwrap();
    assert_eq!(ties[2]["label"], json!("tie \"lift\""));
    ties[2]["ties"][0]["keeps"] = json!({ "at": "0.03*sin(20*t)" });
    std::fs::write(place.path("run/mesh.json"), mesh.to_string()).unwrap();
    ipcsim_in(place.root(), &["verify", &folder])
        .exits(2)
        .complains("mesh.json");
}

#[test]
fn ties_without_a_meaning_are_refused_with_the_reason() {
    let all = json!("all");
    let side = |side: &str| json!({ "side": side });
    let cases = [
        (json!([]), "are 0, but a tie has from 1 to 6"),
        (json!([term("leff", &all, "x", 1.0)]), "leff"),
        (
            json!([term("left", &all, "angle", 1.0)]),
            "a vertex has no angle",
        ),
        (json!([term("left", &all, "x", 0.0)]), "has no effect"),
        (
            json!([term("stone", &all, "x", 1.0)]),
            "do not move by themselves",
        ),
        (
            json!([
                term("left", &side("top"), "x", 1.0),
                term("left", &side("left"), "x", 1.0)
            ]),
            "select as many, or one",
        ),
        (
            json!([term("held", &side("top"), "x", 1.0)]),
            "all prescribed",
        ),
        (
            json!([term("right", &json!({ "nearest": [0.8, 0.21] }), "y", 2.0)]),
            "contradicts the ties before it",
        ),
    ];
    for (terms, reason) in cases {
        let mut scene = blocks("implicit_euler");
        let mut stone = scene["bodies"][0].clone();
        stone["name"] = json!("stone");
        stone["kind"] = json!("rigid");
        stone["position"] = json!([2, 1]);
        let mut held = scene["bodies"][0].clone();
        held["name"] = json!("held");
        held["position"] = json!([3, 1]);
        held["prescribed"] = json!([{ "vertices": { "side": "top" } }]);
        let bodies = scene["bodies"].as_array_mut().unwrap();
        bodies.extend([stone, held]);
        scene["ties"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "terms": terms }));
        let refused = simulation(&scene).unwrap_err().to_string();
        assert!(refused.contains(reason), "{reason}: {refused}");
    }

    let mut scene = blocks("implicit_euler");
    scene["ties"][0]["equals"] = json!(0.1);
    let refused = simulation(&scene).unwrap_err().to_string();
    assert!(refused.contains("must begin at 0"), "{refused}");
}

#[test]
fn cells_have_ties_between_vertices_and_not_between_images() {
    let cell = |vertex: [f64; 2]| {
        let tied = json!({ "nearest": vertex });
        let terms = [
            term("m", &tied, "y", 1.0),
            term("m", &json!({ "nearest": [0.5, 0.5] }), "y", 1.0),
        ];
        json!({
            "time": { "step": 0.5, "steps": 2, "integrator": "static" },
            "gravity": [0, 0],
            "periodic": { "x": 1, "y": 1, "strain": { "yy": "-0.1 * t", "xy": "0.1 * t" } },
            "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
            "bodies": [{ "name": "m", "material": "m", "position": [0.5, 0.5],
                "prescribed": [{ "vertices": { "nearest": [0, 0] } }],
                "shape": { "rectangle": { "size": [1, 1], "segments": [4, 4] } } }],
            "ties": [{ "terms": terms }]
        })
    };
    let mut tied = simulation(&cell([0.25, 0.25])).unwrap();
    tied.run(2).unwrap();
    let sum = moved(&tied, 0.25, 0.25).y + moved(&tied, 0.5, 0.5).y;
    near(sum, 0.0, 1e-10);
    assert!(moved(&tied, 0.5, 0.5).y.abs() > 1e-3);

    let refused = simulation(&cell([1.0, 0.5])).unwrap_err().to_string();
    assert!(refused.contains("image of a vertex"), "{refused}");
}
