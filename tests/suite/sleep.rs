//! Sleep of groups at rest: what sleeps, what wakes it, its error bound, and the promises that it keeps.

use crate::program::Place;
use crate::support::{
    Parts, assert_resumable, deviation, ground, inline, near, rectangle, rigid, stone, stones,
};
use ipcsim::math::{Vec2, parallel};
use ipcsim::scene::Scene;
use ipcsim::time::{StepReport, begin};
use ipcsim_store::ledger::{Books, CLOSES};
use serde_json::{Value, json};

/// Time step of all scenes (s).
const H: f64 = 0.01;
/// Width and height of a brick (m), and the gap between bricks at the start.
const BRICK: [f64; 3] = [0.4, 0.2, 0.001];

/// Bricks of a wall on the ground, row by row, around `x` (m).
fn wall(name: &str, rows: usize, columns: usize, x: f64) -> Vec<Value> {
    let [width, height, gap] = BRICK;
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let brick = |(row, column): (usize, usize)| {
        let along = column as f64 + 0.25 * (row % 2) as f64;
        let place = [
            x + along * (width + gap),
            gap + 0.5 * height + row as f64 * (height + gap),
        ];
        let name = format!("{name}_{row}_{column}");
        stone(&name, rectangle(width, height), place)
    };
    places.map(brick).collect()
}

/// A scene of stones on the ground that may sleep, with friction.
fn sleepy(bodies: &[Value], steps: usize, more: &Value) -> Scene {
    let mut rest = json!({
        "time": { "step": H, "steps": steps },
        "obstacles": [ground()],
        "contact": { "d_hat": 1e-3, "friction": { "default": 0.5 } },
        "solver": { "sleep": {} }
    });
    for (key, value) in more.as_object().unwrap() {
        rest[key] = value.clone();
    }
    stones(bodies, rest)
}

/// A heavy ball.
fn ball(place: [f64; 2], velocity: [f64; 2]) -> Value {
    let shape = json!({ "circle": { "radius": 0.1 } });
    rigid("ball", shape, place, json!({ "velocity": velocity }))
}

/// Takes steps, and returns their reports.
fn run(parts: &mut Parts, steps: usize) -> Vec<StepReport> {
    (0..steps).map(|_| parts.step()).collect()
}

/// Numbers of the bodies that sleep.
fn asleep(parts: &Parts) -> Vec<usize> {
    let bodies = 0..parts.world.bodies.len();
    bodies
        .filter(|&body| parts.state.memory.options.sleep.is_asleep(body))
        .collect()
}

/// Steps until this number of bodies sleep, at most `most`.
fn lull(parts: &mut Parts, count: usize, most: usize) -> usize {
    for step in 0..most {
        if parts.state.memory.options.sleep.sleeping_count() == count {
            return step;
        }
        parts.step();
    }
    panic!(
        "{} of {count} sleep",
        parts.state.memory.options.sleep.sleeping_count()
    );
}

#[test]
fn a_wall_at_rest_sleeps_solves_nothing_and_stays_within_the_bound() {
    let bricks = wall("brick", 4, 3, 0.0);
    let scene = sleepy(&bricks, 500, &json!({}));
    let mut parts = Parts::of(&scene);
    let before = lull(&mut parts, 12, 300);
    let x = parts.state.x.clone();
    let contacts = parts.solver.last().contacts.len();
    assert!(contacts > 12);

    // Nothing is solved, nothing moves, and readers still see all contacts.
    for _ in 0..200 {
        let report = parts.step();
        assert_eq!(report.hash, parts.state.hash());
        assert_eq!(report.record.newton_iterations, 0);
        assert_eq!(report.record.asleep, Some(12));
        assert_eq!(report.record.contacts, contacts);
        assert_eq!(report.record.kinetic, 0.0);
    }
    assert_eq!(parts.state.x, x);

    // The same wall awake is where it was, but for the speed of quiet bodies times the time asleep.
    let mut awake = scene.clone();
    awake.solver.sleep = None;
    let mut other = Parts::of(&awake);
    run(&mut other, before + 200);
    let speeds = parts.world.options.sleep.as_ref().unwrap().speeds.clone();
    let slowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let apart = deviation(&parts.state.x, |i| other.state.x[i]);
    let bound = slowest * 200.0 * H;
    assert!(apart <= bound, "{apart:e} m, at most {bound:e} m");
    assert!(parts.state.time == other.state.time);
}

#[test]
fn a_ball_wakes_a_wall_as_if_it_had_never_slept() {
    let mut bodies = wall("brick", 3, 2, 0.0);
    bodies.push(ball([-3.0, 0.101], [4.0, 0.0]));
    let scene = sleepy(&bodies, 300, &json!({}));
    let mut parts = Parts::of(&scene);
    lull(&mut parts, 6, 120);

    // The ball still rolls, alone; then it comes near, and everybody is awake before they touch.
    let mut woke = None;
    for _ in 0..150 {
        let before = parts.state.memory.options.sleep.sleeping_count();
        let report = parts.step();
        if before == 6 && report.record.asleep == Some(0) {
            woke = Some(parts.state.step);
            break;
        }
    }
    let woke = woke.expect("the ball reaches the wall");
    let mut awake = scene.clone();
    awake.solver.sleep = None;
    let mut other = Parts::of(&awake);
    run(&mut other, woke);
    run(&mut parts, 60);
    run(&mut other, 60);
    let apart = deviation(&parts.state.x, |i| other.state.x[i]);
    assert!(apart < 1e-4, "{apart:e} m");
    let pushed = parts.state.x[0].x - (-0.2);
    assert!(pushed > 1e-4, "{pushed}");
}

#[test]
fn a_stack_wakes_when_its_scripted_floor_starts() {
    let place = |row: usize| [0.0, 0.101 + 0.201 * row as f64];
    let name = |row: usize| format!("brick_{row}");
    let stack: Vec<Value> = (0..3)
        .map(|row| stone(&name(row), rectangle(0.4, 0.2), place(row)))
        .collect();
    let keyframes = json!([
        { "time": 1.0, "position": [0, -0.05] }, { "time": 2.0, "position": [0.5, -0.05] }
    ]);
    let floor = json!({ "name": "floor", "position": [0, -0.05], "keyframes": keyframes,
        "shape": { "rectangle": { "size": [4, 0.1], "segments": [1, 1] } } });
    let scene = sleepy(&stack, 300, &json!({ "obstacles": [floor] }));
    let mut parts = Parts::of(&scene);
    lull(&mut parts, 3, 100);
    while parts.state.step < 100 {
        parts.step();
        assert_eq!(parts.state.memory.options.sleep.sleeping_count(), 3);
    }

    // The first step in which the floor moves has nobody asleep, and friction takes the stack along.
    assert_eq!(parts.step().record.asleep, Some(0));
    run(&mut parts, 199);
    let centre = parts.state.q[parts.world.bodies[2].nodes.start];
    near(centre.x, 0.5, 1e-2);
    assert_eq!(parts.state.memory.options.sleep.sleeping_count(), 3);
}

#[test]
fn a_pile_that_wakes_by_a_far_touch_stays_and_keeps_its_anchors() {
    // A block on a slope that friction holds, which the ball passes above.
    let angle = 0.3_f64;
    let normal = Vec2::new(-angle.sin(), angle.cos());
    let slope = json!({ "name": "slope",
        "shape": { "half_plane": { "normal": [normal.x, normal.y], "origin": [0, 0] } } });
    let centre = normal * 0.101;
    let block = rigid(
        "block",
        rectangle(0.4, 0.2),
        [centre.x, centre.y],
        json!({ "rotation_deg": angle.to_degrees() }),
    );
    let bodies = [block, ball([-6.0, 0.9], [4.0, 7.36])];
    let more =
        json!({ "obstacles": [slope], "solver": { "sleep": { "speed": 1e-11, "steps": 5 } } });
    let mut parts = Parts::of(&sleepy(&bodies, 300, &more));
    let mut slept = 0;
    let mut held = None;
    let mut woke = 0;
    for _ in 0..165 {
        let report = parts.step();
        let is_asleep = parts.state.memory.options.sleep.is_asleep(0);
        let vertices = parts.world.bodies[0].vertices.clone();
        let x = parts.state.x[vertices.clone()].to_vec();
        let anchors: Vec<_> = parts.state.memory.options.sticking.anchors.clone();
        if is_asleep {
            slept += 1;
            assert!(anchors.iter().any(|anchor| anchor.slip.abs() > 1e-8));
            held.get_or_insert_with(|| (x.clone(), anchors.clone()));
        }
        if let Some((before, kept)) = &held {
            let apart = deviation(&x, |i| before[i]);
            assert!(apart < 1e-12, "step {}: {apart:e} m", report.record.step);
            woke += usize::from(!is_asleep);
            for (a, b) in kept.iter().zip(&anchors) {
                near(a.slip, b.slip, 1e-12);
            }
        }
    }
    assert!(slept > 10 && woke > 0, "{slept} {woke}");
}

#[test]
fn of_two_groups_one_sleeps_while_the_other_is_pushed() {
    let mut bodies = wall("left", 2, 2, -3.0);
    bodies.extend(wall("right", 2, 2, 3.0));
    let push = json!([{ "body": "right_0_1", "force": ["100 * sin(6 * t)", 0] }]);
    let mut parts = Parts::of(&sleepy(&bodies, 200, &json!({ "loads": push })));
    lull(&mut parts, 4, 120);
    for report in run(&mut parts, 50) {
        assert_eq!(report.record.asleep, Some(4));
        assert!(report.record.newton_iterations > 0);
    }
    assert_eq!(asleep(&parts), [0, 1, 2, 3]);
}

/// A soft, an affine and a rigid block on the ground, apart from each other, and one of each on another.
fn kinds() -> Scene {
    let rubber = json!({ "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } },
        "damping": { "shear_viscosity": 500 } });
    let block = |name: &str, kind: &str, x: f64, y: f64| {
        let is_soft = kind == "deformable";
        let (material, segments) = if is_soft { ("rubber", 2) } else { ("stone", 1) };
        let kind = if kind == "affine" {
            json!({ "affine": {} })
        } else {
            json!(kind)
        };
        json!({ "name": name, "kind": kind, "material": material, "position": [x, y],
            "shape": { "rectangle": { "size": [0.4, 0.2], "segments": [segments, segments] } } })
    };
    inline(json!({
        "time": { "step": H, "steps": 600 },
        "materials": { "stone": { "density": 1000 }, "rubber": rubber },
        "bodies": [
            block("soft", "deformable", 0.0, 0.101), block("affine", "affine", 1.0, 0.101),
            block("rigid", "rigid", 2.0, 0.101),
            block("low", "affine", 3.0, 0.101), block("middle", "deformable", 3.0, 0.302),
            block("high", "rigid", 3.0, 0.503)
        ],
        "obstacles": [ground()],
        "contact": { "d_hat": 1e-3, "friction": { "default": 0.5 } },
        "solver": { "sleep": {} }
    }))
}

#[test]
fn soft_affine_and_rigid_bodies_sleep_alone_and_together() {
    let mut parts = Parts::of(&kinds());
    lull(&mut parts, 6, 500);
    let x = parts.state.x.clone();
    run(&mut parts, 20);
    assert_eq!(parts.state.x, x);
    assert_eq!(asleep(&parts), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn gravity_that_turns_wakes_everybody() {
    let bricks = wall("brick", 2, 2, 0.0);
    let changes = json!([{ "after": 150, "set": { "gravity": [9.0, -9.81] } }]);
    let mut parts = Parts::of(&sleepy(&bricks, 200, &json!({ "changes": changes })));
    lull(&mut parts, 4, 150);
    while parts.state.step < 150 {
        parts.step();
    }
    assert_eq!(parts.state.memory.options.sleep.sleeping_count(), 4);
    let before = parts.state.x[0];
    assert_eq!(parts.step().record.asleep, Some(0));
    run(&mut parts, 20);
    assert!(parts.state.x[0].x - before.x > 0.01);
}

#[test]
fn what_a_joint_pulls_and_a_load_that_grows_wake_their_group() {
    // A rope from a sleeping brick to a block that a load drags away from time 1 s on.
    let mut bodies = wall("brick", 1, 1, 0.0);
    bodies.push(stone("sled", rectangle(0.4, 0.2), [1.0, 0.101]));
    let joints = json!([{ "rope": { "bodies": ["brick_0_0", "sled"], "ends": [[0.2, 0.101], [0.8, 0.101]],
        "length": 0.7 } }]);
    let loads = json!([{ "body": "sled", "force": ["max(0, t - 1) * 3000", 0] }]);
    let more = json!({ "joints": joints, "loads": loads });
    let mut parts = Parts::of(&sleepy(&bodies, 300, &more));
    lull(&mut parts, 2, 100);
    while parts.state.step < 100 {
        parts.step();
        assert_eq!(parts.state.memory.options.sleep.sleeping_count(), 2);
    }
    assert_eq!(parts.step().record.asleep, Some(0));
    run(&mut parts, 150);
    assert!(parts.state.q[0].x > 0.01, "{}", parts.state.q[0]);
}

/// Steps of [`hit`].
const HIT: usize = 160;

/// A wall that sleeps, is hit by a block that slides, and sleeps again with it, with a ledger.
fn hit() -> Scene {
    let mut bodies = wall("brick", 3, 2, 0.0);
    let slides = json!({ "velocity": [4.0, 0.0] });
    bodies.push(rigid("block", rectangle(0.4, 0.2), [-1.6, 0.101], slides));
    let more = json!({ "output": { "ledger": true }, "solver": { "sleep": { "speed": 1e-4, "steps": 5 } } });
    sleepy(&bodies, HIT, &more)
}

#[test]
fn a_run_resumes_in_the_middle_of_sleep_with_the_same_bits_on_any_threads() {
    let scene = hit();
    let mut seen = [0; 3];
    let mut hash = 0;
    assert_resumable(&scene, HIT, |whole, _| {
        let sleepers = whole.state.memory.options.sleep.sleeping_count();
        seen[usize::from(sleepers > 0) + usize::from(sleepers == 7)] += 1;
        hash = whole.state.hash();
    });
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");

    let end = || {
        let mut parts = Parts::of(&scene);
        run(&mut parts, HIT);
        parts.state.hash()
    };
    assert_eq!(parallel::serially(end), hash);
    for threads in [2, 3] {
        let pool = parallel::Pool::new(Some(threads)).unwrap();
        assert_eq!(pool.run(end), hash, "{threads} threads");
    }
}

#[test]
fn the_ledger_closes_through_sleep_and_has_the_energy_that_it_takes() {
    let mut parts = Parts::of(&hit());
    let mut books = Books::default();
    let first = begin(&parts.world, &mut parts.solver, &parts.state).unwrap();
    books.enter(&first.report.record);
    let mut taken = 0.0;
    let mut largest = 0.0_f64;
    for _ in 0..HIT {
        let before = parts.state.clone();
        let record = parts.step().record;
        books.enter(&record);
        largest = largest.max(record.kinetic + record.potentials[0].abs());

        // Kinetic energy of those that fall asleep, from velocities at the start of the step.
        for (number, body) in parts.world.bodies.iter().enumerate() {
            if parts.state.memory.options.sleep.is_asleep(number) {
                for node in body.nodes.clone() {
                    let v = before.q_dot[node];
                    taken -= 0.5 * parts.world.model.mass[node].component_mul(&v).dot(&v);
                }
            }
        }
    }
    assert!(books.unexplained_work().abs() < CLOSES * largest);
    assert!(books.unexplained_impulse().linear.norm() < 1e-8 * largest);
    assert!(taken < 0.0 && (books.work.sleep - taken).abs() < 1e-9 * taken.abs());
}

#[test]
fn certificates_of_runs_with_sleepers_are_verified_and_the_table_counts_them() {
    let place = Place::new();
    place.resumed(&serde_json::to_value(hit()).unwrap(), ["70", "160"]);

    let table = place.read("whole/energies.csv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    let column = rows[0].iter().position(|&name| name == "asleep").unwrap();
    let counts: Vec<&str> = rows[1..].iter().map(|row| row[column]).collect();
    assert!(
        ["0", "6", "7"].iter().all(|count| counts.contains(count)),
        "{counts:?}"
    );
}

#[test]
fn forces_on_sleepers_are_those_of_equilibrium() {
    let bricks = wall("brick", 3, 1, 0.0);
    let mut parts = Parts::of(&sleepy(&bricks, 300, &json!({})));
    lull(&mut parts, 3, 200);
    run(&mut parts, 3);
    let contacts = ipcsim::forces::reactions(&parts.world, &parts.state, parts.solver.last());
    let weight: f64 = (0..3)
        .map(|k| parts.world.mass_of(&parts.world.bodies[k]))
        .sum::<f64>()
        * 9.81;
    let reaction: Vec2 = contacts.iter().map(|reaction| reaction.force).sum();
    near(reaction.y, weight, 1e-3 * weight);
}

#[test]
fn a_scene_that_does_not_ask_for_sleep_has_none() {
    let mut scene = sleepy(&wall("brick", 1, 1, 0.0), 60, &json!({}));
    scene.solver.sleep = None;
    let mut parts = Parts::of(&scene);
    for report in run(&mut parts, 60) {
        assert!(report.record.asleep.is_none());
    }
    assert!(parts.state.memory.options.sleep.rest.is_empty());
}
