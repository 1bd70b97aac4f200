//! Paths of equilibria by arc length: bits after resumption and on threads, proofs, corners at contacts,
//! the same states as under the loads alone, failures.
//!
//! Closed forms are cases of `validate` (`static_path`, `static_lee`).

use crate::program::{Place, ipcsim};
use crate::support::{Parts, Run, assert_resumable, inline};
use ipcsim::math::parallel;
use ipcsim::prelude::*;
use ipcsim::scene::parse;
use serde_json::{Value, json};

/// A shallow truss of two springs under a force that grows, above ground that its joint reaches on the
/// unstable branch.
fn truss() -> Value {
    let support = |name: &str, x: f64| {
        json!({ "name": name, "shape": { "rectangle": { "size": [0.02, 0.02], "segments": [1, 1] } },
                "position": [x, 0], "group": "jointed" })
    };
    let spring = |name: &str, x: f64| json!({ "spring": { "bodies": [name, "joint"], "ends": [[x, 0], [0, 0.2]], "stiffness": 1000 } });
    json!({
        "time": { "step": 0.2, "steps": 30, "integrator": "static", "arc_length": { "length": 0.02 } },
        "gravity": [0, 0],
        "materials": { "stone": { "density": 1000 } },
        "bodies": [{
            "name": "joint", "kind": "rigid", "material": "stone", "position": [0, 0.2],
            "shape": { "disk": { "radius": 0.01, "segments": 16 } },
            "fixed": ["angle"], "group": "jointed"
        }],
        "obstacles": [
            support("left", -1.0),
            support("right", 1.0),
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.05] } } }
        ],
        "contact": { "d_hat": 1e-3, "kappa": 1e5 },
        "joints": [spring("left", -1.0), spring("right", 1.0)],
        "loads": [{ "body": "joint", "force": ["0", "-4 * t"] }],
        "output": { "ledger": true }
    })
}

/// A soft strip that is clamped, heats, is pressed and moved, and comes to lie on smooth ground.
fn strip(time: &Value) -> Value {
    json!({
        "time": time,
        "materials": { "rubber": {
            "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.3 } }, "expansion": 1e-3
        } },
        "bodies": [{
            "name": "strip", "material": "rubber", "temperature": "20 * t",
            "shape": { "rectangle": { "size": [0.6, 0.05], "segments": [12, 2] } },
            "prescribed": [{ "vertices": { "side": "left" }, "velocity": [0.01, 0.02] }]
        }],
        "obstacles": [
            { "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, -0.12] } } }
        ],
        "loads": [{ "body": "strip", "on": { "side": "top" }, "pressure": "150 * t" }]
    })
}

fn scene(value: &Value) -> Scene {
    parse(&value.to_string(), &[]).unwrap()
}

#[test]
fn a_path_resumes_at_any_step_with_the_same_bits_also_where_it_is_unstable() {
    let scene = scene(&truss());
    let mut unstable = 0;
    let mut divided = 0;
    assert_resumable(&scene, 30, |_, done| {
        unstable += usize::from(done.record.unstable == Some(1));
        divided += usize::from(done.recovery.is_some());
    });

    // The contact makes a corner on the unstable branch, for which an increment is divided.
    assert!(unstable > 5 && divided >= 1, "{unstable}, {divided}");
}

#[test]
fn threads_do_not_change_a_bit_of_a_path() {
    let time = json!({ "step": 0.25, "steps": 6, "integrator": "static", "arc_length": { "length": 0.02 } });
    for scene in [scene(&truss()), scene(&strip(&time))] {
        let end = || {
            let mut simulation = Simulation::new(scene.clone()).unwrap();
            simulation.run(scene.time.steps).unwrap();
            simulation.state().hash()
        };
        let hash = parallel::serially(end);
        for threads in [2, 3] {
            let pool = parallel::Pool::new(Some(threads)).unwrap();
            assert_eq!(pool.run(end), hash, "{threads} threads");
        }
    }
}

#[test]
fn a_path_is_proved_explains_its_energy_and_resumes_on_its_unstable_branch() {
    let place = Place::new();
    // Motions are proved, and the ledger closes.
    for folder in &place.resumed(&truss(), ["10", "30"]) {
        let ended = ipcsim(&["verify", folder]);
        ended.exits(0).prints("segments: ");
        ended.prints("ledger");
    }

    // The load time of the table falls, and the joint is unstable there.
    let table = place.read("whole/energies.csv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    let column = |name: &str| rows[0].iter().position(|&column| column == name).unwrap();
    let [time, unstable] = ["time", "unstable"].map(column);
    let load = |row: usize| rows[row][time].parse::<f64>().unwrap();
    assert!(load(9) < load(7) && rows[9][unstable] == "1");
    assert!(load(30) > load(20) && rows[30][unstable] == "0");
}

#[test]
fn states_on_a_stable_path_are_those_under_the_loads_at_their_load_time() {
    let along = json!({ "step": 0.25, "steps": 8, "integrator": "static", "arc_length": { "length": 0.03 } });
    let mut on_path = Simulation::new(scene(&strip(&along))).unwrap();
    on_path.run(8).unwrap();
    let reached = on_path.time();
    assert!(reached > 0.5, "{reached}");
    assert!(on_path.contacts().count() > 0);

    // The same load time in increments whose end is given.
    let alone = json!({ "step": reached / 8.0, "steps": 8, "integrator": "static" });
    let mut alone = Simulation::new(scene(&strip(&alone))).unwrap();
    alone.run(8).unwrap();
    let x = [&on_path, &alone].map(|simulation| simulation.body("strip").unwrap().x().to_vec());
    let apart = x[0].iter().zip(&x[1]).map(|(a, b)| (a - b).amax());
    let apart = apart.fold(0.0, f64::max);

    // Forces balance to 1e-9 of the weight, which a slender strip shows a hundredfold in its places.
    assert!(apart < 1e-7, "{apart:e} m");
}

#[test]
fn an_increment_is_never_longer_than_the_scene_says_and_animations_go_on() {
    let mut value = truss();
    value["output"]["vtu"] = json!(true);
    let place = Place::new();
    let path = place.scene(&value);
    place.ran(&path, "run", &[]);

    let list = place.read("run/fields.pvd");
    let times: Vec<f64> = list
        .split("timestep=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(times.len(), 31);
    assert!(times.windows(2).all(|pair| pair[1] > pair[0]), "{times:?}");

    let mut run = Run::of(&inline(truss()));
    let mut before = (run.state().time, run.state().q[0].y);
    for _ in 0..30 {
        run.step();
        let now = (run.state().time, run.state().q[0].y);
        let squared = ((now.0 - before.0) / 0.2).powi(2) + ((now.1 - before.1) / 0.02).powi(2);
        assert!(squared < 2.0 + 1e-5, "{squared}");
        before = now;
    }
}

#[test]
fn a_path_that_is_lost_is_a_named_failure_and_leaves_the_state() {
    let mut run = Parts::of(&scene(&truss()));
    run.step();
    run.world.newton.max_iterations = 1;
    run.solver = run.world.solver();
    let before = run.state.clone();
    let failure = run.try_step().unwrap_err();
    assert_eq!(failure.kind(), "off_path");
    assert_eq!(run.state, before);

    // What nothing holds is found before the path begins.
    let mut loose = truss();
    loose["joints"] = json!([]);
    let mut mechanism = Simulation::new(scene(&loose)).unwrap();
    let refused = mechanism.step().unwrap_err().to_string();
    assert!(
        refused.contains("can still move without any force"),
        "{refused}"
    );
}
