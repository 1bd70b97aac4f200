//! Contact that is integrated along edges: the same for all outlines of one shape, uniform pressure
//! on meshes that do not match, and what every contact keeps.

use crate::cli_resume::{AT_ONCE, resume};
use crate::program::{Place, ipcsim};
use crate::support::{Parts, inline, rectangle, rigid, scene, stone};
use ipcsim::math::Vec2;
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Acceleration of gravity (m/s^2).
const G: f64 = 9.81;

/// Activation distance (m).
const D_HAT: f64 = 1e-3;

/// A scene with a table of materials and a step of `h` (s).
fn free(h: f64, bodies: &[Value], obstacles: &[Value], contact: &Value) -> Value {
    let mut contact = contact.clone();
    contact["model"] = json!("edges");
    json!({
        "time": { "step": h, "steps": 100 },
        "materials": {
            "stone": { "density": 2000 },
            "rubber": { "density": 1000, "law": { "linear": { "young": 1e5, "poisson": 0.0 } } },
        },
        "bodies": bodies,
        "obstacles": obstacles,
        "contact": contact,
        "solver": { "tolerance": 1e-9 },
    })
}

/// An obstacle with this shape.
fn obstacle(shape: &Value) -> Value {
    json!({ "name": "floor", "shape": shape })
}

/// A floor of equal edges of a length (m) through the origin.
fn fine(length: f64) -> Value {
    let points: Vec<[f64; 2]> = (-300..=300).map(|k| [f64::from(k) * length, 0.0]).collect();
    obstacle(&json!({ "polyline": { "points": points } }))
}

/// The floor as a half-plane, one edge, a box, and many edges.
fn floors() -> Vec<Value> {
    let corners = [[-4.0, -1.0], [4.0, -1.0], [4.0, 0.0], [-4.0, 0.0]];
    vec![
        obstacle(&json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } })),
        obstacle(&json!({ "polyline": { "points": [[-4, 0], [4, 0]] } })),
        obstacle(&json!({ "outline": { "points": corners } })),
        fine(0.0137),
    ]
}

/// Gap at rest relative to the activation distance at which the barrier bears a pressure, relative to
/// `kappa`: the root of `(1 - s)^2 (1 + 2 s) / s^2 = pressure`, by bisection.
fn gap_under(pressure: f64) -> f64 {
    let [mut low, mut high] = [1e-6, 1.0];
    for _ in 0..100 {
        let s: f64 = 0.5 * (low + high);
        if (1.0 - s).powi(2) * (1.0 + 2.0 * s) / (s * s) > pressure {
            low = s;
        } else {
            high = s;
        }
    }
    0.5 * (low + high)
}

/// Positions of the first `count` vertices after some steps.
fn after(scene: Value, steps: usize, count: usize) -> Vec<Vec2> {
    let mut run = Parts::of(&inline(scene));
    for _ in 0..steps {
        run.step();
    }
    run.state.x[..count].to_vec()
}

#[test]
fn a_block_presses_with_its_weight_over_its_width_on_every_floor() {
    let kappa = 1e5;
    for height in [0.1, 0.5, 2.0] {
        let expected = gap_under(2000.0 * G * height / kappa);
        let penetrations = floors().into_iter().map(|floor| {
            let at = [0.0, 0.5 * height + expected * D_HAT];
            let block = stone("block", rectangle(1.0, height), at);
            let contact = json!({ "d_hat": D_HAT, "kappa": kappa });
            let x = after(free(0.02, &[block], &[floor], &contact), 100, 4);
            1.0 - x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min) / D_HAT
        });

        // The faces beside the corners are within the reach of the barrier and bear a little.
        for penetration in penetrations {
            let error = penetration / (1.0 - expected) - 1.0;
            assert!(error.abs() < 2e-3, "height {height}: {error}");
        }
    }
}

#[test]
fn pressure_is_uniform_where_meshes_do_not_match() {
    let pressure = 1e3;
    for [lower, upper] in [[16, 16], [16, 17], [17, 16], [16, 24], [16, 64], [64, 16]] {
        for ratio in [0.1, 1.0, 10.0] {
            let soft = |name: &str, count: usize, y: f64| {
                json!({ "name": name, "material": "light", "position": [0.0, y],
                    "shape": { "rectangle": { "size": [1.0, 0.5], "segments": [count, 4] } } })
            };
            let plate = json!({ "name": "plate", "kind": "rigid", "material": "heavy",
                "shape": rectangle(1.0, 0.1), "position": [0.0, 1.05 + 2.7 * D_HAT] });
            let bodies = [
                soft("a", lower, 0.25 + 0.9 * D_HAT),
                soft("b", upper, 0.75 + 1.8 * D_HAT),
            ];
            let mut scene = free(
                1.0,
                &[&bodies[..], &[plate]].concat(),
                &[floors().swap_remove(0)],
                &json!({ "d_hat": D_HAT, "kappa": ratio * 1e5 }),
            );
            scene["materials"]["light"] = scene["materials"]["rubber"].clone();
            scene["materials"]["light"]["density"] = json!(1e-6);
            scene["materials"]["heavy"] = json!({ "density": 10.0 * pressure / G });
            let mut run = Parts::of(&inline(scene));
            for _ in 0..10 {
                run.step();
            }

            let stresses = run
                .world
                .model
                .energies
                .iter()
                .flat_map(|energy| energy.stresses(&run.state.x));
            let worst = stresses
                .map(|found| (-found.middle.yy / pressure - 1.0).abs())
                .fold(0.0, f64::max);
            assert!(worst < 2e-3, "{lower}:{upper}, kappa {ratio} E: {worst:e}");
        }
    }
}

#[test]
fn a_polygon_becomes_a_circle() {
    let radius = 0.1;
    let polygon = |count: u32| {
        let corner = |k: u32| {
            let angle = TAU * (f64::from(k) + 0.5) / f64::from(count);
            [radius * angle.sin(), -radius * angle.cos()]
        };
        json!({ "outline": { "points": (0..count).map(corner).collect::<Vec<_>>() } })
    };
    for floor in [0, 1] {
        let gap = |shape: Value, vertices: usize| {
            let body = stone("ball", shape, [0.0, radius + 0.7 * D_HAT]);
            let contact = json!({ "d_hat": D_HAT, "kappa": 1e5 });
            let scene = free(0.02, &[body], &[floors().swap_remove(floor)], &contact);
            let x = after(scene, 300, vertices);
            x.iter().map(|x| x.y).sum::<f64>() / vertices as f64 - radius
        };
        let circle = gap(json!({ "circle": { "radius": radius } }), 1);
        let errors =
            [192, 1536].map(|count| (gap(polygon(count), count as usize) / circle - 1.0).abs());
        assert!(
            errors[1] < 1e-3 && errors[1] < 0.1 * errors[0],
            "{errors:?}"
        );
    }
}

#[test]
fn a_block_slides_over_many_edges_without_friction_as_if_there_were_one() {
    for is_rigid in [true, false] {
        let at = [-1.0, 0.05 + 0.95 * D_HAT];
        let body = if is_rigid {
            rigid(
                "block",
                rectangle(0.2, 0.1),
                at,
                json!({ "velocity": [1.0, 0.0] }),
            )
        } else {
            json!({ "name": "block", "material": "rubber", "position": at, "velocity": [1.0, 0.0],
                "shape": { "rectangle": { "size": [0.2, 0.1], "segments": [4, 2] } } })
        };
        let contact = json!({ "d_hat": D_HAT });
        let mut run = Parts::of(&inline(free(0.01, &[body], &[fine(0.01)], &contact)));
        for _ in 0..200 {
            run.step();
        }
        let error = (run.state.v[0].x - 1.0).abs();
        assert!(error < 1e-9, "{is_rigid}: {error:e}");
    }
}

#[test]
fn matching_meshes_are_not_pushed_sideways() {
    // Two flat outlines at all offsets: the force of one on the other has no part along them.
    for offset in 0..20 {
        let at = [0.0025 * f64::from(offset), 0.05 + 0.5 * D_HAT];
        let body = stone("block", rectangle(0.2, 0.1), at);
        let mut run = Parts::of(&inline(free(
            0.01,
            &[body],
            &[fine(0.05)],
            &json!({ "d_hat": D_HAT, "kappa": 1e5 }),
        )));
        run.step();
        let world = &run.world;
        let contacts = world.contacts_at(&run.state.x, &[]);
        let force: Vec2 = contacts
            .forces(&world.model.surface, &run.state.x)
            .flat_map(|contact| contact.on_vertices)
            .filter(|(vertex, _)| *vertex < 4)
            .map(|(_, force)| force)
            .sum();
        assert!(force.y > 1.0 && force.x.abs() < 1e-10 * force.y, "{force}");
    }
}

#[test]
fn a_block_slides_down_a_slope_as_coulomb_has_it() {
    // On a slope of 1 : 2 with a coefficient of 0.4, on an edge, on many and on a half-plane.
    let [sine, cosine] = [1.0, 2.0].map(|part: f64| part / 5.0_f64.sqrt());
    let expected = G * (sine - 0.4 * cosine);
    for floor in [0, 1, 3] {
        let at = [-1.0, 0.05 + 0.99 * D_HAT];
        let body = stone("block", rectangle(0.2, 0.1), at);
        let contact = json!({ "d_hat": D_HAT, "friction": { "default": 0.4 } });
        let mut scene = free(0.01, &[body], &[floors().swap_remove(floor)], &contact);
        scene["gravity"] = json!([G * sine, -G * cosine]);
        let mut run = Parts::of(&inline(scene));
        let mut speeds = Vec::new();
        for _ in 0..100 {
            run.step();
            speeds.push(run.state.v[0].x);
        }
        let acceleration = (speeds[99] - speeds[49]) / 0.5;
        assert!(
            (acceleration / expected - 1.0).abs() < 1e-6,
            "{floor}: {acceleration}"
        );
    }
}

#[test]
fn runs_with_anchors_are_certified_and_resumed_with_the_same_bits_on_any_threads() {
    let place = Place::new();
    for (name, steps) in [("showcase/all_kinds", "15"), ("showcase/chain", "10")] {
        let text = serde_json::to_string(&scene(
            name,
            &["contact.model=edges", "contact.friction.stick=anchors"],
        ))
        .unwrap();
        let file = place.path("scene.json");
        std::fs::write(&file, text).unwrap();
        let run = |out: &str, more: &[&str]| {
            let more = [&["--force", "--steps", steps], more].concat();
            place.certified(&file, out, &more);
        };
        let files = |out: &str| {
            let mut files = place.files(out);
            ["trajectory.npy", "energies.csv"].map(|file| files.remove(file).unwrap())
        };
        run("one", &["--threads", "1"]);
        run("two", &["--threads", "2"]);
        assert!(files("one") == files("two"), "{name}");
        run("stopped", &["--max-wall", "1e-9"]);
        for _ in 0..20 {
            resume(&place, "stopped", &AT_ONCE);
        }
        assert!(files("one") == files("stopped"), "{name}");
        ipcsim(&["verify", &place.path("one")]).exits(0);
    }
}
