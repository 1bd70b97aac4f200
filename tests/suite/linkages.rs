//! Linkages with redundant bars turn through their dead centres by the least forces.

use crate::support::{Run, rectangle, rigid, stones};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Length of the cranks (m).
const CRANK: f64 = 0.2;

/// Places of the axles (m): in line, so that all bars are in line at two dead centres of a turn.
const AXLES: [f64; 6] = [0.0, 1.0, 0.5, 0.25, 0.75, 0.125];

/// A coupling rod on this number of parallel cranks. A motor turns the first one at `speed` (degrees/s), from an angle of
/// 90 degrees.
fn locomotive(cranks: usize, speed: f64, time: &Value) -> Scene {
    turned_locomotive(cranks, speed, time, 0.0, [0.0, CRANK])
}

/// The same with cranks that are `turned` on by an angle (degrees), so that their pins are at `pin` from the axles (m).
fn turned_locomotive(cranks: usize, speed: f64, time: &Value, turned: f64, pin: [f64; 2]) -> Scene {
    let [across, up] = pin;
    let name = |k: usize| format!("crank{k}");
    let mut bodies: Vec<Value> = (0..cranks)
        .map(|k| {
            rigid(
                &name(k),
                rectangle(0.03, CRANK),
                [AXLES[k] + 0.5 * across, 0.5 * up],
                json!({ "rotation_deg": turned }),
            )
        })
        .collect();
    bodies.push(rigid(
        "rod",
        rectangle(1.0, 0.03),
        [0.5 + across, up],
        json!({}),
    ));
    let axles: Vec<Value> = (0..cranks)
        .map(|k| {
            json!({ "name": format!("axle{k}"), "shape": { "circle": { "radius": 0.005 } }, "position": [AXLES[k], 0.0] })
        })
        .collect();

    let mut joints = Vec::new();
    for (k, x) in AXLES.into_iter().enumerate().take(cranks) {
        let mut axle = json!({ "bodies": [format!("axle{k}"), name(k)], "at": [x, 0.0] });
        if k == 0 {
            axle["motor"] = json!({ "speed_deg": speed, "torque": 1000.0 });
        }
        joints.push(json!({ "hinge": axle }));
        joints.push(json!({ "hinge": { "bodies": [name(k), "rod"], "at": [x + across, up] } }));
    }

    // Nothing collides: cranks pass each other.
    let mut names: Vec<String> = (0..cranks).map(name).collect();
    names.push("rod".to_owned());
    let mut apart = Vec::new();
    for (k, one) in names.iter().enumerate() {
        apart.extend(names[k + 1..].iter().map(|other| json!([one, other])));
        apart.extend((0..cranks).map(|k| json!([one, format!("axle{k}")])));
    }
    let rest = json!({
        "time": time, "thickness": 0.01, "obstacles": axles, "joints": joints, "contact": { "exclude": apart },
        "solver": {},
    });
    stones(&bodies, rest)
}

/// Directions of all steps of a linkage. All cranks stay parallel, no step is recovered, and the first one has turned by
/// `turns`.
fn directions(scene: &Scene, cranks: usize, turns: f64) -> usize {
    let mut run = Run::of(scene);
    let mut sum = 0;
    let mut turned = 0.0;
    let direction = |run: &Run, k: usize| {
        let x = &run.state().x[run.world().bodies[k].vertices.clone()];
        (x[2] - x[1]).normalize()
    };
    let mut before = direction(&run, 0);
    for step in 0..scene.time.steps {
        let done = run.try_step().unwrap();
        assert!(done.recovery.is_none(), "step {step}: {:?}", done.recovery);
        sum += done.record.newton_iterations;
        let first = direction(&run, 0);
        for k in 1..cranks {
            let apart: Vec2 = direction(&run, k) - first;
            assert!(apart.norm() < 2e-5, "step {step}: {}", apart.norm());
        }
        turned += before.perp(&first).atan2(before.dot(&first));
        before = first;
    }
    let found = turned / std::f64::consts::TAU;
    assert!((found.abs() - turns).abs() < 0.02 * turns, "{found} turns");
    sum
}

#[test]
fn redundant_cranks_pass_their_dead_centres_at_no_more_than_twice_the_cost() {
    let time = |integrator: &str| json!({ "step": 0.005, "steps": 800, "integrator": integrator });
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let two = directions(&locomotive(2, 360.0, &time(integrator)), 2, 4.0);
        for cranks in [3, 4, 6] {
            let more = directions(&locomotive(cranks, 360.0, &time(integrator)), cranks, 4.0);
            assert!(
                more <= 2 * two,
                "{cranks} cranks, {integrator}: {more} and {two}"
            );
        }
    }
}

#[test]
fn redundant_cranks_turn_fast_and_with_other_steps() {
    for [step, speed] in [[0.001, 360.0], [0.0049, 360.0], [0.001, 3600.0]] {
        let time = json!({ "step": step, "steps": 1000, "integrator": "bdf2" });
        directions(
            &locomotive(3, speed, &time),
            3,
            speed / 360.0 * 1000.0 * step,
        );
    }
}

#[test]
#[ignore = "fifteen seconds; .ci/nightly runs it"]
fn three_cranks_pass_a_thousand_dead_centres() {
    let time = json!({ "step": 0.005, "steps": 100_000 });
    directions(&locomotive(3, 360.0, &time), 3, 500.0);
}

/// A locomotive whose cranks are this angle (degrees) before the dead centre on the left.
fn before_dead_centre(cranks: usize, angle: f64, time: &Value) -> Scene {
    let from = (180.0 - angle).to_radians();
    let pin = [CRANK * from.cos(), CRANK * from.sin()];
    turned_locomotive(cranks, 1.0, time, 90.0 - angle, pin)
}

#[test]
fn slow_cranks_under_weight_pass_a_dead_centre_that_a_step_meets_exactly_or_nearly() {
    for integrator in ["implicit_euler", "bdf2", "trapezoid", "tr_bdf2"] {
        let time = json!({ "step": 0.01, "steps": 30, "integrator": integrator });
        for cranks in [2, 3] {
            for part in [0.0, 0.5, 0.1, 1e-4] {
                // A hundredth of a degree a step.
                let scene = before_dead_centre(cranks, 0.01 * (10.0 + part), &time);
                let found = directions(&scene, cranks, 0.3 / 360.0);
                assert!(found < 200, "{cranks} {integrator} {part}: {found}");
            }
        }
    }
}

/// Numbers of the joints of a scene that repeat each other at the start, everywhere or in this place only.
fn repeated(scene: &Scene) -> Vec<(Vec<usize>, Option<bool>)> {
    let run = Run::of(scene);
    let sets = run.world().repeated_joints(run.state()).into_iter();
    sets.map(|set| (set.joints, set.everywhere)).collect()
}

#[test]
fn joints_that_repeat_each_other_are_found_with_whether_they_do_so_everywhere() {
    let time = json!({ "step": 0.01, "steps": 1 });
    let all = |cranks: usize| (0..2 * cranks).collect::<Vec<usize>>();

    // Two parallel cranks repeat nothing but at a dead centre, a third one repeats them everywhere.
    assert_eq!(repeated(&locomotive(2, 1.0, &time)), []);
    let found = repeated(&before_dead_centre(2, 0.0, &time));
    assert_eq!(found, [(all(2), Some(false))]);
    let found = repeated(&locomotive(3, 1.0, &time));
    assert_eq!(found, [(all(3), Some(true))]);
    let found = repeated(&before_dead_centre(3, 0.0, &time));
    assert!(
        found.iter().any(|(joints, _)| *joints == all(2)),
        "{found:?}"
    );
    assert_eq!(repeated(&locomotive(4, 1.0, &time)).len(), 2);
}

#[test]
fn doors_on_three_hinges_and_frames_with_both_diagonals_rest_on_least_forces() {
    // A door on three hinges in line carries its weight without a pull of the hinges against each other.
    let door = rigid("door", rectangle(0.8, 2.0), [0.41, 0.0], json!({}));
    let hinges: Vec<Value> = [-0.8, 0.0, 0.8]
        .iter()
        .map(|y| json!({ "hinge": { "bodies": ["post", "door"], "at": [0.0, y] } }))
        .collect();
    let rest = json!({
        "time": { "step": 0.01, "steps": 100 },
        "obstacles": [{ "name": "post", "shape": rectangle(0.05, 2.2), "position": [-0.05, 0.0] }],
        "joints": hinges,
        "solver": {},
    });
    let mut run = Run::of(&stones(&[door], rest));
    let mut directions = 0;
    for _ in 0..100 {
        let done = run.try_step().unwrap();
        assert!(done.recovery.is_none());
        directions += done.record.newton_iterations;
    }
    assert!(directions <= 120, "{directions}");

    // Each hinge bears a third of the weight.
    let weight = run.mass(0) * 9.81;
    let forces = &run.state().memory.multipliers;
    let up: Vec<f64> = forces.iter().map(|force| force.y.abs()).collect();
    for up in &up {
        assert!(
            (up - weight / 3.0).abs() < 1e-3 * weight,
            "{forces:?} of {weight}"
        );
    }
}

#[test]
fn a_chain_that_is_pulled_apart_parts_at_one_link() {
    // Five links between a support and a weight that is too heavy: every hinge has more than it carries, the upper ones
    // most. With one weaker link the chain parts there.
    let chain = |weak: Option<usize>| {
        let mut bodies: Vec<Value> = (0..5)
            .map(|k| {
                rigid(
                    &format!("link{k}"),
                    rectangle(0.05, 0.2),
                    [0.0, -0.1 - 0.2 * f64::from(k)],
                    json!({}),
                )
            })
            .collect();
        bodies.push(rigid("weight", rectangle(1.0, 1.0), [0.0, -1.5], json!({})));
        let names = [
            "hook", "link0", "link1", "link2", "link3", "link4", "weight",
        ];
        let joints: Vec<Value> = (0..6)
            .map(|k| {
                let carries = if weak == Some(k) { 7000.0 } else { 9000.0 };
                json!({ "hinge": {
                    "bodies": [names[k], names[k + 1]], "at": [0.0, -0.2 * k as f64], "break_force": carries
                } })
            })
            .collect();
        let rest = json!({
            "time": { "step": 0.01, "steps": 20 },
            "obstacles": [{ "name": "hook", "shape": { "circle": { "radius": 0.01 } }, "position": [0.0, 0.05] }],
            "joints": joints,
            "solver": {},
        });
        let mut run = Run::of(&stones(&bodies, rest));
        let mut broke = Vec::new();
        for _ in 0..20 {
            broke.extend(run.step().broken_joints());
        }
        broke
    };

    // Equal links break where the load is largest, at the top.
    assert_eq!(chain(None), [0]);
    assert_eq!(chain(Some(3)), [3]);
}
