//! Contact pressure along outlines: even on flat patches for linear and quadratic triangles whatever
//! meets them, as Hertz says on round ones, and with the force as its integral.

use crate::support::{Run, inline, near_ratio};
use ipcsim::fields::ContactsOnVertices;
use ipcsim::forces::{SurfacePoint, pressure};
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Traction on the upper block (Pa).
const TRACTION: f64 = 1e5;
/// Young's modulus of the blocks (Pa).
const YOUNG: f64 = 1e7;
/// Width of the blocks (m).
const WIDTH: f64 = 0.2;

/// A block of `segments` along its width, whose left side stays at its place.
#[expect(
    clippy::needless_pass_by_value,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "literals of scenes are made where they are used"
)]
fn block(name: &str, [segments, y]: [f64; 2], is_quadratic: bool, more: Value) -> Value {
    let mut prescribed = vec![json!({ "vertices": { "side": "left" }, "axis": "x" })];
    prescribed.extend(more.as_array().unwrap().iter().cloned());
    let mut body = json!({ "name": name, "material": "rubber", "position": [0.0, y], "prescribed": prescribed,
        "shape": { "rectangle": { "size": [WIDTH, 0.1], "segments": [segments as usize, 4] } } });
    if is_quadratic {
        body["elements"] = json!("quadratic");
    }
    body
}

/// Pressure of the upper block on what is below it, along both outlines of a run in equilibrium.
#[expect(
    clippy::needless_pass_by_value,
    reason = "literals of scenes are made where they are used"
)]
fn pressed(bodies: Vec<Value>, obstacles: Value, contact: Value) -> Run {
    let mut run = Run::of(&inline(json!({
        "time": { "step": 0.25, "steps": 4, "integrator": "static" }, "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000.0,
            "law": { "neo_hookean": { "young": YOUNG, "poisson": 0.3 } } } },
        "bodies": bodies, "obstacles": obstacles, "contact": contact,
        "loads": [{ "body": "up", "on": { "side": "top" },
            "traction": [0, { "times": [0, 1], "values": [0, -TRACTION] }] }]
    })));
    run.steps(4);
    run
}

/// Pressures along the outline of a body.
fn along(run: &Run, body: usize) -> Vec<SurfacePoint> {
    let state = run.state();
    let adapted = &state.memory.options.stiffening.adapted;
    let contacts = run.world().contacts_at(&state.x, adapted);
    pressure(run.world(), &contacts, &state.x, body, 1.0)
}

/// Largest deviation of the pressures at the vertices of a face from the force over the width, after
/// the sums and the field were compared.
fn deviation(run: &Run, body: usize) -> f64 {
    let points = along(run, body);
    let force: f64 = points.iter().map(|point| point.force.y).sum();
    let sum: f64 = points
        .iter()
        .map(|point| point.pressure * point.length)
        .sum();
    near_ratio(sum, force.abs(), 1e-4);

    let state = run.state();
    let adapted = &state.memory.options.stiffening.adapted;
    let contacts = run.world().contacts_at(&state.x, adapted);
    let field = ContactsOnVertices::normal(run.world(), &contacts, &state.x);
    for point in &points {
        let difference = (field.per_length[point.vertex] - point.pressure).abs();
        assert!(difference < 1e-9 * TRACTION, "{point:?}");
    }

    // The upper block grows sideways.
    let x = &run.state().x;
    let own = run.world().bodies[0].vertices.clone();
    let right = x[own].iter().map(|x| x.x).fold(0.0, f64::max);
    let expected = force.abs() / (right + 0.5 * WIDTH);
    let on_face = points.iter().filter(|point| {
        let place = point.position;
        place.y.abs() < 4e-3 && place.x > -0.5 * WIDTH - 1e-9 && place.x < right + 1e-9
    });
    let deviations = on_face.map(|point| (point.pressure / expected - 1.0).abs());
    deviations.fold(0.0, f64::max)
}

#[test]
fn a_flat_patch_has_one_pressure_at_all_vertices_whatever_meets() {
    let stay = json!([{ "vertices": { "side": "bottom" }, "axis": "y" }]);
    for (contact, tolerance) in [
        (json!({}), 0.02),
        (json!({ "d_hat": 9e-5, "kappa": 1e5 }), 0.02),
    ] {
        for is_quadratic in [false, true] {
            for is_lower_quadratic in [false, true] {
                for segments in [[8.0, 8.0], [8.0, 5.0], [7.0, 16.0], [6.0, 4.0]] {
                    let up = block("up", [segments[0], 0.0501], is_quadratic, json!([]));
                    let low = block(
                        "low",
                        [segments[1], -0.05],
                        is_lower_quadratic,
                        stay.clone(),
                    );
                    let run = pressed(vec![up, low], json!([]), contact.clone());
                    for body in [0, 1] {
                        let found = deviation(&run, body);
                        assert!(
                            found < tolerance,
                            "{is_quadratic} {is_lower_quadratic} {segments:?} {contact} {body}: {found}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_block_on_a_floor_has_one_pressure_up_to_its_corners() {
    let plane = json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } });
    let wide =
        |segments: usize| json!({ "rectangle": { "size": [0.3, 0.1], "segments": [segments, 1] } });
    let floors = [
        (plane, 0.0),
        (wide(1), -0.05),
        (wide(7), -0.05),
        (wide(41), -0.05),
    ];
    for (shape, y) in floors {
        for is_quadratic in [false, true] {
            for segments in [2.0, 5.0, 16.0] {
                let up = block("up", [segments, 0.0501], is_quadratic, json!([]));
                let is_plane = shape.get("half_plane").is_some();
                let mut floor = json!({ "name": "floor", "shape": shape });
                if !is_plane {
                    floor["position"] = json!([0.0, y]);
                }
                let run = pressed(vec![up], json!([floor]), json!({}));
                assert!(
                    deviation(&run, 0) < 2e-3,
                    "{is_quadratic} {segments} {shape}"
                );
                assert!(
                    is_plane || deviation(&run, 1) < 0.012,
                    "{is_quadratic} {segments} {shape}"
                );
            }
        }
    }
}

#[test]
fn matching_meshes_have_one_pressure_with_contact_at_vertices() {
    let stay = json!([{ "vertices": { "side": "bottom" }, "axis": "y" }]);
    for is_quadratic in [false, true] {
        let up = block("up", [8.0, 0.0501], is_quadratic, json!([]));
        let low = block("low", [8.0, -0.05], is_quadratic, stay.clone());
        let run = pressed(vec![up, low], json!([]), json!({ "model": "vertices" }));
        assert!(
            deviation(&run, 0) < 2e-3 && deviation(&run, 1) < 2e-3,
            "{is_quadratic}"
        );
    }
}

/// Places from 0 to half a metre, in steps of `fine` up to `within` (m), which then grow.
fn graded(fine: f64, within: f64) -> Vec<f64> {
    let mut places = vec![0.0];
    let mut step = fine;
    let mut last = 0.0;
    while last < 0.5 {
        if last > within {
            step *= 1.35;
        }
        last += step;
        places.push(last);
    }
    places
}

/// Highest pressure of a round block on a plane, over that of Hertz for the force that it has, with
/// this number of edges in the half-width of the contact.
fn highest(edges: f64, is_quadratic: bool) -> f64 {
    let width = 0.02;
    let right = graded(width / edges, 1.6 * width);
    let left = right[1..].iter().rev().map(|x| -x);
    let columns: Vec<f64> = left.chain(right.iter().copied()).collect();
    let rows = graded(width / edges, 1.5 * width);
    let place = |x: f64, y: f64| [x, y + 0.5 * x * x * (1.0 - y / 0.3).max(0.0)];
    let vertices: Vec<[f64; 2]> = rows
        .iter()
        .flat_map(|y| columns.iter().map(move |x| place(*x, *y)))
        .collect();
    let count = columns.len();
    let cells = (0..rows.len() - 1).flat_map(|j| (0..count - 1).map(move |i| [i, j]));
    let triangles: Vec<[usize; 3]> = cells
        .flat_map(|[i, j]| {
            let [a, b] = [j * count + i, j * count + i + 1];
            let [c, d] = [b + count, a + count];
            if (i + j).is_multiple_of(2) {
                [[a, b, d], [b, c, d]]
            } else {
                [[a, b, c], [a, c, d]]
            }
        })
        .collect();

    let modulus = YOUNG / (1.0 - 0.3 * 0.3);
    let force = 0.25 * PI * modulus * width * width;
    let upper = json!({ "half_plane": { "normal": [0, -1], "origin": [0, 0.499] } });
    let mut body = json!({ "name": "up", "material": "rubber", "position": [0, 1e-5],
        "shape": { "mesh": { "vertices": vertices, "triangles": triangles } },
        "prescribed": [{ "vertices": upper.clone(), "axis": "x" }] });
    if is_quadratic {
        body["elements"] = json!("quadratic");
    }
    let mut run = Run::of(&inline(json!({
        "time": { "step": 0.25, "steps": 4, "integrator": "static" }, "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000.0,
            "law": { "linear": { "young": YOUNG, "poisson": 0.3 } } } },
        "bodies": [body],
        "obstacles": [{ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "loads": [{ "body": "up", "on": upper,
            "traction": [0, { "times": [0, 1], "values": [0, -force / (2.0 * right[right.len() - 1])] }] }]
    })));
    run.steps(4);

    let points = along(&run, 0);
    let force: f64 = points.iter().map(|point| point.force.y).sum();
    let most = points
        .iter()
        .map(|point| point.pressure)
        .fold(0.0, f64::max);
    most / (force * modulus / PI).sqrt()
}

#[test]
fn the_highest_pressure_of_round_bodies_is_that_of_hertz() {
    let [linear, quadratic] = [false, true].map(|is_quadratic| highest(8.0, is_quadratic));
    near_ratio(linear, 1.0, 0.01);
    near_ratio(quadratic, 1.0, 0.01);
    near_ratio(quadratic, linear, 0.01);
    near_ratio(highest(4.0, true), 1.0, 0.02);
}
