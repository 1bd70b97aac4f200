//! Loads against closed forms and exact sums, on every kind of body.

use crate::support::{deviation, inline, near, near_point};
use ipcsim::Simulation;
use ipcsim::math::{Vec2, cross};
use ipcsim::scene::{Scene, preflight};
use serde_json::{Value, json};

/// Kinds of bodies that move by forces, as a scene names them.
fn kinds() -> [Value; 5] {
    [
        json!("deformable"),
        json!("rigid"),
        json!({ "affine": {} }),
        json!({ "polynomial": { "order": 2 } }),
        json!({ "modal": { "modes": 8 } }),
    ]
}

/// A rectangle of rubber of 0.4 m by 0.2 m without gravity, under loads; `more` are further keys of
/// the body.
fn rectangle(kind: &Value, loads: &Value, more: &Value) -> Scene {
    let mut body = json!({
        "name": "a", "kind": kind, "material": "rubber", "position": [0.3, -0.2], "rotation_deg": 20,
        "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [4, 2] } }
    });
    let keys = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(keys);
    inline(json!({
        "time": { "step": 0.01, "steps": 100 },
        "gravity": [0, 0],
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": [body], "loads": loads,
        "solver": { "tolerance": 1e-10, "imbalance": 1e-12 }
    }))
}

/// A simulation of a scene.
fn simulation(scene: Scene) -> Simulation {
    Simulation::new(scene).unwrap_or_else(|error| panic!("{error}"))
}

/// Linear momentum (kg m/s) and angular momentum about the origin (kg m^2/s) by the masses of
/// vertices of a soft body.
fn momenta(simulation: &Simulation) -> (Vec2, f64) {
    let state = simulation.state();
    let mass = &simulation.world().model.mass;
    let mut sums = (Vec2::zeros(), 0.0);
    for ((x, v), mass) in state.x.iter().zip(&state.v).zip(mass) {
        sums.0 += v * mass.x;
        sums.1 += cross(*x, *v) * mass.x;
    }
    sums
}

/// Difference of the records' linear momenta over `steps` steps.
fn gained(simulation: &mut Simulation, steps: usize) -> Vec2 {
    let mut momentum = Vec2::zeros();
    for _ in 0..steps {
        momentum = simulation.step().unwrap().record.momentum;
    }
    momentum
}

#[test]
fn a_bar_under_traction_stretches_by_stress_over_stiffness() {
    // Plane stress: sigma / E along the bar, and -nu sigma / E across it.
    let [stress, young, poisson] = [2e4, 1e6, 0.3];
    let scene = inline(json!({
        "time": { "step": 10, "steps": 20 }, "gravity": [0, 0], "plane": "stress", "thickness": 0.5,
        "materials": { "m": { "density": 1000, "law": { "linear": { "young": young, "poisson": poisson } } } },
        "bodies": [{ "name": "bar", "material": "m", "shape": { "rectangle": { "size": [2, 0.5], "segments": [6, 3] } },
            "prescribed": [{ "vertices": { "side": "left" }, "axis": "x" }, { "vertices": { "indices": [0] }, "axis": "y" }] }],
        "loads": [{ "body": "bar", "on": { "side": "right" }, "traction": [stress, 0] }],
        "solver": { "tolerance": 1e-13, "imbalance": 1e-15 }
    }));
    let mut run = simulation(scene);
    run.run(20).unwrap();

    let rest = run.world().rest.clone();
    let strain = stress / young;
    let off = deviation(&run.state().x, |i| {
        let from = rest[i] - rest[0];
        rest[0] + Vec2::new(from.x * (1.0 + strain), from.y * (1.0 - poisson * strain))
    });
    assert!(off < 1e-12, "{off:e}");

    // The load, and the reactions that balance it.
    let load = run.loads().next().unwrap();
    assert_eq!((load.name, load.body), ("traction 0", "bar"));
    near_point(load.force, Vec2::new(stress * 0.5 * 0.5, 0.0), 1e-9);
    let held: Vec2 = run.reactions().map(|reaction| reaction.force).sum();
    assert!((held + load.force).norm() < 1e-8, "{held:?}");
}

#[test]
fn a_disk_under_pressure_shrinks_as_its_law_says_and_does_not_drift() {
    // sigma = (mu (s^2 - 1) + 2 lambda ln s) / s^2 = -p for the stretch s.
    let [young, poisson, pressure] = [1e5, 0.3, 2e4];
    let mu = young / (2.0 * (1.0 + poisson));
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let excess = |s: f64| (mu * (s * s - 1.0) + 2.0 * lambda * s.ln()) / (s * s) + pressure;
    let [mut low, mut high] = [0.5, 1.0];
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }

    for load in [
        json!({ "body": "disk", "pressure": pressure }),
        json!({ "body": "disk", "on": "rim", "pressure": { "times": [0, 0.1], "values": [0, pressure] } }),
    ] {
        let mut run = simulation(inline(json!({
            "time": { "step": 0.1, "steps": 100 }, "gravity": [0, 0],
            "materials": { "m": { "density": 1000, "law": { "neo_hookean": { "young": young, "poisson": poisson } } } },
            "bodies": [{ "name": "disk", "material": "m", "position": [3, 4], "shape": { "disk": { "radius": 0.5, "segments": 24 } },
                "selections": { "rim": "boundary" } }],
            "loads": [load], "solver": { "tolerance": 1e-12, "imbalance": 1e-14 }
        })));
        let warnings = preflight(run.scene().clone()).problems;
        assert!(warnings.is_empty(), "{warnings:?}");
        run.run(100).unwrap();

        let center = Vec2::new(3.0, 4.0);
        let rest = run.world().rest.clone();
        let off = deviation(&run.state().x, |i| center + (rest[i] - center) * low);
        assert!(off < 1e-9, "{off:e}");
        let (momentum, spin) = momenta(&run);
        assert!(
            momentum.norm() < 1e-11 && spin.abs() < 1e-10,
            "{momentum:?} {spin:e}"
        );

        // No force and no moment.
        let load = run.loads().next().unwrap();
        assert!(
            load.force.norm() < 1e-9 && load.moment.abs() < 1e-9,
            "{load:?}"
        );
    }
}

#[test]
fn a_free_body_under_pressure_that_bends_it_keeps_its_momentum() {
    for kind in kinds() {
        let loads = json!([{ "body": "a", "pressure": "3e4*sin(20*t)" }, { "body": "a", "at": [0.3, -0.2], "force": [0, 0] }]);
        let mut run = simulation(rectangle(
            &kind,
            &loads,
            &json!({ "velocity": [1, 2], "spin_deg": if kind.get("modal").is_some() { 0 } else { 200 } }),
        ));
        let start = gained(&mut run, 1);
        let end = gained(&mut run, 30);
        assert!(
            (end - start).norm() < 1e-9 * start.norm(),
            "{kind}: {start:?} {end:?}"
        );
        let load = run.loads().next().unwrap();
        assert!(
            load.force.norm() < 1e-8 && load.moment.abs() < 1e-8,
            "{kind}: {load:?}"
        );
    }
}

#[test]
fn momentum_is_the_sum_of_impulses_wherever_a_force_acts() {
    let point = json!([0.35, -0.15]);
    let everywhere = [
        json!({ "body": "a", "force": [30, "100*sin(7*t)"] }),
        json!({ "body": "a", "at": point, "force": [30, "100*sin(7*t)"] }),
        json!({ "body": "a", "on": { "side": "right" }, "force": [30, "100*sin(7*t)"] }),
        json!({ "body": "a", "on": { "side": "right" }, "traction": [150, "500*sin(7*t)"] }),
        json!({ "body": "a", "body_force": [375, "1250*sin(7*t)"] }),
    ];
    for kind in kinds() {
        for load in &everywhere {
            let mut run = simulation(rectangle(&kind, &json!([load]), &json!({})));
            let found = gained(&mut run, 40);
            let sum: f64 = (1..=40).map(|k| (7.0 * 0.01 * f64::from(k)).sin()).sum();
            let expected = Vec2::new(30.0 * 0.4, 100.0 * 0.01 * sum);
            assert!(
                (found - expected).norm() < 1e-9 * expected.norm(),
                "{kind} {load}: {found:?} {expected:?}"
            );
        }
    }
}

#[test]
fn the_trapezoid_takes_the_mean_of_a_load() {
    let loads = json!([{ "body": "a", "at": [0.35, -0.15], "force": [0, "100*sin(7*t)"] }]);
    let mut scene = rectangle(&json!("rigid"), &loads, &json!({}));
    scene.time.integrator = ipcsim::scene::schema::Scheme::Trapezoid;
    let mut run = simulation(scene);
    let found = gained(&mut run, 40);
    let force = |k: f64| 100.0 * (0.07 * k).sin();
    let sum: f64 = (0..40)
        .map(|k| 0.5 * (force(f64::from(k)) + force(f64::from(k) + 1.0)))
        .sum();
    near(found.y, 0.01 * sum, 1e-10);
}

#[test]
fn an_eccentric_force_turns_a_rigid_body_by_its_arm_at_the_end_of_each_step() {
    // A force at a corner. Implicit Euler: I (w_1 - w_0) = h r_1 x F.
    let arm = Vec2::new(0.2, 0.1);
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let start = Vec2::new(cos * arm.x - sin * arm.y, sin * arm.x + cos * arm.y);
    let corner = start + Vec2::new(0.3, -0.2);
    let loads = json!([{ "body": "a", "at": [corner.x, corner.y], "force": [40, "200*t"] }]);
    let mut run = simulation(rectangle(&json!("rigid"), &loads, &json!({})));
    let inertia = run.world().model.mass[1].x;

    let mut before = 0.0;
    for step in 1..=100 {
        run.step().unwrap();
        let state = run.state();
        let (sin, cos) = state.q[1].x.sin_cos();
        let arm = Vec2::new(cos * start.x - sin * start.y, sin * start.x + cos * start.y);
        let moment = cross(arm, Vec2::new(40.0, 200.0 * state.time));
        let gained = inertia * (state.q_dot[1].x - before);
        assert!(
            (gained - 0.01 * moment).abs() < 1e-9,
            "step {step}: {gained} {moment}"
        );
        before = state.q_dot[1].x;

        let load = run.loads().next().unwrap();
        near(load.moment, moment, 1e-10);
    }
}

#[test]
fn a_torque_turns_every_kind_of_body() {
    for kind in kinds() {
        let loads = json!([{ "name": "motor", "body": "a", "torque": "3 + 10*t" }]);
        let mut run = simulation(rectangle(&kind, &loads, &json!({})));
        run.step().unwrap();

        // From rest, angular momentum is torque times time.
        let load = run.loads().next().unwrap();
        assert_eq!(load.name, "motor");
        assert!(
            (load.moment - 3.1).abs() < 1e-12 && load.force.norm() < 1e-12,
            "{kind}: {load:?}"
        );
        let state = run.state();
        let mass = &run.world().model.mass;
        let spin = match kind.as_str() {
            Some("rigid") => mass[1].x * state.q_dot[1].x,
            Some(_) => momenta(&run).1,
            None if kind.get("affine").is_some() => (1..3)
                .map(|i| mass[i].x * cross(state.q[i], state.q_dot[i]))
                .sum(),
            None => f64::NAN,
        };
        if spin.is_finite() {
            assert!((spin - 0.031).abs() < 1e-11, "{kind}: {spin}");
        }

        // The moment stays that of the load, however the body turns and bends.
        run.run(60).unwrap();
        let load = run.loads().next().unwrap();
        let torque = 3.0 + 10.0 * run.time();
        assert!(
            (load.moment - torque).abs() < 1e-11 && load.force.norm() < 1e-11,
            "{kind}: {load:?}"
        );
        let momentum = run.step().unwrap().record.momentum;
        assert!(momentum.norm() < 1e-9, "{kind}: {momentum:?}");
    }

    // A rigid wheel: I w = h sum M exactly.
    let loads = json!([{ "body": "a", "torque": { "times": [0, 0.5], "values": [0, 4] } }]);
    let mut run = simulation(rectangle(&json!("rigid"), &loads, &json!({})));
    run.run(100).unwrap();
    let sum: f64 = (1..=100)
        .map(|k| (8.0 * 0.01 * f64::from(k)).min(4.0))
        .sum();
    let spin = run.world().model.mass[1].x * run.state().q_dot[1].x;
    near(spin, 0.01 * sum, 1e-12 * sum);
}

#[test]
fn a_load_that_is_linear_along_an_edge_has_its_exact_moment() {
    // Traction 1000 y' along the right side of a square: no force, and the moment of a triangle.
    for kind in kinds() {
        let scene = inline(json!({
            "time": { "step": 1e-6, "steps": 1 }, "gravity": [0, 0],
            "materials": { "m": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
            "bodies": [{ "name": "a", "kind": kind, "material": "m", "shape": { "rectangle": { "size": [1, 1], "segments": [3, 3] } } }],
            "loads": [
                { "body": "a", "on": { "side": "right" }, "traction": ["1000*y", 0] },
                { "body": "a", "body_force": [0, "600*x"] },
                { "body": "a", "on": { "side": "top" }, "pressure": 30, "dead": true }
            ]
        }));
        let mut run = simulation(scene);
        run.step().unwrap();
        let loads: Vec<_> = run.loads().collect();
        assert!(loads[0].force.norm() < 1e-10, "{kind}: {loads:?}");
        assert!(
            (loads[0].moment + 1000.0 / 12.0).abs() < 1e-6,
            "{kind}: {loads:?}"
        );

        // A body force that is linear in the place.
        assert!(
            loads[1].force.norm() < 1e-9 && (loads[1].moment - 50.0).abs() < 1e-6,
            "{kind}: {loads:?}"
        );
        assert!(
            (loads[2].force - Vec2::new(0.0, -30.0)).norm() < 1e-10,
            "{kind}: {loads:?}"
        );
    }
}

#[test]
fn supports_carry_loads_on_what_they_hold() {
    // An obstacle and a scripted body at rest: their reactions are the opposite of their loads.
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 5 }, "gravity": [0, 0],
        "materials": { "m": { "density": 1000 } },
        "bodies": [{ "name": "driven", "kind": "rigid", "material": "m", "position": [5, 0], "script": { "velocity": [0, 0] },
            "shape": { "square": { "side": 1, "segments": 1 } } }],
        "obstacles": [{ "name": "wall", "shape": { "rectangle": { "size": [1, 2], "segments": [1, 1] } } }],
        "loads": [
            { "name": "wind", "body": "wall", "on": { "side": "left" }, "pressure": 100 },
            { "name": "gust", "body": "driven", "on": { "side": "top" }, "traction": [7, "10*t"] },
            { "name": "hand", "body": "wall", "at": [0.5, 1], "force": [0, 3] },
            { "name": "key", "body": "driven", "torque": 11 }
        ]
    }));
    let mut run = simulation(scene);
    run.run(5).unwrap();
    let loads: Vec<_> = run.loads().collect();
    near_point(loads[0].force, Vec2::new(200.0, 0.0), 1e-11);
    near_point(loads[1].force, Vec2::new(7.0, 0.5), 1e-12);
    // A ton at 5 m: its place rounds by 1e-15 m, its inertia in a step by 1e-8 N.
    for (body, own) in [("wall", [0, 2]), ("driven", [1, 3])] {
        let reaction = run
            .reactions()
            .find(|reaction| reaction.body == body)
            .unwrap();
        let force: Vec2 = own.iter().map(|&k| loads[k].force).sum();
        let moment: f64 = own.iter().map(|&k| loads[k].moment).sum();
        assert!(
            (reaction.force + force).norm() < 1e-7,
            "{body}: {reaction:?}"
        );
        assert!(
            (reaction.moment + moment).abs() < 1e-9,
            "{body}: {reaction:?} {moment}"
        );
    }
}

#[test]
fn a_pressure_on_open_edges_has_its_true_force_and_a_warning() {
    for kind in kinds() {
        let loads =
            json!([{ "name": "p", "body": "a", "on": { "side": "top" }, "pressure": 1000 }]);
        let scene = rectangle(&kind, &loads, &json!({}));
        let warnings = preflight(scene.clone()).problems;
        assert!(
            warnings
                .iter()
                .any(|w| w.path == "loads[0].pressure" && w.message.contains("ends are free")),
            "{warnings:?}"
        );

        // The first step: p times the length, across the side.
        let mut run = simulation(scene);
        run.step().unwrap();
        let (sin, cos) = 20_f64.to_radians().sin_cos();
        let force = run.loads().next().unwrap().force;
        let expected = Vec2::new(sin, -cos) * 400.0;
        assert!((force - expected).norm() < 4.0, "{kind}: {force:?}");
    }

    // A side between vertices that are held has a potential; one whose pressure varies has none.
    let held = json!({ "prescribed": [{ "vertices": { "any": [{ "side": "left" }, { "side": "right" }] } }] });
    let warned = |pressure: &Value| {
        let loads = json!([{ "body": "a", "on": { "side": "top" }, "pressure": pressure }]);
        preflight(rectangle(&json!("deformable"), &loads, &held))
            .problems
            .len()
    };
    assert_eq!([warned(&json!("1000*t")), warned(&json!("1000*x"))], [0, 1]);
}

#[test]
fn selections_have_the_vertices_that_they_say() {
    // A square of 3 x 3 cells around (10, 0), turned by a quarter; sides are those of the shape.
    let count = |selection: Value| {
        let scene = inline(json!({
            "time": { "step": 0.01, "steps": 1 },
            "materials": { "m": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
            "bodies": [{ "name": "a", "material": "m", "position": [10, 0], "rotation_deg": 90,
                "shape": { "rectangle": { "size": [3, 3], "segments": [3, 3] } },
                "selections": { "right half": { "box": { "min": [10, -2], "max": [12, 2] } } },
                "prescribed": [{ "vertices": selection }] }]
        }));
        simulation(scene).world().prescribed.len()
    };
    assert_eq!(count(json!("all")), 16);
    assert_eq!(count(json!("boundary")), 12);
    assert_eq!(count(json!({ "not": "boundary" })), 4);
    assert_eq!(count(json!("right half")), 8);
    assert_eq!(count(json!({ "side": "left" })), 4);
    assert_eq!(
        count(json!({ "all_of": [{ "side": "left" }, "right half"] })),
        2
    );
    assert_eq!(
        count(json!({ "all_of": [{ "side": "bottom" }, "right half"] })),
        4
    );
    assert_eq!(
        count(json!({ "any": [{ "side": "top" }, { "side": "left" }] })),
        7
    );
    assert_eq!(
        count(json!({ "disk": { "center": [10.5, 0.5], "radius": 1.01 } })),
        5
    );
    assert_eq!(
        count(json!({ "half_plane": { "normal": [0, 2], "origin": [0, -0.5] } })),
        8
    );
    assert_eq!(count(json!({ "indices": [3, 0, 7] })), 3);
}

#[test]
fn derived_numbers_do_not_depend_on_the_length_of_a_run() {
    let loads = json!([{ "body": "a", "force": ["100*t", 0] }, { "body": "a", "torque": { "times": [0, 5], "values": [0, 9] } }]);
    let derived = |steps: usize| {
        let mut scene = rectangle(&json!("rigid"), &loads, &json!({}));
        scene.time.steps = steps;
        format!("{:?}", scene.build().unwrap().derived)
    };
    assert_eq!(derived(10), derived(1000));
}
