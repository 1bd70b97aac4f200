//! Rods and ropes: their parts in the program, contact by their radius, proofs and equal bits.

use crate::program::{Place, ipcsim, ipcsim_line};
use crate::support::{Run, inline, near_ratio};
use ipcsim::contact::barrier::{Barrier, BarrierShape};
use ipcsim::contact::{Candidates, Contacts, Friction, FrictionTable, Intersection, Lag, Surface};
use ipcsim::math::{Vec2, cross};
use serde_json::{Value, json};

/// A scene of a rope that falls on a peg, in two layers on the ground beside it, with more keys.
fn falling(more: &Value) -> Value {
    let mut scene = json!({
        "time": { "step": 0.01, "steps": 60 },
        "materials": { "hemp": { "density": 600.0, "damping": { "mass": 1.0 } },
                       "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } },
                       "steel": { "density": 7800.0 } },
        "bodies": [
            { "name": "rope", "material": "hemp", "position": [0.0, 0.25],
              "kind": { "rod": { "young": 1e6, "thickness": 0.02 } },
              "shape": { "polyline": { "points": [[-0.3, 0.1], [0.35, 0.0]], "segments": 40 } } },
            { "name": "ring", "material": "hemp", "position": [0.55, 0.35],
              "kind": { "rod": { "young": 1e6, "thickness": 0.01 } },
              "shape": { "polyline": { "closed": true, "segments": 6,
                         "points": [[0.1, 0.0], [0.0, 0.1], [-0.1, 0.0], [0.0, -0.1]] } } },
            { "name": "block", "material": "rubber", "position": [0.2, 0.06],
              "shape": { "square": { "side": 0.1, "segments": 2 } } },
            { "name": "ball", "kind": "rigid", "material": "steel", "position": [0.1, 0.45],
              "shape": { "circle": { "radius": 0.03 } } },
            { "name": "plate", "kind": { "affine": {} }, "material": "hemp", "position": [0.5, 0.05],
              "shape": { "square": { "side": 0.08, "segments": 1 } } }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } },
            { "name": "peg", "shape": { "circle": { "radius": 0.05 } }, "position": [-0.05, 0.15] },
            { "name": "post", "shape": { "square": { "side": 0.1, "segments": 1 } }, "position": [-0.3, 0.06] }
        ],
        "contact": { "friction": { "default": 0.4 } }
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

/// Smallest distance (m) between vertices and edges of a body that are `apart` (m) along a chain of
/// edges of a `length` (m), over the distance at which they touch.
fn nearest_turns(x: &[Vec2], apart: usize) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..x.len() {
        for j in 0..x.len() - 1 {
            let away = i.abs_diff(j).min(i.abs_diff(j + 1));
            if away > apart {
                let distance =
                    ipcsim::geometry::distance::point_edge(x[i], x[j], x[j + 1]).distance;
                least = least.min(distance);
            }
        }
    }
    least
}

#[test]
fn a_rope_with_a_radius_rests_on_everything_without_touching() {
    let mut run = Run::of(&inline(falling(&json!({}))));
    for _ in 0..60 {
        run.step();
        run.assert_apart();
    }

    // The rope lies on the peg at its radius.
    let rope = run.world().bodies[0].vertices.clone();
    let x = &run.state().x[rope];
    let peg = Vec2::new(-0.05, 0.15);
    let away =
        |pair: &[Vec2]| ipcsim::geometry::distance::point_edge(peg, pair[0], pair[1]).distance;
    let least = x.windows(2).map(away).fold(f64::INFINITY, f64::min);
    assert!((0.06..0.0605).contains(&least), "{least}");
}

#[test]
fn the_layers_of_a_rope_that_piles_up_keep_two_radii() {
    // A rope of 1.6 m falls down a shaft of 0.2 m.
    let scene = inline(json!({
        "time": { "step": 0.005, "steps": 240 },
        "materials": { "hemp": { "density": 600.0 } },
        "bodies": [
            { "name": "rope", "material": "hemp",
              "kind": { "rod": { "axial_stiffness": 1e4, "bending_stiffness": 1e-4, "mass_per_length": 0.2,
                                 "radius": 0.008 } },
              "shape": { "polyline": { "points": [[0.01, 0.02], [-0.03, 0.8], [0.02, 1.6]], "segments": 50 } } }
        ],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } },
            { "name": "left", "shape": { "half_plane": { "normal": [1, 0], "origin": [-0.1, 0] } } },
            { "name": "right", "shape": { "half_plane": { "normal": [-1, 0], "origin": [0.1, 0] } } }
        ],
        "contact": { "d_hat": 0.002, "friction": { "default": 0.2 } }
    }));
    let mut run = Run::of(&scene);
    let mut reached = f64::INFINITY;
    for _ in 0..240 {
        run.step();
        let x = &run.state().x;
        run.assert_apart();

        // Exempt are 16 pi / 2 + pi mm, less than two segments.
        reached = reached.min(nearest_turns(&x[..101], 2));
    }
    assert!((0.016..0.018).contains(&reached), "{reached}");
    let top = run.state().x[..101].iter().map(|x| x.y).fold(0.0, f64::max);
    assert!(top < 0.8, "{top}");
}

#[test]
fn overlaps_of_ropes_are_found_by_their_radius_and_not_between_neighbours() {
    let found = |offset: f64| {
        let rope = |name: &str, y: f64| {
            json!({
                "name": name, "material": "hemp", "position": [0.0, y],
                "kind": { "rod": { "young": 1e6, "thickness": 0.02 } },
                "shape": { "polyline": { "points": [[0, 0], [1, 0]], "segments": 100 } }
            })
        };
        let scene = inline(json!({
            "time": { "step": 0.01, "steps": 1 },
            "materials": { "hemp": { "density": 600.0 } },
            "bodies": [rope("one", 0.0), rope("two", offset)],
            "contact": { "d_hat": 0.001 }
        }));
        scene.build().is_ok()
    };
    assert!(found(0.0201));
    assert!(!found(0.0199));
}

#[test]
fn a_stored_run_of_ropes_is_proved_with_their_radius_and_a_fold_is_no_proof() {
    let place = Place::new();
    let path = place.scene(&falling(&json!({})));
    let out = place.certified(&path, "run", &[]);
    ipcsim(&["verify", &out]).exits(0).prints("bends of rods");

    // The mesh knows the radius: with a larger one the same states touch.
    let mesh = place.json("run/mesh.json");
    assert_eq!(mesh["rods"][0]["radius"], json!(0.01));
    assert_eq!(mesh["bends"].as_array().unwrap().len(), 39 + 24);
}

#[test]
fn ropes_have_the_same_bits_on_any_threads_and_after_resuming() {
    let place = Place::new();
    let scene = falling(&json!({ "time": { "step": 0.01, "steps": 40, "integrator": "bdf2" } }));
    let path = place.scene(&scene);
    let run = |name: &str, more: &[&str]| place.ran(&path, name, more);
    run("whole", &["--threads", "1"]);
    run("three", &["--threads", "3"]);
    let parts = run("parts", &["--steps", "13"]);
    for steps in ["26", "40"] {
        let more = format!("run --resume {parts} --steps {steps} --threads 2");
        ipcsim_line(&more).exits(0);
    }
    let hash = |name: &str| place.json(&format!("{name}/run.json"))["hash"].clone();
    assert_eq!(hash("whole"), hash("three"));
    assert_eq!(hash("whole"), hash("parts"));
}

#[test]
fn a_rod_is_held_joined_loaded_and_measured_at_any_of_its_points() {
    // A hinge between two rods, a weld to an obstacle, a force and a torque, and a probe.
    let rod = |name: &str, x: f64| {
        json!({
            "name": name, "material": "steel", "position": [x, 0.0],
            "kind": { "rod": { "axial_stiffness": 1e5, "bending_stiffness": 2.0, "mass_per_length": 0.1 } },
            "shape": { "polyline": { "points": [[0, 0], [0.5, 0]], "segments": 10 } }
        })
    };
    let scene = inline(json!({
        "time": { "step": 1.0, "steps": 1, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "steel": { "density": 7800.0 } },
        "bodies": [rod("one", 0.0), rod("two", 0.5)],
        "obstacles": [{ "name": "wall", "shape": { "square": { "side": 0.1, "segments": 1 } }, "position": [-0.05, 0.0] }],
        "joints": [
            { "weld": { "bodies": ["wall", "one"], "at": [0.0, 0.0] } },
            { "weld": { "bodies": ["one", "two"], "at": [0.5, 0.0] } }
        ],
        "loads": [
            { "body": "two", "at": [1.0, 0.0], "force": [0.0, -0.03] },
            { "body": "one", "traction": [0.0, 1e-9] }
        ]
    }));
    let mut run = Run::of(&scene);
    run.step();

    // Welds hold the first segments of both rods, so that the deflection is that of a cantilever
    // up to the length of a segment.
    let end = *run.state().x[..22].last().unwrap();
    let expected = -0.03 / (3.0 * 2.0);
    near_ratio(end.y, expected, 0.15);
    let joints = run.world().model.joints.len();
    assert_eq!(joints, 2);
}

#[test]
fn a_rope_that_crosses_itself_is_an_overlap() {
    let x = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, -0.5]].map(Vec2::from);
    let surface = Surface {
        edges: vec![[0, 1], [1, 2], [2, 3]],
        filled: vec![false],
        ..Surface::new(vec![0; 4], 1e-3)
    };
    assert_eq!(
        surface.outlines().intersections(&x),
        [Intersection::Edges([0, 1], [2, 3])]
    );
}

/// An edge of a rod of the radius 0.1 m over an edge of a wall, both 1 m long, at a gap of 5 mm.
fn rod_over_wall() -> (Surface, [Vec2; 4]) {
    let mut surface = Surface {
        points: vec![0, 1, 2, 3],
        edges: vec![[0, 1], [2, 3]],
        edge_area: vec![1.0; 2],
        weight: vec![0.5; 4],
        integrated: vec![true; 2],
        filled: vec![false; 2],
        ..Surface::new(vec![0, 0, 1, 1], 0.01)
    };
    surface.radius[..2].fill(0.1);
    let x = [[0.0, 0.105], [1.0, 0.105], [0.0, 0.0], [1.0, 0.0]];
    (surface, x.map(Vec2::from))
}

#[test]
fn friction_acts_at_the_surface_of_a_rod_and_a_common_turn_is_no_slip() {
    let (surface, x) = rod_over_wall();
    let barrier = Barrier {
        shape: BarrierShape::Inverse,
        kappa: 1e5,
    };
    let candidates = Candidates::find(&surface, &x, |_| 0.0);
    let contacts = Contacts::find(&surface, &barrier.into(), &candidates, &x).unwrap();
    let table = FrictionTable::uniform(0.3, 1e-9);
    let lag = Lag::along_tangents(&table, &x, 1.0);
    let friction = Friction::lagged(&surface, &contacts, &x, lag);

    // The rod slides: its own forces have a lever about its middle line, of its radius or up to the
    // gap more, as seen from the rod or from the wall. All forces together have no moment.
    let mut slid = x;
    slid[0].x += 0.1;
    slid[1].x += 0.1;
    let forces: Vec<(usize, Vec2)> = friction
        .forces(&surface, &slid)
        .flat_map(|force| force.on_vertices)
        .collect();
    let of_rod = || forces.iter().filter(|(vertex, _)| *vertex < 2);
    let force: Vec2 = of_rod().map(|(_, force)| force).sum();
    let middle = Vec2::new(0.5, 0.105);
    let moment: f64 = of_rod()
        .map(|(i, force)| cross(x[*i] - middle, *force))
        .sum();
    assert!(
        force.x < -1.0 && force.y.abs() < 1e-9 * force.x.abs(),
        "{force}"
    );
    let lever = moment / force.x;
    assert!((0.1..=0.105).contains(&lever), "{lever}");
    let whole: f64 = forces.iter().map(|(i, force)| cross(x[*i], *force)).sum();
    assert!(whole.abs() < 1e-9 * force.norm(), "{whole}");

    // Both turn together about any point, by an angle so small that arcs are lines.
    let turned = x.map(|x| x + Vec2::new(-x.y, x.x) * 1e-7);
    let left: f64 = friction
        .forces(&surface, &turned)
        .flat_map(|force| force.on_vertices)
        .map(|(_, force)| force.norm())
        .sum();
    assert!(left < 1e-3 * force.norm(), "{left} {force}");
}

/// Sag (m) of the end of a cantilever of 1 m and `EI` = 50 N m^2 under 0.01 N, relative to the closed form less 1: of two
/// welded rods, and on a hinge with a torsion spring (N m/rad) or a weld at the root.
fn sag(segments: usize, is_of_two: bool, spring: Option<f64>) -> f64 {
    let rod = |name: &str, ends: [f64; 2]| {
        json!({
            "name": name, "material": "m",
            "kind": { "rod": { "axial_stiffness": 1e7, "bending_stiffness": 50.0, "mass_per_length": 1.0, "radius": 0.0 } },
            "shape": { "polyline": { "points": [[ends[0], 0.0], [ends[1], 0.0]], "segments": segments } }
        })
    };
    let root = match spring {
        None => json!({ "weld": { "bodies": ["wall", "one"], "at": [0.0, 0.0] } }),
        Some(stiffness) => json!({ "hinge": {
            "bodies": ["wall", "one"], "at": [0.0, 0.0], "spring": { "stiffness": stiffness }
        } }),
    };
    let (bodies, joints, last) = if is_of_two {
        let weld = json!({ "weld": { "bodies": ["one", "two"], "at": [0.5, 0.0] } });
        (
            vec![rod("one", [0.0, 0.5]), rod("two", [0.5, 1.0])],
            vec![root, weld],
            "two",
        )
    } else {
        (vec![rod("one", [0.0, 1.0])], vec![root], "one")
    };
    let mut run = Run::of(&inline(json!({
        "time": { "step": 1.0, "steps": 1, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "m": { "density": 1000 } },
        "bodies": bodies,
        "obstacles": [{ "name": "wall", "shape": { "circle": { "radius": 0.01 } } }],
        "joints": joints,
        "loads": [{ "body": last, "at": [1.0, 0.0], "force": [0.0, -0.01] }],
    })));
    run.step();
    let end = run.world().bodies[bodies.len() - 1].vertices.end - 1;
    let expected = 0.01 * (1.0 / 150.0 + spring.map_or(0.0, f64::recip));
    -run.state().x[end].y / expected - 1.0
}

#[test]
fn rods_on_welds_and_springs_are_of_second_order() {
    for (is_of_two, spring) in [(false, None), (true, None), (false, Some(100.0))] {
        let [coarse, fine] = [10, 20].map(|segments| sag(segments, is_of_two, spring));
        assert!(coarse.abs() < 6e-3, "{is_of_two}, {spring:?}: {coarse}");
        let ratio = coarse / fine;
        assert!(
            (3.8..4.2).contains(&ratio),
            "{is_of_two}, {spring:?}: {coarse} and {fine}"
        );
    }
}
