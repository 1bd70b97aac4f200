//! Bodies that overlap as drawn, on purpose: the free size is found or refused by name, selections mean
//! places as drawn, and runs keep the promises of all others.

use crate::program::{Place, ipcsim};
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use serde_json::{Value, json};

/// A polygon of a disk or, with a bore, of a ring about the origin.
fn round(radius: f64, bore: Option<f64>) -> Value {
    let circle = |radius: f64| json!({ "circle": { "center": [0, 0], "radius": radius } });
    let holes: Vec<Value> = bore.map(circle).into_iter().collect();
    json!({ "area": { "outline": circle(radius), "holes": holes, "deviation": 2e-4, "mesh": { "size": 0.05 } } })
}

/// A shaft of a metal that flows and a plug of springs in a plate with two bores, on the ground.
fn plate(integrator: &str) -> Value {
    let circle = |x: f64| json!({ "circle": { "center": [x, 0], "radius": 0.05 } });
    let plate = json!({ "area": {
        "outline": { "path": { "points": [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]] } },
        "holes": [circle(-0.1), circle(0.1)], "deviation": 2e-4, "mesh": { "size": 0.05 }
    } });
    json!({
        "time": { "step": 0.002, "steps": 12, "integrator": integrator },
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } },
            "metal": { "density": 2000, "law": { "j2": { "young": 2e6, "poisson": 0.3, "yield_stress": 2e4, "hardening": 1e5 } } },
            "net": { "density": 1000, "law": { "mass_spring": { "stiffness": 1e6 } } }
        },
        "bodies": [
            { "name": "shaft", "material": "metal", "elements": "quadratic", "position": [-0.1, 0.101],
              "shape": round(0.051, None) },
            { "name": "plug", "material": "net", "position": [0.1, 0.101], "shape": round(0.051, None) },
            { "name": "plate", "material": "rubber", "position": [0, 0.101], "shape": plate }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }
        ],
        "contact": {
            "friction": { "default": 0.3 },
            "interference": [
                { "between": ["shaft", "plate"], "until": 0.01 }, { "between": ["plate", "plug"], "until": 0.02 }
            ]
        },
        "output": { "ledger": true }
    })
}

#[test]
fn fits_have_the_same_bits_on_any_threads_with_every_integrator() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let scene = parse(&plate(integrator).to_string(), &[]).unwrap();
        let end = || {
            let mut simulation = Simulation::new(scene.clone()).unwrap();
            simulation.run(12).unwrap();
            let spread: f64 = simulation.contacts().map(|own| own.normal_force).sum();
            (simulation.state().hash(), spread)
        };
        let (hash, force) = parallel::serially(end);
        let pool = parallel::Pool::new(Some(3)).unwrap();
        assert_eq!(pool.run(end).0, hash, "{integrator}");
        assert!(force > 1e3, "{integrator}: {force}");
    }
}

#[test]
fn a_run_of_fits_resumes_to_the_same_bits_is_proved_and_says_its_sizes() {
    let place = Place::new();
    let [whole, _] = place.resumed(&plate("bdf2"), ["5", "12"]);
    let scene = format!("{whole}/scene.json");
    ipcsim(&["check", &scene])
        .exits(0)
        .prints("\"shaft\": of its size at the start, about (-0.1, 0.101) m")
        .prints("it has its drawn size from 0.01 s on");
}

/// A scene of bodies with these shapes and keys, whose first and last overlap on purpose.
fn fit(bodies: &[Value], obstacles: &[Value], interference: &Value) -> Value {
    json!({
        "time": { "step": 0.5, "steps": 2, "integrator": "static" }, "gravity": [0, 0],
        "materials": {
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } }
        },
        "bodies": bodies, "obstacles": obstacles,
        "contact": { "interference": [interference] }
    })
}

/// A soft body of this name and shape, with more keys.
fn soft(name: &str, shape: &Value, more: &Value) -> Value {
    let mut body = json!({ "name": name, "material": "rubber", "shape": shape });
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

/// What a scene is refused with, which has all these parts.
fn refused(scene: &Value, parts: &[&str]) -> String {
    let parsed = parse(&scene.to_string(), &[]).unwrap();
    let text = parsed.build().unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "{text}");
    }
    text
}

#[test]
fn the_one_that_can_get_free_is_resized_about_a_point_that_keeps_what_is_held() {
    let between = json!({ "between": ["ring", "shaft"] });
    let shaft = json!({ "name": "shaft", "shape": { "circle": { "radius": 0.1 } } });
    let held = |axis: &str, at: [f64; 2]| json!({ "vertices": { "nearest": at }, "axis": axis });

    // A ring on a rigid shaft gets larger, about the line of the vertices that are held.
    let edge = json!({ "prescribed": [held("x", [0.0, 0.2]), held("x", [0.0, -0.2])] });
    let scene = fit(
        &[soft("ring", &round(0.2, Some(0.098)), &edge)],
        std::slice::from_ref(&shaft),
        &between,
    );
    let setup = parse(&scene.to_string(), &[]).unwrap().build().unwrap();
    let row = setup.derived.iter().find(|row| row.name == "start_change");
    let row = row.unwrap();
    assert!(row.value > 0.02 && row.value < 0.03, "{}", row.value);
    assert_eq!(row.of, ["ring"]);
    assert!(row.reason.contains("about (0, "), "{}", row.reason);

    // Vertices that are held at several heights would move.
    let clamped = json!({ "prescribed": [held("y", [0.0, 0.2]), held("y", [0.2, 0.0])] });
    let scene = fit(
        &[soft("ring", &round(0.2, Some(0.098)), &clamped)],
        &[shaft],
        &between,
    );
    let error = parse(&scene.to_string(), &[]).unwrap().build().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("has vertices whose y is held from"), "{text}");
    assert!(!text.contains("overlaps \"shaft\""), "{text}");
}

#[test]
fn pairs_that_cannot_be_freed_are_refused_with_their_reasons() {
    let square = |side: f64| json!({ "square": { "side": side, "segments": 2 } });
    let inside = fit(
        &[
            soft("small", &square(0.1), &json!({})),
            soft("large", &square(1.0), &json!({})),
        ],
        &[],
        &json!({ "between": ["small", "large"] }),
    );
    refused(
        &inside,
        &[
            "finds no size at which \"small\" and \"large\" are apart",
            "\"large\" overlaps something at every size",
        ],
    );

    // What can be said before anything is built.
    let mut scene = inside.clone();
    scene["contact"]["interference"] = json!([
        { "between": ["small", "smal"] },
        { "between": ["small", "large"], "resize": "ground" },
        { "between": ["large", "large"], "until": 0 }
    ]);
    refused(
        &scene,
        &[
            "no body or obstacle is named \"smal\"",
            "name \"small\" or \"large\"",
            "names \"large\" twice",
        ],
    );
    scene["bodies"][0]["kind"] = json!("rigid");
    scene["bodies"][1]["stretch"] = json!([1.1, 1]);
    scene["contact"]["interference"] = json!([{ "between": ["small", "large"] }]);
    refused(
        &scene,
        &["\"small\" does not deform, \"large\" starts with a stretch"],
    );

    // Without the key the message names it.
    scene = inside;
    scene["contact"] = json!({});
    refused(
        &scene,
        &[
            "if a press fit is meant, add { \"between\": [\"small\", \"large\"] } to contact.interference",
        ],
    );
}

#[test]
fn an_overlap_in_a_hole_is_told_by_its_depth_and_not_by_a_move_out_of_it() {
    let pair = |shaft: f64, bore: f64, turned: f64| {
        let mut scene = fit(
            &[
                soft("hub", &round(0.2, Some(bore)), &json!({})),
                soft(
                    "shaft",
                    &round(shaft, None),
                    &json!({ "rotation_deg": turned }),
                ),
            ],
            &[],
            &json!({}),
        );
        scene["contact"] = json!({});
        scene
    };

    // No edge crosses another; polygons whose corners cross; and one that lies beside the bore.
    let meant = "if a press fit is meant, add { \"between\": [\"hub\", \"shaft\"] }";
    let filled = "\"shaft\" is larger than the hole of \"hub\" that it fills, by up to 0.002 m";
    refused(&pair(0.102, 0.1, 0.0), &[filled, "leave clearance", meant]);
    refused(
        &pair(0.1, 0.1, 3.0),
        &["\"hub\" cuts into \"shaft\"", "use a finer mesh", meant],
    );
    let mut beside = pair(0.1, 0.1, 0.0);
    beside["bodies"][1]["position"] = json!([0.2, 0]);
    refused(
        &beside,
        &["\"hub\" overlaps \"shaft\"", "move \"hub\" by", meant],
    );

    // Two pieces side by side may be one: the joint of the message glues them.
    let square = json!({ "square": { "side": 1, "segments": 1 } });
    let aside = json!({ "position": [1, 0] });
    let mut pieces = fit(
        &[
            soft("left", &square, &json!({})),
            soft("right", &square, &aside),
        ],
        &[],
        &json!({}),
    );
    pieces["contact"] = json!({});
    let text = refused(&pieces, &["\"left\" touches \"right\""]);
    let (_, joint) = text.split_once("or add ").unwrap();
    let (joint, _) = joint.split_once(" to joints").unwrap();
    pieces["joints"] = json!([serde_json::from_str::<Value>(joint).unwrap()]);
    parse(&pieces.to_string(), &[]).unwrap().build().unwrap();

    // What only turns and moves cannot be fitted.
    let mut rigid = pair(0.102, 0.1, 0.0);
    for body in [0, 1] {
        rigid["bodies"][body]["kind"] = json!("rigid");
    }
    let text = refused(&rigid, &[filled]);
    assert!(!text.contains("press fit"), "{text}");
}

#[test]
fn vertices_are_selected_by_the_nearest_one_by_another_body_and_along_the_outline() {
    let mut scene = fit(
        &[
            soft("ring", &round(0.2, Some(0.1)), &json!({})),
            soft("shaft", &round(0.0999, None), &json!({})),
        ],
        &[],
        &json!({ "between": ["ring", "shaft"] }),
    );
    let selections = json!({
        "bore": { "near": { "body": "shaft", "within": 1e-3 } },
        "rim": { "tangent": { "from": [0.3, 0] } },
        "top": { "nearest": [0.01, 0.5] },
        "rest": { "all_of": ["boundary", { "not": { "tangent": { "from": [0.3, 0] } } }] }
    });
    scene["bodies"][0]["selections"] = selections;
    let names = ["bore", "rim", "top", "rest"];
    let probes = names.map(|name| json!({ "name": name, "body": "ring", "vertices": name }));
    scene["output"] = json!({ "probes": probes });
    let setup = parse(&scene.to_string(), &[]).unwrap().build().unwrap();
    let chosen = names.map(|name| {
        let probes = setup.scene.output.probes.iter();
        let mut probes = probes.filter(|probe| probe.name == name);
        let probe = probes.next().unwrap();
        let samples = ipcsim::scene::samples::probe(probe, &setup, "").unwrap();
        let rest = samples.iter().map(|sample| setup.world.rest[sample.number]);
        rest.collect::<Vec<_>>()
    });
    let [bore, rim, top, rest] = &chosen;
    assert!(bore.len() > 12 && bore.iter().all(|x| (x.norm() - 0.1).abs() < 1e-9));
    assert!(rim.len() > 12 && rim.iter().all(|x| (x.norm() - 0.2).abs() < 1e-9));
    assert_eq!((top.len(), rest), (1, bore));
    assert!(top[0].y > 0.199, "{}", top[0]);

    // What does not exist, or is too far, is named.
    for (selection, message) in [
        (
            json!({ "near": { "body": "shaf", "within": 1e-3 } }),
            "there is no other body or obstacle of that name",
        ),
        (
            json!({ "near": { "body": "shaft", "within": 1e-5 } }),
            "m away from \"shaft\": make within larger",
        ),
        (
            json!({ "tangent": { "from": [0, 0], "angle_deg": 200 } }),
            "angle_deg",
        ),
    ] {
        scene["bodies"][0]["prescribed"] = json!([{ "vertices": selection }]);
        let error = parse(&scene.to_string(), &[]).unwrap().build().unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}
