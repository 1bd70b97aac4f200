//! Runs with a mean dilatation, by linear and quadratic triangles: the same bits after resuming and on
//! any number of threads, certificates, every triangle upright where bodies are crushed, and the cure
//! that `check` names.

use crate::cli_resume::same_and_proved;
use crate::program::{Place, ipcsim, project};
use ipcsim::math::cross;
use ipcsim::prelude::*;
use serde_json::json;

/// Writes a scene with bodies of rubber that fall on the ground and on each other: a disk of linear
/// triangles, a quadratic disk with curved sides, and a block with a region of another law.
fn pile(place: &Place, integrator: &str) -> String {
    let circle = json!({ "circle": { "center": [0.0, 0.0], "radius": 0.4, "name": "rim" } });
    let elastic = json!({ "young": 1e5, "poisson": 0.499 });
    let scene = json!({
        "time": { "step": 0.01, "steps": 24, "integrator": integrator },
        "materials": {
            "soft": { "density": 1000.0, "law": { "neo_hookean": elastic },
                "damping": { "mass": 1.0, "stiffness": 0.01 } },
            "stable": { "density": 900.0, "law": { "stable_neo_hookean": elastic } },
            "filled": { "density": 900.0, "law": { "yeoh": { "c1": 2e4, "c2": 1e3, "bulk": 2e7 } } }
        },
        "bodies": [
            { "name": "disk", "material": "soft", "dilatation": "mean", "position": [0.0, 0.42],
                "shape": { "area": { "outline": circle, "mesh": { "size": 0.15 } } }, "velocity": [0.0, -2.0] },
            { "name": "ring", "material": "stable", "dilatation": "mean", "elements": "quadratic",
                "shape": { "area": { "outline": circle, "mesh": { "size": 0.25 } } },
                "position": [0.1, 1.24], "velocity": [0.0, -3.0], "spin_deg": 40.0 },
            { "name": "block", "material": "filled", "dilatation": "mean", "position": [-0.1, 1.9],
                "shape": { "rectangle": { "size": [0.8, 0.4], "segments": [4, 3] } }, "velocity": [0.0, -5.0],
                "regions": [{ "material": "stable", "where": { "positive": "x" } }] }
        ],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, 0.0] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "vtu": true, "ledger": true }
    });
    place.scene(&scene)
}

#[test]
fn a_mean_dilatation_keeps_its_bits_on_any_threads_and_after_resuming_and_is_proved() {
    for integrator in ["implicit_euler", "bdf2"] {
        let place = Place::new();
        let scene = pile(&place, integrator);
        same_and_proved(&place, &scene, 3);
    }
}

/// A square of rubber between a floor and a lid that comes down to less than half of its height.
fn crushed(law: Law, is_quadratic: bool) -> Simulation {
    let body = Body::deformable("block", Square::new(1.0, 6), "rubber").mean_dilatation();
    let body = if is_quadratic { body.quadratic() } else { body };
    let sides =
        [[0.0, 1.0], [0.0, -1.0]].map(|normal| HalfPlane::new(normal, [0.0, -0.51 * normal[1]]));
    let [floor, lid] = sides;
    let mut lid = Obstacle::new("lid", lid).with_velocity([0.0, -1.0]);
    lid.travel = Some(0.55);
    let scene = Scene::new(Time::new(0.02, 30))
        .with_gravity([0.0, 0.0])
        .with_material("rubber", Material::new(1000.0, law))
        .with_body(body)
        .with_obstacle(Obstacle::new("floor", floor))
        .with_obstacle(lid)
        .with_friction(0.5);
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.run(30).unwrap();
    simulation
}

#[test]
fn a_crushed_block_keeps_its_volume_and_every_triangle_its_own_upright() {
    for law in [
        Law::neo_hookean(1e5, 0.4999),
        Law::fixed_corotated(1e5, 0.4999),
        Law::stable_neo_hookean(1e5, 0.4999),
        Law::mooney_rivlin(1.2e4, 5e3, 1.7e8),
        Law::yeoh([1.7e4, 0.0, 0.0], 1.7e8),
    ] {
        for is_quadratic in [false, true] {
            let simulation = crushed(law, is_quadratic);
            let x = &simulation.state().x;
            let triangles = &simulation.world().triangles;
            let areas = triangles
                .iter()
                .map(|&[a, b, c]| 0.5 * cross(x[b] - x[a], x[c] - x[a]));
            let least = areas.clone().fold(f64::INFINITY, f64::min);
            let sum: f64 = areas.sum();
            let height = x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max)
                - x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            println!("{law:?} {is_quadratic}: height {height}, area {sum}, least {least}");
            assert!(height < 0.48 && least > 0.0, "{law:?}: {height} {least}");

            // Facets leave out what is beside the chords of curved sides.
            assert!((sum - 1.0).abs() < 0.01, "{law:?} {is_quadratic}: {sum}");
        }
    }
}

#[test]
fn check_names_the_mean_dilatation_as_a_cure_that_cures() {
    let scene = project("scenes/doubtful/locks_near_incompressibility.json");
    let scene = scene.to_str().unwrap();
    ipcsim(&["check", scene]).complains("\"dilatation\": \"mean\"");
    let ended = ipcsim(&["check", scene, "--set", "bodies.ball.dilatation=mean"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{ended:?}");
}
