//! Kinds of bodies in cells that repeat: grains, frames of rods and gas, with all integrators.
//!
//! What may not matter is which image of a body is drawn, so that patterns drawn from two places have the
//! same stress. Where closed forms exist, runs are compared with them.

use crate::cli_resume::same_and_proved;
use crate::program::Place;
use ipcsim::prelude::*;
use ipcsim::time::CellRecord;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Side of the cells of grains (m).
const SIDE: f64 = 0.1;

/// Integrators of moving scenes.
const MOVING: [&str; 4] = ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"];

/// Numbers that look random, from 0 to 1.
fn number(k: usize) -> f64 {
    (k as f64 * 0.754_877 + 0.31).fract()
}

/// A cell of 3 by 3 grains of a kind, each with its velocity and spin, drawn `from` a part of the period on.
fn grains(kind: &Value, is_round: bool, from: [f64; 2]) -> Value {
    let step = SIDE / 3.0;
    let bodies = (0..9).map(|k| {
        let place = [k % 3, k / 3].map(|i| (i as f64 + 0.5) * step);
        let at = [0, 1].map(|axis: usize| {
            let jitter = (number(7 * k + axis) - 0.5) * 0.16 * step;
            (place[axis] + jitter + from[axis] * SIDE).rem_euclid(SIDE)
        });
        let radius = (0.36 + 0.05 * number(k + 50)) * step;
        let shape = if is_round {
            json!({ "circle": { "radius": radius } })
        } else {
            json!({ "regular_polygon": { "radius": 1.12 * radius, "sides": 5, "segments": 1 } })
        };
        let [u, v] = [k + 20, k + 40].map(|k| 0.2 * (number(k) - 0.5));
        json!({ "name": format!("g{k}"), "kind": kind, "material": "m", "shape": shape, "position": at,
            "rotation_deg": 90.0 * number(k), "velocity": [u, v], "spin_deg": 800.0 * (number(k + 60) - 0.5) })
    });
    json!({
        "time": { "step": 1e-3, "steps": 27 },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "y": SIDE },
        "materials": { "m": { "density": 2500.0 } },
        "bodies": bodies.collect::<Vec<Value>>(),
        "contact": { "friction": { "default": 0.3 } },
        "solver": { "tolerance": 1e-11 },
        "output": { "ledger": true }
    })
}

/// Strains by which grains come into contact.
fn squeezed(mut scene: Value) -> Value {
    scene["periodic"]["strain"] = json!({ "xx": "-4.5 * t", "yy": "-4.5 * t", "xy": "1.5 * t" });
    scene
}

/// Stresses by which grains come into contact.
fn pressed(mut scene: Value) -> Value {
    let stress = "-1e5 * min(t, 0.02)";
    scene["periodic"]["stress"] = json!({ "xx": stress, "yy": stress });
    scene
}

/// A square frame of two struts that cross at the corner of the cell, drawn `from` a place (m) on.
fn frame(join: &str, from: [f64; 2]) -> Value {
    let count = 16;
    let strut = |name: &str, way: [f64; 2]| {
        let points = (0..=count).map(|k| {
            let share = f64::from(k) / f64::from(count);
            [0, 1].map(|axis: usize| from[axis] + SIDE * way[axis] * share)
        });
        json!({ "name": name, "material": "m",
            "kind": { "rod": { "axial_stiffness": 1e3, "bending_stiffness": 1e-3, "mass_per_length": 0.01, "radius": 0 } },
            "shape": { "polyline": { "points": points.collect::<Vec<[f64; 2]>>() } } })
    };
    json!({
        "time": { "step": 0.1, "steps": 10, "integrator": "static" },
        "gravity": [0, 0],
        "periodic": { "x": SIDE, "y": SIDE, "rods": join },
        "materials": { "m": { "density": 1000.0 } },
        "bodies": [strut("lying", [1.0, 0.0]), strut("standing", [0.0, 1.0])],
        "solver": { "tolerance": 1e-11 }
    })
}

/// A square of rubber of 16 by 16 squares of triangles with an open square in it, which is gas, drawn
/// `from` some squares on.
fn foam(from: usize, elements: &str) -> Value {
    let n = 16;
    let mut vertices: Vec<[f64; 2]> = Vec::new();
    let mut numbers = std::collections::BTreeMap::new();
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
        let [column, row] = [i, j].map(|k| (k + from) % n);
        if (5..11).contains(&column) && (5..11).contains(&row) {
            continue;
        }
        let corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
        let [a, b, c, d] = corners.map(|corner| {
            *numbers.entry(corner).or_insert_with(|| {
                vertices.push(corner.map(|k| k as f64 / n as f64 * 0.02));
                vertices.len() - 1
            })
        });
        if (row + column) % 2 == 0 {
            triangles.extend([[a, b, d], [b, c, d]]);
        } else {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    json!({
        "time": { "step": 0.1, "steps": 10, "integrator": "static" },
        "gravity": [0, 0],
        "periodic": { "x": 0.02, "y": 0.02, "strain": { "xx": "-0.1 * t", "yy": "-0.1 * t", "xy": "0.05 * t" } },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [{ "name": "matrix", "material": "m", "elements": elements,
            "shape": { "mesh": { "vertices": vertices, "triangles": triangles } } }],
        "chambers": [{ "name": "gas", "walls": [{ "body": "matrix" }], "pressure": { "gauge": 2e4 } }]
    })
}

/// Simulation of a scene in JSON.
fn simulation(scene: &Value) -> Simulation {
    Simulation::new(ipcsim::scene::parse(&scene.to_string(), &[]).unwrap()).unwrap()
}

/// Mean strain and stress after each step.
fn course(scene: &Value) -> Vec<CellRecord> {
    let mut simulation = simulation(scene);
    let steps = scene["time"]["steps"].as_u64().unwrap();
    let records = (0..steps).map(|_| simulation.step().unwrap().record.cell.unwrap());
    records.collect()
}

/// Largest difference of two courses, relative to their largest stress.
fn difference(one: &[CellRecord], other: &[CellRecord]) -> f64 {
    let stress = |record: &CellRecord| record.stress.unwrap_or_default();
    let mut most: f64 = 0.0;
    let mut apart: f64 = 0.0;
    for (a, b) in one.iter().zip(other) {
        for (a, b) in stress(a).into_iter().zip(stress(b)) {
            most = most.max(a.abs());
            apart = apart.max((a - b).abs());
        }
    }
    assert!(most > 0.0, "nothing touches");
    apart / most
}

/// The [`difference`] in the first two steps in which something touches; rounding grows by each impact.
fn at_first(one: &[CellRecord], other: &[CellRecord]) -> f64 {
    let touches = |record: &CellRecord| record.stress.is_some_and(|stress| stress != [0.0; 3]);
    let first = one.iter().position(touches).expect("nothing touches");
    let end = (first + 2).min(one.len());
    difference(&one[first..end], &other[first..end])
}

#[test]
fn grains_have_the_same_stress_whichever_images_are_drawn() {
    for (kind, is_round) in [
        (json!("rigid"), true),
        (json!("rigid"), false),
        (json!({ "affine": {} }), false),
    ] {
        // Friction may differ by 1e-4 of the stress between images, so that it is left out.
        for drive in [squeezed, pressed] {
            let of = |from| {
                let mut scene = drive(grains(&kind, is_round, from));
                scene["contact"]["friction"]["default"] = json!(0.0);
                scene["time"]["steps"] = json!(26);
                course(&scene)
            };
            let found = at_first(&of([0.0, 0.0]), &of([0.37, 0.61]));
            assert!(found < 1e-8, "{kind} {is_round}: {found}");
        }
    }
    for integrator in MOVING {
        let of = |from| {
            let mut scene = squeezed(grains(&json!("rigid"), false, from));
            scene["time"]["integrator"] = json!(integrator);
            scene["contact"]["friction"]["default"] = json!(0.0);
            scene["time"]["steps"] = json!(26);
            course(&scene)
        };
        let found = at_first(&of([0.0, 0.0]), &of([0.37, 0.61]));
        assert!(found < 1e-8, "{integrator}: {found}");
    }
}

#[test]
fn grains_and_frames_and_foams_keep_their_bits_and_are_proved() {
    let mut scenes = vec![
        pressed(grains(&json!("rigid"), true, [0.0, 0.0])),
        pressed(grains(&json!({ "affine": {} }), false, [0.3, 0.0])),
        foam(8, "linear"),
    ];
    for integrator in ["bdf2", "trapezoid", "tr_bdf2"] {
        let mut scene = squeezed(grains(&json!("rigid"), false, [0.0, 0.0]));
        scene["time"]["integrator"] = json!(integrator);
        scenes.push(scene);
    }
    let mut crushed = frame("rigid", [0.03, 0.02]);
    crushed["periodic"]["strain"] = json!({ "yy": "-0.3 * t", "xy": "0.1 * t" });
    crushed["time"] = json!({ "step": 0.01, "steps": 20 });
    scenes.push(crushed);
    for scene in scenes {
        let place = Place::new();
        let scene = place.scene(&scene);
        same_and_proved(&place, &scene, 3);
    }
}

#[test]
fn a_cell_of_grains_comes_to_rest_at_its_mean_stress() {
    let mut scene = pressed(grains(&json!("rigid"), true, [0.0, 0.0]));
    scene["time"]["steps"] = json!(400);
    scene["solver"]["tolerance"] = json!(1e-8);
    let all = course(&scene);
    let stress = all[399].stress.unwrap();
    for component in [0, 1] {
        let error = stress[component] / -2000.0 - 1.0;
        assert!(error.abs() < 1e-6, "{component}: {error}");
    }
}

#[test]
fn a_frame_has_the_stiffness_of_its_struts() {
    // Corners turn by half of the angle of shear, so that the struts of both directions bend alike.
    let sheared = |join: &str, from| {
        let mut scene = frame(join, from);
        scene["periodic"]["strain"] = json!({ "xy": "1e-4 * t" });
        course(&scene)[9].stress.unwrap()[2]
    };
    let expected = 6.0 * 1e-3 / SIDE.powi(3) * 1e-4;
    let error = sheared("rigid", [0.0, 0.0]) / expected - 1.0;
    assert!(error.abs() < 0.01, "{error}");
    let other = sheared("rigid", [0.03, 0.02]);
    assert!((other / sheared("rigid", [0.0, 0.0]) - 1.0).abs() < 1e-9);

    // Along a strut it is the one of its section.
    let mut scene = frame("pinned", [0.0, 0.0]);
    scene["periodic"]["strain"] = json!({ "xx": "1e-4 * t" });
    let stress = course(&scene)[9].stress.unwrap();
    assert!((stress[0] / (1e3 * 1e-4 / SIDE) - 1.0).abs() < 1e-6);
    assert!(stress[1].abs() < 1e-9 * stress[0]);
}

#[test]
fn a_wavy_rod_goes_on_across_the_period_with_its_bending() {
    let wavy = |from: f64| {
        let count = 40;
        let points = (0..=count).map(|k| {
            let x = f64::from(k) / f64::from(count);
            [SIDE * x, 0.01 * (TAU * (x + from)).sin()]
        });
        json!({
            "time": { "step": 0.1, "steps": 10, "integrator": "static" },
            "gravity": [0, 0],
            "periodic": { "x": SIDE, "strain": { "xx": "-0.3 * t" } },
            "materials": { "m": { "density": 1000.0 } },
            "bodies": [{ "name": "wave", "material": "m",
                "prescribed": [{ "vertices": { "nearest": [0.0, 0.0] }, "axis": "y" }],
                "kind": { "rod": { "axial_stiffness": 1e4, "bending_stiffness": 1e-3, "mass_per_length": 0.01, "radius": 1e-3 } },
                "shape": { "polyline": { "points": points.collect::<Vec<[f64; 2]>>() } } }],
            "solver": { "tolerance": 1e-11 }
        })
    };
    // Drawn from a crest, from a node and from in between.
    let first = course(&wavy(0.0));
    for from in [0.25, 0.1] {
        let found = difference(&first, &course(&wavy(from)));
        assert!(found < 1e-6, "{from}: {found}");
    }
}

#[test]
fn gas_in_a_chamber_that_the_sides_of_the_cell_cut_has_its_pressure() {
    for elements in ["linear", "quadratic"] {
        let of = |from| course(&foam(from, elements));
        let found = difference(&of(0), &of(8));
        assert!(found < 1e-9, "{elements}: {found}");
    }

    // A channel through the pattern is not closed.
    let mut scene = foam(0, "linear");
    scene["bodies"][0]["shape"] =
        json!({ "rectangle": { "size": [0.02, 0.01], "segments": [4, 2] } });
    let parsed = ipcsim::scene::parse(&scene.to_string(), &[]).unwrap();
    let refused = Simulation::new(parsed).unwrap_err().to_string();
    assert!(refused.contains("to their own image"), "{refused}");
}

/// Laws of elastic bodies.
fn laws() -> Vec<Value> {
    let solid = json!({ "young": 1e6, "poisson": 0.3 });
    vec![
        json!({ "neo_hookean": solid }),
        json!({ "fixed_corotated": solid }),
        json!({ "st_venant_kirchhoff": solid }),
        json!({ "linear": solid }),
        json!({ "stable_neo_hookean": solid }),
        json!({ "mooney_rivlin": { "c10": 1e5, "c01": 5e4, "bulk": 2e6 } }),
        json!({ "yeoh": { "c1": 2e5, "c3": 1e4, "bulk": 3e6 } }),
        json!({ "orthotropic": { "young": [1e6, 2e5, 2e5], "poisson": [0.1, 0.1, 0.2], "shear": 1e5 } }),
    ]
}

#[test]
fn the_mean_stress_is_the_derivative_of_the_energy() {
    let mut scenes = Vec::new();
    for law in laws() {
        for elements in ["linear", "quadratic"] {
            let mut scene = foam(8, elements);
            scene["materials"]["m"]["law"] = law.clone();
            if !law["neo_hookean"].is_object() {
                scene.as_object_mut().unwrap().remove("chambers");
            }
            scenes.push((format!("{law} {elements}"), [4e-4, 1e-3], scene));
        }
    }
    let mut scene = foam(0, "quadratic");
    scene["bodies"][0]["dilatation"] = json!("mean");
    scenes.push(("mean dilatation".to_owned(), [4e-4, 1e-3], scene));

    // Struts buckle, so that their energy bends faster.
    let volume = SIDE * SIDE;
    scenes.push((
        "frame".to_owned(),
        [volume, 2e-4],
        frame("rigid", [0.03, 0.02]),
    ));

    for (name, [volume, h], mut scene) in scenes {
        let worst = worst_derivative(&mut scene, volume, h);
        assert!(worst < 1e-8, "{name}: {worst:e}");
    }
}

/// Largest difference of the mean stress of a scene from the derivative of its energy, relative to the largest
/// component, by five places for each component of the strain, which are `h` apart.
///
/// Solves have their usual tolerance. One below rounding ends where the energy is known, and that tells
/// positions by the square root of its rounding only: 1e-8.
fn worst_derivative(scene: &mut Value, volume: f64, h: f64) -> f64 {
    let base = [-0.02, -0.03, 0.015];
    let end = |scene: &mut Value, strains: [f64; 3]| {
        let [xx, yy, xy] = strains.map(|strain| format!("{strain:?} * t"));
        scene["periodic"]["strain"] = json!({ "xx": xx, "yy": yy, "xy": xy });
        scene["time"] = json!({ "step": 1.0, "steps": 1, "integrator": "static" });
        let record = simulation(scene).step().unwrap().record;
        (record.total, record.cell.unwrap().stress.unwrap())
    };
    let (_, stress) = end(scene, base);
    let largest = stress
        .iter()
        .fold(0.0_f64, |most, part| most.max(part.abs()));

    let mut worst: f64 = 0.0;
    for component in 0..3 {
        let mut energy = |times: f64| {
            let mut strains = base;
            strains[component] += times * h;
            end(scene, strains).0
        };
        let near = energy(1.0) - energy(-1.0);
        let far = energy(2.0) - energy(-2.0);
        let slope = (8.0 * near - far) / (12.0 * h) / volume;
        worst = worst.max((slope - stress[component]).abs() / largest);
    }
    worst
}
