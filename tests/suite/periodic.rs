//! Cells that repeat in whole runs: the same bits after resuming and on any number of threads,
//! certificates, friction across the period, refused keys, and pictures.

use crate::cli_resume::same_and_proved;
use crate::program::{Place, ipcsim_in};
use ipcsim::prelude::*;
use serde_json::{Value, json};

/// A square of 6 by 6 squares of triangles with a slit that is cut by the left and right side.
fn slit() -> Value {
    let place = |i: usize, j: usize| j * 7 + i;
    let corners =
        (0..7).flat_map(|j| (0..7).map(move |i| [f64::from(i) / 6.0, f64::from(j) / 6.0]));
    let corners: Vec<[f64; 2]> = corners.collect();
    let squares = (0..6).flat_map(|j| (0..6).map(move |i| (i, j)));
    let full = squares.filter(|&(i, j)| j != 3 || (1..5).contains(&i));
    let triangles: Vec<[usize; 3]> = full
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(u, v)| place(i + u, j + v));
            [[a, b, c], [a, c, d]]
        })
        .collect();
    json!({ "mesh": { "vertices": corners, "triangles": triangles } })
}

/// A cell with a slit that closes under compression and shear, and rubs.
fn closing(integrator: &str, elements: &str) -> Value {
    json!({
        "time": { "step": 0.05, "steps": 12, "integrator": integrator },
        "gravity": [0, 0],
        "periodic": { "x": 1, "y": 1, "strain": { "yy": "-0.6 * t", "xy": "0.4 * t^2" } },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [{ "name": "matrix", "material": "m", "shape": slit(), "elements": elements }],
        "contact": { "friction": { "default": 0.3 } },
        "measure": [{ "name": "stress", "value": "cell_stress_yy" }],
        "output": { "ledger": true }
    })
}

/// Soft blocks of different heights between two plates, along which the scene repeats.
fn blocks() -> Value {
    let block = |name: &str, x: f64, height: f64| {
        json!({ "name": name, "material": "m", "position": [x, 0.02 + 0.5 * height], "velocity": [2, 0],
            "shape": { "rectangle": { "size": [0.4, height], "segments": [3, 3] } } })
    };
    json!({
        "time": { "step": 0.01, "steps": 12 },
        "periodic": { "x": 1, "strain": { "xx": "-2 * t" } },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } } } },
        "bodies": [block("low", 0.1, 0.4), block("high", 0.6, 0.5)],
        "obstacles": [{ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "ledger": true }
    })
}

/// Simulation of a scene in JSON.
fn simulation(scene: &Value) -> Result<Simulation, Error> {
    Simulation::new(ipcsim::scene::parse(&scene.to_string(), &[]).unwrap())
}

#[test]
fn runs_keep_their_bits_on_any_threads_and_after_resuming_and_are_proved() {
    let scenes = [
        closing("static", "linear"),
        closing("implicit_euler", "quadratic"),
        blocks(),
    ];
    for scene in scenes {
        let place = Place::new();
        let scene = place.scene(&scene);
        same_and_proved(&place, &scene, 6);
    }
}

#[test]
fn the_ledger_of_increments_has_the_work_of_the_mean_stress() {
    let mut scene = closing("static", "linear");
    scene["contact"]["friction"]["default"] = json!(0.0);
    scene["time"] = json!({ "step": 0.01, "steps": 60, "integrator": "static" });
    let mut simulation = simulation(&scene).unwrap();
    let [mut by_periods, mut by_stress] = [0.0, 0.0];
    let mut before = [0.0; 3];
    let mut last = [0.0; 3];
    for _ in 0..60 {
        let record = simulation.step().unwrap().record;
        let cell = record.cell.unwrap();
        by_periods += record.ledger.unwrap().work.periods;
        let stress = cell.stress.unwrap();
        for k in 0..3 {
            by_stress += 0.5 * (stress[k] + last[k]) * (cell.strain[k] - before[k]);
        }
        before = cell.strain;
        last = stress;
    }
    // One counts forces at the end of increments, the other their means.
    assert!(by_stress > 0.0);
    assert!(
        (by_periods / by_stress - 1.0).abs() < 0.05,
        "{by_periods} {by_stress}"
    );
}

#[test]
fn what_has_no_meaning_across_a_period_is_refused_with_its_reason() {
    let cases = [
        (
            "/gravity",
            json!([0, -9.81]),
            "nothing could carry the weight",
        ),
        ("/periodic", json!({ "strain": {} }), "has no period"),
        ("/periodic/strain", json!({ "yy": 0.1 }), "must begin at 0"),
        (
            "/periodic/strain",
            json!({ "yy": "-2 * t" }),
            "leaves no period",
        ),
        (
            "/periodic/strain",
            json!({ "yy": "x * t" }),
            "depends on the place",
        ),
        ("/periodic/stress", json!({ "yy": 1 }), "follows from it"),
        (
            "/bodies/0/kind",
            json!({ "polynomial": { "order": 1 } }),
            "images are not there yet",
        ),
        (
            "/bodies/0/spin_deg",
            json!(90),
            "against which it would turn",
        ),
        ("/bodies/0/stretch", json!([1.1, 1]), "would tear the body"),
        ("/plane", json!("axisymmetric"), "bodies of revolution"),
        (
            "/obstacles",
            json!([{ "name": "floor", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -1] } } }]),
            "is there once",
        ),
    ];
    for (path, value, reason) in cases {
        let mut scene = closing("implicit_euler", "linear");
        scene["obstacles"] = json!([]);
        scene["plane"] = json!("strain");
        scene["periodic"]["stress"] = json!({});
        scene["bodies"][0]["stretch"] = json!([1, 1]);
        scene["bodies"][0]["spin_deg"] = json!(0);
        scene["bodies"][0]["kind"] = json!("deformable");
        *scene.pointer_mut(path).unwrap() = value;
        let refused = simulation(&scene).unwrap_err().to_string();
        assert!(refused.contains(reason), "{path}: {refused}");
    }

    // A wall along the only period is there everywhere; one across it is not.
    let mut scene = blocks();
    scene["obstacles"][0]["shape"]["half_plane"]["normal"] = json!([0.1, 1]);
    let refused = simulation(&scene).unwrap_err().to_string();
    assert!(refused.contains("leans against the period"), "{refused}");
}

#[test]
fn a_body_that_leaves_its_cell_ends_the_run_by_name() {
    let mut scene = blocks();
    scene["gravity"] = json!([0, 0]);
    scene["periodic"] = json!({ "x": 1 });
    scene["time"] = json!({ "step": 0.05, "steps": 40 });
    scene["bodies"][1]["position"] = json!([0.6, 1.5]);
    scene["bodies"][1]["velocity"] = json!([-2, 0]);
    let mut simulation = simulation(&scene).unwrap();
    let failed = (0..40).find_map(|_| simulation.step().err()).unwrap();
    let message = failed.to_string();
    assert!(message.contains("beyond the neighbouring"), "{message}");
}

#[test]
fn pictures_show_the_neighbours_and_the_cell() {
    let place = Place::new();
    let scene = place.scene(&closing("static", "linear"));
    let folder = place.ran(&scene, "run", &["--steps", "2"]);
    let mesh = place.json("run/mesh.json");
    assert_eq!(mesh["periodic"]["repeats"], json!([true, true]));
    ipcsim_in(place.root(), &["render", &folder]).exits(0);
}

/// Two rigid disks that fly through a cell, drawn `on` periods farther.
fn flying(on: f64) -> Value {
    let disk = |name: &str, x: f64| {
        json!({ "name": name, "kind": "rigid", "material": "m", "position": [x + on, 0.5], "velocity": [8, 0],
            "shape": { "circle": { "radius": 0.1 } } })
    };
    json!({
        "time": { "step": 0.125, "steps": 4 },
        "gravity": [0, 0],
        "periodic": { "x": 1, "y": 1 },
        "materials": { "m": { "density": 1000.0 } },
        "bodies": [disk("one", 0.3), disk("other", 0.7)],
        "output": { "view": [[-0.5, -0.5], [1.5, 1.5]] }
    })
}

#[test]
fn pictures_and_the_page_show_a_body_in_the_cell_in_which_its_centre_is() {
    // After half a second both have moved on by four periods, and are drawn where they began.
    let place = Place::new();
    let scene = place.scene(&flying(0.0));
    let folder = place.ran(&scene, "run", &[]);
    let frames = ["000000", "000004"].map(|frame| {
        let drawn = place.path(&format!("{frame}.png"));
        let step: usize = frame.parse().unwrap();
        let range = format!("{step}..{step}");
        let args = [
            "render",
            &folder,
            "--frames",
            &range,
            "--no-labels",
            "--out",
            &drawn,
        ];
        ipcsim_in(place.root(), &args).exits(0);
        std::fs::read(drawn).unwrap()
    });
    assert!(frames[0] == frames[1], "a body is drawn elsewhere");

    // States are as they were.
    let mut simulation = simulation(&flying(0.0)).unwrap();
    let start = simulation.state().q[0];
    simulation.run(4).unwrap();
    let moved = simulation.state().q[0] - start;
    assert!((moved.x - 4.0).abs() < 1e-12, "{moved}");
}
