//! Statics: proofs, bits after resumption and on threads, and the failures that name what nothing holds.
//!
//! Closed forms are cases of `validate` (`static_*`).

use crate::program::{Place, ipcsim, project};
use crate::support::{Run, assert_resumable, inline};
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use ipcsim::time::Fallback;
use serde_json::{Value, json};

/// A static scene of two increments with some bodies, and other keys.
fn scene(bodies: &Value, more: &Value) -> Scene {
    let mut scene = json!({
        "time": { "step": 0.5, "steps": 2, "integrator": "static" },
        "materials": {
            "steel": { "density": 7800 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } }
        },
        "contact": { "friction": { "default": 0.5 } },
        "bodies": bodies
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    inline(scene)
}

/// A rigid bar of 0.5 x 0.05 m.
fn bar(name: &str, x: f64) -> Value {
    json!({
        "name": name, "kind": "rigid", "material": "steel", "position": [x, 1.0],
        "shape": { "rectangle": { "size": [0.5, 0.05], "segments": [1, 1] } }
    })
}

/// The ground at `y = 0`.
fn ground() -> Value {
    json!([{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }])
}

/// A cantilever of 1 m and bending stiffness 1 N m^2 as a rod, whose end is pressed by ten times `EI / L^2`.
///
/// Half a segment before its root it is clamped, by two vertices.
fn bent_far(most_directions: usize) -> Scene {
    let segments = 40;
    let part = 1.0 / (f64::from(segments) - 0.5);
    let points: Vec<[f64; 2]> = (0..=segments)
        .map(|k| [part * (f64::from(k) - 0.5), 0.0])
        .collect();
    inline(json!({
        "time": { "step": 1.0, "steps": 1, "integrator": "static" },
        "gravity": [0, 0],
        "materials": { "steel": { "density": 7800 } },
        "bodies": [{
            "name": "rod", "material": "steel", "shape": { "polyline": { "points": points } },
            "kind": { "rod": { "axial_stiffness": 1e7, "bending_stiffness": 1.0, "mass_per_length": 1.0 } },
            "prescribed": [{ "vertices": { "indices": [0, 1] } }]
        }],
        "loads": [{ "body": "rod", "on": { "indices": [segments] }, "force": [0, "-10 * t"] }],
        "solver": { "max_iterations": most_directions }
    }))
}

/// Name of the failure of the first increment of a scene.
fn failure(scene: &Scene) -> Option<&'static str> {
    let failure = Run::of(scene).try_step().err()?;
    Some(failure.kind())
}

#[test]
fn a_load_that_nothing_carries_and_a_mechanism_are_named_failures() {
    // Nothing below the bar; a floor without friction; a floor with friction.
    let falls = scene(&json!([bar("bar", 0.0)]), &json!({}));
    assert_eq!(failure(&falls), Some("unheld"));
    let smooth = json!({ "obstacles": ground(), "contact": {} });
    assert_eq!(
        failure(&scene(&json!([bar("bar", 0.0)]), &smooth)),
        Some("loose")
    );
    let rough = json!({ "obstacles": ground() });
    assert_eq!(failure(&scene(&json!([bar("bar", 0.0)]), &rough)), None);

    // Without weight two bars on a hinge keep their place, but nothing determines it.
    let hinged = json!({
        "gravity": [0, 0],
        "joints": [{ "hinge": { "bodies": ["a", "b"], "at": [0.255, 1.0] } }]
    });
    let bars = json!([bar("a", 0.0), bar("b", 0.51)]);
    assert_eq!(failure(&scene(&bars, &hinged)), Some("loose"));
}

/// A soft block between two plates that come nearer by a fifth of a millimetre in two increments, from a gap (m) on
/// each side, with a coefficient of friction.
fn squeezed(gap: f64, coefficient: f64) -> Scene {
    let plate = |name: &str, up: f64| {
        json!({
            "name": name, "velocity": [0, 1e-4 * up],
            "shape": { "half_plane": { "normal": [0, up], "origin": [0, -up * (0.005 + gap)] } }
        })
    };
    let block = json!([{
        "name": "block", "material": "rubber", "elements": "quadratic",
        "shape": { "rectangle": { "size": [0.02, 0.01], "segments": [8, 4] } }
    }]);
    let plates = json!({
        "gravity": [0, 0],
        "obstacles": [plate("top", -1.0), plate("bottom", 1.0)],
        "contact": { "friction": { "default": coefficient } }
    });
    scene(&block, &plates)
}

/// The block slides outwards on both sides of its middle. Friction is at its bound there and resists no small motion
/// to one side; a longer one would turn the slip of one half around.
#[test]
fn a_body_between_plates_that_slide_on_it_is_held_by_their_friction() {
    assert_eq!(failure(&squeezed(1e-6, 0.1)), None);
    assert_eq!(failure(&squeezed(1e-6, 0.0)), Some("loose"));
}

/// What touches nothing, and on which nothing acts, stays until something reaches it.
#[test]
fn a_body_without_forces_stays_where_it_is_until_it_is_touched() {
    // The plates arrive in the second increment.
    let mut run = Run::of(&squeezed(6e-5, 0.3));
    let start = run.state().x.clone();
    run.step();
    let pairs = run.state().x.iter().zip(&start).take(45);
    assert!(
        pairs
            .map(|(x, start)| (x - start).norm())
            .all(|moved| moved < 1e-13)
    );
    run.step();
    let heights = run.state().x.iter().map(|x| x.y.abs());
    let highest = heights.take(45).fold(0.0, f64::max);
    assert!(highest < 0.005 && highest > 0.00495, "{highest}");

    // Loads that stretch the block, though they move it nowhere, leave its place open.
    let loads = json!([
        { "body": "a", "on": { "side": "left" }, "traction": [-1000, 0] },
        { "body": "a", "on": { "side": "right" }, "traction": [1000, 0] }
    ]);
    let free = json!([{
        "name": "a", "material": "rubber",
        "shape": { "rectangle": { "size": [0.2, 0.1], "segments": [4, 2] } }
    }]);
    let weightless = json!({ "gravity": [0, 0] });
    assert_eq!(failure(&scene(&free, &weightless)), None);
    let pulled = json!({ "gravity": [0, 0], "loads": loads });
    assert_eq!(failure(&scene(&free, &pulled)), Some("loose"));
}

/// The whole load in one increment needs more directions than are allowed, and so do its larger parts; the
/// smallest ones do not. Nothing snaps: the elastica has one equilibrium for each load. Its end
/// is 0.810609 L below the root (Mattiasson 1981), which 40 segments meet to 0.5 %.
#[test]
fn an_increment_that_is_not_solved_is_cut_back_without_a_snap() {
    let deflection = |run: &Run| -run.state().x[40].y;
    let mut cut = Run::of(&bent_far(100));
    let recovery = cut.step().recovery.unwrap();
    assert_eq!(
        (recovery.rung, recovery.kind.as_str()),
        (Fallback::HalvedStep, "iterations")
    );
    let error = deflection(&cut) / 0.810_609 - 1.0;
    assert!(error.abs() < 0.005, "{error:e}");

    // The same equilibrium as at once, since no force depends on the way.
    let mut whole = Run::of(&bent_far(1000));
    assert_eq!(whole.step().recovery, None);
    let apart = deflection(&cut) - deflection(&whole);
    assert!(apart.abs() < 1e-6, "{apart:e}");
}

#[test]
fn increments_resume_with_the_same_bits() {
    let block = json!([{
        "name": "block", "material": "rubber", "position": [0, 0.2],
        "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [8, 4] } }
    }]);
    let loads = json!([{ "body": "block", "force": ["20 * t", "-100 * t"] }]);
    let scene = scene(&block, &json!({ "obstacles": ground(), "loads": loads }));
    assert_resumable(&scene, 4, |_, _| ());
}

#[test]
fn increments_with_contact_are_proved_and_have_the_same_bits_on_threads_and_after_resumption() {
    // A soft block falls on rough ground, and a rigid bar presses and drags it.
    let bodies = json!([
        {
            "name": "block", "material": "rubber", "position": [0, 0.12],
            "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [8, 4] } }
        },
        {
            "name": "bar", "kind": "rigid", "material": "steel", "position": [0, 0.26],
            "shape": { "rectangle": { "size": [0.3, 0.02], "segments": [1, 1] } }
        }
    ]);
    let loads = json!([{ "body": "bar", "force": ["10 * t", "-200 * t"] }]);
    let mut value = json!({
        "time": { "step": 0.25, "steps": 4, "integrator": "static" },
        "materials": {
            "steel": { "density": 100 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } }
        },
        "contact": { "friction": { "default": 0.5 } },
        "output": { "ledger": true }
    });
    value["bodies"] = bodies;
    value["loads"] = loads;
    value["obstacles"] = ground();

    let place = Place::new();
    let path = place.scene(&value);
    let run = |name: &str, more: &[&str]| place.certified(&path, name, more);
    let one = run("one", &["--threads", "1"]);
    run("three", &["--threads", "3"]);
    let part = run("part", &["--threads", "2", "--steps", "2"]);
    ipcsim(&["run", "--resume", &part, "--steps", "4"]).exits(0);
    let files = |name: &str| {
        let mut files = place.files(name);
        ["trajectory.npy", "energies.csv"].map(|file| files.remove(file).unwrap())
    };
    assert!(files("one") == files("three"), "threads");
    assert!(files("one") == files("part"), "resumed");

    for folder in [&one, &part] {
        ipcsim(&["verify", folder])
            .exits(0)
            .prints(" to step 4 join all stored states");
    }
}

/// Mean pressure (Pa) between two steel blocks of 0.1 x 0.1 m without lateral contraction. The upper one starts `gap` (m)
/// above the lower one and is pushed down by `shift` (m) at its top.
fn closed_gap(gap: f64, shift: f64, friction: f64) -> f64 {
    let block = |name: &str, y: f64, held: &str, by: f64| {
        json!({
            "name": name, "kind": "deformable", "material": "hard", "position": [0.0, y],
            "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [4, 4] } },
            "prescribed": [{ "vertices": { "box": held_box(y, held) }, "displacement": { "x": 0, "y": format!("{by}*t") } }]
        })
    };
    let scene = scene(
        &json!([
            block("low", 0.05, "below", 0.0),
            block("high", 0.15 + gap, "above", -shift)
        ]),
        &json!({
            "gravity": [0, 0],
            "materials": { "hard": { "density": 7800, "law": { "neo_hookean": { "young": 2e11, "poisson": 0.0 } } } },
            "contact": { "friction": { "default": friction } },
        }),
    );
    let mut run = Run::of(&scene);
    for _ in 0..2 {
        run.step();
    }
    let world = run.world();
    let contacts = world.contacts_at(
        &run.state().x,
        &run.state().memory.options.stiffening.adapted,
    );
    let forces = contacts.forces(&world.model.surface, &run.state().x);
    forces.map(|contact| contact.force.abs()).sum::<f64>() / 0.1
}

/// A box around the lower or the upper side of a block at the height `y` (m).
fn held_box(y: f64, side: &str) -> Value {
    let height = if side == "below" { y - 0.05 } else { y + 0.05 };
    json!({ "min": [-1.0, height - 1e-3], "max": [1.0, height + 1e-3] })
}

#[test]
fn gaps_that_close_between_stiff_bodies_have_their_closed_form() {
    // The shift beyond the gap compresses both blocks; strains are below 5e-3.
    for gap in [1e-7, 1e-5, 1e-4] {
        for strain in [1e-5, 1e-4, 1e-3] {
            let pressure = closed_gap(gap, gap + 0.2 * strain, 0.2);
            let expected = 2e11 * strain;
            let apart = pressure / expected - 1.0;
            assert!(
                apart.abs() < 0.01,
                "gap {gap}, strain {strain}: {pressure} of {expected} Pa"
            );
        }
    }
}

/// A soft strip that is clamped at its left side, under a pressure on its whole upper side.
fn pressed(increments: usize, pressure: f64, time: &Value) -> Scene {
    let mut all =
        json!({ "step": 1.0 / increments as f64, "steps": increments, "integrator": "static" });
    for (key, value) in time.as_object().unwrap() {
        all[key] = value.clone();
    }
    inline(json!({
        "time": all,
        "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [{
            "name": "strip", "material": "rubber",
            "shape": { "rectangle": { "size": [1.0, 0.1], "segments": [20, 2] } },
            "prescribed": [{ "vertices": { "side": "left" } }]
        }],
        "loads": [{ "body": "strip", "on": { "side": "top" }, "pressure": format!("{pressure} * t") }]
    }))
}

/// Sum of a pressure (Pa) over the upper edges of the strip as it is deformed (N).
fn force_on_top(run: &Run, pressure: f64) -> Vec2 {
    let world = run.world();
    let is_top = |vertex: &usize| (world.rest[*vertex].y - 0.05).abs() < 1e-12;
    let mut top: Vec<usize> = (0..world.rest.len()).filter(is_top).collect();
    top.sort_by(|a, b| world.rest[*a].x.total_cmp(&world.rest[*b].x));
    let ends = [top[0], top[top.len() - 1]].map(|vertex| run.state().x[vertex]);
    // Edges of a chain add up to the vector between its ends.
    let along = ends[1] - ends[0];
    Vec2::new(along.y, -along.x) * pressure
}

#[test]
fn a_pressure_on_open_edges_is_in_equilibrium_with_the_deformed_edge_at_any_increments() {
    // Up to a pressure that bends the end by three quarters of the length.
    for pressure in [30.0, 300.0, 1000.0] {
        let mut ends: Vec<Vec<Vec2>> = Vec::new();
        for increments in [1, 3, 8] {
            let scene = pressed(increments, pressure, &json!({}));
            let mut simulation = Simulation::new(scene.clone()).unwrap();
            simulation.run(increments).unwrap();
            let reaction = simulation.reactions().next().unwrap().force;
            let mut run = Run::of(&scene);
            run.steps(increments);
            let expected = force_on_top(&run, pressure);
            let error = (reaction + expected).norm() / expected.norm();
            assert!(error < 1e-8, "{pressure} {increments}: {error:e}");
            ends.push(run.state().x.clone());
        }
        for end in &ends[1..] {
            let apart = end.iter().zip(&ends[0]).map(|(a, b)| (a - b).norm());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 1e-8, "{pressure}: {apart:e}");
        }
    }

    // Along a path too, whose increments end at other load times.
    let path = pressed(12, 300.0, &json!({ "arc_length": { "length": 0.05 } }));
    let mut simulation = Simulation::new(path).unwrap();
    simulation.run(12).unwrap();
    let mut run = Run::of(&pressed(
        12,
        300.0,
        &json!({ "arc_length": { "length": 0.05 } }),
    ));
    run.steps(12);
    let reaction = simulation.reactions().next().unwrap().force;
    let expected = force_on_top(&run, 300.0 * run.state().time);
    let error = (reaction + expected).norm() / expected.norm();
    assert!(error < 1e-6, "{error:e}");
}

#[test]
fn an_increment_in_which_friction_circles_is_halved_until_it_has_a_balance() {
    let place = Place::new();
    let scene = project("tests/data/circling_friction.json");
    let scene = scene.to_str().unwrap();
    let run = |name: &str, more: &[&str]| {
        let out = place.path(name);
        ipcsim(&[&["run", scene, "--no-frames", "--out", &out], more].concat()).exits(0);
        let report = place.json(&format!("{name}/run.json"));
        assert_eq!(report["late_friction"], json!({"steps": 0, "contacts": 0}));
        report
    };
    let report = run("whole", &[]);
    assert_eq!(report["recoveries"][0]["kind"], "late_friction");
    assert_eq!(report["recoveries"][0]["rung"], "halved_step");

    // With smaller increments nothing goes round in circles, and the stress is the same.
    let increments = ["--set", "time.step=0.25", "--set", "time.steps=8"];
    let smaller = run("smaller", &increments);
    assert_eq!(smaller["recoveries"], json!([]));
    let [stress, other] = [report, smaller].map(|report| report["measures"][0]["value"].as_f64());
    let (stress, other) = (stress.unwrap(), other.unwrap());
    assert!(
        (stress - other).abs() < 0.01 * other.abs(),
        "{stress} {other}"
    );
}
