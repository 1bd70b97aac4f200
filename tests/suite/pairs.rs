//! Numbers that belong to pairs of bodies: reach and stiffness of the barrier, friction's speed, and
//! the tolerance of a body. Expectations are closed forms of size, mass and gravity.

use crate::program::{Place, ipcsim_in};
use crate::support::{Parts, ground, inline, near, near_ratio, rectangle, rigid, setup, stone};
use ipcsim::contact::tuning::LEAST_GAP;
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const G: f64 = 9.81;

/// Diagonal of a brick (m): 0.25 by 0.125.
const BRICK: f64 = 0.279_508_497_187_473_7;

/// A brick of 2000 kg/m^3 at rest.
fn brick(name: &str, position: [f64; 2]) -> Value {
    stone(name, rectangle(0.25, 0.125), position)
}

/// Bodies of stone, rubber and steel above the ground, with all numbers derived, and a step `h` (s).
fn free(bodies: &[Value], h: f64) -> Value {
    json!({
        "time": { "step": h, "steps": 60 },
        "materials": {
            "stone": { "density": 2000 },
            "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 2e4, "poisson": 0.4 } } },
            "steel": { "density": 8000, "law": { "neo_hookean": { "young": 2e11, "poisson": 0.3 } } },
        },
        "bodies": bodies,
        "obstacles": [ground()],
        "contact": { "friction": { "default": 0.3 } },
    })
}

/// A block of an elastic material, in cells of a length (m), at rest.
fn block(name: &str, material: &str, position: [f64; 2], cells: usize) -> Value {
    json!({ "name": name, "material": material, "position": position,
        "shape": { "rectangle": { "size": [0.25, 0.125], "segments": [2 * cells, cells] } } })
}

/// Reach, stiffness and friction's speed of two bodies.
fn numbers(scene: &Scene, [a, b]: [usize; 2]) -> [f64; 3] {
    let world = setup(scene).world;
    [
        world.model.surface.reach.between(a, b),
        world.barriers.kappa(a, b),
        world.friction.eps_v.between(a, b),
    ]
}

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found / expected - 1.0).abs() < 1e-8,
        "{found} for {expected}"
    );
}

#[test]
fn numbers_of_a_pair_follow_from_its_two_bodies() {
    let bodies = [
        brick("brick", [0.0, 0.5]),
        stone("slab", rectangle(2.0, 0.5), [3.0, 0.5]),
        block("soft", "rubber", [0.0, 2.0], 1),
        block("hard", "steel", [0.0, 3.0], 1),
        rigid(
            "ball",
            json!({ "circle": { "radius": 0.05 } }),
            [6.0, 1.0],
            json!({ "velocity": [0.0, -20.0] }),
        ),
    ];
    let scene = inline(free(&bodies, 0.01));
    let of = |pair: [usize; 2]| numbers(&scene, pair);

    // A brick weighs 2000 * 0.25 * 0.125 kg. The slab is larger and presses more.
    let slab = 2.0_f64.hypot(0.5);
    let pressure = |density: f64, area: f64, size: f64| 40.0 * density * area / size * G;
    let ground = 5;
    let [d_hat, kappa, eps_v] = of([0, ground]);
    assert_close(d_hat, 0.005 * BRICK);
    assert_close(kappa, pressure(2000.0, 0.25 * 0.125, BRICK));
    assert_close(eps_v, 1e-3 * BRICK);
    let [d_hat, kappa, eps_v] = of([0, 1]);
    assert_close(d_hat, 0.005 * BRICK);
    assert_close(kappa, pressure(2000.0, 2.0 * 0.5, slab));
    assert_close(eps_v, 1e-3 * BRICK);

    // Soft material bounds the stiffness from above, a thousandth of hard material from below.
    assert_close(of([2, ground])[1], 2e4);
    assert_close(of([2, 3])[1], 2e4);
    assert_close(of([3, ground])[1], 2e8);

    // A ball that is stopped on the way of its diameter.
    let mass = 2000.0 * std::f64::consts::PI * 0.05 * 0.05;
    let expected = 40.0 * mass / 0.1 * (G + 20.0 * 20.0 / 0.1);
    near_ratio(of([4, ground])[1], expected, 1e-6);
    near_ratio(of([0, 4])[1], expected, 1e-6);
}

#[test]
fn neither_step_nor_mesh_nor_other_bodies_change_a_pair() {
    let pair = [brick("a", [0.0, 0.5]), block("b", "rubber", [0.0, 0.7], 1)];
    let expected = numbers(&inline(free(&pair, 0.01)), [0, 1]);
    assert_eq!(numbers(&inline(free(&pair, 1e-5)), [0, 1]), expected);

    // Finer cells, another place, and a heavy ball far away.
    let elsewhere = [
        brick("a", [700.0, 0.5]),
        block("b", "rubber", [700.0, 0.7], 8),
        rigid(
            "ball",
            json!({ "circle": { "radius": 9.0 } }),
            [-500.0, 100.0],
            json!({ "velocity": [300.0, 0.0] }),
        ),
    ];
    assert_eq!(numbers(&inline(free(&elsewhere, 0.01)), [0, 1]), expected);
}

#[test]
fn bricks_with_narrow_joints_do_not_push_each_other() {
    // A pyramid of three courses of bricks with gaps of 0.2 mm, less than the reach of 1.4 mm of a brick.
    let gap = 2e-4;
    let mut bricks = Vec::new();
    for course in 0..3 {
        for k in 0..4 - course {
            let x = 0.125 * f64::from(course) + (0.25 + gap) * f64::from(k);
            let y = 0.0625 + gap + (0.125 + gap) * f64::from(course);
            bricks.push(brick(&format!("{course} {k}"), [x, y]));
        }
    }
    let scene = inline(free(&bricks, 0.01));
    let [d_hat, ..] = numbers(&scene, [0, 1]);
    near(d_hat / gap, 0.9, 1e-9);

    // They settle by no more than the gaps, and no faster than these allow to fall.
    let mut run = Parts::of(&scene);
    let start = run.state.x.clone();
    let energy = run.step().record;
    for _ in 1..40 {
        let record = run.step().record;
        assert!(record.total <= energy.total + 1e-9, "{record:?}");
    }
    let moved = run
        .state
        .x
        .iter()
        .zip(&start)
        .map(|(x, start)| (x - start).norm());
    assert!(moved.fold(0.0, f64::max) < 5.0 * gap);
}

/// A plate of 2.5 kg that carries a block of 2,500 t.
pub(crate) fn pressed() -> Scene {
    let plate = json!({ "name": "plate", "kind": "rigid", "material": "light", "shape": { "rectangle": { "size": [1.0, 0.25], "segments": [1, 1] } },
        "position": [0.0, 0.1255] });
    let heavy = json!({ "name": "heavy", "kind": "rigid", "material": "heavy", "shape": { "rectangle": { "size": [1.0, 1.0], "segments": [1, 1] } },
        "position": [0.0, 0.751] });
    inline(json!({
        "time": { "step": 0.01, "steps": 100 },
        "materials": { "light": { "density": 10 }, "heavy": { "density": 2.5e6 } },
        "bodies": [plate, heavy],
        "obstacles": [ground()],
        "solver": { "imbalance": 1e-9 },
    }))
}

/// Energy (J) of the barrier between the plate and the ground.
fn energy_below(run: &Parts, kappa: f64, d_hat: f64) -> f64 {
    let surface = &run.world.model.surface;
    let plate = run.world.bodies[0].vertices.clone();
    let energies = plate.map(|i| {
        let s = run.state.x[i].y / d_hat;
        if s < 1.0 {
            surface.weight[i] * kappa * d_hat * (1.0 - s).powi(3) / s
        } else {
            0.0
        }
    });
    energies.sum()
}

#[test]
fn a_barrier_that_is_pressed_hard_doubles_until_the_gap_is_in_its_corridor() {
    let mut run = Parts::of(&pressed());
    let d_hat = run.world.model.surface.reach.between(0, 2);
    let kappa = run.world.barriers.kappa(0, 2);
    let mut doublings = 0;
    for step in 0..100 {
        let done = run.step();
        let now = run
            .state
            .memory
            .options
            .stiffening
            .adapted
            .iter()
            .find(|pair| pair.bodies == [0, 2]);
        let now = now.map_or(0, |pair| pair.times);
        assert!(now >= doublings, "step {step}");

        // What the barrier gains is the difference of two stiffnesses at the same gap.
        let [before, after] = [doublings, now]
            .map(|times| energy_below(&run, kappa * f64::from(1_u32 << times), d_hat));
        let gained = after - before;
        assert!(
            (done.record.stiffening - gained).abs() <= 1e-9 * gained,
            "step {step}: {} for {gained}",
            done.record.stiffening
        );
        doublings = now;
    }

    // At rest in the corridor, with the weight of both.
    let lowest = run.world.bodies[0]
        .vertices
        .clone()
        .map(|i| run.state.x[i].y);
    let gap = lowest.fold(f64::INFINITY, f64::min) / d_hat;
    assert!(
        doublings > 5 && (LEAST_GAP..1.0).contains(&gap),
        "{gap} after {doublings}"
    );
    let contacts = &run.solver.last().contacts;
    let on_plate = contacts.forces(&run.world.model.surface, &run.state.x);
    let up: f64 = on_plate
        .filter(|normal| normal.bodies.contains(&2))
        .map(|normal| normal.force)
        .sum();
    near_ratio(up, (2.5e6 + 2.5) * G, 1e-6);

    // Upside down everything falls off, and barriers are as stiff as at first.
    run.world.loading.gravity = Vec2::new(0.0, G);
    for _ in 0..100 {
        run.step();
    }
    let adapted = &run.state.memory.options.stiffening.adapted;
    assert!(adapted.iter().all(|pair| pair.times == 0), "{adapted:?}");
}

#[test]
fn a_run_whose_barriers_became_stiffer_is_resumed_proved_and_read_again() {
    let place = Place::new();
    let scene = serde_json::to_value(pressed()).unwrap();
    std::fs::write(place.root().join("pressed.json"), scene.to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let ended = ipcsim_in(place.root(), arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.stdout
    };

    // Stopped while barriers double, and continued.
    let pressed = [
        "run",
        "pressed.json",
        "--no-frames",
        "-q",
        "--certify",
        "--out",
    ];
    run(&[&pressed[..], &["whole"]].concat());
    run(&[&pressed[..], &["parts", "--checkpoint-every", "4"]].concat());
    run(&["run", "--resume", "parts", "--from", "96", "-q"]);
    run(&["verify", "parts"]);
    let reports = ["whole", "parts"].map(|dir| place.json(&format!("{dir}/run.json")));
    assert_eq!(reports[0]["hash"], reports[1]["hash"]);
    assert_eq!(reports[0]["stiffening"], reports[1]["stiffening"]);
    let changes = reports[0]["stiffening"]["changes"].as_array().unwrap();
    assert!(!changes.is_empty());

    // Forces on the plate, computed again from positions, leave its own weight over.
    let printed = run(&["plot", "whole", "--pressure", "plate"]);
    let force: f64 = printed
        .split(" N along x and ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .unwrap();
    assert!((force - 2.5 * G).abs() < 1e-6 * 2.5e6 * G, "{printed}");
}

#[test]
fn a_hit_gives_no_more_energy_back_than_it_got() {
    // The block falls on the plate, whose barriers are far too soft for that, and bounces.
    let mut scene = pressed();
    scene.gravity = [0.0, 0.0];
    scene.time.step = 1e-5;
    scene.bodies[1].velocity = [0.0, -2.0];
    let mut run = Parts::of(&scene);
    let mut least = run.step().record.total;
    for _ in 0..400 {
        let record = run.step().record;
        assert!(
            record.total + record.stiffening <= least * (1.0 + 1e-9),
            "{record:?}"
        );
        least = record.total;
    }
}

/// Numbers of a scene's first body with the ground, alone and beside a far body.
fn beside_a_far_one(body: Value) -> [[f64; 3]; 2] {
    let far = stone("far", rectangle(30.0, 20.0), [5000.0, 300.0]);
    let alone = inline(free(std::slice::from_ref(&body), 0.01));
    let both = inline(free(&[body, far], 0.01));
    [numbers(&alone, [0, 1]), numbers(&both, [0, 2])]
}

#[test]
fn points_and_reduced_bodies_have_numbers_of_their_own() {
    // A point of 5 kg of stone is as large as a square of 0.05 m.
    let point = stone("p", json!({ "point": { "mass": 5.0 } }), [0.0, 1.0]);
    let [alone, both] = beside_a_far_one(point);
    assert_eq!(alone, both);
    assert_close(alone[0], 0.005 * 0.05);
    assert_close(alone[1], 40.0 * 5.0 / 0.05 * G);

    // A slender modal bar presses like a deformable one, and reaches a tenth of its width.
    let bar = |kind: Value| {
        json!({ "name": "bar", "kind": kind, "material": "steel", "position": [0.0, 1.0],
            "shape": { "rectangle": { "size": [1.0, 0.02], "segments": [20, 2] } } })
    };
    let width = 0.02 / 1.0_f64.hypot(0.02);
    for kind in [json!("deformable"), json!({ "modal": { "modes": 6 } })] {
        let [alone, both] = beside_a_far_one(bar(kind));
        assert_eq!(alone, both);
        assert_close(alone[0], 0.1 * width);
        assert_close(alone[1], 2e8);
    }
}

#[test]
fn collinear_vertices_on_one_side_change_no_number() {
    let square = |side: usize| {
        let along = (0..=side).map(|k| [k as f64 / side as f64, 0.0]);
        let points: Vec<[f64; 2]> = along.chain([[1.0, 1.0], [0.0, 1.0]]).collect();
        stone("a", json!({ "outline": { "points": points } }), [0.0, 0.5])
    };
    let [plain, refined] =
        [1, 100].map(|side| numbers(&inline(free(&[square(side)], 0.01)), [0, 1]));
    for (plain, refined) in plain.into_iter().zip(refined) {
        assert_close(refined, plain);
    }
}
